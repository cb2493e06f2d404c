// Who is calling: an API key by its hash, or the subject of a session token by our own membership record.
// Guarantees: both are read on every request, so a revoked key and a removed member are refused by the next one; role and
// merchant never come from claims of a token.

import { bearerOf } from '../../../lib/core/http/request-rules.ts';
import { hashApiKey, isUsableKey, isWellFormedApiKey } from '../../../lib/core/tenancy/api-key.ts';
import type { Caller, Stranger } from '../../../lib/core/tenancy/caller.ts';
import type { ApiPorts } from './ports.ts';

const KEY_PREFIX = 'evk_';

/** Null: not a valid credential. A stranger: a valid session of somebody who is no member of any merchant. */
export async function authenticate(
  authorization: string | undefined,
  ports: Pick<ApiPorts, 'config' | 'sessions' | 'clock'>,
): Promise<Caller | Stranger | null> {
  const credential = bearerOf(authorization);
  if (credential === undefined) return null;
  return credential.startsWith(KEY_PREFIX)
    ? await keyCaller(credential, ports)
    : await sessionCaller(credential, ports);
}

async function keyCaller(
  key: string,
  { config, clock }: Pick<ApiPorts, 'config' | 'clock'>,
): Promise<Caller | null> {
  if (!isWellFormedApiKey(key)) return null;
  const record = await config.apiKey(hashApiKey(key));
  if (record === null || !isUsableKey(record, clock.now())) return null;
  const { keyId, merchantId, scopes } = record;
  return { kind: 'key', keyId, merchantId, scopes };
}

async function sessionCaller(
  token: string,
  { sessions, config }: Pick<ApiPorts, 'config' | 'sessions'>,
): Promise<Caller | Stranger | null> {
  const session = (await sessions?.verify(token)) ?? null;
  if (session === null) return null;
  const membership = await config.membership(session.sub);
  if (membership === null) return { kind: 'stranger', sub: session.sub };
  return { kind: 'session', sub: session.sub, merchantId: membership.merchantId, role: membership.role };
}
