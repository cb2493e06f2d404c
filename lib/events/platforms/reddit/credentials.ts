import * as z from 'zod';
import { testCode, token } from '../credential-fields.ts';

export const redditCredentials = z.strictObject({
  pixel_id: z
    .string()
    .regex(/^[A-Za-z0-9_]{3,64}$/, 'must be a pixel id like a2_abc123')
    .meta({
      label: 'Pixel ID',
      destination: true,
      help: 'ads.reddit.com → Events Manager: the id begins with a2_ or t2_.',
    }),
  access_token: token(10, 4_096).meta({
    label: 'Conversion access token',
    help: 'Reddit Ads → Events Manager → Conversions API → Generate access token. It does not expire.',
    secret: true,
  }),
  test_id: testCode.meta({
    label: 'Test ID',
    help: 'Reddit Ads → Events Manager → Event testing. Used for test sends only, never for live events.',
  }),
});

export type RedditCredentials = z.output<typeof redditCredentials>;
