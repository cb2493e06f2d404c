// What a merchant is to do first: where the figures say nothing yet, and where a connection takes no events. Costs no read where
// there are events.
import type { z } from 'zod';
import { INCIDENT_WORDS } from '#lib/client/trouble-words.ts';
import { isUsableKey } from '#lib/core/tenancy/api-key.ts';
import { endingOf, versionOf } from '#lib/events/domain/connections/api-version.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { type IncidentLimit, isOpen } from '#lib/events/domain/connections/incident.ts';
import { platformOf } from '#lib/events/domain/connections/target.ts';
import type { nextSteps as steps } from '#lib/events/routes/analytics/range.ts';
import type { ApiPorts } from '../ports.ts';
import { troubleOf } from './trouble.ts';

type NextStep = z.output<typeof steps>[number];

const TEXTS: Readonly<
  Record<Exclude<NextStep['code'], 'repair_connection' | 'closing_window' | 'near_limit'>, string>
> = {
  create_api_key: 'Create an API key: servers send events with it.',
  connect_platform: 'Connect a platform: until then events are kept and counted, and sent nowhere.',
  send_first_event: 'Send a first event with POST /v1/events, or put the pixel on a page.',
};

export async function nextSteps(
  merchantId: string,
  hasEvents: boolean,
  { config, clock, platforms }: Pick<ApiPorts, 'config' | 'clock' | 'platforms'>,
  known?: readonly Connection[],
): Promise<NextStep[]> {
  if (hasEvents && known === undefined) return [];
  const connections = known ?? (await config.listConnections(merchantId));
  const steps: NextStep[] = [];
  const add = (code: keyof typeof TEXTS): void => void steps.push({ code, text: TEXTS[code] });
  const hasKey = async () =>
    (await config.listApiKeys(merchantId)).some((key) => isUsableKey(key, clock.now()));
  if (!hasEvents && !(await hasKey())) add('create_api_key');
  if (connections.length === 0) add('connect_platform');
  const repair = [repairText(connections, platforms), ...endingTexts(connections, platforms, clock.now())];
  const text = repair.filter((said) => said !== null).join(' ');
  if (text !== '') steps.push({ code: 'repair_connection', text });
  if (!hasEvents) add('send_first_event');
  return steps;
}

/** Of incidents that go on and no connection says: one read. */
export async function incidentSteps(
  merchantId: string,
  { incidents, platforms }: Pick<ApiPorts, 'incidents' | 'platforms'>,
): Promise<readonly NextStep[]> {
  const open = (await incidents.listIncidents(merchantId)).filter(isOpen);
  return open.flatMap(({ kind, subject }): NextStep[] => {
    if (kind === 'limit') {
      const { what, todo } = INCIDENT_WORDS[subject as IncidentLimit];
      return [{ code: 'near_limit', text: `${what}. ${todo}` }];
    }
    if (kind !== 'window') return [];
    const { what, todo } = INCIDENT_WORDS.window;
    const slug = platformOf(subject);
    const label = platforms.find((one) => one.slug === slug)?.label ?? slug;
    return [{ code: 'closing_window', text: `${label} ${what}. ${todo}` }];
  });
}

const REPAIRS = [
  ['refused', (names: string) => `Renew the credentials of ${names}: they are refused, and events wait.`],
  ['unavailable', (names: string) => `No good answer comes from ${names}: events wait until one does.`],
  ['paused', (names: string) => `Resume ${names}: while a connection is paused, its events wait.`],
] as const;

/** A version that ends takes no events from then on. */
const endingTexts = (
  connections: readonly Connection[],
  platforms: ApiPorts['platforms'],
  nowMs: number,
): readonly string[] =>
  connections.flatMap((connection) => {
    const platform = platforms.find(({ slug }) => slug === connection.platform);
    const ending = platform && endingOf(versionOf(platform, connection), nowMs);
    return ending
      ? [`Move ${connection.name} to another version of the API of ${platform.label}: ${ending}.`]
      : [];
  });

/** Names every connection that takes no events, whatever the others do. What its calls say, the list of connections does. */
function repairText(connections: readonly Connection[], platforms: ApiPorts['platforms']): string | null {
  const inTrouble = (kind: (typeof REPAIRS)[number][0]): string =>
    connections
      .filter((connection) => troubleOf(connection, [])?.kind === kind)
      .map(({ platform, name }) => {
        const label = platforms.find(({ slug }) => slug === platform)?.label ?? platform;
        return name === label ? label : `${label} (${name})`;
      })
      .join(', ');
  const said = REPAIRS.flatMap(([kind, text]) => {
    const names = inTrouble(kind);
    return names === '' ? [] : [text(names)];
  });
  return said.length === 0 ? null : said.join(' ');
}
