// GA4's names, and the making of names GA4 accepts out of names it does not.
import { type EventNames, ownNames, SNAKE_CASE_NAMES } from '../event-name.ts';

/** https://developers.google.com/analytics/devguides/collection/ga4/reference/events */
export const GA4_EVENT_NAMES: EventNames = {
  ...SNAKE_CASE_NAMES,
  ViewContent: 'view_item',
  ViewCategory: 'view_item_list',
  InitiateCheckout: 'begin_checkout',
  CompleteRegistration: 'sign_up',
  Lead: 'generate_lead',
  QualifiedLead: 'qualify_lead',
  Download: 'file_download',
  AppInstall: null,
};

/**
 * Recommended events and those of enhanced measurement that are another word for one of ours; the others go as they are
 * anyway. https://developers.google.com/analytics/devguides/collection/ga4/reference/events,
 * https://support.google.com/analytics/answer/9216061
 */
export const GA4_OWN_NAMES = ownNames([
  'close_convert_lead',
  'select_content',
  'video_complete',
  'video_start',
  'view_search_results',
]);

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#reserved_names */
const RESERVED: ReadonlySet<string> = new Set([
  'ad_activeview',
  'ad_click',
  'ad_exposure',
  'ad_impression',
  'ad_query',
  'ad_reward',
  'adunit_exposure',
  'app_background',
  'app_clear_data',
  'app_exception',
  'app_install',
  'app_remove',
  'app_store_refund',
  'app_store_subscription_cancel',
  'app_store_subscription_convert',
  'app_store_subscription_renew',
  'app_update',
  'app_upgrade',
  'dynamic_link_app_open',
  'dynamic_link_app_update',
  'dynamic_link_first_open',
  'error',
  'first_open',
  'first_visit',
  'in_app_purchase',
  'notification_dismiss',
  'notification_foreground',
  'notification_open',
  'notification_receive',
  'os_update',
  'screen_view',
  'session_start',
  'user_engagement',
]);
const RESERVED_PREFIX = /^(?:_|firebase_|ga_|google_|gtag\.)/i;
const NAME_MAX_CHARS = 40;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

/** True for a name the Measurement Protocol takes as event or parameter name. */
export function isGa4Name(name: string): boolean {
  return NAME.test(name) && !RESERVED_PREFIX.test(name);
}

export function isReservedEventName(name: string): boolean {
  return RESERVED.has(name) || RESERVED_PREFIX.test(name);
}

/**
 * The nearest name GA4 takes: accents dropped, other characters become `_`, a letter first, at most 40 characters.
 * Null when nothing usable is left. Different names can become one: `Größe!` and `Grosse` do not, `a b` and `a-b` do.
 */
export function ga4Name(name: string): string | null {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, NAME_MAX_CHARS)
    .replace(/_+$/, '');
  if (plain === '') return null;
  return isGa4Name(plain) ? plain : ga4Name(`x_${plain}`);
}

/** As `ga4Name`, and never one of the names Google keeps for itself: those get the prefix `custom_`. */
export function ga4EventName(name: string): string | null {
  const adapted = ga4Name(name);
  if (adapted === null || !isReservedEventName(adapted)) return adapted;
  return ga4Name(`custom_${adapted}`);
}
