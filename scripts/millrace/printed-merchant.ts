// What was made, and the request to try first.
import type { Deployment } from './deployment.ts';
import type { CreatedMerchant } from './merchants.ts';

const LABELS = { send: 'key', admin: 'admin key', helpdesk: 'desk key' } as const;

export function printedMerchant(
  { merchant, owner, keys }: CreatedMerchant,
  { ingestionUrl, apiUrl, helpdeskUrl, dashboardUrl }: Omit<Deployment, 'region' | 'operatorUrl'>,
  nowMs: number,
): string {
  const row = (label: string, text: string) => `${label.padEnd(10)} ${text}`;
  const said = owner.state === 'invited' ? 'invited by mail' : 'is a person that is known already';
  const lines = [
    row('merchant', `${merchant.id}  ${merchant.name}${merchant.is_new ? '' : '  (was there already)'}`),
    row('owner', `${owner.email}  ${said}  (${owner.subject})`),
    ...keys.map(({ kind, id, secret }) =>
      row(LABELS[kind], secret ?? `${id} was shown when it was made; --new-keys makes another one`),
    ),
    ...Object.entries({
      ingestion: ingestionUrl,
      api: apiUrl,
      helpdesk: helpdeskUrl,
      pages: dashboardUrl,
    }).flatMap(([part, url]) => (url === null ? [] : [row(part, url)])),
  ];
  if (keys.some(({ secret }) => secret !== null)) lines.push('', 'Keep the keys: they are not shown again.');
  const send = keys.find(({ kind }) => kind === 'send');
  if (ingestionUrl !== null && typeof send?.secret === 'string')
    lines.push('', 'Send an event:', '', firstRequest(ingestionUrl, send.secret, nowMs));
  return `${lines.join('\n')}\n`;
}

/** A line for a shell, answered with 202. */
function firstRequest(url: string, key: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  const event = {
    event_id: `first-${seconds}`,
    event_name: 'Purchase',
    event_time: seconds,
    value: 12.5,
    currency: 'EUR',
    user_data: { email: 'jane@example.com' },
  };
  return [
    `curl -s ${url}/v1/events \\`,
    `  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(event)}'`,
  ].join('\n');
}
