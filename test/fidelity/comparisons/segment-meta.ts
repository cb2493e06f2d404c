// Meta through Segment's "Purchase V2" with its default mapping, and what a merchant adds to it.
import { META_IDENTIFIERS, SEGMENT_META_ALLOWANCES } from '../allow-lists/meta.ts';
import type { Comparison } from '../comparison.ts';
import { flatten } from '../fields.ts';
import { SEGMENT } from '../peers.ts';
import { present, segmentAction, single } from '../segment-action.ts';
import { ourMetaEvent } from './meta-request.ts';

const run = segmentAction({
  destination: 'facebook-conversions-api',
  action: 'purchase2',
  settings: { pixelId: '1234567890', testEventCode: '' },
  mapping: ({ body }) => ({
    __segment_internal_sync_mode: 'add',
    action_source: body.action_source,
    user_data: {
      externalId: [body.user_data.customer_id, ...(body.user_data.external_ids ?? [])].filter(Boolean),
      gender: { '@path': '$.context.traits.gender' },
      country: { '@path': '$.context.traits.address.country' },
      madId: { '@path': '$.context.device.advertisingId' },
      ...present({
        subscriptionID: body.user_data.subscription_id,
        leadID: body.user_data.lead_id,
        fbLoginID: body.user_data.fb_login_id,
      }),
    },
    custom_data: present({ order_id: body.order_id }),
    ...((body.items ?? []).length > 0
      ? { content_type: 'product', content_ids: (body.items ?? []).map(({ id }) => id) }
      : {}),
    ...(body.consent?.ad_personalization === 'denied'
      ? {
          data_processing_options: true,
          data_processing_options_country: 0,
          data_processing_options_state: 0,
        }
      : {}),
  }),
});

export const segmentMeta: Comparison = {
  platform: 'meta',
  peer: SEGMENT,
  ours: ourMetaEvent,
  theirs: async (order) => {
    const built = await single(run(order));
    return 'refused' in built ? built : { fields: flatten((built.body as { data: unknown[] }).data[0]) };
  },
  allowances: SEGMENT_META_ALLOWANCES,
  identifiers: META_IDENTIFIERS,
};
