import * as z from 'zod';
import { eventIdsField, token } from '../credential-fields.ts';
import { GOOGLE_OAUTH } from '../google-ingest/credentials.ts';

const customerId = z.string().regex(/^\d{10}$/, 'must be ten digits, without dashes');

export const googleAdsCredentials = z.strictObject({
  customer_id: customerId.meta({
    label: 'Customer id',
    destination: true,
    help: 'ads.google.com → top right, beside the account: the ten digits, without dashes. The account must own the conversion actions (Goals → Settings → Conversion account).',
  }),
  login_customer_id: customerId.optional().meta({
    label: 'Manager account id',
    help: 'Only when the Google user whose token you enter reaches the account through a manager account: the ten digits of that one.',
  }),
  client_id: token(10, 1_024).meta(GOOGLE_OAUTH.client_id),
  client_secret: token(8, 1_024).meta(GOOGLE_OAUTH.client_secret),
  refresh_token: token(10, 1_024).meta(GOOGLE_OAUTH.refresh_token('a user who may edit the account')),
  event_ids: eventIdsField(z.string().regex(/^\d{1,20}$/, 'must be digits'), {
    label: 'Conversion actions',
    help: 'Event name → id of the conversion action (Goals → Conversions → the action: ctId in the address). Events without one are not sent. Names of your own all go to Custom.',
  }),
  transaction_id: z.enum(['event_id', 'order_id']).default('event_id').meta({
    label: 'Transaction id',
    help: 'What the Google tag on your site sends as transaction_id for purchases. Choose order_id when it sends order numbers, or the same purchase counts twice.',
  }),
  send_ip_address: z.boolean().default(false).meta({
    label: 'Send IP addresses',
    help: 'Google does not match them for people in the EEA, the UK and Switzerland: theirs, and those of people whose country is unknown, are never sent.',
  }),
  merchant_center_id: z
    .string()
    .regex(/^\d{1,20}$/, 'must be digits')
    .optional()
    .meta({
      label: 'Merchant Center id',
      help: 'For conversions with cart data: the account whose product ids you send as item ids.',
    }),
  merchant_feed_label: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,20}$/)
    .optional()
    .meta({
      label: 'Feed label',
      help: 'Label of the product feed in Merchant Center, often a country code.',
    }),
  merchant_feed_language: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be an ISO 639-1 code')
    .optional()
    .meta({
      label: 'Feed language',
      help: 'Language of the product feed in Merchant Center, for example en.',
    }),
});

export type GoogleAdsCredentials = z.output<typeof googleAdsCredentials>;
