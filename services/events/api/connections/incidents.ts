// Incidents are read from what connections keep: what is wrong now, and outages that are over. Guarantees: an incident keeps its id
// when it ends; nothing is written for it; it says what the pages say, in the same words and with the same figures.
import type * as z from 'zod';
import { troubleWords } from '#lib/client/trouble-words.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { listIncidents } from '#lib/events/routes/platforms/incidents.ts';
import type { ApiPorts } from '../ports.ts';
import { type ConnectionHealth, healthOf } from './health.ts';

type Incident = z.output<(typeof listIncidents)['replies'][200]>['incidents'][number];
type About = Pick<Incident, 'platform' | 'label' | 'connection_id' | 'connection_name'>;

export async function incidentsOf(merchantId: string, ports: ApiPorts): Promise<readonly Incident[]> {
  const connections = await ports.config.listConnections(merchantId);
  const health = await healthOf(merchantId, connections, ports);
  const all = connections.map((connection, index) => {
    const about = aboutOf(connection, ports);
    const found = health[index];
    return { open: openOf(about, found), over: overOf(about, found) };
  });
  return [
    ...all.flatMap(({ open }) => open).toSorted(newestFirst('since')),
    ...all.flatMap(({ over }) => over).toSorted(newestFirst('until')),
  ];
}

const newestFirst = (by: 'since' | 'until') => (one: Incident, other: Incident) =>
  (other[by] ?? '').localeCompare(one[by] ?? '');

function aboutOf({ id, name, platform }: Connection, { platforms }: Pick<ApiPorts, 'platforms'>): About {
  const label = platforms.find(({ slug }) => slug === platform)?.label ?? platform;
  return { platform, label, connection_id: id, connection_name: name };
}

/** By when it began: of trouble that calls tell of, that moves on with them. */
const idOf = ({ connection_id }: About, kind: Incident['kind'], since: string): string =>
  `${connection_id}-${kind}-${Date.parse(since).toString(36)}`;

function openOf(about: About, health: ConnectionHealth | undefined): readonly Incident[] {
  if (health === undefined || health.trouble === null || health.trouble.kind === 'paused') return [];
  const { kind, since, given_up, last_error } = health.trouble;
  const { what, todo } = troubleWords(kind, last_error?.http_status);
  return [
    {
      ...{ id: idOf(about, kind, since), state: 'open', kind, ...about, since, until: null },
      ...{ waiting: health.backlog, oldest_waiting: health.oldest_waiting, given_up, last_error },
      what: `${about.label} ${what}.`,
      what_to_do: todo,
    },
  ];
}

/** What was given up is counted by days, and not by outages. */
const overOf = (about: About, health: ConnectionHealth | undefined): readonly Incident[] =>
  (health?.outages ?? []).map(({ cause, started_at: since, ended_at: until }) => {
    const kind = cause === 'auth' ? 'refused' : 'unavailable';
    const did = cause === 'auth' ? 'refused its credentials' : 'did not take events';
    return {
      ...{ id: idOf(about, kind, since), state: 'over', kind, ...about, since, until },
      ...{ waiting: 0, oldest_waiting: null, given_up: null, last_error: null },
      ...{ what: `${about.label} ${did}.`, what_to_do: null },
    };
  });
