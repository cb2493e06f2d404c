// Goal: a person signs in once and stays signed in, in as many tabs as there are, and no token can be read from the page.
// Method: the real issuer, API and browser; where the API must refuse a token, the request loses it on its way.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const stored = (page: Page) =>
  page.evaluate(
    'JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })',
  ) as Promise<string>;

describe.runIf(browserWanted)('signing in', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  it('comes back to the URL that was asked for, filters and all', async () => {
    const page = await suite.opened('/events?platform=meta&status=DELIVERED');
    expect(await page.getByLabel('Platform').inputValue()).toBe('meta');
    expect(await page.getByLabel('Status').inputValue()).toBe('DELIVERED');
  });

  it('keeps the access token in memory: no storage, no cookie and no URL has it', async () => {
    const visit = await suite.visit();
    const { page } = visit;
    const tokens = new Set<string>();
    page.on('request', (request) => {
      const token = request.headers().authorization?.slice('Bearer '.length);
      if (token !== undefined) tokens.add(token);
    });
    await signIn(visit, suite.host());
    await settled(page);
    expect(tokens.size).toBe(1);
    const places = (await stored(page)) + page.url() + JSON.stringify(await page.context().cookies());
    for (const token of tokens) expect(places).not.toContain(token);
    expect(await stored(page)).toContain('millrace.refresh');
  });

  it('needs no password after a reload, and uses each refresh token once', async () => {
    const page = await suite.opened();
    const seen: string[] = [];
    for (let reload = 0; reload < 3; reload++) {
      seen.push(String(await page.evaluate("sessionStorage.getItem('millrace.refresh')")));
      await page.reload();
      await settled(page);
    }
    expect(new Set(seen).size).toBe(3);
    expect(page.url()).toBe(suite.host().session.dashboard_url);
  });

  it('lets a second tab in without a password, and a copy of a tab keeps both signed in', async () => {
    const page = await suite.opened();
    const second = await page.context().newPage();
    await second.goto(`${suite.host().session.origin_url}/events`);
    await settled(second);
    // A window that a page opens gets a copy of its storage, refresh token included.
    const [copy] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate("void window.open('/keys')"),
    ]);
    await copy.getByRole('heading', { name: 'API keys' }).waitFor();
    for (const tab of [page, second, copy]) {
      await tab.reload();
      await settled(tab);
    }
    expect(new URL(copy.url()).pathname).toBe('/keys');
  });

  it('signs out everywhere: other tabs say so, and the next visit asks for the password', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host());
    const other = await visit.context.newPage();
    await other.goto(suite.host().session.dashboard_url);
    await settled(other);
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await visit.page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await other.getByText('Your session has ended').waitFor();
    await visit.page.getByRole('button', { name: 'Sign in' }).click();
    await visit.page.getByLabel('Password').waitFor();
  });

  it('refuses an answer to a sign-in that it did not begin, and offers another try', async () => {
    const { page } = await suite.visit();
    await page.goto(`${suite.host().session.origin_url}/sign-in/callback?code=stolen&state=other`);
    await page.getByRole('alert').getByText('not begun in this tab').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Password').waitFor();
  });
});
