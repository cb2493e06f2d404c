// TikTok through Segment's "Complete Payment", which still goes by the name of before 2024: our connection is set to it too.

import { tiktokCredentials } from '../../../lib/events/platforms/tiktok/credentials.ts';
import tiktok from '../../../lib/events/platforms/tiktok/index.ts';
import { TIKTOK_ALLOWANCES, TIKTOK_IDENTIFIERS } from '../allow-lists/tiktok.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten, renamed } from '../fields.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { segmentAction, single } from '../segment-action.ts';

const run = segmentAction({
  destination: 'tiktok-conversions',
  action: 'reportWebEvent',
  preset: 'Complete Payment',
  settings: { pixelCode: 'C0000000000000000000', accessToken: 'token' },
  mapping: ({ body }) => ({
    external_id: [body.user_data.customer_id, ...(body.user_data.external_ids ?? [])].filter(Boolean),
    ...(body.consent?.ad_personalization === 'denied' ? { limited_data_use: true } : {}),
  }),
});

const CREDENTIALS = tiktokCredentials.parse({
  event_source_id: 'C0000000000000000000',
  access_token: 'token-of-the-test',
  legacy_event_names: true,
});

function side(built: Built): Side {
  return 'refused' in built ? built : { fields: renamed(flatten(built.body), { 'data[0]': 'event' }) };
}

export const tiktokComparison: Comparison = {
  platform: 'tiktok',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, tiktok, CREDENTIALS)),
  theirs: async (order) => side(await single(run(order))),
  allowances: TIKTOK_ALLOWANCES,
  identifiers: TIKTOK_IDENTIFIERS,
};
