// API keys of the helpdesk. The secret goes out once, in the answer that makes the key, and never again.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { ACTIVE_KEYS_MAX, API_KEY_ENVIRONMENTS } from '../../core/tenancy/api-key.ts';
import { HELPDESK_SCOPES } from '../domain/account/scopes.ts';
import { count, line, success, time, timeMs, timeOrNull, v1 } from './wire.ts';

const NAME_MAX_CHARS = 100;

export const helpdeskKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'What is left to be seen of the key.' }),
    environment: z.enum(API_KEY_ENVIRONMENTS),
    scopes: z.array(z.enum(HELPDESK_SCOPES)),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: time,
    created_by: z.string().nullable().meta({ description: '`user:<subject>` or `key:<id>`.' }),
    expires_at: timeOrNull,
    revoked_at: timeOrNull,
    last_used_at: timeOrNull.meta({ description: 'Written every five minutes at most.' }),
  })
  .meta({ id: 'HelpdeskApiKey' });

export const listHelpdeskKeys = defineRoute({
  ...v1('manage:workspace'),
  id: 'listHelpdeskKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'API keys, newest first; those that were revoked or have expired for 90 days more',
  replies: {
    200: z.object({
      success,
      api_keys: z.array(helpdeskKey),
      active: count,
      active_max: count.meta({ description: `${ACTIVE_KEYS_MAX.hdk} keys may be used at one time.` }),
    }),
  },
  errors: [],
});

export const createHelpdeskKey = defineRoute({
  ...v1('manage:workspace', 30),
  id: 'createHelpdeskKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  summary: 'Create an API key; its secret is in this answer and in no other',
  texts: {
    grant_exceeded: 'A key can grant no more than its creator has: its scopes, its environment, its end',
    api_key_limit: 'The workspace has as many API keys as it may have: revoke one that is no longer used',
  },
  idempotent: true,
  body: z.strictObject({
    name: line(NAME_MAX_CHARS),
    scopes: z
      .array(z.enum(HELPDESK_SCOPES))
      .min(1)
      .max(HELPDESK_SCOPES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once'),
    environment: z
      .enum(API_KEY_ENVIRONMENTS)
      .default('live')
      .meta({ description: 'Shows in the key as `hdk_live_` or `hdk_test_`. Both open the same workspace.' }),
    expires_at: timeMs.optional().meta({ description: 'Refused from then on; never where absent.' }),
  }),
  replies: {
    201: z.object({
      success,
      api_key: helpdeskKey,
      secret: z.string().meta({ description: 'The key itself. Only its hash is kept.' }),
    }),
  },
  errors: ['grant_exceeded', 'api_key_limit'],
});

export const revokeHelpdeskKey = defineRoute({
  ...v1('manage:workspace'),
  id: 'revokeHelpdeskKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/:id',
  summary:
    'Revoke an API key, for good, and what came from it: no request that comes after the answer is let in with it',
  texts: { not_found: 'API key not found' },
  params: z.object({ id: z.string().min(1).max(100) }),
  replies: {
    200: z.object({
      success,
      id: z.string(),
      revoked_at: time.meta({ description: 'Of the first time, however often it is asked for.' }),
      revoked_with_it: z.array(z.string()).meta({
        description:
          'What ended because it came from this key: ids of keys that it made, of people and invitations that it invited, and of what those made.',
      }),
    }),
  },
  errors: ['not_found'],
});

export const HELPDESK_KEY_ROUTES = [listHelpdeskKeys, createHelpdeskKey, revokeHelpdeskKey] as const;
