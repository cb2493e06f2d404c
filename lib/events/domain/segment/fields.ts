// Which field of a call of Segment's tracking API becomes which field of an event: the only place that says so. The mapping
// and docs/reference/segment.md fold from this table. Facts: https://segment.com/docs/connections/spec (read 2026-11-22).
import { BROWSER_ID_KEYS } from '../identity/identity.ts';

/** The calls there are; `type` of a message in a batch. */
export const SEGMENT_CALLS = ['track', 'page', 'screen', 'identify', 'group', 'alias'] as const;
export type SegmentCall = (typeof SEGMENT_CALLS)[number];

export interface SegmentField {
  /** Dotted path in the event. */
  readonly to: string;
  /** Dotted paths in the message. The first that holds something is taken. */
  readonly from: readonly string[];
  /** Text that is a decimal number, as Segment's libraries send money, is taken as the number. */
  readonly isNumber?: true;
  /** Word there, in lowercase, → word here; others say nothing. */
  readonly words?: Readonly<Record<string, string>>;
}

const trait = (...names: readonly string[]): readonly string[] => [
  ...names.map((name) => `traits.${name}`),
  ...names.map((name) => `context.traits.${name}`),
];
const property = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `properties.${name}`);

export const SEGMENT_FIELDS: readonly SegmentField[] = [
  { to: 'value', from: property('value', 'revenue', 'total'), isNumber: true },
  { to: 'currency', from: property('currency') },
  { to: 'order_id', from: property('order_id', 'orderId') },
  { to: 'event_source_url', from: ['context.page.url', ...property('url')] },
  { to: 'referrer_url', from: ['context.page.referrer', ...property('referrer')] },
  { to: 'user_data.email', from: [...trait('email'), ...property('email')] },
  { to: 'user_data.phone', from: [...trait('phone'), ...property('phone')] },
  { to: 'user_data.first_name', from: trait('firstName', 'first_name') },
  { to: 'user_data.last_name', from: trait('lastName', 'last_name') },
  { to: 'user_data.gender', from: trait('gender') },
  { to: 'user_data.date_of_birth', from: trait('birthday') },
  { to: 'user_data.city', from: trait('address.city') },
  { to: 'user_data.state', from: trait('address.state') },
  { to: 'user_data.postal_code', from: trait('address.postalCode', 'address.postal_code', 'address.zip') },
  { to: 'user_data.country', from: trait('address.country') },
  { to: 'user_data.customer_id', from: ['userId'] },
  { to: 'user_data.anon_id', from: ['anonymousId'] },
  { to: 'user_data.client_ip', from: ['context.ip'] },
  { to: 'user_data.user_agent', from: ['context.userAgent'] },
  { to: 'user_data.madid', from: ['context.device.advertisingId'] },
  ...BROWSER_ID_KEYS.map((key) => ({
    to: `user_data.browser_ids.${key}`,
    from: [...property(key), `context.${key}`],
  })),
];

const KINDS = { ios: 'ios', ipados: 'ios', 'iphone os': 'ios', android: 'android' };
const TRACKING = {
  authorized: 'authorized',
  true: 'authorized',
  denied: 'denied',
  false: 'denied',
  restricted: 'restricted',
  notdetermined: 'not_determined',
  not_determined: 'not_determined',
};

/** Of calls from an app alone: pages in a browser have a screen and a locale, too. */
export const SEGMENT_APP_FIELDS: readonly SegmentField[] = [
  { to: 'app.platform', from: ['context.device.type', 'context.os.name'], words: KINDS },
  { to: 'app.id', from: ['context.app.namespace'] },
  { to: 'app.name', from: ['context.app.name'] },
  { to: 'app.version', from: ['context.app.version'] },
  { to: 'app.build', from: ['context.app.build'] },
  {
    to: 'app.tracking',
    from: ['context.device.trackingStatus', 'context.device.adTrackingEnabled'],
    words: TRACKING,
  },
  { to: 'app.instance_id', from: ['context.app_instance_id', ...property('app_instance_id')] },
  { to: 'app.os_version', from: ['context.os.version'] },
  { to: 'app.device_model', from: ['context.device.model'] },
  { to: 'app.device_brand', from: ['context.device.manufacturer'] },
  { to: 'app.carrier', from: ['context.network.carrier'] },
  { to: 'app.locale', from: ['context.locale'] },
  { to: 'app.timezone', from: ['context.timezone'] },
  { to: 'app.screen_width', from: ['context.screen.width'], isNumber: true },
  { to: 'app.screen_height', from: ['context.screen.height'], isNumber: true },
  { to: 'app.screen_density', from: ['context.screen.density'], isNumber: true },
];

/** A product of `properties.products`, or `properties` itself where it is about one product, as an entry of `items`. */
export const SEGMENT_ITEM_FIELDS: readonly SegmentField[] = [
  { to: 'id', from: ['product_id', 'sku', 'id'] },
  { to: 'quantity', from: ['quantity'], isNumber: true },
  { to: 'price', from: ['price'], isNumber: true },
  { to: 'name', from: ['name'] },
  { to: 'brand', from: ['brand'] },
  { to: 'category', from: ['category'] },
  { to: 'variant', from: ['variant'] },
];

/** Names under which Segment's users switch destinations (`integrations`), and the platforms they are here. */
export const SEGMENT_DESTINATIONS: Readonly<Record<string, readonly string[]>> = {
  amazon: ['Amazon Conversions API', 'Amazon Ads Conversions'],
  ga4: ['Google Analytics 4', 'Google Analytics 4 Cloud', 'Google Analytics 4 Web'],
  google_ads: ['Google Ads Conversions', 'Google Ads (Gtag)', 'Google Ads (Classic)'],
  klaviyo: ['Klaviyo', 'Klaviyo (Actions)'],
  linkedin: ['LinkedIn Conversions API', 'LinkedIn Insight Tag'],
  meta: ['Facebook Conversions API', 'Facebook Conversions API (Actions)', 'Facebook Pixel'],
  microsoft: ['Microsoft Bing CAPI', 'Bing Ads', 'Bing Ads (Actions)'],
  openai_ads: ['OpenAI Ads'],
  pinterest: ['Pinterest Conversions API', 'Pinterest Tag'],
  // None of a network's: the others would follow what is said of one.
  postback: ['Click-id postback'],
  reddit: ['Reddit Conversions API', 'Reddit Pixel'],
  s3: ['Amazon S3', 'AWS S3'],
  snapchat: ['Snap Conversions API', 'Snapchat Conversions API'],
  tiktok: ['TikTok Conversions', 'TikTok Conversions API', 'TikTok Pixel'],
  webhook: ['Webhooks', 'Webhooks (Actions)'],
  x: ['X Conversions', 'Twitter Ads'],
};
