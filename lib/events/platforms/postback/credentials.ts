import * as z from 'zod';
import { eventIdsField, token } from '../credential-fields.ts';
import { NETWORKS, recipeOf } from './recipes.ts';

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have letters, digits, _ and - only');

const NAMES = {
  label: 'Names at the network',
  help: 'Event → its name there: Taboola’s event name, Outbrain’s conversion, Impact’s event type (id or code), Awin’s commission group. Spelled exactly so. What has none is not sent.',
} as const;

export const postbackCredentials = z
  .strictObject({
    network: z.enum(NETWORKS).meta({
      label: 'Network',
      help: 'Whose clicks are reported to it: criteo, taboola, outbrain, awin or impact. One connection for each.',
      destination: true,
    }),
    account_id: id.optional().meta({
      label: 'Account',
      help: 'Awin: the advertiser id. Impact: the Account SID. Criteo: the partner id. Taboola and Outbrain need none.',
      destination: true,
    }),
    api_key: token(8, 512).optional().meta({
      label: 'API key',
      help: 'Awin: the key of the Conversion API. Impact: the Auth Token that belongs to the Account SID. The others need none.',
      secret: true,
    }),
    campaign_id: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'must be a whole number')
      .optional()
      .meta({
        label: 'Program',
        help: 'Impact: the id of the program (CampaignId) that its conversions are of.',
      }),
    caller_id: id.optional().meta({
      label: 'Caller ID',
      help: 'Criteo: the id of who asks for its users’ ids, which Criteo gives you on request.',
    }),
    region: z.enum(['eu', 'us', 'as']).optional().meta({
      label: 'Region',
      help: 'Criteo: where it keeps the account: eu, us or as. Its common address would only name this one.',
    }),
    event_ids: eventIdsField(z.string().min(1).max(100), NAMES).optional().meta(NAMES),
    conversion_id: z.enum(['order_id', 'event_id']).default('order_id').meta({
      label: 'A purchase is known by',
      help: 'Its order id, by which networks settle commissions and count copies once, or the id of the event.',
    }),
  })
  .superRefine((entered, context) => {
    const { label, needs } = recipeOf(entered);
    for (const field of needs)
      if (entered[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: `is needed by ${label}` });
  });

export type PostbackCredentials = z.output<typeof postbackCredentials>;
