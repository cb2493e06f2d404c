// Incidents: what is wrong with connections now and outages that are over, as connections keep them, and incidents that are kept.
// Guarantees: an incident keeps its id when it ends; it says what the pages say, in the same words and with the same figures;
// nothing is written here, and counters alone are read for what is over.
import type * as z from 'zod';
import { INCIDENT_WORDS, troubleWords } from '#lib/client/trouble-words.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { type IncidentLimit, isOpen, type KeptIncident } from '#lib/events/domain/connections/incident.ts';
import { type PlatformPause, pauseOf } from '#lib/events/domain/connections/paused-platform.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import type { DeliveryState } from '#lib/events/domain/deliveries/delivery.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import { LIST_LIMITS } from '#lib/events/routes/events.ts';
import type { listIncidents } from '#lib/events/routes/platforms/incidents.ts';
import { type CountsByConnection, createCountsByConnection } from '../analytics/by-connection.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { type ConnectionHealth, healthOf, OPEN, total } from './health.ts';

type Incident = z.output<(typeof listIncidents)['replies'][200]>['incidents'][number];
type About = Pick<Incident, 'platform' | 'label' | 'connection_id' | 'connection_name'>;
type Span = Pick<Incident, 'since' | 'until'>;

interface Reading {
  readonly connections: readonly Connection[];
  readonly health: readonly ConnectionHealth[];
  readonly slots: readonly BucketRow[];
  readonly fromMs: number;
  readonly counts: CountsByConnection;
  readonly ports: ApiPorts;
}

export async function incidentsOf(merchantId: string, ports: ApiPorts): Promise<readonly Incident[]> {
  const [every, stored, pauses] = await Promise.all([
    ports.config.everyConnection(merchantId),
    ports.incidents.listIncidents(merchantId),
    ports.config.platformPauses(),
  ]);
  // What connections say themselves is read from them.
  const kept = stored.filter(({ kind }) => kind !== 'refused' && kind !== 'unavailable');
  const { connections } = every;
  const health = await healthOf(merchantId, every, ports);
  const spans = [
    ...connections.flatMap(({ outages = [] }) => outages.map(({ fromMs }) => fromMs)),
    ...kept.flatMap(({ sinceMs, past }) => [sinceMs, ...past.map((one) => one.sinceMs)]),
  ];
  const counts = createCountsByConnection(every);
  const reading = { connections, health, counts, ports, ...(await countedSince(merchantId, spans, ports)) };
  await suspectFailing(merchantId, kept, reading);
  const all = [
    ...connections.flatMap((connection, index) => [
      ...heldOf(connection, health[index], pauses, reading),
      ...openOf(connection, health[index], reading),
      ...overOf(connection, reading),
    ]),
    ...kept.flatMap((one) => [
      keptView(one, reading),
      ...one.past.map((past) => pastView(one, past, reading)),
    ]),
  ];
  const of = (state: Incident['state']) => all.filter((one) => one.state === state);
  return [...of('open').toSorted(newestFirst('since')), ...of('over').toSorted(newestFirst('until'))];
}

const newestFirst = (by: 'since' | 'until') => (one: Incident, other: Incident) =>
  (other[by] ?? '').localeCompare(one[by] ?? '');

/** Counters since the first of these times: days that are over, and the hours of today. */
async function countedSince(
  merchantId: string,
  sinceMs: readonly number[],
  { counters, clock }: ApiPorts,
): Promise<Pick<Reading, 'slots' | 'fromMs'>> {
  const nowMs = clock.now();
  const todayMs = floorTo(nowMs, DAY_MS);
  const firstMs = todayMs - (LIST_LIMITS.rangeMaxDays - 1) * DAY_MS;
  if (sinceMs.length === 0) return { slots: [], fromMs: firstMs };
  const fromMs = Math.max(firstMs, Math.min(...sinceMs.map((ms) => floorTo(ms, DAY_MS))));
  const [days, hours] = await Promise.all([
    counters.range(merchantId, 'day', fromMs, todayMs),
    counters.range(merchantId, 'hour', todayMs, floorTo(nowMs, HOUR_MS) + HOUR_MS),
  ]);
  return { slots: [...days, ...hours], fromMs: firstMs };
}

/** Of events received in the days of the incident. */
function countedIn(
  { since, until }: Span,
  connectionId: string,
  states: readonly DeliveryState[],
  { slots, fromMs, counts, ports }: Reading,
): number | null {
  const startMs = floorTo(Date.parse(since), DAY_MS);
  if (startMs < fromMs) return null;
  const endMs = floorTo(until === null ? ports.clock.now() : Date.parse(until), DAY_MS) + DAY_MS;
  const own = slots.filter(({ key }) => key.startMs >= startMs && key.startMs < endMs);
  return total(own, connectionId, states, counts);
}

/** What pages say to fail and no stage has found is looked at by one: an incident has one id, from its beginning on. */
async function suspectFailing(
  merchantId: string,
  kept: readonly KeptIncident[],
  reading: Reading,
): Promise<void> {
  for (const [index, connection] of reading.connections.entries()) {
    const subject = connectionTarget(connection);
    const isKnown = kept.some((one) => one.kind === 'failing' && one.subject === subject && isOpen(one));
    if (reading.health[index]?.trouble?.kind !== 'failing' || isKnown) continue;
    await reading.ports.suspicions.suspect({ merchant: merchantId, incident: 'failing', subject });
  }
}

function aboutOf({ id, name, platform }: Connection, { ports: { platforms } }: Reading): About {
  const label = platforms.find(({ slug }) => slug === platform)?.label ?? platform;
  return { platform, label, connection_id: id, connection_name: name };
}

const NO_PLACE: About = { platform: null, label: null, connection_id: null, connection_name: null };
const PLAIN = { window_closes_at: null, limit: null, oldest_waiting: null, last_error: null } as const;

/** By when it began. */
const idOf = (connectionId: string, kind: Incident['kind'], since: string): string =>
  `${connectionId}-${kind}-${Date.parse(since).toString(36)}`;

function heldOf(
  connection: Connection,
  health: ConnectionHealth | undefined,
  pauses: readonly PlatformPause[],
  reading: Reading,
): readonly Incident[] {
  const { id, platform } = connection;
  const pause = pauseOf(pauses, platform);
  if (health === undefined || pause === undefined) return [];
  const since = iso(pause.atMs);
  const about = aboutOf(connection, reading);
  const { what, todo } = INCIDENT_WORDS.held;
  return [
    {
      ...PLAIN,
      ...{ id: idOf(id, 'held', since), state: 'open', kind: 'held', ...about, since, until: null },
      ...{ waiting: health.backlog, oldest_waiting: health.oldest_waiting, given_up: null },
      what: `${about.label} ${what}.`,
      what_to_do: todo,
    },
  ];
}

/** What calls alone say to fail is kept. */
function openOf(
  connection: Connection,
  health: ConnectionHealth | undefined,
  reading: Reading,
): readonly Incident[] {
  const trouble = health?.trouble ?? null;
  if (health === undefined || trouble === null) return [];
  const { kind, since, given_up, last_error } = trouble;
  if (kind === 'paused' || kind === 'failing') return [];
  const about = aboutOf(connection, reading);
  const { what, todo } = troubleWords(kind, { status: last_error?.http_status, code: last_error?.code });
  return [
    {
      ...PLAIN,
      ...{ id: idOf(connection.id, kind, since), state: 'open', kind, ...about, since, until: null },
      ...{ waiting: health.backlog, oldest_waiting: health.oldest_waiting, given_up, last_error },
      what: `${about.label} ${what}.`,
      what_to_do: todo,
    },
  ];
}

const overOf = (connection: Connection, reading: Reading): readonly Incident[] =>
  (connection.outages ?? []).map(({ cause, fromMs, toMs }) => {
    const about = aboutOf(connection, reading);
    const kind = cause === 'auth' ? 'refused' : 'unavailable';
    const did = cause === 'auth' ? 'refused its credentials' : 'did not take events';
    const span = { since: iso(fromMs), until: iso(toMs) };
    return {
      ...PLAIN,
      ...{ id: idOf(connection.id, kind, span.since), state: 'over', kind, ...about, ...span },
      ...figuresIn(span, connection.id, reading),
      ...{ what: `${about.label} ${did}.`, what_to_do: null },
    };
  });

function figuresIn(
  span: Span,
  connectionId: string,
  reading: Reading,
): Pick<Incident, 'waiting' | 'given_up'> {
  return {
    waiting: countedIn(span, connectionId, OPEN, reading) ?? 0,
    given_up: countedIn(span, connectionId, ['ERROR'], reading),
  };
}

function keptView(kept: KeptIncident, reading: Reading): Incident {
  const { kind, name: id, sinceMs, untilMs, closesAtMs, lastError, used = null, limit: of = null } = kept;
  const open = isOpen(kept);
  const span = { since: iso(sinceMs), until: open || untilMs === undefined ? null : iso(untilMs) };
  if (kind === 'limit') {
    const { subject: name } = kept as { readonly subject: IncidentLimit };
    const { what, was, todo } = INCIDENT_WORDS[name];
    return {
      ...PLAIN,
      ...{ id, state: open ? 'open' : 'over', kind, ...NO_PLACE, ...span, waiting: 0, given_up: null },
      ...{ limit: { name, used, of }, what: `${open ? what : was}.`, what_to_do: open ? todo : null },
    };
  }
  const index = reading.connections.findIndex((one) => one.id === kept.connectionId);
  const connection = reading.connections[index];
  const about =
    connection === undefined
      ? { ...NO_PLACE, connection_id: kept.connectionId ?? null }
      : aboutOf(connection, reading);
  const figures = figuresIn(span, kept.connectionId ?? '', reading);
  const health = reading.health[index];
  const at = lastError === undefined ? null : errorView(lastError);
  const { what, was, todo } =
    kind === 'window'
      ? INCIDENT_WORDS.window
      : { ...troubleWords(kind, lastError), was: 'failed much of what it was sent' };
  return {
    ...PLAIN,
    ...{
      id,
      state: open ? 'open' : 'over',
      kind,
      ...about,
      ...span,
      ...figures,
      last_error: open ? at : null,
    },
    ...(open && health !== undefined
      ? { waiting: health.backlog, oldest_waiting: health.oldest_waiting }
      : {}),
    window_closes_at: open && closesAtMs !== undefined ? iso(closesAtMs) : null,
    what: `${about.label ?? kept.subject} ${open ? what : was}.`,
    what_to_do: open ? todo : null,
  };
}

function pastView(
  kept: KeptIncident,
  { name, sinceMs, untilMs }: KeptIncident['past'][number],
  reading: Reading,
): Incident {
  const { used: _u, limit: _l, lastError: _e, closesAtMs: _c, ...rest } = kept;
  return keptView({ ...rest, name, sinceMs, untilMs, state: 'done' }, reading);
}

function errorView({
  atMs,
  status,
  code,
  message,
}: NonNullable<KeptIncident['lastError']>): Incident['last_error'] {
  return { at: iso(atMs), ...withoutUndefined({ http_status: status, code, message }) };
}
