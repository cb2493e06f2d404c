// Which fields a platform would take and this event does not have. Nobody writes such a list: a platform is pure, so it is
// asked. A field is added to the event; where the request changes, the platform has a use for it. Guarantees: what is
// reported is what the very code that sends would do with the field.
import type { EventName } from '#lib/events/domain/event/names.ts';
import type { UserData } from '#lib/events/domain/identity/draft.ts';
import type { BrowserIdKey, NormalizedIdentity } from '#lib/events/domain/identity/identity.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { normalizeIdentity } from '#lib/events/domain/identity/normalize.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import type { BuildContext, Platform, Unsendable } from '#lib/events/platforms/platform.ts';
import { BROWSER_IDS, PERSON } from '../events/sample-person.ts';

interface Probe {
  /** Dotted wire name. */
  readonly field: string;
  readonly added: OutgoingEvent;
}

const PRICED: ReadonlySet<EventName> = new Set([
  'ViewContent',
  'AddToCart',
  'InitiateCheckout',
  'AddPaymentInfo',
  'Purchase',
  'Refund',
  'Subscribe',
  'StartTrial',
  'Donate',
]);
const WITH_ITEMS: ReadonlySet<EventName> = new Set([
  'ViewContent',
  'AddToCart',
  'RemoveFromCart',
  'ViewCart',
  'InitiateCheckout',
  'AddPaymentInfo',
  'Purchase',
  'Refund',
]);
const ORDERED: ReadonlySet<EventName> = new Set(['Purchase', 'Refund']);

/** Fields any one of which would lift what makes the event unsendable. */
export function liftingFields(
  event: OutgoingEvent,
  problem: Unsendable,
  platform: Platform,
  credentials: unknown,
  lookups: IdentityLookups,
): readonly string[] {
  return probesOf(event, lookups)
    .filter(({ added }) => {
      const left = platform.unsendable(added, credentials);
      return left?.verdict !== problem.verdict || left.detail !== problem.detail;
    })
    .map(({ field }) => field);
}

/** Fields that would change the request. `body`: of the request the sendable event becomes. */
export function takenFields(
  event: OutgoingEvent,
  body: string,
  platform: Platform,
  { credentials, context }: { readonly credentials: unknown; readonly context: BuildContext },
  lookups: IdentityLookups,
): readonly string[] {
  return probesOf(event, lookups)
    .filter(
      ({ added }) =>
        platform.unsendable(added, credentials) === null &&
        platform.buildRequest([added], credentials, context).body !== body,
    )
    .map(({ field }) => field);
}

function probesOf(event: OutgoingEvent, lookups: IdentityLookups): readonly Probe[] {
  const person = Object.keys(PERSON).map((field) => ({
    field: `user_data.${field}`,
    added: withIdentity(event, identityOf(field as keyof typeof PERSON, lookups)),
  }));
  const ids = Object.entries(BROWSER_IDS).map(([key, id]) => ({
    field: `user_data.browser_ids.${key}`,
    added: withBrowserId(event, key as BrowserIdKey, id),
  }));
  return [...person, ...ids, ...ofTheSale(event)];
}

/** What normalization makes of this one field; a place is read in its country, which is then taken out again. */
function identityOf(field: keyof typeof PERSON, lookups: IdentityLookups): NormalizedIdentity {
  const surroundings: UserData = field === 'state' || field === 'zip' ? { country: PERSON.country } : {};
  const found = normalizeIdentity({ ...surroundings, [field]: PERSON[field] }, lookups);
  const known = normalizeIdentity(surroundings, lookups);
  return {
    ...found,
    hashed: without(found.hashed, known.hashed),
    plain: without(found.plain, known.plain),
  };
}

function without<T extends object>(all: T, some: T): T {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !(key in some))) as T;
}

/** What the event has stands. */
function withIdentity(event: OutgoingEvent, { hashed, raw, plain }: NormalizedIdentity): OutgoingEvent {
  return {
    ...event,
    hashed: { ...hashed, ...event.hashed },
    raw: { ...raw, ...event.raw },
    plaintext: { ...plain, ...event.plaintext },
  };
}

function withBrowserId(event: OutgoingEvent, key: BrowserIdKey, id: string): OutgoingEvent {
  return { ...event, raw: { ...event.raw, browserIds: { [key]: id, ...event.raw.browserIds } } };
}

/** A page view has no price: what only a sale has is asked of sales only. */
function ofTheSale(event: OutgoingEvent): readonly Probe[] {
  const { name } = event;
  const { value = '1', currency = 'USD', orderId = '1', eventSourceUrl = 'https://shop.example/' } = event;
  const items = event.items.length > 0 ? event.items : [{ id: 'SKU-1', quantity: '1', price: '1' }];
  return [
    { field: 'event_source_url', added: { ...event, eventSourceUrl } },
    ...(PRICED.has(name) ? [{ field: 'value', added: { ...event, value, currency } }] : []),
    ...(WITH_ITEMS.has(name) ? [{ field: 'items', added: { ...event, items } }] : []),
    ...(ORDERED.has(name) ? [{ field: 'order_id', added: { ...event, orderId } }] : []),
  ];
}
