// An erasure as it is stored.
import * as z from 'zod';
import type { Erasure, ErasureCounts, ErasureCursor } from './erasure.ts';

export const STORED_ERASURE: z.ZodType<Erasure> = z.looseObject({
  merchantId: z.string(),
  id: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['running', 'done']),
  version: z.number(),
  subjectDigest: z.string(),
  sealedSubject: z.string().exactOptional(),
  pass: z.number(),
  notBeforeMs: z.number(),
  fromMs: z.number(),
  toMs: z.number().exactOptional(),
  cursor: z
    .looseObject({
      receivedAtMs: z.number(),
      ingestId: z.string(),
    } satisfies Record<keyof ErasureCursor, z.ZodType>)
    .exactOptional(),
  counts: z.looseObject({
    seen: z.number(),
    erased: z.number(),
    missed: z.number(),
    again: z.number(),
    unreadable: z.number(),
  } satisfies Record<keyof ErasureCounts, z.ZodType>),
} satisfies Record<keyof Erasure, z.ZodType>);
