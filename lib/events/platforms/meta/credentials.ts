import * as z from 'zod';
import { testCode, token } from '../credential-fields.ts';

export const metaCredentials = z.strictObject({
  pixel_id: z
    .string()
    .regex(/^\d{5,20}$/, 'must be the digits of a dataset (pixel) id')
    .meta({
      label: 'Dataset (pixel) ID',
      destination: true,
      help: 'business.facebook.com/events_manager → Data sources → your dataset → Settings → Dataset ID.',
    }),
  access_token: token(10, 1_024).meta({
    label: 'Access token',
    help: 'Events Manager → your dataset → Settings → Conversions API → Set up direct integration → Generate access token. Or the token of a system user who may manage the dataset (Business settings → System users).',
    secret: true,
  }),
  test_event_code: testCode.meta({
    label: 'Test event code',
    help: 'Events Manager → your dataset → Test events → Confirm your server’s events. Used for test sends only, never for live events.',
  }),
});

export type MetaCredentials = z.output<typeof metaCredentials>;
