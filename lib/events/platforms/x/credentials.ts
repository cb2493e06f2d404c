import * as z from 'zod';
import { eventIdsField, token } from '../credential-fields.ts';

const key = token(8, 512);

const OAUTH_KEYS = ['consumer_key', 'consumer_secret', 'access_token', 'access_token_secret'] as const;

export const xCredentials = z
  .strictObject({
    pixel_id: z
      .string()
      .regex(/^[a-z0-9]{2,20}$/, 'must be lowercase letters and digits')
      .meta({
        label: 'Pixel id',
        destination: true,
        help: 'ads.x.com → Tools → Events Manager → X pixel: the id of the event source.',
      }),
    event_ids: eventIdsField(
      z.string().regex(/^(?:tw-[a-z0-9]{2,20}-)?[a-z0-9]{2,20}$/, 'must be like ol288 or tw-oka17-ol288'),
      {
        label: 'Event ids',
        help: 'Event name → id of the event in the Events Manager. Use the one your pixel uses, so that both copies count once. Events without one are not sent. Names of your own all go to Custom.',
      },
    ),
    consumer_key: key.optional().meta({
      label: 'API key',
      help: 'developer.x.com → Projects & Apps → your app → Keys and tokens → Consumer keys. The app needs access to the Ads API, which X grants on request.',
      secret: true,
    }),
    consumer_secret: key.optional().meta({
      label: 'API key secret',
      help: 'Beside the API key; shown only when the keys are made or regenerated.',
      secret: true,
    }),
    access_token: key.optional().meta({
      label: 'Access token',
      help: 'developer.x.com → your app → Keys and tokens → Access token and secret → Generate, signed in as a user who is ad manager or account admin of the ad account, with Read and Write permission.',
      secret: true,
    }),
    access_token_secret: key.optional().meta({
      label: 'Access token secret',
      help: 'Beside the access token; shown only when it is generated.',
      secret: true,
    }),
    pixel_token: key.optional().meta({
      label: 'Pixel token',
      help: 'Instead of the four keys, where ads.x.com → Events Manager → your pixel offers a token for it.',
      secret: true,
    }),
  })
  .refine(
    (given) => {
      const present = OAUTH_KEYS.filter((name) => given[name] !== undefined).length;
      return present === OAUTH_KEYS.length || (present === 0 && given.pixel_token !== undefined);
    },
    { message: 'needs all four keys of the app and its user, or a pixel token', path: ['consumer_key'] },
  );

export type XCredentials = z.output<typeof xCredentials>;
