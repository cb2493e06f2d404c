import * as z from 'zod';
import { token } from '../credential-fields.ts';

export const pinterestCredentials = z.strictObject({
  ad_account_id: z
    .string()
    .regex(/^\d{5,20}$/, 'must be the digits of an ad account id')
    .meta({
      label: 'Ad account ID',
      destination: true,
      help: 'ads.pinterest.com → Ads → Overview: the digits in the address after /advertiser/.',
    }),
  access_token: token(10, 1_024).meta({
    label: 'Conversion access token',
    help: 'ads.pinterest.com → Ads → Conversions → Set up API → Generate new token. Shown once.',
    secret: true,
  }),
});

export type PinterestCredentials = z.output<typeof pinterestCredentials>;
