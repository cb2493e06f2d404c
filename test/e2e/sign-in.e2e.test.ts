// Signing in as a person does, in a real browser against the running host: from a page of the dashboard to the issuer's password
// page and back, with PKCE made in the page; then the API, a refresh, a token used twice, and signing out.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Host, startHost } from '../../services/local/host.ts';
import { browserWanted, launchBrowser } from '../support/pixel/browser.ts';

let host: Host;
let folder: string;
let dashboard: Server;
let dashboardUrl: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

/** The dashboard's part, as functions of a page without any library. */
const DASHBOARD = `<!doctype html><title>Dashboard</title><script>
const text = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const form = (fields) => ({ method: 'POST', body: new URLSearchParams(fields) });
async function begin(issuer, client) {
  const about = await (await fetch(issuer + '/.well-known/openid-configuration')).json();
  const verifier = text(crypto.getRandomValues(new Uint8Array(32)));
  const state = text(crypto.getRandomValues(new Uint8Array(16)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem('begun', JSON.stringify({ verifier, state, client, token: about.token_endpoint }));
  location.href = about.authorization_endpoint + '?' + new URLSearchParams({
    client_id: client, redirect_uri: location.origin + '/sign-in/callback', response_type: 'code', scope: 'openid email',
    state, nonce: state, code_challenge: text(new Uint8Array(digest)), code_challenge_method: 'S256',
  });
}
async function finish() {
  const begun = JSON.parse(sessionStorage.getItem('begun'));
  const given = new URLSearchParams(location.search);
  if (given.get('state') !== begun.state) throw new Error('another sign-in');
  const answer = await fetch(begun.token, form({
    grant_type: 'authorization_code', client_id: begun.client, code: given.get('code'),
    redirect_uri: location.origin + '/sign-in/callback', code_verifier: begun.verifier,
  }));
  return { status: answer.status, ...(await answer.json()) };
}
async function renew(refresh_token) {
  const begun = JSON.parse(sessionStorage.getItem('begun'));
  const answer = await fetch(begun.token, form({ grant_type: 'refresh_token', client_id: begun.client, refresh_token }));
  return { status: answer.status, ...(await answer.json()) };
}
const call = async (path, token) => (await fetch(path, { headers: { authorization: 'Bearer ' + token } })).status;
</script>`;

interface Reply {
  readonly status: number;
  readonly error?: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

const inPage = <T>(expression: string): Promise<T> => page.evaluate(expression) as Promise<T>;

async function toPasswordPage(): Promise<void> {
  const { issuer_url, client_id } = host.session;
  await page.goto(`${dashboardUrl}/`);
  await inPage(`void begin('${issuer_url}', '${client_id}')`);
  await page.waitForURL(`${issuer_url}/sign-in/*`);
}

async function typePassword(password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(host.session.owner_email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(): Promise<Reply> {
  await toPasswordPage();
  await typePassword(host.session.owner_password);
  await page.waitForURL(`${dashboardUrl}/sign-in/callback?*`);
  return await inPage<Reply>('finish()');
}

describe.runIf(browserWanted)('a person with a browser', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sign-in-e2e-'));
    dashboard = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(DASHBOARD);
    });
    await new Promise<void>((resolve) => dashboard.listen(0, '127.0.0.1', resolve));
    dashboardUrl = `http://127.0.0.1:${(dashboard.address() as AddressInfo).port}`;
    [host, browser] = await Promise.all([
      startHost({ portBase: 0, dataDir: folder, pages: [dashboardUrl] }),
      launchBrowser(),
    ]);
  });
  beforeEach(async () => {
    complaints.length = 0;
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (/Content Security Policy|CORS/.test(message.text())) complaints.push(message.text());
    });
    page.on('dialog', () => complaints.push('a dialog'));
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
    dashboard?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('signs in, uses the API, renews, and is signed out where a token was used twice', async () => {
    const first = await signIn();
    expect([first.status, first.error]).toEqual([200, undefined]);
    expect(await inPage(`call('${host.session.api_url}/v1/platforms', '${first.access_token}')`)).toBe(200);
    expect(await inPage(`call('${host.session.api_url}/v1/platforms', '${first.id_token}')`)).toBe(401);
    const second = await inPage<Reply>(`renew('${first.refresh_token}')`);
    expect(second.status).toBe(200);
    expect(await inPage(`call('${host.session.api_url}/v1/platforms', '${second.access_token}')`)).toBe(200);
    expect(await inPage(`renew('${first.refresh_token}')`)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect(await inPage(`renew('${second.refresh_token}')`)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect(await inPage('finish()')).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('is told of a wrong password on a page that is styled and runs nothing', async () => {
    await toPasswordPage();
    await typePassword('"><script>alert(1)</script>');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('The e-mail or the password is wrong.');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(host.session.owner_email);
    expect(await page.locator('script').count()).toBe(0);
    expect(await inPage(`getComputedStyle(document.querySelector('main')).borderRadius`)).toBe('12px');
    await typePassword(host.session.owner_password);
    await page.waitForURL(`${dashboardUrl}/sign-in/callback?*`);
  });

  it('signs out: no password is asked before, one is asked after', async () => {
    const { issuer_url } = host.session;
    const { id_token, refresh_token } = await signIn();
    await page.goto(`${dashboardUrl}/`);
    await inPage(`void begin('${issuer_url}', '${host.session.client_id}')`);
    await page.waitForURL(`${dashboardUrl}/sign-in/callback?*`);
    const fields = { id_token_hint: id_token, post_logout_redirect_uri: `${dashboardUrl}/` };
    await page.goto(`${issuer_url}/logout?${new URLSearchParams(fields)}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${dashboardUrl}/`);
    expect(await inPage(`renew('${refresh_token}')`)).toMatchObject({ status: 400, error: 'invalid_grant' });
    await toPasswordPage();
  });
});
