// API keys of a merchant. The secret goes out once, in the answer that makes the key, and never again; a repeated
// `Idempotency-Key` gets that same answer, which is sealed for a day.
import * as z from 'zod';
import { READS } from '../../core/routes/call-limits.ts';
import { line, timeMs } from '../../core/routes/wire.ts';
import { ACTIVE_KEYS_MAX, API_KEY_ENVIRONMENTS } from '../../core/tenancy/api-key.ts';
import { EVENT_SCOPES } from '../domain/scopes.ts';
import { defineRoute, MANAGES } from './define-route.ts';

const NAME_MAX_CHARS = 100;

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'What is left to be seen of the key.' }),
    environment: z.enum(API_KEY_ENVIRONMENTS),
    scopes: z.array(z.enum(EVENT_SCOPES)),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: z.iso.datetime(),
    created_by: z.string().nullable().meta({ description: '`user:<id>` or `key:<id>`.' }),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'Written every five minutes at most.' }),
  })
  .meta({ id: 'ApiKey' });

export const listApiKeys = defineRoute({
  ...MANAGES,
  id: 'listApiKeys',
  rateLimit: READS,
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'API keys, newest first; those that were revoked or have expired for 90 days more',
  query: z.strictObject({}),
  replies: {
    200: z.object({
      success: z.literal(true),
      api_keys: z.array(apiKey),
      active: z.int(),
      active_max: z.int().meta({ description: `${ACTIVE_KEYS_MAX.evk} keys may be used at one time.` }),
    }),
  },
  errors: [],
});

export const createApiKey = defineRoute({
  ...MANAGES,
  id: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Create an API key; its secret is in this answer and in no other',
  idempotent: true,
  body: z.strictObject({
    name: line(NAME_MAX_CHARS),
    scopes: z
      .array(z.enum(EVENT_SCOPES))
      .min(1)
      .max(EVENT_SCOPES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once'),
    environment: z.enum(API_KEY_ENVIRONMENTS).default('live').meta({
      description:
        'Shows in the key as `evk_live_` or `evk_test_`, so that keys are not mixed up. Both open the same merchant.',
    }),
    expires_at: timeMs.optional().meta({ description: 'Refused from then on; never where absent.' }),
  }),
  replies: {
    201: z.object({
      success: z.literal(true),
      api_key: apiKey,
      secret: z.string().meta({
        description:
          'The key itself. Only its hash is kept, and with an `Idempotency-Key` this answer, sealed, for 24 hours.',
      }),
    }),
  },
  errors: ['grant_exceeded', 'api_key_limit'],
});

export const revokeApiKey = defineRoute({
  ...MANAGES,
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  summary:
    'Revoke an API key, for good, and what came from it: no request that comes after the answer is let in with it',
  params: z.object({ id: z.string().min(1).max(100) }),
  replies: {
    200: z.object({
      success: z.literal(true),
      id: z.string(),
      revoked_at: z.iso.datetime().meta({ description: 'Of the first time, however often it is asked for.' }),
      revoked_with_it: z.array(z.string()).meta({
        description:
          'What ended because it came from this key: ids of keys that it made, of people and invitations that it invited, and of what those made.',
      }),
    }),
  },
  errors: ['not_found'],
});

export const API_KEY_ROUTES = [listApiKeys, createApiKey, revokeApiKey] as const;
