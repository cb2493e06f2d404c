import * as z from 'zod';

export const metaCredentials = z.strictObject({
  pixel_id: z
    .string()
    .regex(/^\d{5,20}$/, 'must be the digits of a dataset (pixel) id')
    .meta({
      label: 'Dataset (pixel) ID',
      destination: true,
      help: 'business.facebook.com/events_manager → Data sources → your dataset → Settings → Dataset ID.',
    }),
  access_token: z
    .string()
    .min(10)
    .max(1_024)
    .regex(/^[!-~]+$/, 'must not contain spaces')
    .meta({
      label: 'Access token',
      help: 'Events Manager → your dataset → Settings → Conversions API → Set up direct integration → Generate access token. Or the token of a system user who may manage the dataset (Business settings → System users).',
      secret: true,
    }),
  test_event_code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .meta({
      label: 'Test event code',
      help: 'Events Manager → your dataset → Test events → Confirm your server’s events. Used for test sends only, never for live events.',
    }),
});

export type MetaCredentials = z.output<typeof metaCredentials>;
