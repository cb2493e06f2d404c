// Events of one client into one Measurement Protocol request.
// The endpoint answers 2xx to everything, so what it would drop in silence is refused or adapted here.
import { hash } from 'node:crypto';
import type { Item, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { nameAt } from '../event-name.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { invalid, moneyFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { Ga4Credentials } from './credentials.ts';
import { GA4_EVENT_NAMES, GA4_OWN_NAMES, ga4EventName, isGa4Name } from './event-names.ts';
import { clientId, ga4Client } from './user-data.ts';

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/sending-events#limitations */
const PARAMS_MAX = 25;
export const TEXT_MAX_CHARS = 100;
const PAGE_LOCATION_MAX_CHARS = 1_000;
const PAGE_REFERRER_MAX_CHARS = 420;
const HOSTS = { global: 'www.google-analytics.com', eu: 'region1.google-analytics.com' } as const;

/** Null when GA4 would count the event as far as one can tell without asking. */
export function ga4Unsendable(event: NormalizedEvent, credentials?: Ga4Credentials): Unsendable | null {
  if (eventName(event) === null) return { verdict: 'unmapped', detail: event.customName ?? event.name };
  // A refund is told by the order it undoes; nothing else can name it.
  const isNameless = event.name === 'Refund' && event.orderId === undefined;
  const isUninstalled =
    credentials !== undefined && isOfApp(event, credentials) && event.app?.instance_id === undefined;
  return (
    moneyFault(event, event.name === 'Purchase') ??
    (isNameless ? invalid('order_id') : null) ??
    (isUninstalled ? invalid('app.instance_id') : null)
  );
}

/** An app has a stream of its own, which the connection may hold beside that of the web. */
export const isOfApp = (event: NormalizedEvent, { firebase_app_id }: Ga4Credentials): boolean =>
  event.actionSource === 'app' && firebase_app_id !== undefined;

/** Events of one client, or of one installation of the app, with the same user data and consent. */
export function ga4GroupKey(event: NormalizedEvent, credentials: Ga4Credentials): string {
  const isApp = isOfApp(event, credentials);
  const device = isApp ? `app ${event.app?.instance_id}` : clientId(event);
  return `${device} ${hash('sha256', jsonBody(ga4Client(event, isApp)), 'hex').slice(0, 16)}`;
}

export const ga4Request: BuildRequest<Ga4Credentials> = (events, credentials, context) => {
  const [first] = events;
  if (first === undefined) throw new RangeError('a request needs at least one event');
  const { measurement_id, api_secret, firebase_app_id, app_api_secret } = credentials;
  if (api_secret === undefined) throw new RangeError('a request needs an API secret');
  const isApp = isOfApp(first, credentials);
  const stream =
    isApp && firebase_app_id !== undefined && app_api_secret !== undefined
      ? { firebase_app_id, api_secret: app_api_secret }
      : { measurement_id, api_secret };
  const query = new URLSearchParams(stream);
  const path = context.test ? '/debug/mp/collect' : '/mp/collect';
  return {
    method: 'POST',
    url: `https://${HOSTS[credentials.region]}${path}?${query}`,
    headers: { 'content-type': 'application/json' },
    body: jsonBody({
      ...ga4Client(first, isApp),
      timestamp_micros: micros(first),
      ...(context.test ? { validation_behavior: 'ENFORCE_RECOMMENDATIONS' } : {}),
      // An event's own time goes before the request's: events of different times can share a request.
      events: events.map((event) => ({
        name: eventName(event),
        timestamp_micros: micros(event),
        params: params(event),
      })),
    }),
    secrets: [stream.api_secret],
  };
};

const micros = (event: NormalizedEvent): number => event.eventTimeSec * 1_000_000;

export function eventName(event: NormalizedEvent): string | null {
  const name = nameAt(GA4_EVENT_NAMES, event, GA4_OWN_NAMES);
  return event.name === 'Custom' && name !== null ? ga4EventName(name) : name;
}

export function params(event: NormalizedEvent): Fields {
  const own: Record<string, unknown> = {
    engagement_time_msec: 1,
    session_id: event.raw.browserIds?.ga_session_id,
    // GA4 has no id of an event; as a parameter it can be found again in the export.
    event_id: cut(event.dedupId, TEXT_MAX_CHARS),
    page_location: cut(webUrl(event.eventSourceUrl), PAGE_LOCATION_MAX_CHARS),
    page_referrer: cut(webUrl(event.referrerUrl), PAGE_REFERRER_MAX_CHARS),
    transaction_id: transactionId(event),
    value: jsonNumber(event.value),
    currency: event.currency,
    items: event.items.map((item) => ({
      item_id: cut(item.id, TEXT_MAX_CHARS),
      ...itemWords(item),
      quantity: jsonNumber(item.quantity),
      price: jsonNumber(item.price),
    })),
  };
  return withCustomData(own, event.customData ?? {});
}

export const itemWords = ({ name, brand, category, variant }: Item): Record<string, string | undefined> => ({
  item_name: cut(name, TEXT_MAX_CHARS),
  item_brand: cut(brand, TEXT_MAX_CHARS),
  item_category: cut(category, TEXT_MAX_CHARS),
  item_variant: cut(variant, TEXT_MAX_CHARS),
});

/**
 * GA4 counts a purchase once per transaction id. Without an order id the event's own id takes its place, so that the
 * browser's copy and a replay still count once. A refund names what its purchase named.
 */
export function transactionId(event: NormalizedEvent): string | undefined {
  if (event.name === 'Purchase')
    return cut((event.noOrderDedup ? undefined : event.orderId) ?? event.dedupId, TEXT_MAX_CHARS);
  const { noOrderDedup, dedupId } = event.refund?.purchase ?? {};
  return cut(noOrderDedup === true ? dedupId : event.orderId, TEXT_MAX_CHARS);
}

/** The merchant's own properties, as far as GA4 has room: scalars, valid names, 25 parameters in all. */
function withCustomData(own: Record<string, unknown>, custom: Fields): Fields {
  const taken = new Set(
    Object.keys(own).filter((key) => own[key] !== undefined && key !== 'engagement_time_msec'),
  );
  let room = PARAMS_MAX - Object.values(own).filter((value) => value !== undefined).length;
  const out: Record<string, unknown> = { ...own };
  for (const [key, value] of Object.entries(custom)) {
    const name = key === 'search_string' ? 'search_term' : key;
    if (taken.has(name) || name === 'event_id' || !isGa4Name(name) || !isScalar(value)) continue;
    if (!(Object.hasOwn(out, name) && out[name] !== undefined) && room-- <= 0) break;
    out[name] = typeof value === 'string' ? cut(value, TEXT_MAX_CHARS) : value;
  }
  return out;
}

const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';

/** Cut by characters, never inside one. */
export function cut(text: string | undefined, max: number): string | undefined {
  if (text === undefined || text.length <= max) return text;
  return [...text].slice(0, max).join('');
}
