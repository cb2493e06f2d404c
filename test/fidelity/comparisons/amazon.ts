// Amazon through Segment's "Off Amazon Purchases".

import { amazonCredentials } from '../../../lib/events/platforms/amazon/credentials.ts';
import amazon from '../../../lib/events/platforms/amazon/index.ts';
import { AMAZON_ALLOWANCES, AMAZON_IDENTIFIERS } from '../allow-lists/amazon.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten } from '../fields.ts';
import type { Order } from '../order.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { segmentAction, single } from '../segment-action.ts';

const COUNTRY = 'US';

/** What its form offers. */
const SEGMENT_CURRENCIES: ReadonlySet<string> = new Set(
  'AED AUD BRL CAD CNY EUR GBP INR JPY MXN SAR SEK SGD TRY USD DKK NOK NZD'.split(' '),
);

function device({ body }: Order): string {
  if (['physical_store', 'phone_call'].includes(body.action_source ?? '')) return 'offline';
  const agent = body.user_data.user_agent ?? '';
  if (body.action_source !== 'app') return 'website';
  return agent.includes('iPhone') ? 'ios' : agent.includes('Android') ? 'android' : 'website';
}

const run = segmentAction({
  destination: 'amazon-conversions-api',
  action: 'trackConversion',
  preset: 'Off Amazon Purchases',
  settings: { region: 'https://advertising-api.amazon.com', advertiserId: '5800000000000' },
  status: 207,
  mapping: (order) => {
    const { body, iso } = order;
    const items = body.items ?? [];
    return {
      name: 'Purchase',
      eventActionSource: device(order),
      // Segment knows no table of countries: the merchant has to say the code.
      countryCode: iso?.toUpperCase() ?? COUNTRY,
      matchKeys: { maid: { '@path': '$.context.device.advertisingId' }, matchId: { '@path': '$.userId' } },
      ...(items.length > 0 && items.every(({ quantity }) => Number.isInteger(quantity))
        ? { unitsSold: items.reduce((sum, { quantity }) => sum + quantity, 0) }
        : {}),
      // Segment refuses the order for a currency it does not list.
      ...(SEGMENT_CURRENCIES.has(body.currency ?? '') ? {} : { currencyCode: undefined }),
      ...(body.order_id === undefined ? {} : { customAttributes: { order_id: body.order_id } }),
      ...(body.consent?.ad_personalization === 'denied'
        ? { dataProcessingOptions: ['LIMITED_DATA_USE'] }
        : {}),
    };
  },
});

const CREDENTIALS = amazonCredentials.parse({
  region: 'NA',
  account_id: '5800000000000',
  client_id: 'amzn1.application-oa2-client.test',
  client_secret: 'secret-of-the-test',
  refresh_token: 'Atzr|token-of-the-test',
  country_code: COUNTRY,
});

interface Event {
  readonly matchKeys?: readonly { readonly type: string; readonly values: readonly string[] }[];
  readonly customData?: readonly { readonly name: string; readonly value: string }[];
}

/** The event, its match keys by type and its attributes by name instead of position. */
function side(built: Built): Side {
  if ('refused' in built) return built;
  const [event] = (built.body as { readonly events: readonly Event[] }).events;
  const { matchKeys = [], customData = [], ...rest } = event ?? {};
  return {
    fields: flatten({
      ...rest,
      matchKeys: Object.fromEntries(matchKeys.map(({ type, values }) => [type, values])),
      customData: Object.fromEntries(customData.map(({ name, ...attribute }) => [name, attribute])),
    }),
  };
}

export const amazonComparison: Comparison = {
  platform: 'amazon',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, amazon, CREDENTIALS, { accessToken: 'access-token' })),
  theirs: async (order) => side(await single(run(order))),
  allowances: AMAZON_ALLOWANCES,
  identifiers: AMAZON_IDENTIFIERS,
};
