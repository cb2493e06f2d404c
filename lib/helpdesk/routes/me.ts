// The caller: its workspace and what it may do there.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { ANY_SCOPE, defineRoute } from '../../core/http/route.ts';
import { MEMBER_ROLES } from '../../core/tenancy/role.ts';
import { HELPDESK_SCOPES } from '../domain/account/scopes.ts';

export const getMe = defineRoute({
  part: 'helpdesk',
  id: 'getMe',
  method: 'GET',
  path: '/api/v1/me',
  summary: 'The caller and its workspace, for any credential',
  auth: { key: ANY_SCOPE, keyHeader: 'x-api-key', session: 'see:helpdesk' },
  rateLimit: { perMinute: 60 },
  cors: 'listed',
  replies: succeeds({
    workspace: z.object({
      id: z.string(),
      name: z.string(),
      default_language: z.string().meta({ description: 'BCP 47.' }),
      default_timezone: z.string().meta({ description: 'IANA.' }),
    }),
    caller: z.object({
      type: z.enum(['user', 'api_key']),
      id: z.string().meta({ description: 'Subject of the session, or id of the key.' }),
      author_id: z.string().meta({ description: '`author.id` of the messages that the caller writes.' }),
      role: z.enum(MEMBER_ROLES).nullable().meta({ description: 'Null of a key.' }),
      scopes: z.array(z.enum(HELPDESK_SCOPES)),
    }),
  }),
  errors: [],
});

export const ME_ROUTES = [getMe] as const;
