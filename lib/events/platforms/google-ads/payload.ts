// Events into one events:ingest request. Amounts keep their digits; one request carries up to 2,000 events for up to
// ten conversion actions of one account.

import type { ActionSource, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { wholeQuantity } from '../item-count.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, FindFault } from '../platform.ts';
import { eventIdFault, moneyFault, personFault } from '../unsendable.ts';
import type { GoogleAdsCredentials } from './credentials.ts';
import { GOOGLE_ADS_EVENT_NAMES } from './event-names.ts';
import { clickId, deviceInfo, isMatchable, userIdentifiers } from './user-data.ts';

const ENDPOINT = 'https://datamanager.googleapis.com/v1/events:ingest';
/** https://developers.google.com/data-manager/api/devguides/limits */
export const DESTINATIONS_MAX = 10;

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
  eventIdFault(event, GOOGLE_ADS_EVENT_NAMES, credentials?.event_ids) ??
  moneyFault(event) ??
  personFault(isMatchable(event, credentials !== undefined));

/** Events whose conversion actions fit into one request. */
export function googleAdsGroupKey(event: NormalizedEvent, { event_ids }: GoogleAdsCredentials): string {
  const actions = [...new Set(Object.values(event_ids))].sort();
  return String(Math.floor(actions.indexOf(event_ids[event.name] ?? '') / DESTINATIONS_MAX));
}

export const googleAdsRequest: BuildRequest<GoogleAdsCredentials> = (events, credentials, context) => {
  const { accessToken } = context;
  if (accessToken === undefined) throw new RangeError('a request needs an access token');
  const actions = [...new Set(events.map((event) => conversionAction(event, credentials)))];
  return {
    method: 'POST',
    url: ENDPOINT,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: jsonBody({
      destinations: actions.map((action) => destination(action, credentials)),
      encoding: 'HEX',
      validateOnly: context.test ? true : undefined,
      events: events.map((event) => conversion(event, credentials)),
    }),
    secrets: [accessToken],
  };
};

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
    eventTimestamp: new Date(event.eventTimeSec * 1_000).toISOString(),
    eventSource: SOURCES[event.actionSource],
    currency: event.value !== undefined || cart !== undefined ? event.currency : undefined,
    conversionValue: jsonNumber(event.value),
    consent: {
      adUserData: consentStatus(event.consent.ad_user_data),
      adPersonalization: consentStatus(event.consent.ad_personalization),
    },
    userData: { userIdentifiers: userIdentifiers(event) },
    adIdentifiers: click,
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
    items: event.items.map((item) => ({
      merchantProductId: item.id,
      quantity: wholeQuantity(item.quantity),
      unitPrice: jsonNumber(item.price),
    })),
  };
}

function consentStatus(state: 'granted' | 'denied' | undefined): string | undefined {
  if (state === undefined) return undefined;
  return state === 'granted' ? 'CONSENT_GRANTED' : 'CONSENT_DENIED';
}
