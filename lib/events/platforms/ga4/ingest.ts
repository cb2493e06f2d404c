// Events for Google Analytics through the Data Manager API, of any clients in one request. Names, parameters and transaction ids
// are those of the Measurement Protocol: an event that goes out by both counts as one where that counts it once.
// https://developers.google.com/data-manager/api/devguides/events/analytics/measurement-protocol/upgrade/field-mappings
import type { Item, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import {
  consentOf,
  couponsOf,
  eventTimestamp,
  ingestRequest,
  userIdentifiers,
} from '../google-ingest/request.ts';
import { type Destinations, dataManagerErrors } from '../google-ingest/response.ts';
import { wholeQuantity } from '../item-count.ts';
import { jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { moneyFault } from '../unsendable.ts';
import type { Ga4Credentials } from './credentials.ts';
import {
  cut,
  eventName,
  ga4Unsendable,
  isOfApp,
  itemWords,
  params,
  TEXT_MAX_CHARS,
  transactionId,
} from './payload.ts';
import { letters, strictClientId, userId } from './user-data.ts';

/** A refund without a value is taken, and counted as one of nothing. */
export const analyticsUnsendable = (
  event: NormalizedEvent,
  credentials?: Ga4Credentials,
): Unsendable | null => ga4Unsendable(event, credentials) ?? moneyFault(event, event.name === 'Refund');

/** An event has one stream of data, and here a request too. */
export const analyticsGroupKey = (event: NormalizedEvent, credentials: Ga4Credentials): string =>
  isOfApp(event, credentials) ? 'app' : 'web';

export const analyticsRequest: BuildRequest<Ga4Credentials> = (events, credentials, context) => {
  const [first] = events;
  if (first === undefined) throw new RangeError('a request needs at least one event');
  const { property_id, measurement_id, firebase_app_id } = credentials;
  const account = { accountType: 'GOOGLE_ANALYTICS_PROPERTY', accountId: property_id };
  const productDestinationId = isOfApp(first, credentials) ? firebase_app_id : measurement_id;
  return ingestRequest(
    [{ operatingAccount: account, loginAccount: account, productDestinationId }],
    events.map((event) => analyticsEvent(event, credentials)),
    context,
  );
};

export const GA4_DESTINATIONS: Destinations = {
  vendor: 'ga4',
  errors: dataManagerErrors(
    ['INVALID_PROPERTY_TYPE', 'GOOGLE_ANALYTICS_SUBPROPERTY_OR_ROLLUP_PROPERTY_NOT_ALLOWED'],
    [
      '*',
      ['INVALID_STREAM_TYPE', 'INVALID_DESTINATION'],
      'setting_refused',
      'the events of the stream; so is whatever is wrong with `destinations`',
    ],
  ),
  onlySettings: true,
  isAtFault: () => () => true,
};

function analyticsEvent(event: NormalizedEvent, credentials: Ga4Credentials): Fields {
  const isApp = isOfApp(event, credentials);
  const isDenied = event.consent.ad_user_data === 'denied';
  return {
    eventName: eventName(event),
    eventTimestamp: eventTimestamp(event),
    eventSource: isApp ? 'APP' : 'WEB',
    ...(isApp ? { appInstanceId: event.app?.instance_id } : { clientId: strictClientId(event) }),
    userId: userId(event.plaintext.externalId),
    transactionId: transactionId(event),
    currency: event.currency,
    conversionValue: jsonNumber(event.value),
    consent: consentOf(event),
    userData: isDenied ? undefined : { userIdentifiers: userIdentifiers(event, placeOf(event)) },
    userProperties: { customerType: customerType(event) },
    cartData: cartData(event),
    additionalEventParameters: parameters(params(event)),
  };
}

/** user_data.proto; the two fields are for Google Analytics alone. */
const placeOf = ({ plaintext }: NormalizedEvent): Fields => ({
  city: letters(plaintext.city),
  administrativeArea: letters(plaintext.region),
});

const CUSTOMER_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['new', 'NEW'],
  ['returning', 'RETURNING'],
  ['reengaged', 'REENGAGED'],
]);

const customerType = ({ customData }: NormalizedEvent): string | undefined =>
  CUSTOMER_TYPES.get(customData?.customer_type);

/** Items have a price and a whole quantity there: without its half kilos a cart would have another total, and is left out. */
function cartData(event: NormalizedEvent): Fields {
  const [coupon] = couponsOf(event);
  const isWhole = event.items.every(
    (item) => wholeQuantity(item.quantity) !== undefined && item.price !== undefined,
  );
  return {
    couponCodes: [cut(coupon, TEXT_MAX_CHARS)],
    items: isWhole ? event.items.map(cartItem) : undefined,
  };
}

const cartItem = (item: Item): Fields => ({
  itemId: cut(item.id, TEXT_MAX_CHARS),
  quantity: wholeQuantity(item.quantity),
  unitPrice: jsonNumber(item.price),
  additionalItemParameters: parameters(itemWords(item)),
});

/** Parameters of the Measurement Protocol that have a field of their own here. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['transaction_id', 'value', 'currency', 'items', 'coupon', 'customer_type'],
]);

/** Their values are text, also of numbers. One that is too long refuses the request, an address as well. */
function parameters(all: Fields): readonly Fields[] {
  return Object.entries(all).flatMap(([parameterName, given]) => {
    if (given === undefined || given === '' || FIELDS.has(parameterName)) return [];
    const text = String(given);
    const fits = text.length <= TEXT_MAX_CHARS || !/^page_(?:location|referrer)$/.test(parameterName);
    return [{ parameterName, value: cut(fits ? text : text.replace(/[?#].*/s, ''), TEXT_MAX_CHARS) }];
  });
}
