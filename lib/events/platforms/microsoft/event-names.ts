import type { EventName } from '../../domain/event/names.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { type EventNames, nameAt, SNAKE_CASE_NAMES } from '../event-name.ts';
import type { MicrosoftCredentials } from './credentials.ts';

/** A page view has no event name: it is a type of its own. */
export const PAGE_LOAD = 'pageLoad';

/**
 * `eventName` is free text and has to equal the event action of the conversion goal; these are the suggested ones, in
 * the spelling of GA4. https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration
 */
export const MICROSOFT_EVENT_NAMES: EventNames = {
  ...SNAKE_CASE_NAMES,
  PageView: PAGE_LOAD,
  ViewContent: 'view_item',
  ViewCategory: 'view_item_list',
  InitiateCheckout: 'begin_checkout',
  // The purchase's: what is left of that is what goes out.
  Refund: 'purchase',
  CompleteRegistration: 'sign_up',
  Lead: 'submit_lead_form',
  QualifiedLead: 'qualify_lead',
  Schedule: 'book_appointment',
  FindLocation: 'get_directions',
  AppInstall: null,
};

/** The event action under which this connection reports the event. A name of one's own goes as it was sent. */
export function eventAction(event: NormalizedEvent, credentials: MicrosoftCredentials): string | null {
  const own = event.name === 'Custom' ? undefined : credentials.event_names?.[event.name];
  return own ?? nameAt(MICROSOFT_EVENT_NAMES, event);
}

/** Kind of page, for dynamic remarketing; absent where the name does not tell. */
export const PAGE_TYPES: Partial<Record<EventName, string>> = {
  ViewContent: 'product',
  ViewCategory: 'category',
  Search: 'searchresults',
  AddToCart: 'cart',
  ViewCart: 'cart',
  InitiateCheckout: 'cart',
  Purchase: 'purchase',
};
