// Klaviyo through Segment's "Order Completed". They send the order and each product in a request of its own, we all of them
// in one: the events are compared, and the profile once.

import { klaviyoCredentials } from '../../../lib/events/platforms/klaviyo/credentials.ts';
import klaviyo from '../../../lib/events/platforms/klaviyo/index.ts';
import { KLAVIYO_ALLOWANCES, KLAVIYO_IDENTIFIERS } from '../allow-lists/klaviyo.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten } from '../fields.ts';
import { ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { present, segmentAction } from '../segment-action.ts';

const REFUSED: ReadonlySet<string> = new Set([
  'spaced',
  'punctuated',
  '00 prefix',
  'trunk zero',
  'extension',
  'full width',
]);

const run = segmentAction({
  destination: 'klaviyo',
  action: 'orderCompleted',
  settings: { api_key: 'pk_test' },
  status: 202,
  mapping: ({ body, iso, kinds, dialled }) => {
    const who = body.user_data;
    return {
      event_name: 'Placed Order',
      value: { '@path': '$.properties.value' },
      properties: present({
        OrderId: body.order_id,
        event_id: body.event_id,
        URL: body.event_source_url,
        Referrer: body.referrer_url,
      }),
      products: (body.items ?? []).map(({ id, quantity, price }) =>
        present({ ProductID: id, Quantity: quantity, ItemPrice: price }),
      ),
      profile: present({
        email: who.email,
        // Segment refuses the order for most ways to write a number, so it gets most of them written its way.
        phone_number: REFUSED.has(kinds.phone ?? '') && dialled !== undefined ? `+${dialled}` : who.phone,
        country_code: iso?.toUpperCase(),
        external_id: who.customer_id,
        first_name: who.first_name,
        last_name: who.last_name,
        location: present({ city: who.city, region: who.state, zip: who.zip, country: who.country }),
        _kx: who.browser_ids?.kx,
      }),
    };
  },
});

const CREDENTIALS = klaviyoCredentials.parse({ private_api_key: 'pk_0123456789abcdef' });

interface Attributes {
  readonly profile?: { readonly data: { readonly attributes: object } };
  readonly metric: { readonly data: { readonly attributes: { readonly name: string } } };
}

interface Job {
  readonly 'events-bulk-create': {
    readonly data: readonly {
      readonly attributes: {
        readonly profile: NonNullable<Attributes['profile']>;
        readonly events: { readonly data: readonly { readonly attributes: Attributes }[] };
      };
    }[];
  };
}

const eventOf = ({ profile: _profile, metric, ...rest }: Attributes): object => ({
  ...rest,
  metric: metric.data.attributes.name,
});

function side(profile: Attributes['profile'], all: readonly Attributes[]): Side {
  const [order, ...products] = all;
  return {
    fields: flatten({
      profile: profile?.data.attributes,
      order: order === undefined ? undefined : eventOf(order),
      products: products.map(eventOf),
    }),
  };
}

export const klaviyoComparison: Comparison = {
  platform: 'klaviyo',
  peer: SEGMENT,
  ours: (order) => {
    const built = ourRequest(order, klaviyo, CREDENTIALS);
    if ('refused' in built) return built;
    const { attributes } = (built.body as { readonly data: { readonly attributes: Attributes | Job } }).data;
    if (!('events-bulk-create' in attributes)) return side(attributes.profile, [attributes]);
    const [person] = attributes['events-bulk-create'].data;
    return side(
      person?.attributes.profile,
      person?.attributes.events.data.map((event) => event.attributes) ?? [],
    );
  },
  theirs: async (order) => {
    const bodies = await run(order);
    if ('refused' in bodies) return bodies;
    const all = bodies.map(
      (body) => (body as { readonly data: { readonly attributes: Attributes } }).data.attributes,
    );
    return side(all[0]?.profile, all);
  },
  allowances: KLAVIYO_ALLOWANCES,
  identifiers: KLAVIYO_IDENTIFIERS,
  // Klaviyo finds people by plain values: of a digest there is none.
};
