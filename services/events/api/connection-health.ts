// How connections fare, for their list: what was delivered, what waits, since when and until when. Guarantees: bounded reads,
// whatever is stored: 4 for all, and 4 at most for each connection that has something waiting; nothing is scanned. Counts are
// those of analytics, a few seconds old, a minute where a merchant has many shards.
import type { z } from 'zod';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../../lib/core/work/time-slot.ts';
import type { Connection } from '../../../lib/events/domain/connection.ts';
import { type DeliveryState, TERMINAL_STATES } from '../../../lib/events/domain/delivery.ts';
import { isParked } from '../../../lib/events/domain/delivery-progress.ts';
import { DELIVERY_WINDOW_MAX_SEC } from '../../../lib/events/domain/delivery-transition.ts';
import type { EventRow, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import { shardOf } from '../../../lib/events/domain/shard.ts';
import { slotOf } from '../../../lib/events/domain/slot.ts';
import type { SlotKey, SlotRow } from '../../../lib/events/ports/counter-store.ts';
import type { ReceivedQuery } from '../../../lib/events/ports/event-store.ts';
import type { connectionHealth } from '../../../lib/events/routes/platforms.ts';
import { createVerdictReader, type VerdictReader } from './event-verdicts.ts';
import type { ApiPorts } from './ports.ts';
import { shownWindow } from './shown-window.ts';
import { iso } from './wire-time.ts';

export type ConnectionHealth = z.output<typeof connectionHealth>;

/** Events looked at for calls and last deliveries, and for the one that waits longest. */
const ROWS_MAX = 100;
const OPEN: readonly DeliveryState[] = ['QUEUED', 'SENDING', 'RETRY'];
const WINDOW_MS = DELIVERY_WINDOW_MAX_SEC * 1_000;

type Ports = Pick<ApiPorts, 'counters' | 'events' | 'platforms' | 'clock' | 'report'>;

interface Reading {
  readonly merchantId: string;
  readonly ports: Ports;
  readonly verdicts: VerdictReader;
  /** The slots of a slot, each read once. */
  readonly partsOf: (slot: SlotKey) => Promise<readonly SlotRow[]>;
}

/** In the order of the connections given. */
export async function healthOf(
  merchantId: string,
  connections: readonly Connection[],
  ports: Ports,
): Promise<readonly ConnectionHealth[]> {
  if (connections.length === 0) return [];
  const nowMs = ports.clock.now();
  const today = floorTo(nowMs, DAY_MS);
  const [days, hours, newest] = await Promise.all([
    ports.counters.range(merchantId, 'day', floorTo(nowMs - WINDOW_MS, DAY_MS), today),
    ports.counters.range(merchantId, 'hour', floorTo(nowMs - DAY_MS, HOUR_MS), nowMs + 1),
    rowsOf({ merchantId, fromMs: nowMs - DAY_MS, toMs: nowMs + 1, order: 'desc', limit: ROWS_MAX }, ports),
  ]);
  const reading: Reading = {
    merchantId,
    ports,
    verdicts: createVerdictReader(ports.platforms, connections),
    partsOf: remembered(({ grain, startMs }) =>
      grain === 'day'
        ? ports.counters.range(merchantId, 'hour', startMs, startMs + DAY_MS)
        : ports.counters.range(merchantId, 'minute', startMs, startMs + HOUR_MS),
    ),
  };
  const slots = [...days, ...hours.filter(({ key }) => key.startMs >= today)];
  return await Promise.all(
    connections.map(async (connection): Promise<ConnectionHealth> => {
      const { platform, circuit } = connection;
      const delivered = total(hours, platform, ['DELIVERED']);
      const undelivered = total(hours, platform, ['FAILED', 'ERROR']);
      const isNone = delivered + undelivered === 0;
      const slot = slotOf(connection);
      // Counters know platforms only.
      const isAlone = connections.every((one) => one === connection || one.platform !== platform);
      const lastMs = lastDeliveredMs(newest, isAlone ? [...days, ...hours] : [], connection);
      return {
        last_delivered_at: lastMs === null ? null : iso(lastMs),
        delivered_24h: delivered,
        undelivered_24h: undelivered,
        error_rate_24h: isNone ? null : undelivered / (delivered + undelivered),
        backlog: total(slots, platform, OPEN),
        oldest_waiting: await oldestWaiting(slots, platform, reading),
        circuit:
          circuit === undefined
            ? { state: 'closed' }
            : {
                state: 'open',
                opened_at: iso(circuit.openedAtMs),
                next_probe_at: iso(circuit.nextProbeAtMs),
              },
        outages: (connection.outages ?? []).map(({ cause, fromMs, toMs }) => ({
          cause,
          started_at: iso(fromMs),
          ended_at: iso(toMs),
        })),
        ...callFigures(newest, slot),
      };
    }),
  );
}

function total(slots: readonly SlotRow[], platform: string, states: readonly DeliveryState[]): number {
  let sum = 0;
  for (const { counters } of slots)
    for (const words of Object.values(counters.deliveries[platform] ?? {}))
      for (const state of states) sum += words[state] ?? 0;
  return sum;
}

/** When, or a time it was not before: of an event in a slot it is known that it was delivered, not when. */
function lastDeliveredMs(
  newest: readonly NormalizedRow[],
  slots: readonly SlotRow[],
  connection: Connection,
): number | null {
  const { platform } = connection;
  const counted = slots
    .filter((one) => total([one], platform, ['DELIVERED']) > 0)
    .map(({ key }) => key.startMs);
  const seen = newest.flatMap(({ deliveries }) => deliveries[slotOf(connection)]?.deliveredAtMs ?? []);
  return counted.length + seen.length === 0 ? null : Math.max(...counted, ...seen);
}

/** 95th percentile of the calls that the newest events took part in. A call of many events is one. */
function callFigures(
  newest: readonly NormalizedRow[],
  slot: string,
): Pick<ConnectionHealth, 'call_latency_p95_ms' | 'calls_seen'> {
  const calls = new Map<string, number>();
  for (const { deliveries } of newest)
    for (const { atMs, latencyMs, batchSize } of deliveries[slot]?.history ?? [])
      calls.set(`${atMs}/${latencyMs}/${batchSize}`, latencyMs);
  const sorted = [...calls.values()].sort((a, b) => a - b);
  return {
    call_latency_p95_ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null,
    calls_seen: sorted.length,
  };
}

/** From the oldest slot that counts something open, slot by slot down to the minute, and in it to the event. */
async function oldestWaiting(
  slots: readonly SlotRow[],
  platform: string,
  { merchantId, ports, verdicts, partsOf }: Reading,
): Promise<ConnectionHealth['oldest_waiting']> {
  const waits = (slot: SlotRow): boolean => total([slot], platform, OPEN) > 0;
  let oldest = slots.find(waits);
  while (oldest !== undefined && oldest.key.grain !== 'minute') {
    const part: SlotRow | undefined = (await partsOf(oldest.key)).find(waits);
    // It was delivered between the two reads.
    if (part === undefined) break;
    oldest = part;
  }
  if (oldest === undefined) return null;
  const { key } = oldest;
  const toMs = key.startMs + MINUTE_MS;
  const query = { merchantId, shard: shardOf(key), fromMs: key.startMs, toMs, limit: ROWS_MAX };
  const rows = key.grain === 'minute' ? await rowsOf({ ...query, order: 'asc' }, ports) : [];
  for (const row of rows) {
    const verdict = verdicts.read(row).find((one) => one.platform.slug === platform);
    if (verdict?.state === undefined || TERMINAL_STATES.has(verdict.state)) continue;
    const nextMs = isParked(verdict.delivery) ? undefined : verdict.delivery?.nextAttemptAtMs;
    return {
      received_at: iso(row.receivedAtMs),
      ...(nextMs === undefined ? {} : { next_attempt_at: iso(nextMs) }),
      window_closes_at: shownWindow(row, verdict.platform, ports),
    };
  }
  return { received_at: iso(key.startMs) };
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
  read: (slot: SlotKey) => Promise<readonly SlotRow[]>,
): (slot: SlotKey) => Promise<readonly SlotRow[]> {
  const known = new Map<string, Promise<readonly SlotRow[]>>();
  return (slot) => {
    const id = `${slot.grain}/${slot.startMs}`;
    const parts = known.get(id) ?? read(slot);
    known.set(id, parts);
    return parts;
  };
}
