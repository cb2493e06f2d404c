// Events into one events:ingest request. Amounts keep their digits; one request carries up to 2,000 events for up to
// ten conversion actions of one account.

import type { ActionSource, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import {
  consentOf,
  couponsOf,
  eventTimestamp,
  ingestRequest,
  userIdentifiers,
} from '../google-ingest/request.ts';
import { wholeQuantity } from '../item-count.ts';
import { jsonNumber } from '../json-body.ts';
import type { BuildRequest, FindFault, Unsendable } from '../platform.ts';
import { eventIdFault, moneyFault, notTakenBack, personFault } from '../unsendable.ts';
import type { GoogleAdsCredentials } from './credentials.ts';
import { GOOGLE_ADS_EVENT_NAMES } from './event-names.ts';
import { clickId, deviceInfo, isMatchable, mobileDeviceId } from './user-data.ts';

/** https://developers.google.com/data-manager/api/devguides/limits */
export const DESTINATIONS_MAX = 10;
/** The longest conversion window. */
export const AGE_MAX_SEC = 90 * 86_400;

const SOURCES = {
  website: 'WEB',
  app: 'APP',
  physical_store: 'IN_STORE',
  phone_call: 'PHONE',
  chat: 'MESSAGE',
  business_messaging: 'MESSAGE',
  email: 'OTHER',
  system_generated: 'OTHER',
  other: 'OTHER',
} as const satisfies Record<ActionSource, string>;

/** Null when Google would take the event as far as one can tell without asking. Strict once credentials are given. */
export const googleAdsUnsendable: FindFault<GoogleAdsCredentials> = (event, credentials) =>
  refundFault(event, credentials !== undefined) ??
  eventIdFault(asSent(event), GOOGLE_ADS_EVENT_NAMES, credentials?.event_ids) ??
  moneyFault(event) ??
  personFault(isMatchable(event, credentials !== undefined));

/** Store sales and calls are not adjusted: https://developers.google.com/data-manager/api/devguides/events/google-ads/conversion-adjustments */
const NOT_ADJUSTED: ReadonlySet<ActionSource> = new Set(['physical_store', 'phone_call']);

/** Under a transaction id that Google does not know a refund would be a purchase. */
function refundFault({ name, refund, receivedAtMs }: NormalizedEvent, isStrict: boolean): Unsendable | null {
  if (name !== 'Refund') return null;
  if (refund?.purchase === undefined) return isStrict ? notTakenBack('order_unknown') : null;
  const { actionSource, eventTimeSec } = refund.purchase;
  if (NOT_ADJUSTED.has(actionSource)) return notTakenBack('no_way');
  return receivedAtMs / 1_000 - eventTimeSec > AGE_MAX_SEC ? notTakenBack('too_late') : null;
}

/** A refund as its purchase once more, with what is left of it: Google then puts that value in the place of the first. */
function asSent(event: NormalizedEvent): NormalizedEvent {
  if (event.name !== 'Refund') return event;
  const { noOrderDedup: _, ...rest } = event;
  const { purchase, currency = event.currency } = event.refund ?? {};
  return {
    ...rest,
    ...(currency === undefined ? {} : { currency }),
    ...purchase,
    name: 'Purchase',
    items: [],
  };
}

/** Events whose conversion actions fit into one request. */
export function googleAdsGroupKey(event: NormalizedEvent, { event_ids }: GoogleAdsCredentials): string {
  const actions = [...new Set(Object.values(event_ids))].sort();
  return String(Math.floor(actions.indexOf(event_ids[asSent(event).name] ?? '') / DESTINATIONS_MAX));
}

export const googleAdsRequest: BuildRequest<GoogleAdsCredentials> = (given, credentials, context) => {
  const events = given.map(asSent);
  const actions = [...new Set(events.map((event) => conversionAction(event, credentials)))];
  return ingestRequest(
    actions.map((action) => destination(action, credentials)),
    events.map((event) => conversion(event, credentials)),
    context,
  );
};

/** The action that an event of this name is sent to, under these credentials. */
export const actionOf = (name: string, { event_ids }: GoogleAdsCredentials): string | undefined =>
  (event_ids as Readonly<Record<string, string>>)[name === 'Refund' ? 'Purchase' : name];

function conversionAction(event: NormalizedEvent, { event_ids }: GoogleAdsCredentials): string {
  const action = event_ids[event.name];
  if (action === undefined) throw new RangeError(`${event.name} has no conversion action`);
  return action;
}

/** An action is its own reference: unique within the request, and readable in Google's errors. */
function destination(action: string, credentials: GoogleAdsCredentials): Fields {
  return {
    reference: action,
    operatingAccount: account(credentials.customer_id),
    loginAccount:
      credentials.login_customer_id === undefined ? undefined : account(credentials.login_customer_id),
    productDestinationId: action,
  };
}

const account = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });

/** https://github.com/googleapis/googleapis/blob/master/google/ads/datamanager/v1/event.proto */
function conversion(event: NormalizedEvent, credentials: GoogleAdsCredentials): Fields {
  const click = clickId(event);
  const cart = cartData(event, credentials, click);
  return {
    destinationReferences: [conversionAction(event, credentials)],
    transactionId: transactionId(event, credentials),
    eventTimestamp: eventTimestamp(event),
    eventSource: SOURCES[event.actionSource],
    currency: event.value !== undefined || cart !== undefined ? event.currency : undefined,
    conversionValue: jsonNumber(event.value),
    consent: consentOf(event),
    userData: { userIdentifiers: userIdentifiers(event) },
    adIdentifiers: { ...click, ...mobileDeviceId(event) },
    eventDeviceInfo: deviceInfo(event, credentials.send_ip_address),
    cartData: cart,
  };
}

/** Google counts a transaction id once per conversion action; the tag on the site sends the same one. */
function transactionId(event: NormalizedEvent, credentials: GoogleAdsCredentials): string {
  const isByOrder = credentials.transaction_id === 'order_id' && event.noOrderDedup !== true;
  if (isByOrder && event.name === 'Purchase' && event.orderId !== undefined) return event.orderId;
  return event.dedupId;
}

/**
 * Nothing where Google would ignore it (clicks without gclid) or misread it: quantities are whole numbers there, and a
 * cart without its half kilos would have another total.
 */
function cartData(
  event: NormalizedEvent,
  credentials: GoogleAdsCredentials,
  click: Readonly<Record<string, string>>,
): Fields | undefined {
  if (event.items.length === 0 || 'gbraid' in click || 'wbraid' in click) return undefined;
  if (!event.items.every(({ quantity }) => wholeQuantity(quantity) !== undefined)) return undefined;
  return {
    merchantId: credentials.merchant_center_id,
    merchantFeedLabel: credentials.merchant_feed_label,
    merchantFeedLanguageCode: credentials.merchant_feed_language,
    transactionDiscount: discountOf(event),
    couponCodes: couponsOf(event),
    items: event.items.map((item) => ({
      itemId: item.id,
      merchantProductId: item.id,
      quantity: wholeQuantity(item.quantity),
      unitPrice: jsonNumber(item.price),
    })),
  };
}

/** `custom_data.discount`, the sum of the order's discounts. */
function discountOf({ customData }: NormalizedEvent): number | undefined {
  const discount = customData?.discount;
  return typeof discount === 'number' && discount >= 0 ? discount : undefined;
}
