// One shard of a merchant's rows by time of receipt, out of the by_time index: day by day, page by page.
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { ingestIdFloor, ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import { INDEX } from '#lib/events/domain/topology.ts';
import type { ReceivedPage, ReceivedQuery } from '#lib/events/ports/event-store.ts';
import type { Table } from '../../core/items/commands.ts';
import { between, queryPage } from '../../core/items/query.ts';
import { type Item, parseItemKey, timePartition } from './event-item.ts';

export async function queryReceived(events: Table, query: ReceivedQuery): Promise<ReceivedPage> {
  const from = ingestIdFloor(query.fromMs);
  const to = ingestIdFloor(query.toMs);
  const step = query.order === 'asc' ? DAY_MS : -DAY_MS;
  const [start, after] =
    query.cursor === undefined
      ? [undefined, undefined]
      : (JSON.parse(Buffer.from(query.cursor, 'base64url').toString()) as [number, Item | undefined]);
  const earliest = floorTo(query.fromMs, DAY_MS);
  let day = start ?? (query.order === 'asc' ? earliest : floorTo(query.toMs - 1, DAY_MS));
  let resume = after;
  const keys: ReceivedPage['keys'][number][] = [];
  while (day >= earliest && day < query.toMs) {
    const hash = timePartition(query.merchantId, day, query.shard);
    const ofDay = { index: INDEX.eventsByTime, names: ['tp', 'ts'], hash, range: between(from, to) } as const;
    const pageMax = query.limit - keys.length;
    const { items, last } = await queryPage(events, ofDay, {
      forward: query.order === 'asc',
      pageMax,
      after: resume,
    });
    for (const item of items) {
      const ingestId = String(item.ts);
      if (ingestId >= to) continue;
      keys.push({ key: parseItemKey(item), ingestId, receivedAtMs: ingestTimeMs(ingestId) });
    }
    resume = last;
    if (resume === undefined) day += step;
    if (keys.length >= query.limit) break;
  }
  const more = day >= earliest && day < query.toMs;
  return more ? { keys, cursor: Buffer.from(JSON.stringify([day, resume])).toString('base64url') } : { keys };
}
