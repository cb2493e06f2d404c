// Events into one Events API request. Amounts keep their digits; one request carries up to 1,000 events.

import { ACTION_SOURCES } from '../../domain/event/event.ts';
import type { ActionSource, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { deviceKind } from '../device.ts';
import { type EventNames, nameAt } from '../event-name.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { invalid, moneyFault, nameFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { TiktokCredentials } from './credentials.ts';
import {
  TIKTOK_APP_EVENT_NAMES,
  TIKTOK_EVENT_NAMES,
  TIKTOK_LEGACY_NAMES,
  TIKTOK_OWN_APP_NAMES,
  TIKTOK_OWN_NAMES,
} from './event-names.ts';
import { isMatchable, tiktokAppUser, tiktokUser } from './user-data.ts';

const ENDPOINT = 'https://business-api.tiktok.com/open_api/v1.3/event/track/';

const OFFLINE: readonly ActionSource[] = ['physical_store', 'phone_call'];
const allBut = (kept: readonly ActionSource[]): ReadonlySet<ActionSource> =>
  new Set(ACTION_SOURCES.filter((source) => !kept.includes(source)));

/**
 * Web, app and offline are connections of their own, and no event is of two of them: it would be counted at each. CRM, which follows
 * leads after the page (https://ads.tiktok.com/help/article/about-signal-postback-for-lead-quality-optimization), is beside them.
 */
const NOT_AT: Readonly<Record<TiktokCredentials['event_source'], ReadonlySet<ActionSource>>> = {
  web: new Set([...OFFLINE, 'app']),
  app: allBut(['app']),
  offline: allBut(OFFLINE),
  crm: new Set(['website', 'app']),
};

/** Null when TikTok would take the event as far as one can tell without asking. */
export function tiktokUnsendable(event: NormalizedEvent, credentials?: TiktokCredentials): Unsendable | null {
  const { event_source: source } = credentials ?? {};
  if (source !== undefined && NOT_AT[source].has(event.actionSource)) return invalid('action_source');
  const user = event.actionSource === 'app' ? tiktokAppUser(event) : tiktokUser(event);
  return (
    nameFault(nameAt(TIKTOK_EVENT_NAMES, event), event) ??
    moneyFault(event, event.name === 'Purchase') ??
    (source === 'app' ? appFault(event) : null) ??
    personFault(isMatchable(user))
  );
}

/** TikTok knows apps by their id in the store, and asks what the device lets apps do. */
function appFault(event: NormalizedEvent): Unsendable | null {
  if (event.app?.id === undefined) return invalid('app.id');
  const kind = deviceKind(event);
  if (kind === undefined) return invalid('app.platform');
  return kind === 'ios' && event.app.tracking === undefined ? invalid('app.tracking') : null;
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
        event_time: event.eventTimeSec,
        event_id: event.dedupId,
        ...(credentials.event_source === 'app' ? ofApp(event) : ofPage(event, names)),
        properties: properties(event),
        // The flag of TikTok's Limited Data Use: measured, not used to choose ads.
        limited_data_use: event.consent.ad_personalization === 'denied' ? true : undefined,
      })),
    }),
    secrets: [credentials.access_token],
  };
};

const ofPage = (event: NormalizedEvent, names: EventNames): Fields => ({
  event: nameAt(names, event, TIKTOK_OWN_NAMES),
  user: tiktokUser(event),
  page: { url: webUrl(event.eventSourceUrl), referrer: webUrl(event.referrerUrl) },
});

const ofApp = (event: NormalizedEvent): Fields => ({
  event: nameAt(TIKTOK_APP_EVENT_NAMES, event, TIKTOK_OWN_APP_NAMES),
  user: tiktokAppUser(event),
  app: { app_id: event.app?.id, app_name: event.app?.name, app_version: event.app?.version },
});

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
