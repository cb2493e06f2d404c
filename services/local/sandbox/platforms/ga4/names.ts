// Which names the Measurement Protocol takes, from its reference and not from what makes names here.
// https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#reserved_names, read 2026-11-21.

const RESERVED_EVENTS: ReadonlySet<string> = new Set(
  [
    'ad_activeview ad_click ad_exposure ad_impression ad_query ad_reward adunit_exposure app_background',
    'app_clear_data app_exception app_install app_remove app_store_refund app_store_subscription_cancel',
    'app_store_subscription_convert app_store_subscription_renew app_update app_upgrade dynamic_link_app_open',
    'dynamic_link_app_update dynamic_link_first_open error first_open first_visit in_app_purchase',
    'notification_dismiss notification_foreground notification_open notification_receive os_update screen_view',
    'session_start user_engagement',
  ]
    .join(' ')
    .split(' '),
);
const RESERVED_PREFIXES = ['_', 'firebase_', 'ga_', 'google_', 'gtag.'];
const NAME_MAX_CHARS = 40;

const hasReservedPrefix = (name: string): boolean =>
  RESERVED_PREFIXES.some((prefix) => name.toLowerCase().startsWith(prefix));

/** Of an event: Google keeps it for itself. */
export const isReservedName = (name: string): boolean => RESERVED_EVENTS.has(name) || hasReservedPrefix(name);

/** Of an event or a parameter: a letter first, then letters, digits and underscores. */
export const isWellNamed = (name: string): boolean =>
  name.length <= NAME_MAX_CHARS && /^[a-z]\w*$/i.test(name) && !hasReservedPrefix(name);
