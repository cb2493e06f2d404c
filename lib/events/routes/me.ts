// Who is signed in, and for which merchants the person acts.
import * as z from 'zod';
import { MEMBER_ROLES } from '../../core/tenancy/role.ts';
import { defineRoute, SEES } from './define-route.ts';

/** A helpdesk has an operation `getMe`, of a caller and its workspace. */
export const getPerson = defineRoute({
  ...SEES,
  id: 'getPerson',
  method: 'GET',
  path: '/v1/me',
  summary: 'The person who is signed in, and the merchants of whose teams it is',
  auth: { session: 'anyone' },
  query: z.strictObject({}),
  replies: {
    200: z.object({
      success: z.literal(true),
      id: z.string().meta({ description: 'Subject at the identity provider.' }),
      merchants: z.array(
        z
          .object({
            id: z.string().meta({ description: 'As the header `Millrace-Merchant` takes it.' }),
            name: z.string(),
            role: z.enum(MEMBER_ROLES),
            suspended: z.boolean(),
          })
          .meta({ id: 'PersonMerchant' }),
      ),
    }),
  },
  errors: [],
});

export const ME_ROUTES = [getPerson] as const;
