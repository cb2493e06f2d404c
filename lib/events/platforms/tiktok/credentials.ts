import * as z from 'zod';
import { testCode, token } from '../credential-fields.ts';

export const tiktokCredentials = z.strictObject({
  event_source_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{5,64}$/, 'must be a pixel code or event set id')
    .meta({
      label: 'Pixel code',
      destination: true,
      help: 'ads.tiktok.com → Tools → Events Manager → your web data source: the ID under its name. For app, offline or CRM: the app or event set id.',
    }),
  access_token: token(10, 1_024).meta({
    label: 'Access token',
    help: 'Events Manager → your data source → Settings → Events API → Generate access token.',
    secret: true,
  }),
  event_source: z.enum(['web', 'app', 'offline', 'crm']).default('web').meta({
    label: 'Event source',
    help: 'What the id above is: a web pixel, an app, an offline or a CRM event set.',
  }),
  legacy_event_names: z.boolean().default(false).meta({
    label: 'Legacy event names',
    help: 'Send CompletePayment and SubmitForm instead of Purchase and Lead: choose what your pixel already sends, since optimisation and deduplication are bound to the name.',
  }),
  test_event_code: testCode.meta({
    label: 'Test event code',
    help: 'Events Manager → Test events. Used for test sends only, never for live events.',
  }),
});

export type TiktokCredentials = z.output<typeof tiktokCredentials>;
