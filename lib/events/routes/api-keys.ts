// API keys of a merchant. The secret goes out once, in the answer that makes the key, and never again; a repeated
// `Idempotency-Key` gets that same answer, which is sealed for a day.
import * as z from 'zod';
import { createKey, keyAbilities, listKeys, revokeKey, shownKey } from '../../core/routes/api-keys.ts';
import { READS } from '../../core/routes/call-limits.ts';
import { line, succeeds } from '../../core/routes/wire.ts';
import { ACTIVE_KEYS_MAX } from '../../core/tenancy/api-key.ts';
import { EVENT_SCOPES } from '../domain/scopes.ts';
import { defineRoute, MANAGES } from './define-route.ts';
import { instant } from './instant.ts';

const NAME_MAX_CHARS = 100;

const apiKey = shownKey(EVENT_SCOPES, '`user:<id>` or `key:<id>`.').meta({ id: 'ApiKey' });

export const listApiKeys = defineRoute({
  ...MANAGES,
  ...listKeys,
  id: 'listApiKeys',
  rateLimit: READS,
  path: '/v1/api-keys',
  query: z.strictObject({}),
  replies: succeeds({
    api_keys: z.array(apiKey),
    active: z.int(),
    active_max: z.int().meta({ description: `${ACTIVE_KEYS_MAX.evk} keys may be used at one time.` }),
  }),
});

export const createApiKey = defineRoute({
  ...MANAGES,
  ...createKey,
  id: 'createApiKey',
  path: '/v1/api-keys',
  body: z.strictObject({
    name: line(NAME_MAX_CHARS),
    ...keyAbilities(
      EVENT_SCOPES,
      'Shows in the key as `evk_live_` or `evk_test_`. Both open the same merchant. What is sent with a test key is marked, counted apart, and goes to platforms only as a test that they count nowhere.',
    ),
    expires_at: instant.optional().meta({ description: 'Refused from then on; never where absent.' }),
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
});

export const revokeApiKey = defineRoute({
  ...MANAGES,
  ...revokeKey,
  id: 'revokeApiKey',
  path: '/v1/api-keys/:id',
});

export const API_KEY_ROUTES = [listApiKeys, createApiKey, revokeApiKey] as const;
