// Snapchat through Segment's "Purchase".

import { snapchatCredentials } from '../../../lib/events/platforms/snapchat/credentials.ts';
import snapchat from '../../../lib/events/platforms/snapchat/index.ts';
import { SNAPCHAT_ALLOWANCES, SNAPCHAT_IDENTIFIERS } from '../allow-lists/snapchat.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten, renamed } from '../fields.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { present, segmentAction, single } from '../segment-action.ts';

const PIXEL = '5bf81ee1-15b1-4dc1-b636-d7dae49b950e';

const run = segmentAction({
  destination: 'snap-conversions-api',
  action: 'reportConversionEvent',
  preset: 'Purchase',
  settings: { pixel_id: PIXEL },
  mapping: ({ body }) => ({
    action_source: body.action_source,
    user_data: {
      externalId: [body.user_data.customer_id, ...(body.user_data.external_ids ?? [])].filter(Boolean),
      sc_click_id: { '@path': '$.properties.sc_click_id' },
      sc_cookie1: { '@path': '$.properties.sc_cookie1' },
      ...present({ subscriptionID: body.user_data.subscription_id, leadID: body.user_data.lead_id }),
    },
    ...(body.consent?.ad_personalization === 'denied' ? { data_processing_options: true } : {}),
  }),
});

const CREDENTIALS = snapchatCredentials.parse({ pixel_id: PIXEL, access_token: 'token-of-the-test' });

function side(built: Built): Side {
  if ('refused' in built) return built;
  return { fields: renamed(flatten(built.body), { 'data[0]': 'event' }) };
}

export const snapchatComparison: Comparison = {
  platform: 'snapchat',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, snapchat, CREDENTIALS)),
  theirs: async (order) => side(await single(run(order))),
  allowances: SNAPCHAT_ALLOWANCES,
  identifiers: SNAPCHAT_IDENTIFIERS,
};
