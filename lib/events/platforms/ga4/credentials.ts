import * as z from 'zod';
import { token } from '../credential-fields.ts';

export const ga4Credentials = z.strictObject({
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
});

export type Ga4Credentials = z.output<typeof ga4Credentials>;
