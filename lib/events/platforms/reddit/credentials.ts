import * as z from 'zod';

export const redditCredentials = z.strictObject({
  pixel_id: z
    .string()
    .regex(/^[A-Za-z0-9_]{3,64}$/, 'must be a pixel id like a2_abc123')
    .meta({
      label: 'Pixel ID',
      destination: true,
      help: 'ads.reddit.com → Events Manager: the id begins with a2_ or t2_.',
    }),
  access_token: z
    .string()
    .min(10)
    .max(4_096)
    .regex(/^[!-~]+$/, 'must not contain spaces')
    .meta({
      label: 'Conversion access token',
      help: 'Reddit Ads → Events Manager → Conversions API → Generate access token. It does not expire.',
      secret: true,
    }),
  test_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .meta({
      label: 'Test ID',
      help: 'Reddit Ads → Events Manager → Event testing. Used for test sends only, never for live events.',
    }),
});

export type RedditCredentials = z.output<typeof redditCredentials>;
