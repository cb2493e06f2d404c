// Merchants as the operator function answers them, and as text.
import * as z from 'zod';
import { AWS_PRICES } from '../../lib/events/domain/billing/aws-cost.ts';
import type { Ask } from './operator-function.ts';
import { facts, table } from './table.ts';

const limit = z.object({ value: z.number(), set_for: z.enum(['merchant', 'deployment']) });
export const limits = z.object({
  server_events_per_minute: limit,
  server_events_per_day: limit,
  browser_events_per_minute: limit,
  replays_per_day: limit,
});

export const platform = z.object({
  platform: z.string(),
  connection: z.string(),
  state: z.enum(['active', 'paused', 'failing']),
  reason: z.string().nullable(),
  since: z.string().nullable(),
});
export const incident = z.object({ kind: z.string(), subject: z.string(), since: z.string() });

export const merchant = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'suspended', 'removing', 'removed']),
  suspended: z.object({ since: z.string(), by: z.string(), reason: z.string() }).nullable(),
  environments: z.array(z.string()),
  owners: z.array(z.string().nullable()),
  created_at: z.string(),
  /** Its first owner may have signed up. A function of the release before does not say it. */
  made_by: z.enum(['operator', 'sign_up']).default('operator'),
  plan: z.string(),
  limits,
  platforms: z.array(platform),
  incidents: z.array(incident),
  usage: z
    .object({
      since: z.string(),
      events: z.number(),
      replayed_events: z.number(),
      delivered: z.number(),
      undelivered: z.number(),
    })
    .nullable(),
});
export type MerchantView = z.output<typeof merchant>;

const unreadable = z.object({ id: z.string(), state: z.literal('unreadable') });
export type ListedMerchant = MerchantView | z.output<typeof unreadable>;

const page = z.object({
  merchants: z.array(z.union([merchant, unreadable])),
  next_cursor: z.string().nullable(),
  read_units: z.number(),
});

/** Every page of a list, in order. */
export async function pagesOf<Page extends { readonly next_cursor: string | null }>(
  ask: Ask,
  path: string,
  asked: object,
  answer: z.ZodType<Page>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await ask(path, cursor === undefined ? asked : { ...asked, cursor }, answer);
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

/** What it took to read them. */
export const unitsOf = (pages: readonly { readonly read_units: number }[]): number =>
  pages.reduce((sum, { read_units }) => sum + read_units, 0);

/** Of all pages; `name`: those of this name alone. `readUnits`: what it took to find them, 0 where an emulator does not say. */
export async function merchantsOf(
  ask: Ask,
  name?: string,
): Promise<{ readonly merchants: readonly ListedMerchant[]; readonly readUnits: number }> {
  const pages = await pagesOf(ask, 'merchants/list', name === undefined ? {} : { name }, page);
  return { merchants: pages.flatMap(({ merchants }) => merchants), readUnits: unitsOf(pages) };
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => GUID.test(text);

/** The one of this name. Rejects where there is none, or several. */
export async function merchantNamed(ask: Ask, name: string): Promise<MerchantView> {
  const { merchants } = await merchantsOf(ask, name);
  const [first, ...others] = merchants.filter((one) => one.state !== 'unreadable');
  if (first === undefined)
    throw new Error(`No merchant is called ${name}: npx millrace merchants list shows them all.`);
  if (others.length === 0) return first;
  const rows = [first, ...others].map(({ id, owners, created_at }) => [
    id,
    owners.join(' '),
    day(created_at),
  ]);
  throw new Error(
    `${rows.length} merchants are called ${name}; name one by its id:\n${table(['ID', 'OWNER', 'CREATED'], rows)}`.trimEnd(),
  );
}

/** The id of the merchant of this id or name. */
export const idOf = async (ask: Ask, text: string): Promise<string> =>
  isId(text) ? text.toLowerCase() : (await merchantNamed(ask, text)).id;

const signedUp = ({ made_by }: MerchantView): string => (made_by === 'sign_up' ? ', signed up' : '');
const day = (time: string): string => time.slice(0, 10);
export const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
export const count = (n: number): string => n.toLocaleString('en-US');

export function listText(merchants: readonly ListedMerchant[]): string {
  if (merchants.length === 0) return 'There is no merchant yet: npx millrace merchants create\n';
  const names = [
    'ID',
    'NAME',
    'STATE',
    'KEYS',
    'OWNER',
    'CREATED',
    'PLAN',
    'PLATFORMS',
    'INCIDENTS',
    'EVENTS',
  ];
  const rows = merchants.map((one) =>
    one.state === 'unreadable'
      ? [one.id, '', one.state, '', '', '', '', '', '', '']
      : [
          one.id,
          one.name,
          one.state,
          one.environments.join('+') || 'none',
          one.owners.map((owner) => owner ?? '?').join(' '),
          day(one.created_at) + signedUp(one),
          one.plan,
          platformsText(one),
          one.incidents.length,
          one.usage === null ? '' : count(one.usage.events),
        ],
  );
  return table(names, rows);
}

function platformsText({ platforms }: MerchantView): string {
  const wrong = (['paused', 'failing'] as const).flatMap((state) => {
    const some = platforms.filter((one) => one.state === state).length;
    return some === 0 ? [] : [`${some} ${state}`];
  });
  return [platforms.length, ...wrong].join(', ');
}

/** Those that are set for this merchant. */
function limitsText({ limits }: MerchantView): string {
  const own = Object.entries(limits).filter(([, { set_for }]) => set_for === 'merchant');
  if (own.length === 0) return 'as for all';
  return own.map(([name, { value }]) => `${name.replaceAll('_', ' ')}: ${count(value)}`).join(', ');
}

const stateText = ({ state, suspended }: MerchantView): string =>
  suspended === null
    ? state
    : `${state} since ${minute(suspended.since)} by ${suspended.by}: ${suspended.reason}`;

export function merchantText(one: MerchantView): string {
  const { usage } = one;
  const since = (text: string | null) => (text === null ? '' : `  since ${minute(text)}`);
  return [
    facts([
      ['id', one.id],
      ['name', one.name],
      ['state', stateText(one)],
      ['keys', one.environments.join(' and ') || 'none that opens anything'],
      ['owner', one.owners.map((owner) => owner ?? 'an address that cannot be read').join(', ') || 'none'],
      ['created', minute(one.created_at) + signedUp(one)],
      ['plan', one.plan],
      ['limits', limitsText(one)],
      ...(usage === null
        ? []
        : [
            [
              'used',
              `${count(usage.events)} events, ${count(usage.replayed_events)} replayed, ${count(usage.delivered)} delivered, ${count(usage.undelivered)} not, since ${day(usage.since)}`,
            ] as const,
          ]),
      ...one.platforms.map(
        ({ platform, connection, state, reason, since: time }) =>
          [
            'platform',
            `${platform}  ${connection}  ${state}${reason === null ? '' : ` (${reason})`}${since(time)}`,
          ] as const,
      ),
      ...one.incidents.map(
        ({ kind, subject, since: time }) => ['incident', `${kind}  ${subject}${since(time)}`] as const,
      ),
    ]),
  ].join('');
}

/** What a list took of DynamoDB. */
export const costText = (readUnits: number): string =>
  `Found by reading ${count(readUnits)} units of the config table, $${(readUnits * AWS_PRICES.readUnit).toFixed(4)}.`;
