import * as z from 'zod';
import { eventIdsField, token } from '../credential-fields.ts';

/** Monthly versions are served for a year: see README.md. */
export const LINKEDIN_VERSION = '202608';

const REFRESH_FIELDS = ['client_id', 'client_secret', 'refresh_token'] as const;

const fields = z.strictObject({
  client_id: token(8, 2_048).optional().meta({
    label: 'Client id',
    help: 'linkedin.com/developers → My apps → your app → Auth → Application credentials. The app needs the product Conversions API (Products → Request access).',
  }),
  client_secret: token(8, 2_048).optional().meta({
    label: 'Client secret',
    help: 'linkedin.com/developers → My apps → your app → Auth → Primary Client Secret.',
    secret: true,
  }),
  refresh_token: token(20, 2_048).optional().meta({
    label: 'Refresh token',
    help: 'Granted with the scopes rw_conversions and r_ads by a billing admin, account manager, campaign manager or creative manager of the ad account. It lasts a year. Only apps LinkedIn has approved for it get one.',
    secret: true,
  }),
  access_token: token(20, 2_048).optional().meta({
    label: 'Access token',
    help: 'Instead of the three fields above: linkedin.com/developers → Docs and tools → OAuth token tools → Create token, for the same scopes and as a person with the same role. It lasts 60 days; then the connection pauses until a new one is entered.',
    secret: true,
  }),
  event_ids: eventIdsField(z.string().regex(/^\d{1,20}$/, 'must be digits'), {
    label: 'Conversion rules',
    destination: true,
    help: 'Event name → id of the conversion rule (Campaign Manager → Measurement → Conversion tracking), created for the Conversions API and attached to campaigns. Events without one are not sent. Names of your own all go to Custom.',
  }),
  send_ip_address: z.boolean().default(false).meta({
    label: 'Send IP addresses',
    help: 'As one more identifier (IPv4 only). New at LinkedIn: try it with a few events first.',
  }),
});

export const linkedinCredentials = fields.refine(
  (given) => {
    const present = REFRESH_FIELDS.filter((name) => given[name] !== undefined).length;
    return present === REFRESH_FIELDS.length
      ? given.access_token === undefined
      : present === 0 && given.access_token !== undefined;
  },
  {
    message: 'needs client id, client secret and refresh token, or an access token',
    path: ['refresh_token'],
  },
);

export type LinkedinCredentials = z.output<typeof linkedinCredentials>;

/** The version of the API was one of them until connections had one. */
export const withoutVersion = ({ api_version: _, ...entered }: Readonly<Record<string, unknown>>) => entered;
