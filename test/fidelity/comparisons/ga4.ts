// Google Analytics through Segment's "Purchase", with the client id and the parameters its fields do not map by themselves.

import { ga4Credentials } from '../../../lib/events/platforms/ga4/credentials.ts';
import ga4 from '../../../lib/events/platforms/ga4/index.ts';
import { GA4_ALLOWANCES, GA4_IDENTIFIERS, NO_CLIENT } from '../allow-lists/ga4.ts';
import type { Comparison, Side } from '../comparison.ts';
import { flatten, renamed } from '../fields.ts';
import { type Built, ourRequest } from '../our-request.ts';
import { SEGMENT } from '../peers.ts';
import { present, segmentAction, single } from '../segment-action.ts';

const consent = (state: string | undefined) => state?.toUpperCase();

const run = segmentAction({
  destination: 'google-analytics-4',
  action: 'purchase',
  settings: { apiSecret: 'secret', measurementId: 'G-ABCDEFGHIJ' },
  mapping: ({ body }) => ({
    // Segment refuses an order without one.
    client_id: body.user_data.browser_ids?.ga_client_id ?? NO_CLIENT,
    transaction_id: body.order_id ?? body.event_id,
    user_id: { '@path': '$.userId' },
    params: present({
      session_id: body.user_data.browser_ids?.ga_session_id,
      page_location: body.event_source_url,
      page_referrer: body.referrer_url,
      event_id: body.event_id,
    }),
    ...present({ ad_personalization_consent: consent(body.consent?.ad_personalization) }),
  }),
});

const CREDENTIALS = ga4Credentials.parse({
  measurement_id: 'G-ABCDEFGHIJ',
  api_secret: 'secret-of-the-test',
});

function side(built: Built): Side {
  return 'refused' in built ? built : { fields: renamed(flatten(built.body), { 'events[0]': 'event' }) };
}

export const ga4Comparison: Comparison = {
  platform: 'ga4',
  peer: SEGMENT,
  ours: (order) => side(ourRequest(order, ga4, CREDENTIALS)),
  theirs: async (order) => side(await single(run(order))),
  allowances: GA4_ALLOWANCES,
  identifiers: GA4_IDENTIFIERS,
};
