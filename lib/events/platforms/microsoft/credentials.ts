import * as z from 'zod';
import { EVENT_NAMES } from '../../domain/event/names.ts';
import { token } from '../credential-fields.ts';

const accountId = z
  .string()
  .regex(/^[1-9]\d{0,19}$/, 'must be digits')
  .optional();

const fields = z.strictObject({
  tag_id: z
    .string()
    .regex(/^[1-9]\d{4,19}$/, 'must be the digits of a UET tag id')
    .meta({
      label: 'UET tag ID',
      destination: true,
      help: 'ui.ads.microsoft.com → Tools → UET tag: the column Tag ID.',
    }),
  api_token: token(10, 4_096).meta({
    label: 'Conversions API token',
    help: 'Tools → UET tag → your tag → Set up tagging → Use Conversions API. A new token needs up to 15 minutes.',
    secret: true,
  }),
  event_names: z.partialRecord(z.enum(EVENT_NAMES), z.string().trim().min(1).max(256)).optional().meta({
    label: 'Event actions',
    help: 'Where the goal, or the UET tag on your site, has another event action: event name → event action. Both must have the same for the pair to count once.',
  }),
  purchase_goal: z.string().trim().min(1).max(256).optional().meta({
    label: 'Goal of purchases',
    help: 'For refunds, with all fields below: Conversions → Conversion goals: the name of that of purchases.',
  }),
  customer_id: accountId.meta({
    label: 'Manager account id',
    help: 'In the address of ui.ads.microsoft.com, after cid=.',
  }),
  account_id: accountId.meta({
    label: 'Ad account id',
    help: 'In the address of ui.ads.microsoft.com, after aid=.',
  }),
  developer_token: token(4, 256).optional().meta({
    label: 'Developer token',
    help: 'developers.ads.microsoft.com → Account → Request Token.',
    secret: true,
  }),
  client_id: token(10, 1_024).optional().meta({
    label: 'OAuth client id',
    help: 'portal.azure.com → App registrations → your web application.',
  }),
  client_secret: token(8, 1_024).optional().meta({
    label: 'OAuth client secret',
    help: 'The same registration → Certificates & secrets.',
    secret: true,
  }),
  refresh_token: token(10, 8_192).optional().meta({
    label: 'Refresh token',
    help: 'Of a user of the ad account, with the scopes https://ads.microsoft.com/msads.manage and offline_access. Once it ends, refunds wait.',
    secret: true,
  }),
});

const ADS_GRANT = [
  'purchase_goal',
  'customer_id',
  'account_id',
  'developer_token',
  'client_id',
  'client_secret',
  'refresh_token',
] as const satisfies readonly (keyof z.output<typeof fields>)[];

export const microsoftCredentials = fields.superRefine((given, { addIssue }) => {
  const missing = ADS_GRANT.filter((name) => given[name] === undefined);
  if (missing.length === ADS_GRANT.length) return;
  for (const name of missing)
    addIssue({
      code: 'custom',
      message: 'is needed to take refunds back: give all fields for that or none',
      path: [name],
    });
});

export type AdsGrant = Readonly<Record<(typeof ADS_GRANT)[number], string>>;

/** What the Ads API takes; undefined where the connection was given none. */
export const adsGrantOf = (credentials: MicrosoftCredentials): AdsGrant | undefined =>
  // The schema wants all or none.
  credentials.refresh_token === undefined ? undefined : (credentials as AdsGrant);

export type MicrosoftCredentials = z.output<typeof microsoftCredentials>;
