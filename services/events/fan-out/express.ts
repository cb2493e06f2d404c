// Sends what is new at once instead of telling the queues of the platforms. What is left goes to them.
// Guarantees: a message that came back sends nothing here; what two messages of one invocation name is left to the queues, and
// not as the first.
import { type BatchKey, batchId } from '#lib/events/domain/deliveries/batch.ts';
import type { EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { packBatches, packPointers } from '#lib/events/domain/pointer.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import type { Left } from '../deliver/stage.ts';
import type { Manifests } from './batches.ts';
import type { ByPlatform, PlatformPointers, Pointed } from './platform-pointers.ts';
import type { FanOutPorts } from './ports.ts';

/** What the stage has read of them. */
export interface Known {
  readonly rows: readonly NormalizedRow[];
  readonly manifests: Manifests;
}

/** Resolves to what is left for the queues. */
export async function sendAtOnce(
  pointed: ByPlatform,
  known: Known,
  { express, clock, report }: FanOutPorts,
): Promise<ByPlatform> {
  if (express === undefined) return pointed;
  const once = new Map([...pointed].map(([platform, pointers]) => [platform, firstOnce(pointers)]));
  const bodies = [...once].flatMap(([platform, { first }]) =>
    [
      ...packPointers(first.rows, 'first', Number.POSITIVE_INFINITY),
      ...packBatches(first.batches, 'first', Number.POSITIVE_INFINITY),
    ].map((body): DeliveryMessage => ({ ...body, platform })),
  );
  if (bodies.length === 0) return once;
  const sentAtMs = clock.now();
  try {
    const { left } = await express(
      bodies.map((body) => ({ body, receiveCount: 1, sentAtMs })),
      known,
    );
    return new Map(
      [...once].map(([platform, pointers]) => [platform, remaining(pointers, left.get(platform))]),
    );
  } catch (error) {
    report('nothing could be sent at once', error);
    const all = ({ first, again }: PlatformPointers) => ({ first: NOTHING, again: joined(again, first) });
    return new Map([...once].map(([platform, pointers]) => [platform, all(pointers)]));
  }
}

const NOTHING: Pointed = { rows: [], batches: [] };

const joined = (a: Pointed, b: Pointed): Pointed => ({
  rows: [...a.rows, ...b.rows],
  batches: [...a.batches, ...b.batches],
});

function remaining({ first, again }: PlatformPointers, left: Left | undefined): PlatformPointers {
  if (left === undefined) return { first: NOTHING, again };
  const among = (ids: ReadonlySet<string>, unless?: ReadonlySet<string>): Pointed => {
    const isOne = (id: string): boolean => ids.has(id) && unless?.has(id) !== true;
    return {
      rows: first.rows.filter((key) => isOne(rowId(key))),
      batches: first.batches.filter((key) => isOne(batchId(key))),
    };
  };
  return { first: among(left.unsent, left.again), again: joined(again, among(left.again)) };
}

/** A queue may deliver a message twice, also to one invocation. */
function firstOnce({ first, again }: PlatformPointers): PlatformPointers {
  const rows = apart<EventKey>(first.rows, again.rows, rowId);
  const batches = apart<BatchKey>(first.batches, again.batches, batchId);
  return {
    first: { rows: rows.first, batches: batches.first },
    again: { rows: rows.again, batches: batches.again },
  };
}

function apart<Key>(first: readonly Key[], again: readonly Key[], idOf: (key: Key) => string) {
  const named = new Map<string, number>();
  for (const key of [...first, ...again]) named.set(idOf(key), (named.get(idOf(key)) ?? 0) + 1);
  const isOnce = (key: Key): boolean => named.get(idOf(key)) === 1;
  const repeated = new Map(first.filter((key) => !isOnce(key)).map((key) => [idOf(key), key]));
  for (const key of again) repeated.delete(idOf(key));
  return { first: first.filter(isOnce), again: [...again, ...repeated.values()] };
}
