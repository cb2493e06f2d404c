// Microsoft through Segment's "Send Purchase Event".

import { microsoftCredentials } from '../../../lib/events/platforms/microsoft/credentials.ts';
import microsoft from '../../../lib/events/platforms/microsoft/index.ts';
import { MICROSOFT_ALLOWANCES, MICROSOFT_IDENTIFIERS } from '../allow-lists/microsoft.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten, renamed } from '../fields.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { segmentAction, single } from '../segment-action.ts';

const run = segmentAction({
  destination: 'ms-bing-capi',
  action: 'sendEvent',
  preset: 'Send Purchase Event',
  settings: { UetTag: '12345678', ApiToken: 'token', adStorageConsent: 'G' },
  mapping: ({ body }) => {
    const items = body.items ?? [];
    const agent = body.user_data.user_agent ?? '';
    const id = { '@path': '$.context.device.advertisingId' };
    const denied = body.consent?.ad_storage === 'denied' || body.consent?.ad_personalization === 'denied';
    return {
      // Free text: whatever the conversion goal listens to.
      data: { eventName: 'purchase', ...(denied ? { adStorageConsent: 'D' } : {}) },
      userData: {
        ...(agent.includes('iPhone') ? { idfa: id } : {}),
        ...(agent.includes('Android') ? { gaid: id } : {}),
      },
      customData: {
        pageType: 'purchase',
        ecommTotalValue: { '@path': '$.properties.value' },
        ...(items.length > 0 ? { itemIds: items.map(({ id: itemId }) => itemId) } : {}),
      },
    };
  },
});

const CREDENTIALS = microsoftCredentials.parse({ tag_id: '12345678', api_token: 'token-of-the-test' });

function side(built: Built): Side {
  return 'refused' in built ? built : { fields: renamed(flatten(built.body), { 'data[0]': 'event' }) };
}

export const microsoftComparison: Comparison = {
  platform: 'microsoft',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, microsoft, CREDENTIALS)),
  theirs: async (order) => side(await single(run(order))),
  allowances: MICROSOFT_ALLOWANCES,
  identifiers: MICROSOFT_IDENTIFIERS,
};
