// Whether an incident is so now, by its kind: one that was suspected, or one that goes on.

import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { DAY_MS, floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { Found, IncidentFacts, KeptIncident } from '#lib/events/domain/connections/incident.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { callsOf, failingCalls, lastFailure, refusedInARow } from '#lib/events/pipeline/connections/calls.ts';
import { isFailingRate, isNoChance, rateOf } from '#lib/events/pipeline/connections/failing-rate.ts';
import { joinOutcomes } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { type Entry, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { isReleased } from '#lib/events/pipeline/recovery/parked.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';

export type IncidentWork = Extract<TaskWork, { readonly incident: string }>;

/** `over`: it has ended, or never was. `instead`: another incident says more, and has the mail about its end. */
export type Look = Found | 'over' | 'instead';

/** `known`: the one that goes on. */
type LookAt = (work: IncidentWork, known: KeptIncident | null, ports: TaskPorts) => Promise<Look>;

const ROWS_MAX = 100;
const RATE_MS = 15 * MINUTE_MS;
const SHORT_MS = 5 * MINUTE_MS;
const PAST_DAYS = 7;
/** A limit that stays near is suspected every five minutes. */
const LIMIT_QUIET_MS = 15 * MINUTE_MS;
/** A sweep says so every fifteen. */
const WINDOW_QUIET_MS = 45 * MINUTE_MS;

/** By the calls of the newest events, as pages say it, or by refusals in a row or the share of the last minutes, both against the days before. */
const failing: LookAt = async ({ merchant, subject }, known, ports) => {
  const connection = await ports.config.connection(merchant, subject);
  if (connection === null) return 'over';
  if (!isReleased(connection)) return 'instead';
  const { id: connectionId } = connection;
  const nowMs = ports.clock.now();
  const todayMs = floorTo(nowMs, DAY_MS);
  const { counters } = ports;
  const [rows, minutes, days] = await Promise.all([
    newestRows(merchant, nowMs, ports),
    counters.range(merchant, 'minute', floorTo(nowMs - RATE_MS, MINUTE_MS), nowMs + 1),
    counters.range(merchant, 'day', todayMs - PAST_DAYS * DAY_MS, todayMs),
  ]);
  const past = rateOf(days, subject, 'over');
  const calls = callsOf(rows, subject);
  const [refusals, most] = [refusedInARow(calls), failingCalls(calls)];
  const bad = most.length === 0 && isNoChance(refusals.length, past) ? refusals : most;
  const last = bad.at(-1) ?? lastFailure(rows, subject);
  const isShare = (ofMs: number): boolean => {
    const own = minutes.filter(({ key }) => key.startMs >= floorTo(nowMs - ofMs, MINUTE_MS));
    return isFailingRate(rateOf(own, subject), past, known !== null);
  };
  // Of many events a few minutes say enough: what went well before would hide them.
  const share = isShare(RATE_MS) || (known === null && isShare(SHORT_MS));
  // What waits for the limit of a platform has no failed call.
  const isByShare = share && last !== undefined && last.atMs >= nowMs - RATE_MS;
  if (bad.length === 0 && !isByShare) return 'over';
  const { atMs, status, code, message } = last ?? { atMs: nowMs };
  const lastError = { atMs, ...withoutUndefined({ status, code, message }) };
  const sinceMs = bad[0]?.atMs ?? atMs;
  return { merchantId: merchant, kind: 'failing', subject, connectionId, sinceMs, facts: { lastError } };
};

async function newestRows(
  merchantId: string,
  nowMs: number,
  ports: TaskPorts,
): Promise<readonly NormalizedRow[]> {
  const range = { merchantId, fromMs: nowMs - DAY_MS, toMs: nowMs + 1, order: 'desc' } as const;
  const entries: Entry[] = [];
  for await (const page of receivedEntries(range, ROWS_MAX, ports)) {
    entries.push(...page);
    if (entries.length >= ROWS_MAX) break;
  }
  if (entries.length === 0) return [];
  const keys = entries.slice(0, ROWS_MAX).map(({ key }) => key);
  const { rows } = await ports.events.readMany(keys, 'eventual');
  const joined = await joinOutcomes(rows, ports.batches, 'eventual');
  return joined.rows.filter((row) => row.state === 'normalized');
}

/** A sweep has seen the first of what waits; it is over once nothing keeps that back, or no sweep sees any. */
const window: LookAt = async ({ merchant, subject, closesAtMs }, known, { config, clock }) => {
  const connection = await config.connection(merchant, subject);
  if (connection === null || isReleased(connection)) return 'over';
  const nowMs = clock.now();
  const isOld = closesAtMs === undefined;
  if (isOld && (known === null || nowMs - known.seenAtMs >= WINDOW_QUIET_MS)) return 'over';
  const facts: IncidentFacts = closesAtMs === undefined ? {} : { closesAtMs };
  const found = { merchantId: merchant, kind: 'window', subject, connectionId: connection.id } as const;
  return { ...found, sinceMs: nowMs, facts, isOld };
};

const limit: LookAt = async ({ merchant, subject, used, limit: most }, known, { clock }) => {
  const nowMs = clock.now();
  const isOld = used === undefined || most === undefined;
  if (isOld && (known === null || nowMs - known.seenAtMs >= LIMIT_QUIET_MS)) return 'over';
  const facts: IncidentFacts = isOld ? {} : { used, limit: most };
  return { merchantId: merchant, kind: 'limit', subject, sinceMs: nowMs, facts, isOld };
};

/** As the connection says; its mails are others (mail-connection.ts). */
const refused: LookAt = async ({ merchant, subject }, _known, { config, clock }) => {
  const connection = await config.connection(merchant, subject);
  if (connection?.pausedReason !== 'auth') return 'over';
  const { id: connectionId, pausedAtMs = clock.now(), failedCall } = connection;
  const facts = failedCall === undefined ? {} : { lastError: failedCall };
  return { merchantId: merchant, kind: 'refused', subject, connectionId, sinceMs: pausedAtMs, facts };
};

const unavailable: LookAt = async ({ merchant, subject }, _known, { config }) => {
  const connection = await config.connection(merchant, subject);
  if (connection?.circuit === undefined || connection.status === 'paused') return 'over';
  const { openedAtMs, failedCall } = connection.circuit;
  const facts = failedCall === undefined ? {} : { lastError: failedCall };
  const found = { merchantId: merchant, kind: 'unavailable', subject, connectionId: connection.id } as const;
  return { ...found, sinceMs: openedAtMs, facts };
};

export const LOOKS = { failing, window, limit, refused, unavailable } as const satisfies Readonly<
  Record<IncidentWork['incident'], LookAt>
>;
