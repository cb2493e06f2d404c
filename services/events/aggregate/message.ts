// The counter-refresh queue: time slots whose rows have changed. A lost message costs minutes of freshness, nothing else.
import * as z from 'zod';
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { HOUR_MS } from '#lib/core/work/time-slot.ts';
import { byTenant, merchantSchema, minuteSchema } from '#lib/events/domain/pointer.ts';
import { isOpenSparse, SPARSE_SHARD, shardOf } from '#lib/events/domain/shard.ts';
import { bucketId, type CountedAt, minuteBucketOf } from '#lib/events/pipeline/counting/due-buckets.ts';
import type { BucketKey } from '#lib/events/ports/counter-store.ts';

const shardSchema = z.int().positive().max(SPARSE_SHARD);

export const counterRefreshSchema = z
  .object({
    merchant: merchantSchema,
    /**
     * Starts of minute buckets, UTC milliseconds, with the shard if it is not 0; messages in the queue call them slots.
     * Another start would be counted into its hour twice.
     */
    slots: z.array(z.union([minuteSchema, z.tuple([minuteSchema, shardSchema])])),
    /** Starts of hours to sum. */
    hours: z.array(minuteSchema.multipleOf(HOUR_MS)).optional(),
  })
  .refine(({ slots, hours = [] }) => slots.length + hours.length > 0, 'must name a slot');
export type CounterRefresh = z.output<typeof counterRefreshSchema>;

/** A message has the hints of one merchant, or of several with few each. */
export const counterRefreshMessageSchema = z.union([
  counterRefreshSchema,
  z.object({ refreshes: z.array(counterRefreshSchema).min(1) }),
]);
export type CounterRefreshMessage = z.output<typeof counterRefreshMessageSchema>;

/** Per message: an invocation gets up to a hundred, and each slot may have many rows. */
const SLOTS_MAX = 20;

/** Messages of one merchant each and few slots, each slot once. */
export function counterRefreshes(rows: Iterable<CountedAt>): CounterRefresh[] {
  return bucketRefreshes([...bucketsOf(rows).values()]);
}

function bucketsOf(rows: Iterable<CountedAt>): ReadonlyMap<string, BucketKey> {
  const buckets = new Map<string, BucketKey>();
  for (const row of rows) {
    const key = minuteBucketOf(row);
    buckets.set(bucketId(key), key);
  }
  return buckets;
}

/** Only a hint: the slots are due as well. None for those that every sweep looks at. A failure is reported. */
export async function requestCounterRefresh(
  rows: Iterable<CountedAt>,
  ports: RefreshPorts,
  delaySec = 0,
): Promise<void> {
  await requestRefreshOf([...bucketsOf(rows).values()], ports, delaySec);
}

/** The same for slots, each of which is named once. */
export async function requestRefreshOf(
  slots: readonly BucketKey[],
  { counterRefresh, clock, report }: RefreshPorts,
  delaySec = 0,
): Promise<void> {
  const nowMs = clock.now();
  const changed = slots.filter((key) => !isOpenSparse(key, nowMs));
  const refreshes = bucketRefreshes(changed);
  if (refreshes.length === 0) return;
  await counterRefresh.send(byTenant(refreshes), { delaySec }).catch((error: unknown) => {
    report('a counter refresh was not sent', error);
  });
}

export interface RefreshPorts {
  readonly counterRefresh: MessageSender<CounterRefresh>;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

/** Messages for slots; slots of days are not refreshed by hints. */
export function bucketRefreshes(keys: readonly BucketKey[]): CounterRefresh[] {
  const [only] = keys;
  // Nearly always true for the rows of one invocation.
  if (only?.grain === 'minute' && keys.length === 1)
    return [{ merchant: only.merchantId, slots: [bucketName(only)] }];
  return [...Map.groupBy(keys, ({ merchantId }) => merchantId)].flatMap(([merchant, own]) => {
    const minutes = new Map(own.filter(isOf('minute')).map((key) => [`${key.startMs}/${shardOf(key)}`, key]));
    const hours = [...new Set(own.filter(isOf('hour')).map(({ startMs }) => startMs))].sort((a, b) => a - b);
    const slots = [...minutes.values()]
      .sort((a, b) => a.startMs - b.startMs || shardOf(a) - shardOf(b))
      .map(bucketName);
    const messages: CounterRefresh[] = [];
    for (let at = 0; at < slots.length; at += SLOTS_MAX)
      messages.push({ merchant, slots: slots.slice(at, at + SLOTS_MAX) });
    if (hours.length > 0) messages.push({ slots: [], ...messages.pop(), merchant, hours });
    return messages;
  });
}

/** Per message of several merchants: a hundred such messages are as many slots as an invocation has time for. */
const PACKED_SLOTS_MAX = 6;

/** Several merchants per message: there may be as many merchants as slots. */
export function packRefreshes(refreshes: readonly CounterRefresh[]): CounterRefreshMessage[] {
  const messages: CounterRefreshMessage[] = [];
  let open: CounterRefresh[] = [];
  let slots = 0;
  const close = (): void => {
    if (open.length > 0) messages.push({ refreshes: open });
    open = [];
    slots = 0;
  };
  for (const refresh of refreshes) {
    const own = refresh.slots.length + (refresh.hours?.length ?? 0);
    if (slots + own > PACKED_SLOTS_MAX) close();
    open.push(refresh);
    slots += own;
  }
  close();
  return messages;
}

export const refreshesIn = (message: CounterRefreshMessage): readonly CounterRefresh[] =>
  'refreshes' in message ? message.refreshes : [message];

export function bucketName(key: Pick<BucketKey, 'startMs' | 'shard'>): CounterRefresh['slots'][number] {
  return shardOf(key) === 0 ? key.startMs : [key.startMs, shardOf(key)];
}

export function minuteNamed(name: CounterRefresh['slots'][number]): { startMs: number; shard: number } {
  const [startMs, shard] = typeof name === 'number' ? [name, 0] : name;
  return { startMs, shard };
}

const isOf =
  (grain: BucketKey['grain']) =>
  (key: BucketKey): boolean =>
    key.grain === grain;
