// Events into one Conversions API request. Amounts keep their digits; one request carries up to 1,000 events.

import type { ActionSource, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { nameAt } from '../event-name.ts';
import { itemCount, wholeQuantity } from '../item-count.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { moneyFault, nameFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { RedditCredentials } from './credentials.ts';
import { REDDIT_EVENT_NAMES, REDDIT_STANDARD_EVENTS } from './event-names.ts';
import { isMatchable, redditClickId, redditUser } from './user-data.ts';

export const REDDIT_API_VERSION = 'v3';
const CUSTOM_NAME_MAX_CHARS = 64;

const ACTION_SOURCES: Readonly<Record<ActionSource, 'WEBSITE' | 'APP' | 'PHYSICAL_STORE' | 'OTHER'>> = {
  website: 'WEBSITE',
  app: 'APP',
  email: 'OTHER',
  phone_call: 'OTHER',
  chat: 'OTHER',
  physical_store: 'PHYSICAL_STORE',
  system_generated: 'OTHER',
  business_messaging: 'OTHER',
  other: 'OTHER',
};

/** Null when Reddit would take the event as far as one can tell without asking. */
export function redditUnsendable(event: NormalizedEvent): Unsendable | null {
  return (
    nameFault(nameAt(REDDIT_EVENT_NAMES, event), event) ??
    moneyFault(event) ??
    personFault(isMatchable(redditUser(event), redditClickId(event)))
  );
}

export const redditRequest: BuildRequest<RedditCredentials> = (events, credentials, context) => {
  if (context.test && credentials.test_id === undefined)
    throw new RangeError('without a test id a test would be counted');
  const pixel = encodeURIComponent(credentials.pixel_id);
  return {
    method: 'POST',
    url: `https://ads-api.reddit.com/api/${REDDIT_API_VERSION}/pixels/${pixel}/conversion_events`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials.access_token}` },
    body: jsonBody({
      data: {
        test_id: context.test ? credentials.test_id : undefined,
        events: events.map(conversionEvent),
      },
    }),
    secrets: [credentials.access_token],
  };
};

function conversionEvent(event: NormalizedEvent): Fields {
  const actionSource = ACTION_SOURCES[event.actionSource];
  return {
    event_at: event.eventTimeSec * 1_000,
    action_source: actionSource,
    event_source_url: actionSource === 'WEBSITE' ? webUrl(event.eventSourceUrl) : undefined,
    click_id: redditClickId(event),
    type: eventType(event),
    user: {
      ...redditUser(event),
      // Limited Data Use: measured, not used to choose ads.
      data_processing_options: event.consent.ad_personalization === 'denied' ? { modes: ['LDU'] } : undefined,
    },
    metadata: {
      conversion_id: event.dedupId,
      value: jsonNumber(event.value),
      currency: event.currency,
      item_count: itemCount(event.items),
      products: event.items.map(({ id, name, category, quantity, price }) => ({
        id,
        name,
        category,
        quantity: wholeQuantity(quantity),
        item_price: jsonNumber(price),
      })),
    },
  };
}

function eventType(event: NormalizedEvent): Fields {
  const name = nameAt(REDDIT_EVENT_NAMES, event) ?? event.name;
  const standard = event.name !== 'Custom' && (REDDIT_STANDARD_EVENTS as readonly string[]).includes(name);
  if (standard) return { tracking_type: name };
  return {
    tracking_type: 'CUSTOM',
    custom_event_name: [...name].slice(0, CUSTOM_NAME_MAX_CHARS).join(''),
  };
}
