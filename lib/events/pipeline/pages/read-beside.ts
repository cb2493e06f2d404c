// Rows of which it is known about when they came: those that have left the table are found in the pages of that time.
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import type { EventKey, EventRow } from '../../domain/event/row.ts';
import type { Consistency, EventStore } from '../../ports/event-store.ts';
import { readable, rowId } from '../read-rows.ts';
import { besides } from '../server-copies.ts';

/** By live keys, whatever is under them now: an id may have been taken again. */
export async function readBeside(
  wanted: readonly { readonly key: EventKey; readonly atMs: number }[],
  events: Pick<EventStore, 'readMany'>,
  consistency: Consistency = 'strong',
): Promise<readonly EventRow[]> {
  const days = [...Map.groupBy(wanted, ({ atMs }) => floorTo(atMs, DAY_MS)).values()];
  const chunks = days.flatMap((day) =>
    readable([...new Map(day.map((one) => [rowId(one.key), one])).values()]),
  );
  const read = chunks.map((some) => {
    const keys = some.map(({ key }) => key);
    return events.readMany(keys, consistency, besides(some.map(({ atMs }) => atMs)));
  });
  return (await Promise.all(read)).flatMap(({ rows }) => rows);
}
