// API keys of the helpdesk. The secret goes out once, in the answer that makes the key, and never again.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { defineRoute } from '../../core/http/route.ts';
import { createKey, keyAbilities, listKeys, revokeKey, shownKey } from '../../core/routes/api-keys.ts';
import { ACTIVE_KEYS_MAX } from '../../core/tenancy/api-key.ts';
import { HELPDESK_SCOPES } from '../domain/account/scopes.ts';
import { count, line, success, timeMs, v1 } from './wire.ts';

const NAME_MAX_CHARS = 100;

const helpdeskKey = shownKey(HELPDESK_SCOPES, '`user:<subject>` or `key:<id>`.').meta({
  id: 'HelpdeskApiKey',
});

export const listHelpdeskKeys = defineRoute({
  ...v1('manage:workspace'),
  ...listKeys,
  id: 'listHelpdeskKeys',
  path: '/api/v1/api-keys',
  replies: succeeds({
    api_keys: z.array(helpdeskKey),
    active: count,
    active_max: count.meta({ description: `${ACTIVE_KEYS_MAX.hdk} keys may be used at one time.` }),
  }),
});

export const createHelpdeskKey = defineRoute({
  ...v1('manage:workspace', 30),
  ...createKey,
  id: 'createHelpdeskKey',
  path: '/api/v1/api-keys',
  texts: {
    grant_exceeded: 'A key can grant no more than its creator has: its scopes, its environment, its end',
    api_key_limit: 'The workspace has as many API keys as it may have: revoke one that is no longer used',
  },
  body: z.strictObject({
    name: line(NAME_MAX_CHARS),
    ...keyAbilities(
      HELPDESK_SCOPES,
      'Shows in the key as `hdk_live_` or `hdk_test_`. Both open the same workspace.',
    ),
    expires_at: timeMs.optional().meta({ description: 'Refused from then on; never where absent.' }),
  }),
  replies: {
    201: z.object({
      success,
      api_key: helpdeskKey,
      secret: z.string().meta({ description: 'The key itself. Only its hash is kept.' }),
    }),
  },
});

export const revokeHelpdeskKey = defineRoute({
  ...v1('manage:workspace'),
  ...revokeKey,
  id: 'revokeHelpdeskKey',
  path: '/api/v1/api-keys/:id',
  texts: { not_found: 'API key not found' },
});

export const HELPDESK_KEY_ROUTES = [listHelpdeskKeys, createHelpdeskKey, revokeHelpdeskKey] as const;
