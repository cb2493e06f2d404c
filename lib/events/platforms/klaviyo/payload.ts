// One event into one request: Klaviyo answers for the request as a whole, so each event has its own. A purchase with its
// items is one request too, to the endpoint that takes several events at once: they are taken or refused together.

import type { Item, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { nameAt } from '../event-name.ts';
import { isDecimal, jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildContext, BuildRequest, FindFault } from '../platform.ts';
import { moneyFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import { product } from './amounts.ts';
import type { KlaviyoCredentials } from './credentials.ts';
import { KLAVIYO_EVENT_NAMES, ORDERED_PRODUCT } from './event-names.ts';
import { isMatchable, klaviyoProfile } from './user-data.ts';

export const KLAVIYO_REVISION = '2026-07-15';

export const KLAVIYO_HOST = 'https://a.klaviyo.com';
const PROPERTIES_MAX = 400;

/** Null when Klaviyo would take the event as far as one can tell without asking. Strict once credentials are given. */
export const klaviyoUnsendable: FindFault<KlaviyoCredentials> = (event, credentials) =>
  moneyFault(event) ?? personFault(isMatchable(event, credentials !== undefined));

/** True if the order and its products go together, to the endpoint for several events. */
export const isOrderJob = (event: NormalizedEvent, { ordered_product }: KlaviyoCredentials): boolean =>
  ordered_product && event.name === 'Purchase' && event.items.length > 0;

export const klaviyoRequest: BuildRequest<KlaviyoCredentials> = (events, credentials, context) => {
  const [event, ...more] = events;
  if (event === undefined || more.length > 0) throw new RangeError('a request takes one event');
  if (context.test) throw new RangeError('Klaviyo has no test mode: a test would be recorded');
  const fanOut = isOrderJob(event, credentials);
  return {
    method: 'POST',
    url: `${KLAVIYO_HOST}/api/${fanOut ? 'event-bulk-create-jobs' : 'events'}`,
    headers: klaviyoHeaders(credentials, context.version),
    body: jsonBody({
      data: fanOut
        ? orderJob(event, credentials, isOld(event, context))
        : singleEvent(event, credentials, isOld(event, context)),
    }),
    secrets: [credentials.private_api_key],
  };
};

export const klaviyoHeaders = ({ private_api_key }: KlaviyoCredentials, revision = KLAVIYO_REVISION) => ({
  'content-type': 'application/vnd.api+json',
  accept: 'application/vnd.api+json',
  authorization: `Klaviyo-API-Key ${private_api_key}`,
  revision,
});

/** https://developers.klaviyo.com/en/reference/create_event */
function singleEvent(event: NormalizedEvent, credentials: KlaviyoCredentials, old: boolean): Fields {
  const { type, attributes } = mainEvent(event, credentials, old);
  return { type, attributes: { ...attributes, profile: profile(event) } };
}

/** https://developers.klaviyo.com/en/reference/bulk_create_events */
function orderJob(event: NormalizedEvent, credentials: KlaviyoCredentials, old: boolean): Fields {
  const main = mainEvent(event, credentials, old);
  const { time, backfill } = main.attributes;
  const products = event.items.map((item, i) => {
    const { type, attributes } = orderedProduct(event, credentials, item, i);
    return { type, attributes: { ...attributes, time, backfill } };
  });
  const events = [main, ...products];
  return {
    type: 'event-bulk-create-job',
    attributes: {
      'events-bulk-create': {
        data: [
          { type: 'event-bulk-create', attributes: { profile: profile(event), events: { data: events } } },
        ],
      },
    },
  };
}

const profile = (event: NormalizedEvent): Fields => ({
  data: { type: 'profile', attributes: klaviyoProfile(event) },
});

const metric = (name: string | null): Fields => ({ data: { type: 'metric', attributes: { name } } });

function mainEvent(event: NormalizedEvent, credentials: KlaviyoCredentials, old: boolean) {
  return {
    type: 'event',
    attributes: {
      metric: metric(nameAt(KLAVIYO_EVENT_NAMES, event)),
      unique_id: uniqueId(event, credentials),
      time: new Date(event.eventTimeSec * 1_000).toISOString(),
      backfill: old ? true : undefined,
      value: jsonNumber(event.value),
      value_currency: event.value === undefined ? undefined : event.currency,
      properties: properties(event),
    },
  };
}

/** The value of an ordered product is what the line costs; without a price it has none. */
function orderedProduct(event: NormalizedEvent, credentials: KlaviyoCredentials, item: Item, index: number) {
  const total = rowTotal(item);
  return {
    type: 'event',
    attributes: {
      metric: metric(ORDERED_PRODUCT),
      unique_id: `${uniqueId(event, credentials)}:${index + 1}`,
      value: jsonNumber(total),
      value_currency: total === undefined ? undefined : event.currency,
      properties: { event_id: event.dedupId, OrderId: event.orderId, ...productOf(item) },
    },
  };
}

/** Klaviyo names no age; whoever waits for an order confirmation no longer waits for it a day later. */
const BACKFILL_AFTER_SEC = 86_400;

/**
 * A replay repeats what has happened, and an import or a repaired connection brings what happened long ago: neither must start
 * flows, which would write to people about it.
 */
function isOld(
  { replay, eventTimeSec, receivedAtMs }: NormalizedEvent,
  { nowMs = receivedAtMs }: BuildContext,
): boolean {
  return replay === true || nowMs / 1_000 - eventTimeSec > BACKFILL_AFTER_SEC;
}

/** Klaviyo keeps the first event of a profile and metric with this id. */
function uniqueId(event: NormalizedEvent, credentials: KlaviyoCredentials): string {
  const isOrder = event.name === 'Purchase' || event.name === 'Refund';
  const isByOrder = isOrder && credentials.unique_id === 'order_id' && event.noOrderDedup !== true;
  return (isByOrder ? event.orderId : undefined) ?? event.dedupId;
}

/** Our own first; then the merchant's, except names with `$`, which steer Klaviyo. Never empty: Klaviyo requires some. */
function properties(event: NormalizedEvent): Fields {
  const url = webUrl(event.eventSourceUrl);
  const own = Object.entries({
    event_id: event.dedupId,
    OrderId: event.orderId,
    URL: url,
    Referrer: webUrl(event.referrerUrl),
    CheckoutURL: event.name === 'InitiateCheckout' ? url : undefined,
    Items: event.items.length === 0 ? undefined : event.items.map(productOf),
    ...(event.name === 'ViewContent' ? soleProduct(event.items) : {}),
  }).filter(([, value]) => value !== undefined);
  const taken = new Set(own.map(([key]) => key));
  const custom = Object.entries(event.customData ?? {}).filter(
    ([key]) => !taken.has(key) && !key.startsWith('$'),
  );
  return Object.fromEntries([...own, ...custom].slice(0, PROPERTIES_MAX));
}

function productOf(item: Item): Fields {
  return {
    ProductID: item.id,
    Quantity: jsonNumber(item.quantity),
    ItemPrice: jsonNumber(item.price),
    RowTotal: jsonNumber(rowTotal(item)),
    ...wording(item),
  };
}

/** Klaviyo lists the categories of a product; a shop sends one here. */
function wording({ name, brand, category, variant }: Item): Fields {
  return {
    ProductName: name,
    Brand: brand,
    Categories: category === undefined ? undefined : [category],
    Variant: variant,
  };
}

function soleProduct([item, ...more]: readonly Item[]): Fields {
  return item === undefined || more.length > 0
    ? {}
    : { ProductID: item.id, Price: jsonNumber(item.price), ...wording(item) };
}

function rowTotal({ price, quantity }: Item): string | undefined {
  if (price === undefined || !isDecimal(price) || !isDecimal(quantity)) return undefined;
  return product(price, quantity);
}
