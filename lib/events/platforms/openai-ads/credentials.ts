import * as z from 'zod';
import { token } from '../credential-fields.ts';

export const openaiAdsCredentials = z.strictObject({
  pixel_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a pixel id: letters, digits, _ and -')
    .meta({
      label: 'Pixel ID',
      destination: true,
      help: 'ads.openai.com → Conversions: the same id as that of the pixel on your pages, so that events of both count once.',
    }),
  api_key: token(10, 512).meta({
    label: 'Conversions API key',
    help: 'ads.openai.com → Conversions → Manage conversion keys. An Advertiser API key of Settings is refused.',
    secret: true,
  }),
});

export type OpenaiAdsCredentials = z.output<typeof openaiAdsCredentials>;
