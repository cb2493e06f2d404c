// Events into one Conversions API request. Amounts keep their digits; one request carries up to 1,000 events.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { appDataFault, extinfo, trackingFlag } from '../app-data.ts';
import { nameAt } from '../event-name.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { storedIds } from '../stored-ids.ts';
import { moneyFault, nameFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { MetaCredentials } from './credentials.ts';
import { META_EVENT_NAMES } from './event-names.ts';
import { isMatchable, metaUserData } from './user-data.ts';

export const META_API_VERSION = 'v26.0';

/** Null when Meta would take the event as far as one can tell without asking. */
export function metaUnsendable(event: NormalizedEvent): Unsendable | null {
  return (
    nameFault(META_EVENT_NAMES[event.name], event) ??
    moneyFault(event, event.name === 'Purchase') ??
    appDataFault(event) ??
    personFault(isMatchable(metaUserData(event)))
  );
}

export const metaRequest: BuildRequest<MetaCredentials> = (events, credentials, context) => {
  if (context.test && credentials.test_event_code === undefined)
    throw new RangeError('without a test event code a test would be counted');
  const token = encodeURIComponent(credentials.access_token);
  return {
    method: 'POST',
    url: `https://graph.facebook.com/${context.version ?? META_API_VERSION}/${encodeURIComponent(credentials.pixel_id)}/events?access_token=${token}`,
    headers: { 'content-type': 'application/json' },
    body: jsonBody({
      data: events.map(serverEvent),
      test_event_code: context.test ? credentials.test_event_code : undefined,
    }),
    secrets: [credentials.access_token],
  };
};

/** https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/server-event */
function serverEvent(event: NormalizedEvent): Fields {
  return {
    event_name: nameAt(META_EVENT_NAMES, event),
    event_time: event.eventTimeSec,
    event_id: event.dedupId,
    action_source: event.actionSource,
    event_source_url: webUrl(event.eventSourceUrl),
    referrer_url: webUrl(event.referrerUrl),
    ...limitedUse(event),
    user_data: metaUserData(event),
    app_data: event.actionSource === 'app' ? metaAppData(event) : undefined,
    custom_data: customData(event),
  };
}

/**
 * Personalization denied: the event may count for attribution, not for choosing ads (`opt_out`), and where a US state
 * law applies Meta is a mere processor. Country and state 0 let Meta find out whether one applies.
 * https://developers.facebook.com/documentation/ads-commerce/marketing-api/data-processing-options
 */
function limitedUse(event: NormalizedEvent): Fields {
  if (event.consent.ad_personalization !== 'denied') return {};
  return {
    opt_out: true,
    data_processing_options: ['LDU'],
    data_processing_options_country: 0,
    data_processing_options_state: 0,
  };
}

/** https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/app-data */
function metaAppData(event: NormalizedEvent): Fields {
  const { app = {}, consent } = event;
  const { vendorId, campaignIds } = storedIds(event);
  const isOptedOut = consent.ad_storage === 'denied' || consent.ad_personalization === 'denied';
  return {
    advertiser_tracking_enabled: trackingFlag(app),
    application_tracking_enabled: isOptedOut ? 0 : 1,
    extinfo: extinfo(app),
    vendor_id: vendorId,
    campaign_ids: campaignIds,
  };
}

function customData(event: NormalizedEvent): Fields {
  const contents = event.items.map((item) => ({
    id: item.id,
    quantity: jsonNumber(item.quantity),
    item_price: jsonNumber(item.price),
    title: item.name,
    brand: item.brand,
    category: item.category,
  }));
  return {
    ...(contents.length > 0 ? { content_type: 'product' } : {}),
    ...event.customData,
    value: jsonNumber(event.value),
    currency: event.currency,
    order_id: event.orderId,
    contents,
    ...(contents.length > 0 ? { content_ids: event.items.map((item) => item.id) } : {}),
  };
}
