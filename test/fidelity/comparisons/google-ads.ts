// Google Ads through Segment's "Click Conversion V2" and, for names and addresses, "Conversion Adjustment V2". Both speak the
// Google Ads API, ours the Data Manager API that replaces it: their fields are compared under the names of the latter.

import { googleAdsCredentials } from '../../../lib/events/platforms/google-ads/credentials.ts';
import googleAds from '../../../lib/events/platforms/google-ads/index.ts';
import { addressMissing, GOOGLE_ADS_ALLOWANCES, GOOGLE_ADS_IDENTIFIERS } from '../allow-lists/google-ads.ts';
import type { Comparison, Side } from '../comparison.ts';
import { type Fields, flatten, renamed } from '../fields.ts';
import type { Order } from '../order.ts';
import { NUMBERS } from '../order-values.ts';
import { ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { segmentAction, single } from '../segment-action.ts';

const ACTION = '648512345';

/** Segment takes the calling code as a setting of its own; a merchant who knows the country can give it. */
const callingCode = ({ iso }: Order) => NUMBERS.find(([country]) => country.toLowerCase() === iso)?.[1];

const common = (order: Order) => ({
  __segment_internal_sync_mode: 'add',
  conversion_action: Number(ACTION),
  gclid: { '@path': '$.properties.gclid' },
  ...(callingCode(order) === undefined ? {} : { phone_country_code: `+${callingCode(order)}` }),
});

const click = segmentAction({
  destination: 'google-enhanced-conversions',
  action: 'uploadClickConversion2',
  settings: { customerId: '1234567890' },
  mapping: (order) => ({
    ...common(order),
    order_id: order.body.order_id ?? order.body.event_id,
    ...(order.body.consent?.ad_personalization === undefined
      ? {}
      : {
          ad_personalization_consent_state:
            order.body.consent.ad_personalization === 'granted' ? 'GRANTED' : 'DENIED',
        }),
  }),
});

const adjustment = segmentAction({
  destination: 'google-enhanced-conversions',
  action: 'uploadConversionAdjustment2',
  settings: { customerId: '1234567890' },
  mapping: (order) => ({
    ...common(order),
    adjustment_type: 'ENHANCEMENT',
    country: { '@path': '$.context.traits.address.country' },
    postal_code: { '@path': '$.context.traits.address.postalCode' },
  }),
});

const CREDENTIALS = googleAdsCredentials.parse({
  customer_id: '1234567890',
  client_id: 'client-of-the-test',
  client_secret: 'secret-of-the-test',
  refresh_token: 'token-of-the-test',
  event_ids: { Purchase: ACTION },
  transaction_id: 'order_id',
});

/** Google Ads API → Data Manager API. https://developers.google.com/data-manager/api/devguides/events/google-ads/offline/upgrade/field-mappings */
const NAMES = {
  conversionDateTime: 'eventTimestamp',
  orderId: 'transactionId',
  currencyCode: 'currency',
  gclid: 'adIdentifiers.gclid',
  userIpAddress: 'eventDeviceInfo.ipAddress',
};

type Identifier = Readonly<Record<string, unknown>> & {
  readonly addressInfo?: Readonly<Record<string, unknown>>;
};

function fieldsOf(
  conversion: Readonly<Record<string, unknown>>,
  adjusted: { readonly userIdentifiers: readonly Identifier[] },
): Fields {
  const { conversionAction, userIdentifiers, cartData, ...rest } = conversion as {
    readonly conversionAction: string;
    readonly userIdentifiers: readonly Identifier[];
    readonly cartData: {
      readonly items: readonly { productId: string; quantity: number; unitPrice: number }[];
    };
  };
  const known = Object.assign({}, ...userIdentifiers) as Identifier;
  const { addressInfo } = Object.assign({}, ...adjusted.userIdentifiers) as Identifier;
  return {
    ...renamed(flatten(rest), NAMES),
    ...flatten({
      conversionAction: conversionAction.split('/').at(-1),
      userData: {
        emailAddress: known.hashedEmail,
        phoneNumber: known.hashedPhoneNumber,
        address: {
          givenName: addressInfo?.hashedFirstName,
          familyName: addressInfo?.hashedLastName,
          regionCode: addressInfo?.countryCode,
          postalCode: addressInfo?.postalCode,
        },
      },
      cartData: {
        items: cartData.items.map(({ productId, quantity, unitPrice }) => ({
          merchantProductId: productId,
          quantity,
          unitPrice,
        })),
      },
    }),
  };
}

function ours(order: Order): Side {
  const built = ourRequest(order, googleAds, CREDENTIALS, { accessToken: 'access-token' });
  if ('refused' in built) return built;
  const [event] = (built.body as { readonly events: readonly Record<string, unknown>[] }).events;
  const { userData, destinationReferences, ...rest } = event as {
    readonly userData: { readonly userIdentifiers?: readonly object[] } | undefined;
    readonly destinationReferences: readonly string[];
  };
  return {
    fields: flatten({
      ...rest,
      conversionAction: destinationReferences[0],
      userData: Object.assign({}, ...(userData?.userIdentifiers ?? [])) as object,
    }),
  };
}

export const googleAdsComparison: Comparison = {
  platform: 'google_ads',
  peer: SEGMENT,
  ours,
  theirs: async (order) => {
    const converted = await single(click(order));
    if ('refused' in converted) return converted;
    const adjusted = await single(adjustment(order));
    const { conversions } = converted.body as { readonly conversions: readonly Record<string, unknown>[] };
    const none = { conversionAdjustments: [{ userIdentifiers: [] }] };
    const { conversionAdjustments } = ('refused' in adjusted ? none : adjusted.body) as typeof none;
    return { fields: fieldsOf(conversions[0] ?? {}, conversionAdjustments[0] ?? { userIdentifiers: [] }) };
  },
  allowances: GOOGLE_ADS_ALLOWANCES,
  identifiers: GOOGLE_ADS_IDENTIFIERS,
  // A name goes with a whole address or not at all.
  leftOut: (order, field) => field.endsWith('_name') && addressMissing(order),
};
