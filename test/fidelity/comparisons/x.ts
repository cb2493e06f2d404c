// X: nobody publishes an implementation that can be run, so the other side is X's own description of a conversion, written
// down once more from the order. https://docs.x.com/x-ads-api/measurement/web-conversions
import { hash } from 'node:crypto';
import { xCredentials } from '../../../lib/events/platforms/x/credentials.ts';
import x from '../../../lib/events/platforms/x/index.ts';
import { X_ALLOWANCES, X_IDENTIFIERS } from '../allow-lists/x.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten } from '../fields.ts';
import type { Order } from '../order.ts';
import { ourRequest } from '../our-request.ts';
import { documented } from '../rules.ts';

const TAG = 'tw-ol287-ol288';

const CREDENTIALS = xCredentials.parse({
  pixel_id: 'ol287',
  pixel_token: 'token-of-the-test',
  event_ids: { Purchase: TAG },
});

/** A digest the sender made stays one. */
const hashed = (text: string | undefined): string | undefined =>
  text === undefined || /^[0-9a-f]{64}$/.test(text) ? text : hash('sha256', text, 'hex');

function ours(order: Order): Side {
  const built = ourRequest(order, x, CREDENTIALS);
  if ('refused' in built) return built;
  const [conversion] = (built.body as { readonly conversions: readonly Record<string, unknown>[] })
    .conversions;
  const { identifiers, ...rest } = conversion as { readonly identifiers: readonly object[] };
  return { fields: flatten({ ...rest, identifiers: Object.assign({}, ...identifiers) as object }) };
}

function described(order: Order): Side {
  const { body, kinds } = order;
  const who = body.user_data;
  const items = body.items ?? [];
  const counted = items.every(({ quantity }) => Number.isInteger(quantity));
  const twclid = body.consent?.ad_storage === 'denied' ? undefined : who.browser_ids?.twclid;
  const email = documented(order, 'email', 'email');
  const phone = documented(order, 'phone', 'phonePlus');
  const ip = ['v4', 'v6'].includes(kinds.client_ip ?? '') ? who.client_ip : undefined;
  // The address or the browser in conjunction with another identifier: X takes neither of them alone.
  const isOne = Boolean(twclid || email || phone || (ip && who.user_agent));
  const device = isOne && (ip || who.user_agent) ? { ip_address: ip, user_agent: who.user_agent } : undefined;
  if (!twclid && !email && !phone && !device) return { refused: 'nobody to match' };
  return {
    fields: flatten({
      conversion_time: new Date(body.event_time * 1_000).toISOString(),
      event_id: TAG,
      conversion_id: body.event_id,
      value: body.value === undefined ? undefined : `${body.value}`,
      price_currency: body.value === undefined && items.length === 0 ? undefined : body.currency,
      number_items:
        items.length > 0 && counted ? items.reduce((sum, { quantity }) => sum + quantity, 0) : undefined,
      event_source_url: /^https?:/.test(body.event_source_url ?? '') ? body.event_source_url : undefined,
      contents: items.map(({ id, quantity, price }) => ({
        content_id: id,
        content_price: price,
        num_items: Number.isInteger(quantity) ? quantity : undefined,
      })),
      identifiers: {
        twclid,
        hashed_email: hashed(email),
        hashed_phone_number: hashed(phone),
        ...device,
      },
    }),
  };
}

export const xComparison: Comparison = {
  platform: 'x',
  peer: 'its documents, restated',
  ours,
  theirs: described,
  allowances: X_ALLOWANCES,
  identifiers: X_IDENTIFIERS,
};
