// Goal: a person with the right password gets tokens that the API's own verifier takes, by authorization code and PKCE
// only, and can sign out; other callers get nothing. Method: real HTTP, one browser's cookies.
import { describe, expect, it } from 'vitest';
import { later, OWNER, PAGE, useLocalIssuer } from '#test/support/local-issuer.ts';
import {
  askToken,
  authorizeUrl,
  newVerifier,
  newVisitor,
  refresh,
  sendPassword,
  toPasswordPage,
} from '#test/support/oidc-client.ts';
import { CALLBACK_PATH } from './provider.ts';
import { CLIENT_ID } from './server.ts';

const { running, key, at, codeFor, signIn, apiTakes } = useLocalIssuer();

const claimsOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('signing in', () => {
  it('ends at the page with a code, the state, and the issuer', async () => {
    const { back } = await codeFor();
    expect(`${back.origin}${back.pathname}`).toBe(`${PAGE}${CALLBACK_PATH}`);
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([
      'state-1',
      running().issuer,
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
      email: OWNER.email,
    });
    later(900 + 6);
    expect(await apiTakes(tokens.access_token)).toBeNull();
  });

  it('takes the address in any case, and asks for no password where the browser is signed in', async () => {
    const visitor = newVisitor();
    const page = await toPasswordPage(visitor, authorizeUrl(at(), newVerifier()));
    expect((await sendPassword(visitor, page, ' Owner@Shop.example', OWNER.password)).status).toBe(303);
    await signIn(visitor);
    const answer = await visitor.ask(authorizeUrl(at(), newVerifier()));
    expect(answer.headers.get('location')).toContain(`${PAGE}${CALLBACK_PATH}?code=`);
  });

  it('makes a token for scripts without anybody signing in', async () => {
    expect(await apiTakes(await running().sign(OWNER))).toEqual({ sub: 'sub-1' });
  });

  it('publishes what it does, and the public half of its key', async () => {
    const about = (await (
      await fetch(`${running().issuer}/.well-known/openid-configuration`)
    ).json()) as object;
    expect(about).toMatchObject({
      issuer: running().issuer,
      authorization_endpoint: `${running().issuer}/authorize`,
      token_endpoint: `${running().issuer}/token`,
      revocation_endpoint: `${running().issuer}/revoke`,
      end_session_endpoint: `${running().issuer}/logout`,
      jwks_uri: running().jwksUrl,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const { keys } = (await (await fetch(running().jwksUrl)).json()) as { keys: object[] };
    expect(keys).toEqual([expect.objectContaining({ kid: key().kid, alg: 'ES256' })]);
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
    const localhost = running().issuer.replace('127.0.0.1', 'localhost');
    expect((await fetch(`${localhost}/jwks.json`)).status).toBe(421);
    for (const grant_type of ['password', 'client_credentials', 'implicit']) {
      const fields = { grant_type, client_id: CLIENT_ID, username: OWNER.email, password: OWNER.password };
      expect((await askToken(running().issuer, fields)).body.error).toBe('unsupported_grant_type');
    }
  });

  it('the dashboard, where no page is served', async () => {
    running().servePages([]);
    expect((await newVisitor().ask(authorizeUrl(at(), newVerifier()))).status).toBe(400);
  });
});

describe('ending', () => {
  it('revokes a refresh token with its family', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    const form = new URLSearchParams({ client_id: CLIENT_ID, token: second.refresh_token ?? '' });
    expect((await fetch(`${running().issuer}/revoke`, { method: 'POST', body: form })).status).toBe(200);
    expect((await refresh(at(), second.refresh_token)).status).toBe(400);
  });

  it('signs out after asking, ends the family, and returns to the page', async () => {
    const visitor = newVisitor();
    const tokens = await signIn(visitor);
    const fields = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: `${PAGE}/`, state: 's' };
    const url = `${running().issuer}/logout?${new URLSearchParams(fields)}`;
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
      const answer = await visitor.ask(`${running().issuer}/logout?${new URLSearchParams(fields)}`);
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
    const evil = await askToken(running().issuer, fields, { origin: 'http://evil.example' });
    expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([400, null]);
    expect(evil.body).not.toHaveProperty('access_token');
    const ours = await askToken(running().issuer, fields, { origin: PAGE });
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect(ours.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
