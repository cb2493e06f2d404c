// Events into one Conversions API request. Amounts go as text, digit for digit. Pinterest refuses a request for one
// property it does not know, so nothing of the merchant's own passes unless it is one of Pinterest's.
import { toDecimal } from '../../domain/event/decimal.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { deviceKind } from '../device.ts';
import { itemCount, wholeQuantity } from '../item-count.ts';
import { isDecimal, jsonBody } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { invalid, moneyFault, nameFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { PinterestCredentials } from './credentials.ts';
import { pinterestName } from './event-names.ts';
import { isMatchable, pinterestUser } from './user-data.ts';

export const PINTEREST_API_VERSION = 'v5';

/** Null when Pinterest would take the event as far as one can tell without asking. */
export function pinterestUnsendable(event: NormalizedEvent): Unsendable | null {
  return (
    nameFault(pinterestName(event), event) ??
    moneyFault(event) ??
    (actionSource(event) === null ? invalid('app.platform') : null) ??
    personFault(isMatchable(pinterestUser(event)))
  );
}

export const pinterestRequest: BuildRequest<PinterestCredentials> = (events, credentials, context) => {
  const account = encodeURIComponent(credentials.ad_account_id);
  return {
    method: 'POST',
    url: `https://api.pinterest.com/${PINTEREST_API_VERSION}/ad_accounts/${account}/events${context.test ? '?test=true' : ''}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials.access_token}` },
    body: jsonBody({
      data: events.map((event) => ({
        event_name: pinterestName(event),
        action_source: actionSource(event),
        event_time: event.eventTimeSec,
        event_id: event.dedupId,
        event_source_url: webUrl(event.eventSourceUrl),
        ...(event.actionSource === 'app' ? appFields(event) : {}),
        user_data: pinterestUser(event),
        custom_data: customData(event),
      })),
    }),
    secrets: [credentials.access_token],
  };
};

export const isOffline = ({ actionSource }: Partial<Pick<NormalizedEvent, 'actionSource'>>): boolean =>
  actionSource === 'physical_store' || actionSource === 'phone_call';

/** Pinterest has one source per app platform: null where neither the event nor its user agent says which it is. */
function actionSource(event: NormalizedEvent): string | null {
  const { actionSource: source } = event;
  if (isOffline(event)) return 'offline';
  if (source !== 'app') return 'web';
  const kind = deviceKind(event);
  return kind === undefined ? null : `app_${kind}`;
}

/** Of the app and its device, in Pinterest's names; `language` has two letters there. */
const appFields = ({ app = {} }: NormalizedEvent): Fields => ({
  app_id: app.id,
  app_name: app.name,
  app_version: app.version,
  device_brand: app.device_brand,
  device_carrier: app.carrier,
  device_model: app.device_model,
  os_version: app.os_version,
  language: /^[A-Za-z]{2}(?![A-Za-z])/.exec(app.locale ?? '')?.[0].toLowerCase(),
});

const OWN_TEXTS = ['content_brand', 'content_category', 'content_name', 'search_string'] as const;

function customData(event: NormalizedEvent): Fields {
  const given = event.customData ?? {};
  const texts = OWN_TEXTS.map((key) => [key, given[key]] as const);
  return {
    ...Object.fromEntries(texts.filter(([, value]) => typeof value === 'string')),
    predicted_ltv: decimalOf(given.predicted_ltv),
    value: event.value,
    currency: event.currency,
    order_id: event.orderId,
    num_items: itemCount(event.items),
    content_ids: event.items.map(({ id }) => id),
    contents: event.items.map((item) => ({
      id: item.id,
      quantity: wholeQuantity(item.quantity),
      item_price: item.price,
      item_name: item.name,
      item_brand: item.brand,
      item_category: item.category,
    })),
    // Limited Data Processing: measured, not used to choose ads.
    opt_out_type: event.consent.ad_personalization === 'denied' ? 'LDP' : undefined,
  };
}

/** Plain decimal text; undefined for what is no amount. */
function decimalOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && value >= 0 && value < 1e21 ? toDecimal(value) : value;
  return typeof text === 'string' && isDecimal(text) ? text : undefined;
}
