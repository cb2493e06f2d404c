// Goal: a person with the right password gets tokens that the API's own verifier takes, by authorization code and PKCE only;
// what was taken once is refused and ends its family; nobody else gets anything. Method: real HTTP, one browser's cookies.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateSigningKey, type SigningKey } from '../../../lib/adapters/oidc/issuer.ts';
import { createSessionVerifier } from '../../../lib/adapters/oidc/session-verifier.ts';
import {
  askToken,
  authorizeUrl,
  backToPage,
  exchange,
  newVerifier,
  newVisitor,
  refresh,
  sendPassword,
  toPasswordPage,
} from '../../../test/support/oidc-client.ts';
import { CALLBACK_PATH } from './provider.ts';
import { CLIENT_ID, type RunningIssuer, startIssuer } from './server.ts';
import type { SignIns } from './sign-in-store.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
const PAGE = 'http://127.0.0.1:4101';
const owner = { subject: 'sub-1', email: 'owner@shop.example', password: 'correct horse' };
const problems: unknown[] = [];
let key: SigningKey;
let file: SignIns | undefined;
let issuer: RunningIssuer;

async function open(): Promise<RunningIssuer> {
  const running = await startIssuer({
    port: 0,
    key,
    people: [owner],
    now: Date.now,
    file: {
      read: () => structuredClone(file),
      write: (signIns) => {
        file = JSON.parse(JSON.stringify(signIns)) as SignIns;
      },
    },
    onError: (_problem, error) => problems.push(error),
  });
  running.servePages([PAGE]);
  return running;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
  file = undefined;
  problems.length = 0;
  key = await generateSigningKey();
  issuer = await open();
});
afterEach(async () => {
  await issuer.close();
  vi.useRealTimers();
  expect(problems).toEqual([]);
});

const later = (sec: number): void => void vi.setSystemTime(Date.now() + sec * 1_000);
const at = () => ({ issuer: issuer.issuer, clientId: CLIENT_ID, redirectUri: `${PAGE}${CALLBACK_PATH}` });

async function codeFor(visitor = newVisitor(), changes: Readonly<Record<string, string>> = {}) {
  const verifier = newVerifier();
  const page = await toPasswordPage(visitor, authorizeUrl(at(), verifier, changes));
  const signedIn = await sendPassword(visitor, page, owner.email, owner.password);
  const back = await backToPage(visitor, signedIn, issuer.issuer);
  return { verifier, back, code: back.searchParams.get('code') ?? '' };
}

async function signIn(visitor = newVisitor()) {
  const { verifier, code } = await codeFor(visitor);
  const reply = await exchange(at(), code, verifier);
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  return { ...reply.body, code, verifier };
}

const claimsOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const apiTakes = (token = '') => createSessionVerifier(issuer, { now: Date.now }).verify(token);

describe('signing in', () => {
  it('ends at the page with a code, the state, and the issuer', async () => {
    const { back } = await codeFor();
    expect(`${back.origin}${back.pathname}`).toBe(`${PAGE}${CALLBACK_PATH}`);
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([
      'state-1',
      issuer.issuer,
    ]);
  });

  it('gives an access token that the API takes, and an ID token that it does not', async () => {
    const tokens = await signIn();
    expect([tokens.token_type, tokens.expires_in]).toEqual(['Bearer', 900]);
    expect(await apiTakes(tokens.access_token)).toEqual({ sub: 'sub-1' });
    expect(await apiTakes(tokens.id_token)).toBeNull();
    expect(claimsOf(tokens.access_token)).toMatchObject({ aud: 'millrace-api', client_id: CLIENT_ID });
    expect(claimsOf(tokens.id_token)).toMatchObject({
      aud: CLIENT_ID,
      nonce: 'nonce-1',
      sub: 'sub-1',
      email: owner.email,
    });
    later(900 + 6);
    expect(await apiTakes(tokens.access_token)).toBeNull();
  });

  it('takes the address in any case, and asks for no password where the browser is signed in', async () => {
    const visitor = newVisitor();
    const page = await toPasswordPage(visitor, authorizeUrl(at(), newVerifier()));
    expect((await sendPassword(visitor, page, ' Owner@Shop.example', owner.password)).status).toBe(303);
    await signIn(visitor);
    const answer = await visitor.ask(authorizeUrl(at(), newVerifier()));
    expect(answer.headers.get('location')).toContain(`${PAGE}${CALLBACK_PATH}?code=`);
  });

  it('makes a token for scripts without anybody signing in', async () => {
    expect(await apiTakes(await issuer.sign(owner))).toEqual({ sub: 'sub-1' });
  });

  it('publishes what it does, and the public half of its key', async () => {
    const about = (await (await fetch(`${issuer.issuer}/.well-known/openid-configuration`)).json()) as object;
    expect(about).toMatchObject({
      issuer: issuer.issuer,
      authorization_endpoint: `${issuer.issuer}/authorize`,
      token_endpoint: `${issuer.issuer}/token`,
      revocation_endpoint: `${issuer.issuer}/revoke`,
      end_session_endpoint: `${issuer.issuer}/logout`,
      jwks_uri: issuer.jwksUrl,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const { keys } = (await (await fetch(issuer.jwksUrl)).json()) as { keys: object[] };
    expect(keys).toEqual([expect.objectContaining({ kid: key.kid, alg: 'ES256' })]);
    expect(keys[0]).not.toHaveProperty('d');
  });
});

describe('what is refused at the door', () => {
  it.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['PKCE in the clear', { code_challenge_method: 'plain' }],
    ['the implicit flow', { response_type: 'token' }],
    ['an ID token from the front', { response_type: 'id_token' }],
    ['both', { response_type: 'code id_token' }],
    ['a resource we do not serve', { resource: 'https://other.example/' }],
  ])('%s, with the error told to the page', async (_name, changes) => {
    const answer = await newVisitor().ask(authorizeUrl(at(), newVerifier(), changes));
    const back = new URL(answer.headers.get('location') ?? 'about:blank');
    expect(`${back.origin}${back.pathname}`).toBe(`${PAGE}${CALLBACK_PATH}`);
    expect(back.href).toMatch(/[?#&]error=\w+/);
    expect(back.href).not.toMatch(/[?#&](?:code|access_token|id_token)=/);
  });

  it.each([
    ['another path', `${PAGE}${CALLBACK_PATH}/x`],
    ['a query', `${PAGE}${CALLBACK_PATH}?x=1`],
    ['another port', `http://127.0.0.1:4102${CALLBACK_PATH}`],
    ['another scheme', `https://127.0.0.1:4101${CALLBACK_PATH}`],
    ['another name of this machine', `http://localhost:4101${CALLBACK_PATH}`],
    ['a name before ours', `http://evil@127.0.0.1:4101${CALLBACK_PATH}`],
    ['another case', `${PAGE}${CALLBACK_PATH.toUpperCase()}`],
    ['nothing', ''],
  ])('a redirect to %s, with nobody sent anywhere', async (_name, uri) => {
    const answer = await newVisitor().ask(authorizeUrl(at(), newVerifier(), { redirect_uri: uri }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain('That did not work');
  });

  it('unknown clients, other names of this address, and the grants that we do not have', async () => {
    const stranger = await newVisitor().ask(authorizeUrl(at(), newVerifier(), { client_id: 'other' }));
    expect([stranger.status, stranger.headers.get('location')]).toEqual([400, null]);
    const localhost = issuer.issuer.replace('127.0.0.1', 'localhost');
    expect((await fetch(`${localhost}/jwks.json`)).status).toBe(421);
    for (const grant_type of ['password', 'client_credentials', 'implicit']) {
      const fields = { grant_type, client_id: CLIENT_ID, username: owner.email, password: owner.password };
      expect((await askToken(issuer.issuer, fields)).body.error).toBe('unsupported_grant_type');
    }
  });

  it('the dashboard, where no page is served', async () => {
    issuer.servePages([]);
    expect((await newVisitor().ask(authorizeUrl(at(), newVerifier()))).status).toBe(400);
  });
});

describe('the password page', () => {
  const openPage = async () => {
    const visitor = newVisitor();
    return { visitor, page: await toPasswordPage(visitor, authorizeUrl(at(), newVerifier())) };
  };

  it('is plain HTML under a strict policy', async () => {
    const { visitor, page } = await openPage();
    const answer = await visitor.ask(page);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const part of [
      `default-src 'none'`,
      `script-src 'none'`,
      `frame-ancestors 'none'`,
      `base-uri 'none'`,
    ])
      expect(policy).toContain(part);
    expect(policy).toContain(`form-action 'self' ${PAGE};`);
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    expect(html).not.toMatch(/<script|\son\w+=|https?:\/\//i);
    expect(html).toContain('autocomplete="current-password"');
  });

  it('says the same to a wrong name and a wrong password, and shows what was typed as text', async () => {
    const { visitor, page } = await openPage();
    const wrong = await sendPassword(visitor, page, owner.email, 'wrong');
    const stranger = await sendPassword(visitor, page, 'nobody@shop.example', '');
    const texts = [await wrong.text(), await stranger.text()];
    expect([wrong.status, stranger.status]).toEqual([401, 401]);
    expect(texts[0]?.replace(owner.email, '')).toBe(texts[1]?.replace('nobody@shop.example', ''));
    const typed = await sendPassword(visitor, page, '"><img src=x onerror=alert(1)>', 'x');
    expect(await typed.text()).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"');
  });

  it('lets ten wrong passwords a minute pass, whoever races, and then not even the right one', async () => {
    const { visitor, page } = await openPage();
    const tries = await Promise.all(
      Array.from({ length: 64 }, (_, i) => sendPassword(visitor, page, `a${i}@shop.example`, 'wrong')),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(54);
    const right = await sendPassword(visitor, page, owner.email, owner.password);
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, '60']);
    later(60);
    expect((await sendPassword(visitor, page, owner.email, owner.password)).status).toBe(303);
  });

  it('is for the browser that began, for ten minutes, and for forms of its own', async () => {
    const { visitor, page } = await openPage();
    const form = new URLSearchParams({ email: owner.email, password: owner.password });
    expect((await fetch(page, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(400);
    const other = await openPage();
    expect((await sendPassword(other.visitor, page, owner.email, owner.password)).status).toBe(400);
    const foreign = { method: 'POST', body: form, headers: { origin: 'http://evil.example' } };
    expect((await visitor.ask(page, foreign)).status).toBe(403);
    const large = { method: 'POST', body: 'x'.repeat(5_000) };
    expect((await visitor.ask(page, large)).status).toBe(413);
    expect((await visitor.ask(page, { method: 'DELETE' })).status).toBe(405);
    later(601);
    expect((await sendPassword(visitor, page, owner.email, owner.password)).status).toBe(400);
  });
});

describe('a code', () => {
  it('is refused with another verifier, another redirect, another client, and after 60 s', async () => {
    const first = await codeFor();
    expect((await exchange(at(), first.code, newVerifier())).body.error).toBe('invalid_grant');
    const moved = { ...at(), redirectUri: `${PAGE}/` };
    expect((await exchange(moved, first.code, first.verifier)).body.error).toBe('invalid_grant');
    const stranger = { ...at(), clientId: 'other' };
    expect((await exchange(stranger, first.code, first.verifier)).body.error).toBe('invalid_client');
    later(59);
    expect((await exchange(at(), first.code, first.verifier)).status).toBe(200);
    const second = await codeFor();
    later(60);
    expect((await exchange(at(), second.code, second.verifier)).body.error).toBe('invalid_grant');
  });

  it.each([
    ['at once', 0],
    ['after its 60 s', 120],
  ])('that is used again %s is refused and ends the family', async (_name, afterSec) => {
    const tokens = await signIn();
    later(afterSec);
    expect((await exchange(at(), tokens.code, tokens.verifier)).body.error).toBe('invalid_grant');
    expect((await refresh(at(), tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends the family even where whoever found it has no verifier', async () => {
    const tokens = await signIn();
    expect((await exchange(at(), tokens.code, newVerifier())).status).toBe(400);
    expect((await refresh(at(), tokens.refresh_token)).status).toBe(400);
  });

  it('is taken once by 32 that race, and nobody goes on with what the winner got', async () => {
    const { code, verifier } = await codeFor();
    const replies = await Promise.all(Array.from({ length: 32 }, () => exchange(at(), code, verifier)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(new Set(replies.map(({ body }) => body.error ?? 'won'))).toContain('invalid_grant');
    for (const { body } of won) expect((await refresh(at(), body.refresh_token)).status).toBe(400);
  });
});

describe('a refresh token', () => {
  it('gives new tokens, each time another one', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    const third = (await refresh(at(), second.refresh_token)).body;
    expect(new Set([first.refresh_token, second.refresh_token, third.refresh_token]).size).toBe(3);
    expect(await apiTakes(third.access_token)).toEqual({ sub: 'sub-1' });
  });

  it('that is used again is refused and ends the family', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    later(3_600);
    expect((await refresh(at(), first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(at(), second.refresh_token)).body.error).toBe('invalid_grant');
    // Another browser of the same person is another family.
    expect((await refresh(at(), (await signIn()).refresh_token)).status).toBe(200);
  });

  it('is taken once by 32 that race, and the family ends', async () => {
    const { refresh_token } = await signIn();
    const replies = await Promise.all(Array.from({ length: 32 }, () => refresh(at(), refresh_token)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) expect((await refresh(at(), body.refresh_token)).status).toBe(400);
    expect((await refresh(at(), refresh_token)).status).toBe(400);
  });

  it('ends after 14 days without use, and with its family after 30', async () => {
    const idle = await signIn();
    later(14 * 86_400 + 1);
    expect((await refresh(at(), idle.refresh_token)).status).toBe(400);
    let { refresh_token } = await signIn();
    for (let day = 10; day < 30; day += 10) {
      later(10 * 86_400);
      refresh_token = (await refresh(at(), refresh_token)).body.refresh_token;
      expect(refresh_token).toBeDefined();
    }
    later(10 * 86_400 + 1);
    expect((await refresh(at(), refresh_token)).status).toBe(400);
  });

  it('survives a restart, and so does what was taken', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    await issuer.close();
    issuer = await open();
    const third = (await refresh(at(), second.refresh_token)).body;
    expect(await apiTakes(third.access_token)).toEqual({ sub: 'sub-1' });
    expect((await refresh(at(), first.refresh_token)).status).toBe(400);
    await issuer.close();
    issuer = await open();
    expect((await refresh(at(), third.refresh_token)).status).toBe(400);
  });
});

describe('ending', () => {
  it('revokes a refresh token with its family', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    const form = new URLSearchParams({ client_id: CLIENT_ID, token: second.refresh_token ?? '' });
    expect((await fetch(`${issuer.issuer}/revoke`, { method: 'POST', body: form })).status).toBe(200);
    expect((await refresh(at(), second.refresh_token)).status).toBe(400);
  });

  it('signs out after asking, ends the family, and returns to the page', async () => {
    const visitor = newVisitor();
    const tokens = await signIn(visitor);
    const fields = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: `${PAGE}/`, state: 's' };
    const url = `${issuer.issuer}/logout?${new URLSearchParams(fields)}`;
    const asked = await visitor.ask(url);
    const html = await asked.text();
    expect(html).toContain('Sign out of Millrace?');
    expect(html).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/i);
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
    const without = await visitor.ask(action, {
      method: 'POST',
      body: new URLSearchParams({ logout: 'yes' }),
    });
    expect(without.status).toBe(400);
    const again = await (await visitor.ask(url)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(again)?.[1] ?? '';
    const form = { method: 'POST', body: new URLSearchParams({ logout: 'yes', xsrf }) };
    const { headers } = await visitor.ask(action, form);
    expect(headers.get('location')).toBe(`${PAGE}/?state=s`);
    expect((await refresh(at(), tokens.refresh_token)).status).toBe(400);
    const next = await visitor.ask(authorizeUrl(at(), newVerifier()));
    expect(next.headers.get('location')).toContain('/sign-in/');
  });

  it.each([`${PAGE}/x`, 'http://evil.example/', 'javascript:alert(1)'])(
    'does not return to %s',
    async (uri) => {
      const visitor = newVisitor();
      const { id_token = '' } = await signIn(visitor);
      const fields = { id_token_hint: id_token, post_logout_redirect_uri: uri };
      const answer = await visitor.ask(`${issuer.issuer}/logout?${new URLSearchParams(fields)}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    },
  );
});

describe('pages of other origins', () => {
  it('cannot read tokens; the dashboard can', async () => {
    const { code, verifier } = await codeFor();
    const fields = {
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: `${PAGE}${CALLBACK_PATH}`,
      code,
      code_verifier: verifier,
    };
    const evil = await askToken(issuer.issuer, fields, { origin: 'http://evil.example' });
    expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([400, null]);
    expect(evil.body).not.toHaveProperty('access_token');
    const ours = await askToken(issuer.issuer, fields, { origin: PAGE });
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect(ours.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
