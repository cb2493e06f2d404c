// One credential of every kind, good and bad, and the API that they are tried on. Sessions are real tokens of a real key.
import { createLocalJWKSet } from 'jose';
import {
  createSessionSigner,
  generateSigningKey,
  type SessionClaims,
} from '../../lib/adapters/oidc/issuer.ts';
import { verifierWith } from '../../lib/adapters/oidc/session-verifier.ts';
import { formatApiKey } from '../../lib/core/tenancy/api-key.ts';
import { MEMBER_ROLES, type MemberRole } from '../../lib/core/tenancy/role.ts';
import { EVENT_SCOPES, type EventScope } from '../../lib/events/domain/scopes.ts';
import { MINE, NOW, openApi, THEIRS } from './api-host.ts';

const ISSUER = 'https://id.example';
const AUDIENCE = 'millrace-api';

export interface Credential {
  readonly name: string;
  readonly authorization: string | undefined;
  /** Nobody: 401. Otherwise what it proves. */
  readonly proves:
    | 'nobody'
    | 'stranger'
    | { readonly role: MemberRole }
    | { readonly scopes: readonly EventScope[] };
}

/** `addKey` gives the same keys to another application. */
export async function openWithCredentials(
  addKey: (key: string, scopes: readonly EventScope[], revokedAtMs?: number) => void,
) {
  const key = await generateSigningKey();
  const { d: _private, ...publicKey } = key;
  const clock = { now: () => NOW };
  const sessions = verifierWith(
    { issuer: ISSUER, audience: AUDIENCE },
    createLocalJWKSet({ keys: [publicKey] }),
    clock,
  );
  const host = await openApi(() => ({ sessions }));
  const issuer = await createSessionSigner(key);
  const forger = await createSessionSigner({ ...(await generateSigningKey()), kid: String(key.kid) });
  const claims = (subject: string): SessionClaims => ({
    issuer: ISSUER,
    audience: AUDIENCE,
    client: 'dashboard',
    subject,
    issuedAtSec: NOW / 1_000 - 60,
    lifetimeSec: 900,
  });
  const session = (subject: string, changes: Partial<SessionClaims> = {}, signer = issuer) =>
    signer.sign({ ...claims(subject), ...changes });
  const nobody = (name: string, authorization: string | undefined): Credential => ({
    name,
    authorization,
    proves: 'nobody',
  });
  const bearer = (name: string, token: string, proves: Credential['proves']): Credential => ({
    name,
    authorization: `Bearer ${token}`,
    proves,
  });
  const revoked = await host.keyFor(['admin']);
  await host.config.revokeApiKey(MINE, revoked.keyId, NOW);
  addKey(revoked.key, ['admin', 'events:write'], NOW);
  const keyWith = async (scopes: readonly EventScope[], merchantId = MINE) => {
    const { key } = await host.keyFor(scopes, merchantId);
    addKey(key, scopes);
    return key;
  };
  const owner = await session('mine-owner');
  const credentials: readonly Credential[] = [
    nobody('no header', undefined),
    nobody('an empty header', ''),
    nobody('a token without a scheme', owner),
    nobody('another scheme', `Basic ${Buffer.from('mine:owner').toString('base64')}`),
    nobody('no token', 'Bearer '),
    nobody('two tokens', `Bearer ${owner} ${owner}`),
    nobody('garbage', 'Bearer nonsense'),
    nobody('a token of 10,000 characters', `Bearer ${'a'.repeat(10_000)}`),
    nobody('a key that nobody has', `Bearer ${formatApiKey('evk_live', Buffer.alloc(32, 250))}`),
    nobody('a key with a wrong checksum', `Bearer ${(await keyWith(['admin'])).slice(0, -1)}_`),
    nobody('the prefix of a key', 'Bearer evk_live_'),
    bearer('a revoked key', revoked.key, 'nobody'),
    bearer('an expired session', await session('mine-owner', { issuedAtSec: NOW / 1_000 - 906 }), 'nobody'),
    bearer('a session of later', await session('mine-owner', { issuedAtSec: NOW / 1_000 + 6 }), 'nobody'),
    bearer('a session for others', await session('mine-owner', { audience: 'dashboard' }), 'nobody'),
    bearer('a session of another issuer', await session('mine-owner', { issuer: `${ISSUER}/` }), 'nobody'),
    bearer('a forged session', await session('mine-owner', {}, forger), 'nobody'),
    bearer('a session cut off', owner.slice(0, -1), 'nobody'),
    bearer('a session of a stranger', await session('stranger'), 'stranger'),
    ...(await Promise.all(
      MEMBER_ROLES.map(async (role) =>
        bearer(`a session of ${role}`, await session(`mine-${role}`), { role }),
      ),
    )),
    bearer('a session of another merchant’s owner', await session('theirs-owner'), { role: 'owner' }),
    ...(await Promise.all(
      EVENT_SCOPES.map(async (scope) =>
        bearer(`a key with ${scope}`, await keyWith([scope]), { scopes: [scope] }),
      ),
    )),
    bearer('a key without a scope', await keyWith([]), { scopes: [] }),
    bearer('another merchant’s key with admin', await keyWith(['admin'], THEIRS), { scopes: ['admin'] }),
  ];
  return { host: { ...host, signIn: (subject: string) => session(subject) }, credentials };
}
