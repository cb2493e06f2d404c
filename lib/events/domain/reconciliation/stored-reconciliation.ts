// A reconciliation as it is stored.
import * as z from 'zod';
import { STANDINGS } from '../analytics/order-standing.ts';
import type {
  ComparedPlace,
  PartRef,
  Reconciliation,
  ReconciliationCounts,
  ReconciliationCursor,
  UploadFigures,
} from './reconciliation.ts';

const place = z.looseObject({
  slot: z.string(),
  platform: z.string(),
  sinceVersion: z.number(),
  byOrder: z.literal(true).exactOptional(),
  windowSec: z.number().exactOptional(),
} satisfies Record<keyof ComparedPlace, z.ZodType>);

const upload = z.looseObject({
  orders: z.number(),
  repeated: z.number(),
  withValue: z.number(),
  withCurrency: z.number(),
  withTime: z.number(),
  firstMs: z.number().exactOptional(),
  lastMs: z.number().exactOptional(),
} satisfies Record<keyof UploadFigures, z.ZodType>);

const part = z.looseObject({
  version: z.number(),
  pieces: z.number(),
} satisfies Record<keyof PartRef, z.ZodType>);

const cursor = z.looseObject({
  receivedAtMs: z.number(),
  ingestId: z.string(),
} satisfies Record<keyof ReconciliationCursor, z.ZodType>);

const counts = z.looseObject({
  seen: z.number(),
  unreadable: z.number(),
  unlisted: z.number(),
} satisfies Record<keyof ReconciliationCounts, z.ZodType>);

export const STORED_RECONCILIATION: z.ZodType<Reconciliation> = z.looseObject({
  merchantId: z.string(),
  id: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['receiving', 'running', 'done']),
  version: z.number(),
  notBeforeMs: z.number(),
  requestKey: z.string().exactOptional(),
  fromMs: z.number(),
  toMs: z.number(),
  places: z.array(place),
  upload,
  parts: z.array(part),
  cursor: cursor.exactOptional(),
  counts,
  standings: z.record(z.string(), z.partialRecord(z.enum(STANDINGS), z.number())).exactOptional(),
} satisfies Record<keyof Reconciliation, z.ZodType>);
