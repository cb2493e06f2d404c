// Goal: only the issuer's access tokens for us are accepted; no other token is, from any signer, including the issuer.
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Outage } from '../../core/work/outage.ts';
import { createSessionVerifier } from './session-verifier.ts';

const NOW_SEC = 1_795_176_000;
const ISSUER = 'https://id.example';
const AUDIENCE = 'dashboard';
const clock = { now: () => NOW_SEC * 1000 };

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const GOOD = { iss: ISSUER, aud: AUDIENCE, sub: 'user-1', exp: NOW_SEC + 60, iat: NOW_SEC - 60 };

let server: Server;
let base = '';
const requests: string[] = [];
let failing = false;
/** Instead of the keys below. */
let published: object[] | undefined;
const jwk = (key: KeyObject, kid: string, alg: string) => ({
  ...key.export({ format: 'jwk' }),
  kid,
  alg,
  use: 'sig',
});
beforeAll(async () => {
  const jwks = { keys: [jwk(rsa.publicKey, 'rsa-1', 'RS256'), jwk(ec.publicKey, 'ec-1', 'ES256')] };
  const evil = { keys: [jwk(other.publicKey, 'rsa-1', 'RS256')] };
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.statusCode = failing ? 500 : 200;
    const keys = request.url === '/evil' ? evil : { keys: published ?? jwks.keys };
    response.end(failing ? 'no' : JSON.stringify(keys));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const verifier = () =>
  createSessionVerifier({ issuer: ISSUER, audience: AUDIENCE, jwksUrl: `${base}/jwks` }, clock);

const b64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

type Signer = (input: string) => Buffer;
const rs256: (key: KeyObject) => Signer = (key) => (input) => sign('sha256', Buffer.from(input), key);
const es256: Signer = (input) =>
  sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
const hmac: (hash: string, secret: string | Buffer) => Signer = (hash, secret) => (input) =>
  createHmac(hash, secret).update(input).digest();

function token(header: object, payload: unknown, signer: Signer): string {
  const input = `${b64(header)}.${b64(payload)}`;
  return `${input}.${signer(input).toString('base64url')}`;
}
const RSA = { alg: 'RS256', kid: 'rsa-1', typ: 'at+jwt' };
const COGNITO = { alg: 'RS256', kid: 'rsa-1' };
const signed = (payload: unknown, header: object = RSA) => token(header, payload, rs256(rsa.privateKey));
const cognito = (claims: object) =>
  signed({ ...without('aud'), client_id: AUDIENCE, token_use: 'access', ...claims }, COGNITO);
const without = (claim: keyof typeof GOOD) =>
  Object.fromEntries(Object.entries(GOOD).filter(([name]) => name !== claim));

describe('what is accepted', () => {
  const accepted: readonly (readonly [string, () => string])[] = [
    ['RS256', () => signed(GOOD)],
    ['ES256', () => token({ alg: 'ES256', kid: 'ec-1', typ: 'at+jwt' }, GOOD, es256)],
    ['the media type in full', () => signed(GOOD, { ...RSA, typ: 'application/AT+JWT' })],
    ['one audience of several', () => signed({ ...GOOD, aud: ['other', AUDIENCE] })],
    ['an access token of Cognito, which names the client instead of an audience', () => cognito({})],
    ['expired 4 s ago', () => signed({ ...GOOD, exp: NOW_SEC - 4 })],
    ['valid in 4 s', () => signed({ ...GOOD, nbf: NOW_SEC + 4 })],
    ['signed in 4 s', () => signed({ ...GOOD, iat: NOW_SEC + 4 })],
    ['a day old', () => signed({ ...GOOD, iat: NOW_SEC - 86_400 })],
    ['claims we do not know', () => signed({ ...GOOD, role: 'owner', merchant_id: 'x' })],
  ];
  it.each(accepted)('%s', async (_name, make) => {
    expect(await verifier().verify(make())).toEqual({ sub: 'user-1' });
  });
});

describe('what is refused', () => {
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const publicDer = rsa.publicKey.export({ type: 'spki', format: 'der' });
  const publicJwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }));
  const attackerJwk = createPublicKey(other.privateKey).export({ format: 'jwk' });
  const hs256 = (secret: string | Buffer) => token({ ...RSA, alg: 'HS256' }, GOOD, hmac('sha256', secret));
  const longer = (bits: string) =>
    token({ ...RSA, alg: `RS${bits}` }, GOOD, (input) =>
      sign(`sha${bits}`, Buffer.from(input), rsa.privateKey),
    );
  const forged = (header: object) => token({ ...RSA, ...header }, GOOD, rs256(other.privateKey));
  const refused: readonly (readonly [string, () => string])[] = [
    ['nothing', () => ''],
    ['dots', () => '..'],
    ['two parts', () => signed(GOOD).split('.').slice(0, 2).join('.')],
    ['five parts', () => `${signed(GOOD)}.a.b`],
    ['alg none without a signature', () => `${b64({ alg: 'none' })}.${b64(GOOD)}.`],
    ['alg None', () => `${b64({ alg: 'None' })}.${b64(GOOD)}.`],
    ['alg none with a signature', () => token({ ...RSA, alg: 'none' }, GOOD, rs256(rsa.privateKey))],
    ['no alg', () => token({ kid: 'rsa-1' }, GOOD, rs256(rsa.privateKey))],
    ['HS256 with the public key as PEM', () => hs256(publicPem as string)],
    ['HS256 with the public key as DER', () => hs256(publicDer as Buffer)],
    ['HS256 with the public key as JWK', () => hs256(publicJwk)],
    ['HS512 with an empty secret', () => token({ ...RSA, alg: 'HS512' }, GOOD, hmac('sha512', ''))],
    ['RS384', () => longer('384')],
    ['RS512', () => longer('512')],
    ['RS256 with the key id of the EC key', () => signed(GOOD, { ...RSA, kid: 'ec-1' })],
    ['ES256 with the key id of the RSA key', () => token({ ...RSA, alg: 'ES256' }, GOOD, es256)],
    ['another key under our key id', () => token(RSA, GOOD, rs256(other.privateKey))],
    ['an unknown key id', () => signed(GOOD, { ...RSA, kid: 'rsa-2' })],
    ['no key id', () => signed(GOOD, { alg: 'RS256', typ: 'at+jwt' })],
    ['an empty key id', () => signed(GOOD, { ...RSA, kid: '' })],
    ['a key id that is a number', () => signed(GOOD, { ...RSA, kid: 1 })],
    ['a key id that is a path', () => forged({ kid: '../../evil' })],
    ['a key in the header', () => forged({ jwk: attackerJwk })],
    ['a key set in the header', () => forged({ jku: `${base}/evil` })],
    ['a certificate in the header', () => forged({ x5u: `${base}/evil` })],
    ['our own signature beside a key in the header', () => signed(GOOD, { ...RSA, jwk: attackerJwk })],
    ['our own signature beside an address of keys', () => signed(GOOD, { ...RSA, jku: `${base}/evil` })],
    ['our own signature beside an address of certificates', () => signed(GOOD, { ...RSA, x5u: base })],
    ['our own signature beside a certificate', () => signed(GOOD, { ...RSA, x5c: ['MIIB'] })],
    ['a critical extension', () => signed(GOOD, { ...RSA, crit: ['b64'], b64: false })],
    ['a changed payload', () => signed(GOOD).replace(b64(GOOD), b64({ ...GOOD, sub: 'admin' }))],
    ['a changed header', () => signed(GOOD).replace(b64(RSA), b64({ ...RSA, typ: 'JWT' }))],
    ['an empty signature', () => `${signed(GOOD).split('.').slice(0, 2).join('.')}.`],
    ['expired 6 s ago', () => signed({ ...GOOD, exp: NOW_SEC - 6 })],
    ['no expiry', () => signed(without('exp'))],
    ['an expiry that is text', () => signed({ ...GOOD, exp: '9999999999' })],
    ['valid in 6 s', () => signed({ ...GOOD, nbf: NOW_SEC + 6 })],
    ['no time of issue', () => signed(without('iat'))],
    ['signed in 6 s', () => signed({ ...GOOD, iat: NOW_SEC + 6 })],
    ['signed more than a day ago, whatever its expiry', () => signed({ ...GOOD, iat: NOW_SEC - 86_410 })],
    ['a not-before that is text', () => signed({ ...GOOD, nbf: '0' })],
    ['an ID token of the same issuer', () => signed({ ...GOOD, nonce: 'n' }, { ...RSA, typ: 'JWT' })],
    ['no type', () => signed(GOOD, COGNITO)],
    ['a logout token', () => signed({ ...GOOD, events: {} }, { ...RSA, typ: 'logout+jwt' })],
    ['a type that begins like ours', () => signed(GOOD, { ...RSA, typ: 'at+jwtx' })],
    ['a type that is no text', () => signed(GOOD, { ...RSA, typ: ['at+jwt'] })],
    ['an ID token of Cognito', () => signed({ ...GOOD, token_use: 'id' }, COGNITO)],
    ['an ID token of Cognito that names a client', () => cognito({ aud: AUDIENCE, token_use: 'id' })],
    ['an access token of another client of Cognito', () => cognito({ client_id: 'mobile' })],
    ['an access token of Cognito for another audience', () => cognito({ aud: 'mobile' })],
    ['a token of Cognito without its use', () => cognito({ token_use: undefined })],
    ['a client in place of the audience', () => signed({ ...without('aud'), client_id: AUDIENCE })],
    ['another issuer', () => signed({ ...GOOD, iss: `${ISSUER}.evil` })],
    ['the issuer with a slash', () => signed({ ...GOOD, iss: `${ISSUER}/` })],
    ['no issuer', () => signed(without('iss'))],
    ['another audience', () => signed({ ...GOOD, aud: 'mobile' })],
    ['an audience that begins like ours', () => signed({ ...GOOD, aud: `${AUDIENCE}2` })],
    ['no audience', () => signed(without('aud'))],
    ['another audience beside our client_id', () => signed({ ...GOOD, aud: 'mobile', client_id: AUDIENCE })],
    ['an audience that is an object', () => signed({ ...GOOD, aud: { 0: AUDIENCE } })],
    ['no subject', () => signed(without('sub'))],
    ['an empty subject', () => signed({ ...GOOD, sub: '' })],
    ['a subject that is a number', () => signed({ ...GOOD, sub: 1 })],
    ['an endless subject', () => signed({ ...GOOD, sub: 'x'.repeat(300) })],
    ['a payload that is no object', () => signed('"text"')],
    ['a payload that is not JSON', () => signed('{')],
    ['more than 8 KiB', () => signed({ ...GOOD, pad: 'x'.repeat(8_000) })],
  ];
  it.each(refused)('%s', async (_name, make) => {
    expect(await verifier().verify(make())).toBeNull();
  });

  it('without ever asking an address that a token names', () => {
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter((url) => url !== '/jwks')).toEqual([]);
  });
});

describe('the provider’s keys', () => {
  afterEach(() => void vi.useRealTimers());

  it('are fetched once for many tokens, unknown key ids included', async () => {
    const before = requests.length;
    const one = verifier();
    await Promise.all(Array.from({ length: 20 }, () => one.verify(signed(GOOD))));
    for (let i = 0; i < 20; i++) await one.verify(signed(GOOD, { ...RSA, kid: `unknown-${i}` }));
    expect(requests.length - before).toBe(1);
  });

  it('follow a rotation: a new key once in 30 s, a withdrawn one for 10 minutes at most', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_SEC * 1_000 });
    const one = verifier();
    const old = signed(GOOD);
    const renewed = token({ ...RSA, kid: 'rsa-2' }, GOOD, rs256(other.privateKey));
    expect([await one.verify(old), await one.verify(renewed)]).toEqual([{ sub: 'user-1' }, null]);
    published = [jwk(other.publicKey, 'rsa-2', 'RS256')];
    const before = requests.length;
    vi.setSystemTime(NOW_SEC * 1_000 + 29_000);
    expect(await one.verify(renewed)).toBeNull();
    expect(requests.length - before).toBe(0);
    vi.setSystemTime(NOW_SEC * 1_000 + 31_000);
    expect(await one.verify(renewed)).toEqual({ sub: 'user-1' });
    expect(await one.verify(old)).toBeNull();
    expect(requests.length - before).toBe(1);
    published = undefined;
    vi.setSystemTime(NOW_SEC * 1_000 + 31_000 + 600_001);
    expect(await one.verify(renewed)).toBeNull();
    expect(await one.verify(old)).toEqual({ sub: 'user-1' });
  });

  it('when they cannot be had, are an outage and not a verdict', async () => {
    failing = true;
    await expect(verifier().verify(signed(GOOD))).rejects.toBeInstanceOf(Outage);
    failing = false;
    const nowhere = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: 'http://127.0.0.1:1/jwks' };
    await expect(createSessionVerifier(nowhere, clock).verify(signed(GOOD))).rejects.toBeInstanceOf(Outage);
    expect(await verifier().verify(signed(GOOD))).toEqual({ sub: 'user-1' });
  });
});
