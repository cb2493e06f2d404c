// Reddit through Segment's "Purchase", which speaks version 2 of the API: its fields are compared under their names of
// version 3, which ours speaks.

import { redditCredentials } from '../../../lib/events/platforms/reddit/credentials.ts';
import reddit from '../../../lib/events/platforms/reddit/index.ts';
import { REDDIT_ALLOWANCES, REDDIT_IDENTIFIERS } from '../allow-lists/reddit.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten, renamed } from '../fields.ts';
import { ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { segmentAction, single } from '../segment-action.ts';

const run = segmentAction({
  destination: 'reddit-conversions-api',
  action: 'standardEvent',
  preset: 'Purchase',
  settings: { ad_account_id: 'a2_example', conversion_token: 'token', test_mode: false },
  mapping: ({ body }) => {
    const items = body.items ?? [];
    const agent = body.user_data.user_agent ?? '';
    const device = agent.includes('iPhone') ? 'ios' : agent.includes('Android') ? 'android' : undefined;
    return {
      click_id: { '@path': '$.properties.rdt_cid' },
      user: { uuid: { '@path': '$.properties.rdt_uuid' }, device_type: device },
      // Whole numbers only: Segment refuses an order with a weight.
      event_metadata:
        items.length > 0 && items.every(({ quantity }) => Number.isInteger(quantity))
          ? { item_count: items.reduce((sum, { quantity }) => sum + quantity, 0) }
          : {},
      ...(body.consent?.ad_personalization === 'denied' ? { data_processing_options: { modes: 'LDU' } } : {}),
    };
  },
});

const CREDENTIALS = redditCredentials.parse({ pixel_id: 'a2_example', access_token: 'token-of-the-test' });

/** Version 2 → version 3. https://ads-api.reddit.com/docs/v3/ */
const V3 = {
  'events[0]': 'event',
  'events[0].event_type': 'event.type',
  'events[0].event_metadata': 'event.metadata',
  'events[0].event_metadata.value_decimal': 'event.metadata.value',
};

export const redditComparison: Comparison = {
  platform: 'reddit',
  peer: SEGMENT,
  ours: (order): Side => {
    const built = ourRequest(order, reddit, CREDENTIALS);
    return 'refused' in built
      ? built
      : { fields: renamed(flatten(built.body), { 'data.events[0]': 'event' }) };
  },
  theirs: async (order) => {
    const built = await single(run(order));
    return 'refused' in built ? built : { fields: renamed(flatten(built.body), V3) };
  },
  allowances: REDDIT_ALLOWANCES,
  identifiers: REDDIT_IDENTIFIERS,
};
