// Events into one Events API request. Amounts keep their digits; one request carries up to 1,000 events.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { nameAt } from '../event-name.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { invalid, moneyFault, nameFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { TiktokCredentials } from './credentials.ts';
import { TIKTOK_EVENT_NAMES, TIKTOK_LEGACY_NAMES, TIKTOK_OWN_NAMES } from './event-names.ts';
import { isMatchable, tiktokUser } from './user-data.ts';

const ENDPOINT = 'https://business-api.tiktok.com/open_api/v1.3/event/track/';

/** A sale in a shop is none of the pixel's: it belongs to an offline or CRM event set, which is a connection of its own. */
const ONLINE: ReadonlySet<TiktokCredentials['event_source']> = new Set(['web', 'app']);
const OFF_LINE: ReadonlySet<NormalizedEvent['actionSource']> = new Set(['physical_store', 'phone_call']);

/** Null when TikTok would take the event as far as one can tell without asking. */
export function tiktokUnsendable(event: NormalizedEvent, credentials?: TiktokCredentials): Unsendable | null {
  const isOnline = credentials !== undefined && ONLINE.has(credentials.event_source);
  if (isOnline && OFF_LINE.has(event.actionSource)) return invalid('action_source');
  return (
    nameFault(nameAt(TIKTOK_EVENT_NAMES, event), event) ??
    moneyFault(event, event.name === 'Purchase') ??
    personFault(isMatchable(tiktokUser(event)))
  );
}

export const tiktokRequest: BuildRequest<TiktokCredentials> = (events, credentials, context) => {
  if (context.test && credentials.test_event_code === undefined)
    throw new RangeError('without a test event code a test would be counted');
  const names = credentials.legacy_event_names ? TIKTOK_LEGACY_NAMES : TIKTOK_EVENT_NAMES;
  return {
    method: 'POST',
    url: ENDPOINT,
    headers: { 'content-type': 'application/json', 'access-token': credentials.access_token },
    body: jsonBody({
      event_source: credentials.event_source,
      event_source_id: credentials.event_source_id,
      test_event_code: context.test ? credentials.test_event_code : undefined,
      data: events.map((event) => ({
        event: nameAt(names, event, TIKTOK_OWN_NAMES),
        event_time: event.eventTimeSec,
        event_id: event.dedupId,
        user: tiktokUser(event),
        page: { url: webUrl(event.eventSourceUrl), referrer: webUrl(event.referrerUrl) },
        properties: properties(event),
        // The flag of TikTok's Limited Data Use: measured, not used to choose ads.
        limited_data_use: event.consent.ad_personalization === 'denied' ? true : undefined,
      })),
    }),
    secrets: [credentials.access_token],
  };
};

function properties(event: NormalizedEvent): Fields {
  const { search_string: query, ...custom } = event.customData ?? {};
  return {
    ...(event.items.length > 0 ? { content_type: 'product' } : {}),
    ...(query === undefined ? {} : { query }),
    ...custom,
    value: jsonNumber(event.value),
    currency: event.currency,
    order_id: event.orderId,
    contents: event.items.map((item) => ({
      content_id: item.id,
      content_name: item.name,
      content_category: item.category,
      brand: item.brand,
      quantity: jsonNumber(item.quantity),
      price: jsonNumber(item.price),
    })),
  };
}
