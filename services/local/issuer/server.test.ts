// Goal: a person with the right password gets a token that the published key verifies; everybody else gets nothing.
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateSigningKey } from '../../../lib/adapters/oidc/issuer.ts';
import { type RunningIssuer, startIssuer } from './server.ts';

const NOW_MS = 1_795_176_000_000;
const owner = { subject: 'sub-1', email: 'owner@shop.example', password: 'correct horse' };
let issuer: RunningIssuer;
beforeEach(async () => {
  issuer = await startIssuer({
    port: 0,
    key: await generateSigningKey(),
    people: [owner],
    now: () => NOW_MS,
  });
});
afterEach(() => issuer.close());

const signIn = (fields: Record<string, string>) =>
  fetch(`${issuer.issuer}/token`, { method: 'POST', body: new URLSearchParams(fields) });

it('signs in with the password, whatever the case of the address', async () => {
  const answer = await signIn({
    grant_type: 'password',
    username: 'Owner@Shop.example',
    password: owner.password,
  });
  expect(answer.status).toBe(200);
  const { id_token, token_type, expires_in } = (await answer.json()) as Record<string, string>;
  expect([token_type, expires_in]).toEqual(['Bearer', 43_200]);
  const [header = '', payload = '', signature = ''] = String(id_token).split('.');
  const { keys } = (await (await fetch(issuer.jwksUrl)).json()) as { keys: (JsonWebKey & { kid: string })[] };
  const [key] = keys;
  expect(keys).toHaveLength(1);
  expect(key).not.toHaveProperty('d');
  expect(JSON.parse(decoded(header))).toEqual({ alg: 'ES256', typ: 'JWT', kid: key?.kid });
  expect(JSON.parse(decoded(payload))).toMatchObject({
    iss: issuer.issuer,
    aud: issuer.audience,
    sub: 'sub-1',
    iat: NOW_MS / 1_000,
    exp: NOW_MS / 1_000 + 43_200,
  });
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  const check = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', signed, check, Buffer.from(signature, 'base64url'))).toBe(true);
});

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString();

it.each([
  ['a wrong password', { grant_type: 'password', username: owner.email, password: 'wrong' }, 'invalid_grant'],
  ['no password', { grant_type: 'password', username: owner.email }, 'invalid_grant'],
  ['a stranger', { grant_type: 'password', username: 'x@shop.example', password: '' }, 'invalid_grant'],
  ['another grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
])('refuses %s', async (_name, fields, error) => {
  const answer = await signIn(fields as Record<string, string>);
  expect([answer.status, await answer.json()]).toEqual([400, { error }]);
});

it('says where its keys are', async () => {
  const answer = await fetch(`${issuer.issuer}/.well-known/openid-configuration`);
  expect(await answer.json()).toMatchObject({ issuer: issuer.issuer, jwks_uri: issuer.jwksUrl });
});
