// Pinterest through Segment's "Checkout", with the identifiers and items its preset does not map.

import { pinterestCredentials } from '../../../lib/events/platforms/pinterest/credentials.ts';
import pinterest from '../../../lib/events/platforms/pinterest/index.ts';
import { PINTEREST_ALLOWANCES, PINTEREST_IDENTIFIERS } from '../allow-lists/pinterest.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten, renamed } from '../fields.ts';
import type { Order } from '../order.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { present, segmentAction, single } from '../segment-action.ts';

const given = (...values: readonly (string | null | undefined)[]): string[] =>
  values.filter((value): value is string => Boolean(value));

/** Pinterest counts in whole numbers, and Segment refuses an order with a weight. */
const whole = ({ quantity }: { readonly quantity: number }): boolean => Number.isInteger(quantity);

function mapping({ body }: Order): Readonly<Record<string, unknown>> {
  const who = body.user_data;
  const items = body.items ?? [];
  return {
    action_source: ['physical_store', 'phone_call'].includes(body.action_source ?? '') ? 'offline' : 'web',
    // The preset would opt every order out of being used for ads.
    opt_out: false,
    app_name: 'shop',
    user_data: {
      email: given(who.email),
      phone: given(who.phone),
      first_name: given(who.first_name),
      last_name: given(who.last_name),
      gender: given(who.gender),
      date_of_birth: given(who.date_of_birth),
      city: given(who.city),
      state: given(who.state),
      zip: given(who.zip),
      country: given(who.country),
      external_id: given(who.customer_id, ...(who.external_ids ?? [])),
      hashed_maids: given(who.madid),
      click_id: who.browser_ids?.epik ?? undefined,
    },
    custom_data: present({
      value: body.value,
      content_ids: items.length > 0 ? items.map(({ id }) => id) : undefined,
      num_items:
        items.length > 0 && items.every(whole)
          ? items.reduce((sum, { quantity }) => sum + quantity, 0)
          : undefined,
      contents:
        items.length > 0
          ? items.map(({ id, quantity, price }) =>
              present({ id, quantity: whole({ quantity }) ? quantity : undefined, item_price: price }),
            )
          : undefined,
      opt_out_type: body.consent?.ad_personalization === 'denied' ? 'LDP' : undefined,
    }),
  };
}

const run = segmentAction({
  destination: 'pinterest-conversions',
  action: 'reportConversionEvent',
  preset: 'Checkout',
  settings: { ad_account_id: '549755885175', conversion_token: 'token' },
  mapping,
});

const CREDENTIALS = pinterestCredentials.parse({
  ad_account_id: '549755885175',
  access_token: 'token-of-the-test',
});

function side(built: Built): Side {
  return 'refused' in built ? built : { fields: renamed(flatten(built.body), { 'data[0]': 'event' }) };
}

export const pinterestComparison: Comparison = {
  platform: 'pinterest',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, pinterest, CREDENTIALS)),
  theirs: async (order) => side(await single(run(order))),
  allowances: PINTEREST_ALLOWANCES,
  identifiers: PINTEREST_IDENTIFIERS,
};
