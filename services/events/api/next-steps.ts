// What a merchant whose figures say nothing yet is to do first. Costs no read where there are events.
import type { Connection } from '../../../lib/events/domain/connection.ts';
import type { ApiPorts } from './ports.ts';

export interface NextStep {
  readonly code: 'create_api_key' | 'connect_platform' | 'send_first_event' | 'repair_connection';
  readonly text: string;
}

const TEXTS: Readonly<Record<NextStep['code'], string>> = {
  create_api_key: 'Create an API key: servers send events with it.',
  connect_platform: 'Connect a platform: until then events are kept and counted, and sent nowhere.',
  send_first_event: 'Send a first event with POST /v1/events, or put the pixel on a page.',
  repair_connection: 'Renew the credentials of a platform: while all are paused, events wait.',
};

export async function nextSteps(
  merchantId: string,
  hasEvents: boolean,
  { config, clock }: Pick<ApiPorts, 'config' | 'clock'>,
  known?: readonly Connection[],
): Promise<NextStep[]> {
  if (hasEvents && known === undefined) return [];
  const connections = known ?? (await config.listConnections(merchantId));
  const codes: NextStep['code'][] = [];
  if (!hasEvents && !(await hasKey(merchantId, clock.now(), config))) codes.push('create_api_key');
  if (connections.length === 0) codes.push('connect_platform');
  else if (connections.every(({ status }) => status !== 'active')) codes.push('repair_connection');
  if (!hasEvents) codes.push('send_first_event');
  return codes.map((code) => ({ code, text: TEXTS[code] }));
}

async function hasKey(
  merchantId: string,
  nowMs: number,
  config: Pick<ApiPorts['config'], 'listApiKeys'>,
): Promise<boolean> {
  const keys = await config.listApiKeys(merchantId);
  return keys.some(
    ({ revokedAtMs, expiresAtMs = Number.POSITIVE_INFINITY }) =>
      revokedAtMs === undefined && nowMs < expiresAtMs,
  );
}
