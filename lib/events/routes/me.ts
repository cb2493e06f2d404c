// Who is signed in, for which merchants the person acts, and how the person makes one.
import * as z from 'zod';
import { JOBS } from '../../core/routes/call-limits.ts';
import { emailAddress, line, succeeds } from '../../core/routes/wire.ts';
import { MEMBER_ROLES } from '../../core/tenancy/role.ts';
import { timeZone } from './analytics/range.ts';
import { defineRoute, SEES } from './define-route.ts';
import { currencyCode } from './orders/exchange-rates.ts';

const merchant = z
  .object({
    id: z.string().meta({ description: 'As the header `Millrace-Merchant` takes it.' }),
    name: z.string(),
    role: z.enum(MEMBER_ROLES),
    suspended: z.boolean(),
  })
  .meta({ id: 'PersonMerchant' });

/** A helpdesk has an operation `getMe`, of a caller and its workspace. */
export const getPerson = defineRoute({
  ...SEES,
  id: 'getPerson',
  method: 'GET',
  path: '/v1/me',
  summary: 'The person who is signed in, and the merchants of whose teams it is',
  auth: { session: 'anyone' },
  query: z.strictObject({}),
  replies: succeeds({
    id: z.string().meta({ description: 'Subject at the identity provider.' }),
    merchants: z.array(merchant),
    may_create_merchant: z.boolean().meta({ description: 'By `POST /v1/merchants`.' }),
  }),
  errors: [],
});

export const createMerchant = defineRoute({
  ...SEES,
  id: 'createMerchant',
  method: 'POST',
  path: '/v1/merchants',
  summary: 'Make a merchant and own it, where the operator lets people do so; repeated, the same one',
  rateLimit: JOBS,
  auth: { session: 'anyone' },
  // Loose: a distribution adds what names the visitor.
  headers: z.looseObject({
    'idempotency-key': z.string().optional().meta({
      description: 'Without one, the same name is the same request.',
    }),
  }),
  body: z.strictObject({
    name: line(200).transform((name) => name.normalize('NFC')),
    email: emailAddress,
    time_zone: timeZone.optional(),
    reporting_currency: currencyCode.optional(),
  }),
  replies: { 201: z.object({ success: z.literal(true), merchant }) },
  errors: ['sign_up_closed', 'sign_up_limit', 'merchant_suspended', 'idempotency_key_reused', 'rate_limited'],
});

export const ME_ROUTES = [getPerson, createMerchant] as const;
