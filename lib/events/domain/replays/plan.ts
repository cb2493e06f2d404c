// A plan to send many stored events again. Its row is its only state: the task and the progress. Guarantees: the range
// ends when the plan was created; changes by hand and changes by progress can be distinguished.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { DEDUPES } from './replay-id.ts';

export const PLAN_STATES = ['running', 'paused', 'done', 'cancelled'] as const;
export type PlanState = (typeof PLAN_STATES)[number];
/** True if it never continues. */
export const isOver = ({ state }: Pick<ReplayPlan, 'state'>): boolean =>
  state === 'done' || state === 'cancelled';

/** What a plan does with an event at one platform. */
export const PLAN_VERDICTS = [
  /** Sent; in a dry run: would be. */
  'will_send',
  'already_delivered',
  /** Its own delivery is in progress, or waits for a retry: that one continues. */
  'in_progress',
  /** The platform takes no events of this age. */
  'too_old',
  /** Its personal data was erased. */
  'erased',
  /** Not connected, or excluded by a rule, by consent, or by a missing field. */
  'excluded',
  'unreadable',
] as const;
export type PlanVerdict = (typeof PLAN_VERDICTS)[number];

const filter = z.looseObject({
  /** Received in [fromMs, toMs). */
  fromMs: z.number(),
  toMs: z.number(),
  /** Canonical, an alias, or a custom name as sent. */
  eventName: z.string().exactOptional(),
  source: z.string().exactOptional(),
  /** Only these ids, as they are stored now. */
  eventIds: z.array(z.string()).exactOptional(),
});
export type PlanFilter = StoredAs<typeof filter>;

/** The last event that was read. */
const cursor = z.looseObject({ receivedAtMs: z.number(), ingestId: z.string() });
export type PlanCursor = StoredAs<typeof cursor>;

const progress = z.looseObject({
  cursor: cursor.exactOptional(),
  /** Rows read (of a plan that names ids: ids), rows that match the filter, replays stored. */
  seen: z.number(),
  matched: z.number(),
  sent: z.number(),
  /** Rows that could not be read. They are skipped. */
  unreadable: z.number(),
  /** Slug or id of a connection → verdict → events. */
  counts: z.record(z.string(), z.partialRecord(z.enum(PLAN_VERDICTS), z.number())),
});
export type PlanProgress = StoredAs<typeof progress>;

export const STORED_REPLAY_PLAN = z.looseObject({
  merchantId: z.string(),
  id: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  state: z.enum(PLAN_STATES),
  /** Changes with every write. */
  version: z.number(),
  /** Changes with every step, and when the plan is resumed: a message for another step is out of date. */
  step: z.number(),
  /** Digest of the Idempotency-Key it was created under, and of the caller. */
  requestKey: z.string().exactOptional(),
  filter,
  /** Slugs, and ids of connections. Absent: every connected platform. */
  platforms: z.array(z.string()).exactOptional(),
  only: z.enum(['undelivered', 'all']),
  dedupe: z.enum(DEDUPES),
  dryRun: z.boolean(),
  /** Replays stored per second, at most. */
  rate: z.number(),
  progress,
});
export type ReplayPlan = StoredAs<typeof STORED_REPLAY_PLAN>;

export const PLAN_LIMITS = {
  /** Running and paused plans of a merchant. */
  activeMax: 5,
  rateMin: 1,
  rateMax: 500,
  rateDefault: 50,
  eventIdsMax: 500,
  rangeMaxDays: 100,
} as const;

export const NO_PROGRESS: PlanProgress = { seen: 0, matched: 0, sent: 0, unreadable: 0, counts: {} };

/** The sum of both; the cursor is the later one's. */
export function withPage(progress: PlanProgress, page: PlanProgress): PlanProgress {
  const counts: Record<string, Partial<Record<PlanVerdict, number>>> = {};
  for (const part of [progress.counts, page.counts])
    for (const [platform, words] of Object.entries(part)) {
      const sum = { ...counts[platform] };
      for (const [word, events] of Object.entries(words) as [PlanVerdict, number][])
        sum[word] = (sum[word] ?? 0) + events;
      counts[platform] = sum;
    }
  return {
    ...(page.cursor === undefined ? optionalCursor(progress) : { cursor: page.cursor }),
    seen: progress.seen + page.seen,
    matched: progress.matched + page.matched,
    sent: progress.sent + page.sent,
    unreadable: progress.unreadable + page.unreadable,
    counts,
  };
}

const optionalCursor = ({ cursor }: PlanProgress) => (cursor === undefined ? {} : { cursor });

/** True if both are at the same event. */
export function isSamePlace(a: PlanProgress, b: PlanProgress): boolean {
  return a.cursor?.ingestId === b.cursor?.ingestId && a.seen === b.seen;
}
