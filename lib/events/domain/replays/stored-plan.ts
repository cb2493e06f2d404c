// A replay plan as it is stored.
import * as z from 'zod';
import {
  PLAN_STATES,
  PLAN_VERDICTS,
  type PlanCursor,
  type PlanFilter,
  type PlanProgress,
  type ReplayPlan,
} from './plan.ts';
import { DEDUPES } from './replay-id.ts';

const filter = z.looseObject({
  fromMs: z.number(),
  toMs: z.number(),
  eventName: z.string().exactOptional(),
  source: z.string().exactOptional(),
  eventIds: z.array(z.string()).exactOptional(),
} satisfies Record<keyof PlanFilter, z.ZodType>);

const progress = z.looseObject({
  cursor: z
    .looseObject({
      receivedAtMs: z.number(),
      ingestId: z.string(),
    } satisfies Record<keyof PlanCursor, z.ZodType>)
    .exactOptional(),
  seen: z.number(),
  matched: z.number(),
  sent: z.number(),
  unreadable: z.number(),
  counts: z.record(z.string(), z.partialRecord(z.enum(PLAN_VERDICTS), z.number())),
} satisfies Record<keyof PlanProgress, z.ZodType>);

export const STORED_REPLAY_PLAN: z.ZodType<ReplayPlan> = z.looseObject({
  merchantId: z.string(),
  id: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  state: z.enum(PLAN_STATES),
  version: z.number(),
  step: z.number(),
  requestKey: z.string().exactOptional(),
  filter,
  platforms: z.array(z.string()).exactOptional(),
  only: z.enum(['undelivered', 'all']),
  dedupe: z.enum(DEDUPES),
  dryRun: z.boolean(),
  rate: z.number(),
  progress,
} satisfies Record<keyof ReplayPlan, z.ZodType>);
