// API keys of one product: what its routes read and answer. The product adds its paths, its scopes and what it asks of callers.
import * as z from 'zod';
import type { ErrorCode } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import { API_KEY_ENVIRONMENTS } from '../tenancy/api-key.ts';
import { succeeds } from './wire.ts';

const time = z.iso.datetime();

/** A key as it is shown. `createdBy` says what that field holds. */
export const shownKey = <Scope extends string>(scopes: readonly Scope[], createdBy: string) =>
  z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'What is left to be seen of the key.' }),
    environment: z.enum(API_KEY_ENVIRONMENTS),
    scopes: z.array(z.enum(scopes)),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: time,
    created_by: z.string().nullable().meta({ description: createdBy }),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable().meta({ description: 'Written every five minutes at most.' }),
  });

/** What a new key may do. `environment` says how it shows in the key. */
export const keyAbilities = <Scope extends string>(scopes: readonly Scope[], environment: string) => ({
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .refine((named) => new Set(named).size === named.length, 'must name each scope once'),
  environment: z.enum(API_KEY_ENVIRONMENTS).default('live').meta({ description: environment }),
});

type Shape = Omit<Route<ErrorCode>, 'part' | 'path' | 'auth' | 'id'>;

export const listKeys = {
  method: 'GET',
  summary: 'API keys, newest first; those that were revoked or have expired for 90 days more',
  errors: [],
} as const;

export const createKey = {
  method: 'POST',
  summary: 'Create an API key; its secret is in this answer and in no other',
  idempotent: true,
  errors: ['grant_exceeded', 'api_key_limit'],
} as const;

export const revokeKey = {
  method: 'DELETE',
  summary:
    'Revoke an API key, for good, and what came from it: no request that comes after the answer is let in with it',
  params: z.object({ id: z.string().min(1).max(100) }),
  replies: succeeds({
    id: z.string(),
    revoked_at: time.meta({ description: 'Of the first time, however often it is asked for.' }),
    revoked_with_it: z.array(z.string()).meta({
      description:
        'What ended because it came from this key: ids of keys that it made, of people and invitations that it invited, and of what those made.',
    }),
  }),
  errors: ['not_found'],
} as const satisfies Shape;
