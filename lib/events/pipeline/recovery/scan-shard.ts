// Scans one shard of the due index group by group. A small group's pointers are sent at once; a larger group is skipped
// with one query and handed over to a run of its own, so that one merchant with ten million open deliveries costs the
// others one query. Parked groups cost a read of their connections.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { DueWork } from '../../domain/deliveries/due-work.ts';
import { byTenant } from '../../domain/pointer.ts';
import type { ConnectionStore } from '../../ports/connection-store.ts';
import type { DueEntry, DueGroup } from '../../ports/due-index.ts';
import { askOnce } from '../ask-once.ts';
import { knownConnection } from '../connections/known-connection.ts';
import { type DueSource, WAITING_MS } from './due-source.ts';
import { isPaced, isProbeDue, isReleased, platformsOf, type ReleasePorts, sendParked } from './parked.ts';
import { type SendDuePorts, sendDuePointers } from './send-due-pointers.ts';

/** Entries of one query: as many as fit into one or two read units, so that skipping a large group is cheap. */
const SCAN_PAGE = 40;
/** Deliveries per group and shard that probe whether a platform is back: those whose windows close first. */
const PROBE_ENTRIES = 5;

export interface ScanPorts extends SendDuePorts, ReleasePorts {
  /** The drain queue. */
  readonly work: MessageSender<DueWork>;
  /** Called with the first of what is parked for a place that takes nothing, in each shard. Absent where no incidents are kept. */
  readonly parked?: ParkedSeen;
  /** Called with the time since when the first entry of a group is due. Absent where nothing is measured. */
  readonly overdue?: (dueAtMs: number) => void;
}

export type ParkedSeen = (seen: {
  readonly merchantId: string;
  readonly place: string;
  /** By the index, of all places the entry is parked for. */
  readonly untilMs: number;
  /** As it is stored, of this place. */
  readonly read: () => Promise<number | undefined>;
}) => void;

export interface Scan {
  /** Entries that were read because they were due. */
  readonly due: number;
  /** Of those, what no worker has taken, or no sweep has sent a pointer for. */
  readonly waiting: number;
  /** The last group before time ran out; absent at the end. */
  readonly past?: DueGroup;
}

/** Caches connections for one sweep: each is read once. */
export type KnownConnections = ConnectionStore['connection'];

export const rememberConnections = ({ connection }: Pick<ConnectionStore, 'connection'>): KnownConnections =>
  askOnce(connection, (merchantId, slot) => `${merchantId}/${slot}`);

/** Ends after the page during which `untilMs` passes. */
export async function scanShard<Key>(
  source: DueSource<Key>,
  shard: number,
  from: DueGroup | undefined,
  ports: ScanPorts,
  connection: KnownConnections,
  untilMs: number,
): Promise<Scan> {
  let past = from;
  let dueCount = 0;
  let waiting = 0;
  for (;;) {
    const nowMs = ports.clock.now();
    const { entries, isCut } = await source.index.dueGroups(shard, past, SCAN_PAGE);
    const groups = groupsOf(source, entries);
    // The last group of a full page is read whole with the next page, unless it fills a page by itself.
    if (isCut && groups.length > 1) groups.pop();
    const small: DueEntry<Key>[] = [];
    for (const group of groups) {
      const due = group.entries.filter(({ dueAtMs }) => dueAtMs <= nowMs);
      for (const { dueAtMs } of due.slice(0, 1)) ports.overdue?.(dueAtMs);
      waiting += due.filter(({ dueAtMs }) => dueAtMs <= nowMs - WAITING_MS).length;
      if (isCut && groups.length === 1 && due.length === group.entries.length)
        await enqueue(
          { task: 'due', table: source.table, merchant: group.merchantId, shard, ...parked(group) },
          ports,
        );
      else small.push(...due);
      await releaseParked(source, shard, group, ports, connection);
    }
    waiting += await sendDuePointers(
      source,
      small.map(({ key }) => key),
      nowMs,
      ports,
    );
    dueCount += small.length;
    past = groups.at(-1) ?? past;
    if (!isCut || groups.length === 0) return { due: dueCount, waiting };
    if (past !== undefined && ports.clock.now() >= untilMs) return { due: dueCount, waiting, past };
  }
}

/** Sends the rest of a shard as work for another function. */
export async function enqueueRest(
  { table }: Pick<DueSource, 'table'>,
  shard: number,
  { merchantId, parkedFor }: DueGroup,
  ports: ScanPorts,
): Promise<void> {
  await enqueue({ task: 'scan', table, merchant: merchantId, shard, ...parked({ parkedFor }) }, ports);
}

async function releaseParked<Key>(
  source: DueSource<Key>,
  shard: number,
  { merchantId, parkedFor, entries }: EntryGroup<Key>,
  ports: ScanPorts,
  connection: KnownConnections,
): Promise<void> {
  if (parkedFor === undefined) return;
  const nowMs = ports.clock.now();
  const probed: string[] = [];
  const paced: string[] = [];
  let released = false;
  for (const platform of platformsOf(parkedFor)) {
    const found = await knownConnection(connection, merchantId, platform, ports.report);
    if (found === undefined) continue;
    const [soonest] = entries;
    if (soonest !== undefined && !isReleased(found)) {
      const read = () => source.parkedUntilMs(soonest.key, platform);
      ports.parked?.({ merchantId, place: platform, untilMs: soonest.dueAtMs, read });
    }
    if (isReleased(found) && isPaced(platform, ports)) paced.push(platform);
    else if (isReleased(found)) released = true;
    else if (isProbeDue(found, nowMs)) probed.push(platform);
  }
  const release = { task: 'release', table: source.table, merchant: merchantId, shard, parkedFor } as const;
  if (released) await enqueue(release, ports);
  for (const platform of paced) await enqueue({ ...release, paced: platform }, ports);
  const first = entries.slice(0, PROBE_ENTRIES).map(({ key }) => key);
  if (probed.length > 0) await sendParked(source, first, probed, ports);
}

async function enqueue(work: DueWork, { work: queue }: ScanPorts): Promise<void> {
  await queue.send(byTenant([work]));
}

const parked = ({ parkedFor }: Pick<DueGroup, 'parkedFor'>) => (parkedFor === undefined ? {} : { parkedFor });

interface EntryGroup<Key> extends DueGroup {
  readonly entries: DueEntry<Key>[];
}

function groupsOf<Key>(source: DueSource<Key>, entries: readonly DueEntry<Key>[]): EntryGroup<Key>[] {
  const groups: EntryGroup<Key>[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const { parkedFor } = entry;
    const merchantId = source.merchantOf(entry.key);
    if (last?.merchantId === merchantId && last.parkedFor === parkedFor) last.entries.push(entry);
    else groups.push({ merchantId, parkedFor, entries: [entry] });
  }
  return groups;
}
