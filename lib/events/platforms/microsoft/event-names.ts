import type { EventName } from '../../domain/event/names.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { NAME_AS_SENT, nameAt } from '../event-name.ts';
import type { MicrosoftCredentials } from './credentials.ts';

/** A page view has no event name: it is a type of its own. */
export const PAGE_LOAD = 'pageLoad';

/**
 * `eventName` is free text and has to equal the event action of the conversion goal; these are the suggested ones, in
 * the spelling of GA4. https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration
 */
export const MICROSOFT_EVENT_NAMES = {
  PageView: PAGE_LOAD,
  ViewContent: 'view_item',
  ViewCategory: 'view_item_list',
  Search: 'search',
  CustomizeProduct: 'customize_product',
  AddToWishlist: 'add_to_wishlist',
  AddToCart: 'add_to_cart',
  RemoveFromCart: 'remove_from_cart',
  ViewCart: 'view_cart',
  InitiateCheckout: 'begin_checkout',
  AddShippingInfo: 'add_shipping_info',
  AddPaymentInfo: 'add_payment_info',
  Purchase: 'purchase',
  Refund: null,
  Subscribe: 'subscribe',
  StartTrial: 'start_trial',
  Donate: 'donate',
  CompleteRegistration: 'sign_up',
  Login: 'login',
  Lead: 'submit_lead_form',
  QualifiedLead: 'qualify_lead',
  SubmitApplication: 'submit_application',
  Contact: 'contact',
  Schedule: 'book_appointment',
  FindLocation: 'get_directions',
  Download: 'download',
  AppInstall: null,
  WatchVideo: 'watch_video',
  Share: 'share',
  Rate: 'rate',
  ClickButton: 'click_button',
  Custom: NAME_AS_SENT,
} as const satisfies Record<EventName, string | null>;

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
