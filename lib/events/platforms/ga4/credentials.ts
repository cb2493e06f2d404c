import * as z from 'zod';
import { token } from '../credential-fields.ts';
import { GOOGLE_OAUTH } from '../google-ingest/credentials.ts';

const fields = z.strictObject({
  measurement_id: z
    .string()
    .regex(/^G-[A-Z0-9]{4,20}$/, 'must look like G-XXXXXXXXXX')
    .meta({
      label: 'Measurement ID',
      destination: true,
      help: 'analytics.google.com → Admin → Data collection → Data streams → your web stream. Begins with G-.',
    }),
  api: z.enum(['measurement_protocol', 'data_manager']).default('measurement_protocol').meta({
    label: 'Interface',
    help: 'measurement_protocol takes an API secret, and refuses nothing. data_manager takes an OAuth client, says what it refuses and confirms what it processed.',
  }),
  api_secret: token(10, 256).optional().meta({
    label: 'API secret',
    help: 'For measurement_protocol: Admin → Data streams → your web stream → Measurement Protocol API secrets → accept the terms once → Create.',
    secret: true,
  }),
  region: z.enum(['global', 'eu']).default('global').meta({
    label: 'Collection region',
    help: 'For measurement_protocol. global unless your policy asks for collection in the EU: eu sends to region1.google-analytics.com.',
  }),
  property_id: z
    .string()
    .regex(/^\d{1,20}$/, 'must be digits')
    .optional()
    .meta({
      label: 'Property ID',
      help: 'For data_manager: Admin → Property → Property details: the digits at the top right. No roll-up or subproperty.',
    }),
  client_id: token(10, 1_024).optional().meta(GOOGLE_OAUTH.client_id),
  client_secret: token(8, 1_024).optional().meta(GOOGLE_OAUTH.client_secret),
  refresh_token: token(10, 1_024)
    .optional()
    .meta(GOOGLE_OAUTH.refresh_token('an editor or administrator of the property')),
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
    help: 'For measurement_protocol: Admin → Data streams → your app stream → Measurement Protocol API secrets → Create.',
    secret: true,
  }),
});

type Fields = z.output<typeof fields>;

/** What each interface needs beside the measurement id. */
const NEEDED = {
  measurement_protocol: { names: ['api_secret'], message: 'needs an API secret for measurement_protocol' },
  data_manager: {
    names: ['property_id', 'client_id', 'client_secret', 'refresh_token'],
    message: 'needs a property ID and an OAuth client for data_manager',
  },
} as const satisfies Record<Fields['api'], { names: readonly (keyof Fields)[]; message: string }>;

export const ga4Credentials = fields
  .superRefine((given, { addIssue }) => {
    const { names, message } = NEEDED[given.api];
    for (const name of names)
      if (given[name] === undefined) addIssue({ code: 'custom', message, path: [name] });
  })
  .refine(
    ({ api, firebase_app_id, app_api_secret }) =>
      firebase_app_id === undefined
        ? app_api_secret === undefined
        : api === 'data_manager' || app_api_secret !== undefined,
    {
      message: 'needs the Firebase app ID and the API secret of its stream, or neither',
      path: ['app_api_secret'],
    },
  );

export type Ga4Credentials = z.output<typeof ga4Credentials>;
