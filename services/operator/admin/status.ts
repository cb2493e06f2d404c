// How the deployment is: what is due longest, what platforms took and refused, and which merchants are in trouble. Reads indexes,
// counters and connections, and nothing that is personal; a merchant that is shown has it in its audit log. Queues are asked by the command itself.
import * as z from 'zod';
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { BUCKET_SHARDS } from '#lib/events/ports/counter-store.ts';
import { countedSince, figuresSinceMs, platformFigures } from './across/platform-figures.ts';
import { cursor, iso } from './fields.ts';
import { BAD_CURSOR } from './list-merchants.ts';
import { noteLook, platformView, stateOf, troubleOf } from './look.ts';
import type { DuePorts, OperatorPorts } from './ports.ts';

const PAGE = 25;
/** Of a shard: the longest due of these is shown. */
const LOOKED_AT = 500;
const SHARDS_AT_ONCE = 8;

export const dueAsked = z.strictObject({});
export const troubleAsked = z.strictObject({ cursor });

interface DueView {
  readonly what: 'events' | 'batches' | 'counters';
  /** Due by now and not done. */
  readonly overdue: number;
  readonly oldest: string | null;
  /** False: there are more entries than were looked at. */
  readonly complete: boolean;
}

/** Empty where the product of events is not deployed. */
export async function dueNow(
  _asked: unknown,
  _actor: string,
  { due, clock }: OperatorPorts,
): Promise<{ readonly due: readonly DueView[] }> {
  if (due === null) return { due: [] };
  const nowMs = clock.now();
  const counters = { dueShards: BUCKET_SHARDS, entries: slotsOf(due.counters) };
  return {
    due: await Promise.all([
      overdueIn('events', { dueShards: due.events.dueShards, entries: rowsOf(due.events) }, nowMs),
      overdueIn('batches', { dueShards: due.batches.dueShards, entries: rowsOf(due.batches) }, nowMs),
      overdueIn('counters', counters, nowMs),
    ]),
  };
}

type Entries = (
  shard: number,
  nowMs: number,
) => Promise<{ readonly atMs: readonly number[]; readonly isCut: boolean }>;

/** What is parked waits for its connection, and is no backlog. */
const rowsOf =
  (index: DuePorts['events']): Entries =>
  async (shard) => {
    const { entries, isCut } = await index.dueGroups(shard, undefined, LOOKED_AT);
    const own = entries.filter(({ parkedFor }) => parkedFor === undefined);
    return { atMs: own.map(({ dueAtMs }) => dueAtMs), isCut };
  };

const slotsOf =
  (counters: DuePorts['counters']): Entries =>
  async (shard, nowMs) => {
    const { due, cursor } = await counters.due(shard, nowMs, { pageMax: LOOKED_AT });
    return { atMs: due.map(({ dueAtMs }) => dueAtMs), isCut: cursor !== undefined };
  };

async function overdueIn(
  what: DueView['what'],
  { dueShards, entries }: { readonly dueShards: number; readonly entries: Entries },
  nowMs: number,
): Promise<DueView> {
  const shards = Array.from({ length: dueShards }, (_, shard) => shard);
  const found = await inParallel(shards, SHARDS_AT_ONCE, (shard) => entries(shard, nowMs));
  const overdue = found.flatMap(({ atMs }) => atMs).filter((atMs) => atMs < nowMs);
  const oldestMs = overdue.reduce((oldest, atMs) => Math.min(oldest, atMs), Number.POSITIVE_INFINITY);
  return {
    what,
    overdue: overdue.length,
    oldest: overdue.length === 0 ? null : iso(oldestMs),
    complete: found.every(({ isCut }) => !isCut),
  };
}

/** Of a page of merchants what platforms took of all, and those that are suspended, have an open incident, or a broken connection. */
export async function merchantsInTrouble(
  { cursor }: z.output<typeof troubleAsked>,
  actor: string,
  ports: OperatorPorts,
) {
  const page = await ports.pages.merchantPage(PAGE, cursor);
  if (page === null) return BAD_CURSOR;
  const looks = await Promise.all(
    page.found.map(async ({ id, merchant }) => {
      const [connections, incidents, counted] = await Promise.all([
        ports.config.listConnections(id),
        troubleOf(id, ports),
        countedSince(id, ports),
      ]);
      const platforms = connections.map(platformView).filter(({ state }) => state !== 'active');
      const state = merchant === null ? 'unreadable' : stateOf(merchant);
      const isWell = state === 'active' && platforms.length + incidents.length === 0;
      const isShown = !isWell && state !== 'removed';
      // Of the others only sums are shown.
      if (isShown) await noteLook(id, { actor, action: 'merchant.status' }, ports);
      return { view: { id, name: merchant?.name ?? null, state, platforms, incidents }, isShown, counted };
    }),
  );
  const counted = looks.flatMap((look) => look.counted);
  return {
    seen: looks.length,
    since: iso(figuresSinceMs(ports.clock.now())),
    platforms: platformFigures(counted),
    /** Slots of counters that cannot be read, and are missing in the sums. */
    unread: counted.filter(({ unreadable }) => unreadable).length,
    merchants: looks.flatMap(({ view, isShown }) => (isShown ? [view] : [])),
    next_cursor: page.next ?? null,
    read_units: page.readUnits,
  };
}
