// The next events of a plan: by time of receipt, or by the ids it names. Guarantees: each acceptance once, however often a page
// is read; nothing that came after the plan was made.
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import type { PlanCursor, ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import { isBehind, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { readServerCopies } from '#lib/events/pipeline/server-copies.ts';
import type { ReplayPorts } from './ports.ts';

export interface Page {
  readonly rows: readonly EventRow[];
  readonly unreadable: number;
  /** Entries, or ids, that were looked at. */
  readonly seen: number;
  readonly cursor?: PlanCursor;
  /** There is nothing behind it. */
  readonly isLast: boolean;
}

type ReadPorts = Pick<ReplayPorts, 'events' | 'counters'>;

/** `readableMs`: what was received before it is in the index by now. */
export async function readPage(
  plan: ReplayPlan,
  readableMs: number,
  limit: number,
  ports: ReadPorts,
): Promise<Page> {
  const page =
    plan.filter.eventIds === undefined
      ? await pageByTime(plan, readableMs, limit, ports)
      : await pageOfIds(plan, plan.filter.eventIds, limit, ports);
  return { ...page, rows: await withoutServerCopies(page.rows, ports) };
}

async function pageByTime(
  { merchantId, filter, progress }: ReplayPlan,
  readableMs: number,
  limit: number,
  ports: ReadPorts,
): Promise<Page> {
  const { cursor } = progress;
  const toMs = Math.min(filter.toMs, readableMs);
  const range = { merchantId, fromMs: cursor?.receivedAtMs ?? filter.fromMs, toMs, order: 'asc' } as const;
  const entries = new Map<string, { readonly key: EventKey; readonly receivedAtMs: number }>();
  let isCut = false;
  scan: for await (const some of receivedEntries(range, limit, ports))
    for (const entry of some) {
      if (cursor !== undefined && !isBehind(entry, cursor)) continue;
      // On its way into the archive a row stands in the index twice.
      if (entries.size === limit && !entries.has(entry.ingestId)) {
        isCut = true;
        break scan;
      }
      entries.set(entry.ingestId, entry);
    }
  const { rows, unreadable } = await ports.events.readMany([...entries.values()].map(({ key }) => key));
  const own = rows.filter(({ ingestId }) => entries.has(ingestId));
  const last = [...entries].at(-1);
  return {
    rows: own,
    unreadable: unreadable.length,
    seen: entries.size,
    ...(last === undefined ? {} : { cursor: { receivedAtMs: last[1].receivedAtMs, ingestId: last[0] } }),
    isLast: !isCut && toMs === filter.toMs,
  };
}

/** The server's event of each id, or else the browser's. */
async function pageOfIds(
  { merchantId, filter, progress }: ReplayPlan,
  ids: readonly string[],
  limit: number,
  { events }: ReadPorts,
): Promise<Page> {
  // Of both channels in one read.
  const some = ids.slice(progress.seen, progress.seen + Math.min(limit, IDS_MAX));
  const keys = some.flatMap((eventId): EventKey[] => [
    { merchantId, channel: 'server', eventId },
    { merchantId, channel: 'browser', eventId },
  ]);
  const { rows, unreadable } = some.length === 0 ? NOTHING : await events.readMany(keys, 'strong', filter);
  const servers = new Set(rows.flatMap(({ key }) => (key.channel === 'server' ? [key.eventId] : [])));
  return {
    rows: rows.filter(
      ({ key, receivedAtMs }) =>
        (key.channel === 'server' || !servers.has(key.eventId)) &&
        receivedAtMs >= filter.fromMs &&
        receivedAtMs < filter.toMs,
    ),
    unreadable: unreadable.length,
    seen: some.length,
    isLast: progress.seen + some.length >= ids.length,
  };
}

const IDS_MAX = 50;
const NOTHING = { rows: [], unreadable: [] } as const;

/** A browser event whose server event exists is that event's shadow: it displaces nothing, here as elsewhere. */
async function withoutServerCopies(
  rows: readonly EventRow[],
  { events }: ReadPorts,
): Promise<readonly EventRow[]> {
  const isBrowser = ({ key }: EventRow): boolean => key.channel === 'browser';
  const copyOf = await readServerCopies(rows.filter(isBrowser), events);
  return rows.filter((row) => !isBrowser(row) || copyOf(row) === undefined);
}
