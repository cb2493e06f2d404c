import * as z from 'zod';
import { token } from '../credential-fields.ts';

const fields = z.strictObject({
  measurement_id: z
    .string()
    .regex(/^G-[A-Z0-9]{4,20}$/, 'must look like G-XXXXXXXXXX')
    .meta({
      label: 'Measurement ID',
      destination: true,
      help: 'analytics.google.com → Admin → Data collection → Data streams → your web stream. Begins with G-.',
    }),
  api_secret: token(10, 256).meta({
    label: 'API secret',
    help: 'Admin → Data streams → your web stream → Measurement Protocol API secrets → accept the terms once → Create.',
    secret: true,
  }),
  region: z.enum(['global', 'eu']).default('global').meta({
    label: 'Collection region',
    help: 'global unless your policy asks for collection in the EU: eu sends to region1.google-analytics.com.',
  }),
  firebase_app_id: z
    .string()
    .regex(/^\d+:\d+:(?:ios|android):[0-9a-f]+$/, 'must look like 1:1234567890:android:321abc456def7890')
    .optional()
    .meta({
      label: 'Firebase app ID',
      help: 'For what happens in your app: Firebase console → Project settings → Your apps → App ID. Without it app events go to the web stream.',
    }),
  app_api_secret: token(10, 256).optional().meta({
    label: 'API secret of the app stream',
    help: 'Admin → Data streams → your app stream → Measurement Protocol API secrets → Create.',
    secret: true,
  }),
});

export const ga4Credentials = fields.refine(
  ({ firebase_app_id, app_api_secret }) => (firebase_app_id === undefined) === (app_api_secret === undefined),
  {
    message: 'needs the Firebase app ID and the API secret of its stream, or neither',
    path: ['app_api_secret'],
  },
);

export type Ga4Credentials = z.output<typeof ga4Credentials>;
