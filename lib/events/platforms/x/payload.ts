// Events into one conversions request. Amounts keep their digits; one request carries up to 500 events of one event tag.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { itemCount, wholeQuantity } from '../item-count.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildContext, BuildRequest, HttpRequest, Unsendable } from '../platform.ts';
import { eventIdFault, moneyFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { XCredentials } from './credentials.ts';
import { X_EVENT_NAMES } from './event-names.ts';
import { signedHeader } from './oauth-signature.ts';
import { identifiers, isMatchable } from './user-data.ts';

export const X_API_VERSION = '12';

/** Null when X would take the event as far as one can tell without asking. Strict once credentials are given. */
export function xUnsendable(event: NormalizedEvent, credentials?: XCredentials): Unsendable | null {
  return (
    eventIdFault(event, X_EVENT_NAMES, credentials?.event_ids) ??
    // X would take an amount without currency for US dollars.
    moneyFault(event) ??
    personFault(isMatchable(identifiers(event)))
  );
}

/** One event tag per request: a tag that does not exist fails its own events only. */
export function xGroupKey(event: NormalizedEvent, { event_ids }: XCredentials): string {
  return event_ids[event.name] ?? '';
}

export const xRequest: BuildRequest<XCredentials> = (events, credentials, context) => {
  if (context.test) throw new RangeError('X has no test mode: a test would be counted');
  const url = `https://ads-api.x.com/${X_API_VERSION}/measurement/conversions/${credentials.pixel_id}`;
  const { headers, secrets } = authorization(url, credentials, context);
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: jsonBody({ conversions: events.map((event) => conversion(event, credentials)) }),
    secrets,
  };
};

/** The four keys where they are known; a pixel token stands in for them. */
function authorization(
  url: string,
  credentials: XCredentials,
  context: BuildContext,
): Pick<HttpRequest, 'headers' | 'secrets'> {
  const { consumer_key, consumer_secret, access_token, access_token_secret, pixel_token } = credentials;
  if (!consumer_key || !consumer_secret || !access_token || !access_token_secret) {
    if (pixel_token === undefined) throw new RangeError('neither keys nor a pixel token');
    return { headers: { 'x-pixel-token': pixel_token }, secrets: [pixel_token] };
  }
  const { nowMs, nonce } = context;
  if (nowMs === undefined || nonce === undefined) throw new RangeError('a signature needs time and nonce');
  const keys = {
    consumerKey: consumer_key,
    consumerSecret: consumer_secret,
    token: access_token,
    tokenSecret: access_token_secret,
  };
  const fresh = { nonce, timestampSec: Math.floor(nowMs / 1_000) };
  const signed = signedHeader('POST', url, keys, fresh);
  return {
    headers: { authorization: signed.authorization },
    secrets: [consumer_key, access_token, signed.signature],
  };
}

/** https://docs.x.com/x-ads-api/measurement/web-conversions */
function conversion(event: NormalizedEvent, credentials: XCredentials): Fields {
  const tag = credentials.event_ids[event.name];
  if (tag === undefined) throw new RangeError(`${event.name} has no event id`);
  const query = event.customData?.search_string;
  return {
    conversion_time: new Date(event.eventTimeSec * 1_000).toISOString(),
    event_id: tag,
    identifiers: identifiers(event),
    conversion_id: event.dedupId,
    // Text, as in X's own example: no float touches it.
    value: event.value,
    price_currency: event.value === undefined && event.items.length === 0 ? undefined : event.currency,
    number_items: itemCount(event.items),
    description: event.customName,
    search_string: typeof query === 'string' ? query : undefined,
    event_source_url: webUrl(event.eventSourceUrl),
    contents: event.items.map((item) => ({
      content_id: item.id,
      content_name: item.name,
      content_type: item.category,
      content_price: jsonNumber(item.price),
      num_items: wholeQuantity(item.quantity),
    })),
  };
}
