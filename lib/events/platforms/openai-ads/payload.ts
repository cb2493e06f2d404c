// Events into one Conversions API request. Amounts are whole minor units, exactly; one request carries up to 1,000 events.
import { fromMinorUnits, toMinorUnits } from '../../domain/event/decimal.ts';
import type { ActionSource, Decimal, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { wholeQuantity } from '../item-count.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { storedIds } from '../stored-ids.ts';
import { invalid, moneyFault, nameFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { OpenaiAdsCredentials } from './credentials.ts';
import { APP_EVENTS, type OpenaiAdsName, openaiAdsName } from './event-names.ts';
import { openaiAdsUser } from './user-data.ts';

export const OPENAI_ADS_API_VERSION = 'v1';

const ACTION_SOURCES: Readonly<Record<ActionSource, string>> = {
  website: 'web',
  app: 'mobile_app',
  email: 'email',
  phone_call: 'phone_call',
  chat: 'other',
  physical_store: 'physical_store',
  system_generated: 'other',
  business_messaging: 'other',
  other: 'other',
};

/** Null when OpenAI would take the event, as far as its documents say. */
export function openaiAdsUnsendable(event: NormalizedEvent): Unsendable | null {
  const name = openaiAdsName(event);
  return nameFault(name?.type ?? null, event) ?? moneyFault(event) ?? placeFault(event, name);
}

/** A custom name of which no letter is left, an app's event from elsewhere, or one of a page without an address. */
function placeFault(
  { actionSource, eventSourceUrl }: NormalizedEvent,
  name: OpenaiAdsName | null,
): Unsendable | null {
  if (name?.custom_event_name === '') return invalid('event_name');
  if (APP_EVENTS.includes(name?.type ?? '') && actionSource !== 'app') return invalid('action_source');
  const hasPlace = actionSource !== 'website' || webUrl(eventSourceUrl) !== undefined;
  return hasPlace ? null : invalid('event_source_url');
}

export const openaiAdsRequest: BuildRequest<OpenaiAdsCredentials> = (events, credentials, { test }) => ({
  method: 'POST',
  url: `https://bzr.openai.com/${OPENAI_ADS_API_VERSION}/events?pid=${encodeURIComponent(credentials.pixel_id)}`,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials.api_key}` },
  body: jsonBody({ validate_only: test, events: events.map(serverEvent) }),
  secrets: [credentials.api_key],
});

function serverEvent(event: NormalizedEvent): Fields {
  const name = openaiAdsName(event);
  return {
    id: event.dedupId,
    type: name?.type,
    custom_event_name: name?.custom_event_name,
    timestamp_ms: event.eventTimeSec * 1_000,
    oppref: storedIds(event).browserIds?.oppref,
    source_url: event.actionSource === 'website' ? webUrl(event.eventSourceUrl) : undefined,
    action_source: ACTION_SOURCES[event.actionSource],
    user: openaiAdsUser(event),
    opt_out: event.consent.ad_personalization === 'denied' ? true : undefined,
    data: dataOf(event, name?.dataType),
  };
}

function dataOf(
  { value, currency, items }: NormalizedEvent,
  type: OpenaiAdsName['dataType'] | undefined,
): Fields {
  const contents = items.map(({ id, name, quantity, price }) => ({
    id,
    name,
    content_type: 'product',
    quantity: wholeQuantity(quantity),
    amount: minorUnits(price, currency),
  }));
  return {
    type,
    amount: minorUnits(value, currency),
    currency,
    contents: type === 'customer_action' ? undefined : contents,
  };
}

/** Undefined for what is no whole number of them: a price of half a cent is not a cent. */
function minorUnits(amount: Decimal | undefined, currency: string | undefined): object | undefined {
  if (amount === undefined || currency === undefined) return undefined;
  const minor = toMinorUnits(amount, currency);
  return Number(fromMinorUnits(minor, currency)) === Number(amount) ? jsonNumber(String(minor)) : undefined;
}
