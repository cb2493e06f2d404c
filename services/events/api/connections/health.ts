// How connections fare, for their list: what was delivered, what waits, since when and until when, and what is wrong.
// Guarantees: bounded reads, whatever is stored: 5 for all, and 4 at most for each connection that has something waiting;
// nothing is scanned. Each page of rows is 100 at most, read eventually: some 50 read units. Counts are those of analytics, a few seconds old, a minute where a merchant has many shards.
import type { z } from 'zod';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { laterOf } from '#lib/events/domain/analytics/later-words.ts';
import {
  type Connection,
  type EveryConnection,
  isWithdrawn,
} from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { type DeliveryState, TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { isParked } from '#lib/events/domain/deliveries/progress.ts';
import { KEPT_MAX_SEC, TRIED_MAX_SEC } from '#lib/events/domain/deliveries/window.ts';
import type { EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { bucketEndOf, shardOf } from '#lib/events/domain/shard.ts';
import { callsOf } from '#lib/events/pipeline/connections/calls.ts';
import type { BucketKey, BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ReceivedQuery } from '#lib/events/ports/event-store.ts';
import type { connectionHealth } from '#lib/events/routes/platforms/platforms.ts';
import { type CountsByConnection, createCountsByConnection } from '../analytics/by-connection.ts';
import { createWindowReader, type WindowReader } from '../analytics/shown-window.ts';
import { createVerdictReader, placesIn, type VerdictReader } from '../events/verdicts.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { callFigures } from './call-figures.ts';
import { givenUpFromMs, limitedOf, troubledSince, troubleOf, type Waiting } from './trouble.ts';

export type ConnectionHealth = z.output<typeof connectionHealth>;

/** Events looked at for calls and last deliveries, and for the one that waits longest. */
const ROWS_MAX = 100;
export const OPEN: readonly DeliveryState[] = ['QUEUED', 'SENDING', 'RETRY'];
const WINDOW_MS = TRIED_MAX_SEC * 1_000;
const KEPT_MS = KEPT_MAX_SEC * 1_000;

type Ports = Pick<ApiPorts, 'counters' | 'events' | 'platforms' | 'clock' | 'report' | 'config'>;

interface Reading {
  readonly merchantId: string;
  readonly nowMs: number;
  readonly ports: Ports;
  /** Newest first. */
  readonly newest: readonly NormalizedRow[];
  /** As far back as something may wait. */
  readonly slots: readonly BucketRow[];
  /** Where they begin. */
  readonly waitingMs: number;
  readonly hours: readonly BucketRow[];
  /** As far back as trouble goes. */
  readonly longest: readonly BucketRow[];
  readonly verdicts: VerdictReader;
  readonly windows: WindowReader;
  /** The slots of a slot, each read once. */
  readonly partsOf: (slot: BucketKey) => Promise<readonly BucketRow[]>;
  readonly counts: CountsByConnection;
}

type Oldest = Pick<ConnectionHealth, 'oldest_waiting'> & Pick<Waiting, 'limitedSinceMs'>;

/** In the order of the connections given. */
export async function healthOf(
  merchantId: string,
  every: EveryConnection,
  ports: Ports,
): Promise<readonly ConnectionHealth[]> {
  const { connections, removed } = every;
  if (connections.length === 0) return [];
  const nowMs = ports.clock.now();
  const today = floorTo(nowMs, DAY_MS);
  const waitingMs = floorTo(waitingSinceMs(connections, nowMs), DAY_MS);
  const sinceMs = connections.flatMap((one) => troubledSince(one) ?? []);
  const [windows, allDays, hours, newest] = await Promise.all([
    createWindowReader(merchantId, connections, ports),
    ports.counters.range(
      merchantId,
      'day',
      Math.min(waitingMs, ...sinceMs.map((ms) => givenUpFromMs(ms, nowMs))),
      today,
    ),
    ports.counters.range(merchantId, 'hour', floorTo(nowMs - DAY_MS, HOUR_MS), nowMs + 1),
    rowsOf({ merchantId, fromMs: nowMs - DAY_MS, toMs: nowMs + 1, order: 'desc', limit: ROWS_MAX }, ports),
  ]);
  const ofToday = hours.filter(({ key }) => key.startMs >= today);
  const reading: Reading = {
    merchantId,
    nowMs,
    ports,
    newest,
    hours,
    waitingMs,
    slots: [...allDays.filter(({ key }) => key.startMs >= waitingMs), ...ofToday],
    longest: [...allDays, ...ofToday],
    verdicts: createVerdictReader(ports.platforms, connections, removed),
    counts: createCountsByConnection(every),
    windows,
    partsOf: remembered(({ grain, startMs }) =>
      grain === 'day'
        ? ports.counters.range(merchantId, 'hour', startMs, startMs + DAY_MS)
        : ports.counters.range(merchantId, 'minute', startMs, startMs + HOUR_MS),
    ),
  };
  return await Promise.all(connections.map((connection) => oneHealth(connection, reading)));
}

/**
 * When the oldest event came that may wait for one of them. What is tried is of the last week; what waits for a pause is
 * from the week before it on, and may be on its way for another week once that has ended.
 */
function waitingSinceMs(connections: readonly Connection[], nowMs: number): number {
  const weekMs = nowMs - WINDOW_MS;
  return Math.min(
    weekMs,
    ...connections.map(({ pausedAtMs, createdAtMs, updatedAtMs }) => {
      if (pausedAtMs !== undefined) return Math.max(pausedAtMs - WINDOW_MS, nowMs - KEPT_MS);
      return updatedAtMs > weekMs ? Math.max(createdAtMs, nowMs - KEPT_MS) : weekMs;
    }),
  );
}

async function oneHealth(connection: Connection, reading: Reading): Promise<ConnectionHealth> {
  const { id, circuit } = connection;
  const { newest, hours, slots, counts } = reading;
  const delivered = total(hours, id, ['DELIVERED'], counts);
  const undelivered = total(hours, id, ['FAILED', 'ERROR'], counts);
  const retrying = total(hours, id, ['RETRY'], counts);
  const due = delivered + undelivered + retrying;
  const backlog = total(slots, id, OPEN, counts);
  const { oldest_waiting, limitedSinceMs } = await oldestWaiting(slots, id, reading);
  const lastMs = lastDeliveredMs(connection, reading);
  return {
    last_delivered_at: lastMs === null ? null : iso(lastMs),
    delivered_24h: delivered,
    undelivered_24h: undelivered,
    retrying_24h: retrying,
    error_rate_24h: due === 0 ? null : (undelivered + retrying) / due,
    later: laterOf([counts(slots)[id]?.later ?? {}]).map((one) => ({
      ...one,
      since: iso(reading.waitingMs),
    })),
    backlog,
    oldest_waiting,
    circuit:
      circuit === undefined
        ? { state: 'closed' }
        : {
            state: 'open',
            opened_at: iso(circuit.openedAtMs),
            next_probe_at: iso(circuit.nextProbeAtMs),
          },
    trouble: troubleView(connection, { backlog, limitedSinceMs }, reading),
    outages: (connection.outages ?? []).map(({ cause, fromMs, toMs }) => ({
      cause,
      started_at: iso(fromMs),
      ended_at: iso(toMs),
    })),
    ...callFigures(newest, connectionTarget(connection)),
  };
}

function troubleView(
  connection: Connection,
  waiting: Waiting,
  reading: Reading,
): ConnectionHealth['trouble'] {
  const { nowMs, ports, newest } = reading;
  const trouble =
    troubleOf(connection, callsOf(newest, connectionTarget(connection))) ??
    limitedOf(connection, waiting, { ...ports, nowMs });
  if (trouble === null) return null;
  const { kind, sinceMs, last, clearedByMs } = trouble;
  const fromMs = givenUpFromMs(sinceMs, reading.nowMs);
  const since = reading.longest.filter(({ key }) => key.startMs >= fromMs);
  return {
    kind,
    since: iso(sinceMs),
    ...(clearedByMs === undefined ? {} : { cleared_by: iso(clearedByMs) }),
    given_up: total(since, connection.id, ['ERROR'], reading.counts),
    given_up_from: iso(fromMs),
    last_error:
      last === null
        ? null
        : {
            at: iso(last.atMs),
            ...withoutUndefined({ http_status: last.status, code: last.code, message: last.message }),
          },
  };
}

export function total(
  slots: readonly BucketRow[],
  connectionId: string,
  states: readonly DeliveryState[],
  counts: CountsByConnection,
): number {
  const names = counts(slots)[connectionId]?.deliveries ?? {};
  return Object.values(names).reduce(
    (sum, words) => states.reduce((own, state) => own + (words[state] ?? 0), sum),
    0,
  );
}

/** When, or a time it was not before: of an event in a slot it is known that it was delivered, not when. */
function lastDeliveredMs(connection: Connection, { newest, slots, hours, counts }: Reading): number | null {
  const counted = [...slots, ...hours]
    .filter((one) => total([one], connection.id, ['DELIVERED'], counts) > 0)
    .map(({ key }) => key.startMs);
  const seen = newest.flatMap(({ deliveries, routingVersion }) =>
    isWithdrawn(connection, routingVersion)
      ? []
      : (deliveries[connectionTarget(connection)]?.deliveredAtMs ?? []),
  );
  return counted.length + seen.length === 0 ? null : Math.max(...counted, ...seen);
}

/** From the oldest slot that counts something open, slot by slot down to the minute, and in it to the event. */
async function oldestWaiting(
  slots: readonly BucketRow[],
  connectionId: string,
  { merchantId, ports, verdicts, windows, partsOf, counts }: Reading,
): Promise<Oldest> {
  const waits = (slot: BucketRow): boolean => total([slot], connectionId, OPEN, counts) > 0;
  let oldest = slots.find(waits);
  while (oldest !== undefined && oldest.key.grain !== 'minute') {
    const part: BucketRow | undefined = (await partsOf(oldest.key)).find(waits);
    // It was delivered between the two reads.
    if (part === undefined) break;
    oldest = part;
  }
  if (oldest === undefined) return { oldest_waiting: null };
  const { key } = oldest;
  const toMs = bucketEndOf(key);
  const query = { merchantId, shard: shardOf(key), fromMs: key.startMs, toMs, limit: ROWS_MAX };
  const rows = key.grain === 'minute' ? await rowsOf({ ...query, order: 'asc' }, ports) : [];
  for (const row of rows) {
    const verdict = verdicts
      .read(row)
      .flatMap(placesIn)
      .find(({ holder }) => holder?.id === connectionId);
    if (verdict?.state === undefined || TERMINAL_STATES.has(verdict.state)) continue;
    const nextMs = isParked(verdict.delivery) ? undefined : verdict.delivery?.nextAttemptAtMs;
    const oldest_waiting = {
      received_at: iso(row.receivedAtMs),
      ...(nextMs === undefined ? {} : { next_attempt_at: iso(nextMs) }),
      ...windows.read(row, verdict),
    };
    const isLimited = verdict.delivery?.reason === 'platform_limit';
    return { oldest_waiting, ...(isLimited ? { limitedSinceMs: row.receivedAtMs } : {}) };
  }
  return { oldest_waiting: { received_at: iso(key.startMs) } };
}

/** One page, by time of receipt in the order asked for. */
async function rowsOf(query: ReceivedQuery, { events }: Ports): Promise<readonly NormalizedRow[]> {
  const { keys } = await events.received(query);
  if (keys.length === 0) return [];
  const { rows } = await events.readMany(
    keys.map(({ key }) => key),
    'eventual',
  );
  const sign = query.order === 'asc' ? 1 : -1;
  return rows
    .filter((row: EventRow) => row.state === 'normalized')
    .sort((a, b) => sign * (a.receivedAtMs - b.receivedAtMs));
}

function remembered(
  read: (slot: BucketKey) => Promise<readonly BucketRow[]>,
): (slot: BucketKey) => Promise<readonly BucketRow[]> {
  const known = new Map<string, Promise<readonly BucketRow[]>>();
  return (slot) => {
    const id = `${slot.grain}/${slot.startMs}`;
    const parts = known.get(id) ?? read(slot);
    known.set(id, parts);
    return parts;
  };
}
