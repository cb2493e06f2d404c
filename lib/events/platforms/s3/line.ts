// One line of an object: the columns, their types in Athena, and what an event puts into them. The table definition is made of
// the same list.
import { APP_TEXTS } from '../../domain/event/app.ts';
import { CONSENT_SIGNALS } from '../../domain/event/consent.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { BROWSER_ID_KEYS } from '../../domain/identity/identity.ts';
import { nameAt } from '../event-name.ts';
import { compact, jsonBody, jsonNumber } from '../json-body.ts';
import { OWN_DIGESTS, ownApp, ownPerson } from '../own-person.ts';
import { webUrl } from '../web-url.ts';
import { S3_EVENT_NAMES } from './event-names.ts';

export interface Column {
  readonly name: string;
  /** In Athena's words. */
  readonly type: string;
  readonly of: (event: NormalizedEvent) => unknown;
}

const AMOUNT = 'decimal(38,9)';
const struct = (fields: Readonly<Record<string, string>>): string =>
  `struct<${Object.entries(fields)
    .map(([name, type]) => `${name}:${type}`)
    .join(',')}>`;
const texts = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, 'string']));

const ITEM = {
  ...{ id: 'string', quantity: AMOUNT, price: AMOUNT },
  ...texts(['name', 'brand', 'category', 'variant']),
};
const PERSON = {
  ...texts(Object.keys(OWN_DIGESTS)),
  external_ids_sha256: 'array<string>',
  ...texts(['client_ip', 'user_agent', 'madid']),
  browser_ids: struct(texts(BROWSER_ID_KEYS)),
};

const APP = texts(['platform', 'tracking', ...APP_TEXTS]);

/** When the event was accepted; of a replay, when its original was: the partition of both is the same. */
export const acceptedAtMs = ({ originalReceivedAtMs, receivedAtMs }: NormalizedEvent): number =>
  originalReceivedAtMs ?? receivedAtMs;

const text = (name: string, of: Column['of']): Column => ({ name, type: 'string', of });

export const COLUMNS: readonly Column[] = [
  text('event_id', ({ dedupId }) => dedupId),
  text('event_name', (event) => nameAt(S3_EVENT_NAMES, event)),
  { name: 'event_time', type: 'bigint', of: ({ eventTimeSec }) => eventTimeSec },
  text('received_at', (event) => new Date(acceptedAtMs(event)).toISOString()),
  text('merchant_id', ({ merchantId }) => merchantId),
  text('channel', ({ channel }) => channel),
  text('source', ({ source }) => source),
  text('action_source', ({ actionSource }) => actionSource),
  text('event_source_url', ({ eventSourceUrl }) => webUrl(eventSourceUrl)),
  text('referrer_url', ({ referrerUrl }) => webUrl(referrerUrl)),
  text('order_id', ({ orderId }) => orderId),
  { name: 'value', type: AMOUNT, of: ({ value }) => jsonNumber(value) },
  text('currency', ({ currency }) => currency),
  {
    name: 'items',
    type: `array<${struct(ITEM)}>`,
    of: ({ items }) =>
      items.map(({ quantity, price, ...item }) => ({
        ...item,
        quantity: jsonNumber(quantity),
        price: jsonNumber(price),
      })),
  },
  // Of any shape: JSON in a text, which functions of Athena read.
  text('custom_data', ({ customData = {} }) =>
    compact(customData) === undefined ? undefined : jsonBody(customData),
  ),
  { name: 'consent', type: struct(texts(CONSENT_SIGNALS)), of: ({ consent }) => consent },
  { name: 'app', type: struct(APP), of: (event) => ({ ...ownApp(event), extinfo: undefined }) },
  { name: 'user_data', type: struct(PERSON), of: ownPerson },
];

/** Without its end of line. */
export const lineOf = (event: NormalizedEvent): string =>
  jsonBody(Object.fromEntries(COLUMNS.map(({ name, of }) => [name, of(event)])));
