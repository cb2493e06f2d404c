// Events into one UET Conversions API request. Amounts keep their digits; one request carries up to 1,000 events.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { nameAt } from '../event-name.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, FindFault } from '../platform.ts';
import { invalid, moneyFault, nameFault, personFault } from '../unsendable.ts';
import { adjustmentRequest, isRefund, refundFault } from './adjustments.ts';
import type { MicrosoftCredentials } from './credentials.ts';
import { eventAction, MICROSOFT_EVENT_NAMES, PAGE_LOAD, PAGE_TYPES } from './event-names.ts';
import { isMatchable, microsoftUserData } from './user-data.ts';

export const MICROSOFT_API_VERSION = 'v1';

/** Null when Microsoft would take the event as far as one can tell without asking. */
export const microsoftUnsendable: FindFault<MicrosoftCredentials> = (event, credentials) => {
  if (isRefund(event)) return refundFault(event, credentials);
  const isPageless = event.name === 'PageView' && webUrl(event.eventSourceUrl) === undefined;
  return (
    nameFault(nameAt(MICROSOFT_EVENT_NAMES, event), event) ??
    moneyFault(event) ??
    (isPageless ? invalid('event_source_url') : null) ??
    personFault(isMatchable(microsoftUserData(event)))
  );
};

/** Refunds go to another interface. */
export const microsoftGroupKey = (event: NormalizedEvent): string => (isRefund(event) ? 'refunds' : '');

export const microsoftRequest: BuildRequest<MicrosoftCredentials> = (events, credentials, context) => {
  if (context.test) throw new RangeError('Microsoft has no test mode: a test would be counted');
  if (events.some(isRefund)) return adjustmentRequest(events, credentials, context);
  return {
    method: 'POST',
    url: `https://capi.uet.microsoft.com/${MICROSOFT_API_VERSION}/${encodeURIComponent(credentials.tag_id)}/events`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials.api_token}` },
    body: jsonBody({
      data: events.map((event) => serverEvent(event, credentials)),
      dataProvider: 'Millrace',
      // One bad event then costs only itself.
      continueOnValidationError: true,
    }),
    secrets: [credentials.api_token],
  };
};

function serverEvent(event: NormalizedEvent, credentials: MicrosoftCredentials): Fields {
  const isPage = event.name === 'PageView';
  return {
    eventType: isPage ? PAGE_LOAD : 'custom',
    eventId: event.dedupId,
    eventName: isPage ? undefined : eventAction(event, credentials),
    eventTime: event.eventTimeSec,
    eventSourceUrl: webUrl(event.eventSourceUrl),
    referrerUrl: webUrl(event.referrerUrl),
    adStorageConsent: adStorageConsent(event),
    userData: microsoftUserData(event),
    customData: customData(event, isPage),
  };
}

/**
 * Microsoft has one switch. Where personalization was denied it is turned off too: nothing else keeps the event out of
 * remarketing lists.
 */
function adStorageConsent({ consent }: NormalizedEvent): string | undefined {
  if (consent.ad_storage === 'denied' || consent.ad_personalization === 'denied') return 'D';
  return consent.ad_storage === 'granted' ? 'G' : undefined;
}

/** A page load has no revenue. Other properties of the merchant have no place here: unknown ones are refused. */
function customData(event: NormalizedEvent, isPage: boolean): Fields {
  const custom = event.customData ?? {};
  const own = {
    searchTerm: text(custom.search_string),
    eventCategory: text(custom.event_category),
    eventLabel: text(custom.event_label),
    ecommCategory: text(custom.content_category),
    transactionId: event.orderId,
    itemIds: event.items.map((item) => item.id),
    pageType: PAGE_TYPES[event.name],
  };
  if (isPage) return own;
  return {
    ...own,
    // Of goals by the value of an event; revenue is `value`.
    eventValue: size(custom.event_value) ?? jsonNumber(event.value),
    value: jsonNumber(event.value),
    currency: event.currency,
    items: event.items.map((item) => ({
      id: item.id,
      name: item.name,
      // Whole numbers only: half a kilo has no quantity here.
      quantity: /^[1-9]\d{0,8}$/.test(item.quantity) ? jsonNumber(item.quantity) : undefined,
      price: jsonNumber(item.price),
    })),
    ecommTotalValue: PAGE_TYPES[event.name] === undefined ? undefined : jsonNumber(event.value),
  };
}

const size = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;

const TEXT_MAX_CHARS = 1_024;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= TEXT_MAX_CHARS ? value : undefined;

/** Microsoft refuses addresses that are not absolute. */
function webUrl(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\/[^/\s]/i.test(url) && URL.canParse(url) ? url : undefined;
}
