import type { EventName } from '../../domain/event/names.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { NAME_AS_SENT, nameAt } from '../event-name.ts';

/**
 * Pinterest's standard events by their names in its guide (its API description lists some of them and takes any text).
 * Events of one's own go under the name as sent: the advertiser maps it to a standard event at Pinterest.
 * https://developers.pinterest.com/docs/conversions/event/,
 * https://developers.pinterest.com/docs/track-conversions/define-your-own-event-types/
 */
export const PINTEREST_EVENT_NAMES = {
  PageView: 'page_visit',
  ViewContent: 'view_content',
  ViewCategory: 'view_category',
  Search: 'search',
  CustomizeProduct: 'customize_product',
  AddToWishlist: 'add_to_wishlist',
  AddToCart: 'add_to_cart',
  RemoveFromCart: 'custom',
  ViewCart: 'custom',
  InitiateCheckout: 'initiate_checkout',
  AddShippingInfo: 'custom',
  AddPaymentInfo: 'add_payment_info',
  Purchase: 'checkout',
  Refund: null,
  Subscribe: 'subscribe',
  StartTrial: 'start_trial',
  Donate: 'custom',
  CompleteRegistration: 'signup',
  Login: 'custom',
  Lead: 'lead',
  QualifiedLead: 'custom',
  SubmitApplication: 'submit_application',
  Contact: 'contact',
  Schedule: 'schedule',
  FindLocation: 'find_location',
  Download: 'custom',
  AppInstall: 'app_install',
  WatchVideo: 'watch_video',
  Share: 'custom',
  Rate: 'custom',
  ClickButton: 'custom',
  Custom: NAME_AS_SENT,
} as const satisfies Record<EventName, string | null>;

const NAME_MAX_CHARS = 100;
/** What a name of one's own may be made of: letters, digits, underscores and hyphens. */
export const PINTEREST_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** A name of one's own with other signs gets `_` in their place; `custom` where no sign of it is left. */
export function pinterestName(event: NormalizedEvent): string | null {
  const name = nameAt(PINTEREST_EVENT_NAMES, event);
  if (name === null || PINTEREST_NAME.test(name)) return name;
  const adapted = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, NAME_MAX_CHARS)
    .replace(/_+$/, '');
  return adapted === '' ? 'custom' : adapted;
}
