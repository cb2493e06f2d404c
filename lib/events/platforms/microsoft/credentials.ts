import * as z from 'zod';
import { EVENT_NAMES } from '../../domain/event/names.ts';
import { token } from '../credential-fields.ts';

export const microsoftCredentials = z.strictObject({
  tag_id: z
    .string()
    .regex(/^[1-9]\d{4,19}$/, 'must be the digits of a UET tag id')
    .meta({
      label: 'UET tag ID',
      destination: true,
      help: 'ui.ads.microsoft.com → Tools → UET tag: the column Tag ID.',
    }),
  api_token: token(10, 4_096).meta({
    label: 'Conversions API token',
    help: 'Tools → UET tag → your tag → Set up tagging → Use Conversions API. Microsoft enables this per account; a new token needs up to 15 minutes.',
    secret: true,
  }),
  event_names: z.partialRecord(z.enum(EVENT_NAMES), z.string().trim().min(1).max(256)).optional().meta({
    label: 'Event actions',
    help: 'Where a conversion goal, or the UET tag on your site, uses another event action than ours: event name → event action. Both must be the same for Microsoft to count the pair once.',
  }),
});

export type MicrosoftCredentials = z.output<typeof microsoftCredentials>;
