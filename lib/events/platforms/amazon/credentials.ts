import * as z from 'zod';
import { token } from '../credential-fields.ts';

export const amazonCredentials = z.strictObject({
  region: z.enum(['NA', 'EU', 'FE']).meta({
    label: 'Region',
    destination: true,
    help: 'Where the advertising account is: NA (Americas), EU (Europe, Middle East, India), FE (Japan, Australia, Singapore).',
  }),
  account_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{3,128}$/, 'must be an advertiser account id')
    .meta({
      label: 'Advertiser account id',
      destination: true,
      help: 'Amazon DSP → your advertiser: its numeric id, not the one that begins with ENTITY.',
    }),
  client_id: token(10, 256).meta({
    label: 'Login with Amazon client id',
    help: 'developer.amazon.com → Login with Amazon → your security profile → Web settings: begins with amzn1.application-oa2-client. It must be approved for the Amazon Ads API.',
  }),
  client_secret: token(10, 256).meta({
    label: 'Login with Amazon client secret',
    help: 'developer.amazon.com → Login with Amazon → your security profile → Web settings → Show secret.',
    secret: true,
  }),
  refresh_token: token(10, 2_048).meta({
    label: 'Refresh token',
    help: 'Begins with Atzr|. Grant your security profile the scope advertising::campaign_management as a user who may edit the event manager, and trade the code for tokens: Amazon Ads API documentation → Getting started → Create an authorization grant.',
    secret: true,
  }),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .meta({
      label: 'Country',
      help: 'Two letters, for example US. Amazon wants a country with every event; this one is said where the event does not tell.',
    }),
  data_set_name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_-]{4,99}$/,
      'must be 5 to 100 letters, digits, _ or -, beginning with a letter',
    )
    .optional()
    .meta({
      label: 'Data set',
      help: 'Name under which Ads data manager lists the events. Without one Amazon uses Default_Events.',
    }),
});

export type AmazonCredentials = z.output<typeof amazonCredentials>;
