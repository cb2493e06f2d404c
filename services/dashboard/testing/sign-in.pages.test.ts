// Goal: a person signs in once and stays signed in, in as many tabs as there are, and no token can be read from the page.
// Method: the real issuer, API and browser; where the API must refuse a token, the request loses it on its way.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const stored = (page: Page) =>
  page.evaluate(
    'JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })',
  ) as Promise<string>;

describe.runIf(browserWanted)('signing in', () => {
  const suite = useDashboard();

  it('comes back to the URL that was asked for, filters and all', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host(), '/events?platform=meta&status=DELIVERED');
    expect(await visit.page.getByLabel('Platform').inputValue()).toBe('meta');
    expect(await visit.page.getByLabel('Status').inputValue()).toBe('DELIVERED');
  });

  it('keeps the access token in memory: no storage, no cookie and no URL has it', async () => {
    const visit = await suite.visit();
    const tokens = new Set<string>();
    visit.page.on('request', (request) => {
      const token = request.headers().authorization?.slice('Bearer '.length);
      if (token !== undefined) tokens.add(token);
    });
    await signIn(visit, suite.host());
    await settled(visit.page);
    expect(tokens.size).toBe(1);
    const places =
      (await stored(visit.page)) + visit.page.url() + JSON.stringify(await visit.context.cookies());
    for (const token of tokens) expect(places).not.toContain(token);
    expect(await stored(visit.page)).toContain('millrace.refresh');
  });

  it('needs no password after a reload, and uses each refresh token once', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host());
    const seen: string[] = [];
    for (let reload = 0; reload < 3; reload++) {
      seen.push(String(await visit.page.evaluate("sessionStorage.getItem('millrace.refresh')")));
      await visit.page.reload();
      await settled(visit.page);
    }
    expect(new Set(seen).size).toBe(3);
    expect(visit.page.url()).toBe(suite.host().session.dashboard_url);
  });

  it('lets a second tab in without a password, and a copy of a tab keeps both signed in', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host());
    const second = await visit.context.newPage();
    await second.goto(`${suite.host().session.origin_url}/events`);
    await settled(second);
    // A window that a page opens gets a copy of its storage, refresh token included.
    const [copy] = await Promise.all([
      visit.context.waitForEvent('page'),
      visit.page.evaluate("void window.open('/keys')"),
    ]);
    await copy.getByRole('heading', { name: 'API keys' }).waitFor();
    for (const tab of [visit.page, second, copy]) {
      await tab.reload();
      await settled(tab);
    }
    expect(new URL(copy.url()).pathname).toBe('/keys');
  });

  it('renews a token that is refused and asks once more: the page shows no failure', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host());
    const answers: number[] = [];
    visit.page.on('response', (response) => {
      if (response.url().includes('/v1/events?')) answers.push(response.status());
    });
    await visit.page.route(
      '**/v1/events?*',
      async (route) => {
        const { authorization: _, ...headers } = await route.request().allHeaders();
        await route.continue({ headers });
      },
      { times: 1 },
    );
    await visit.page.getByRole('link', { name: 'Events', exact: true }).click();
    await visit.page
      .getByText(/No event in the last|events?$/)
      .first()
      .waitFor();
    expect(answers.slice(0, 2)).toEqual([401, 200]);
    expect(await visit.page.getByRole('alert').count()).toBe(0);
  });

  it('says when a session cannot be renewed, keeps the page, and comes back to it', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host(), '/events?search=order');
    await visit.page.evaluate("sessionStorage.removeItem('millrace.refresh')");
    await visit.page.route('**/v1/**', async (route) => {
      const { authorization: _, ...headers } = await route.request().allHeaders();
      await route.continue({ headers });
    });
    await visit.page.getByText('Your session has ended').waitFor();
    expect(await violationsInEveryLook(visit.page)).toEqual([]);
    expect(await visit.page.getByRole('heading', { level: 1 }).textContent()).toBe('Events');
    await visit.page.unroute('**/v1/**');
    await visit.page.getByRole('button', { name: 'Sign in again' }).click();
    await settled(visit.page);
    expect(new URL(visit.page.url()).search).toBe('?search=order');
    expect(await visit.page.getByText('Your session has ended').count()).toBe(0);
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
