// Goal: under any failure of the session, network, storage or clock, no text is lost and nothing is sent twice. Method:
// the real host; failures are made in the browser: its network, its storage, its clock, or a request on its way.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard, type Visit } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { PAGES } from '#test/support/dashboard/page-list.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { followed } from '#test/support/dashboard/trees.ts';
import { composerOf, sendNow, startClock, stopClock } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

describe.runIf(browserWanted)('what was begun', () => {
  const suite = useDashboard();
  const desk = openDesk(() => suite.host().session);

  async function writing(subject: string): Promise<Visit & { readonly id: string }> {
    const id = await desk.newTicket(subject);
    const visit = await suite.visit();
    await signIn(visit, suite.host(), `/inbox?id=${id}`);
    await composerOf(visit.page).fill('Half of a sen');
    await settled(visit.page);
    return { ...visit, id };
  }

  it('goes on when the token has run out while somebody types', async () => {
    const { page, id } = await writing('Renewed');
    const answers: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/api/v1/')) answers.push(response.status());
    });
    await withoutToken(page, '**/api/v1/**', 1);
    await composerOf(page).press('End');
    await composerOf(page).pressSequentially('tence.');
    await composerOf(page).press('Control+Enter');
    await sendNow(page);
    await page.getByRole('list', { name: 'Messages' }).getByText('Half of a sentence.').waitFor();
    await expect.poll(() => desk.said(id)).toEqual(['said: Where is it?', 'said: Half of a sentence.']);
    expect(answers).toContain(401);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is there again, at the same URL, when the person had to sign in again', async () => {
    const { page, id } = await writing('Signed in again');
    await page.evaluate("sessionStorage.removeItem('millrace.refresh')");
    await withoutToken(page, '**/api/v1/**');
    await page.getByText('Your session has ended').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    await composerOf(page).press('End');
    await composerOf(page).pressSequentially('tence.');
    await page.unroute('**/api/v1/**');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toBe(`${suite.host().session.origin_url}/inbox?id=${id}`);
    await expect.poll(() => composerOf(page).inputValue()).toBe('Half of a sentence.');
    expect(await desk.said(id)).toEqual(['said: Where is it?']);
  });

  it('is not lost by a line that breaks in the middle of a reply, and is said once', async () => {
    const { context, page, id } = await writing('Offline');
    await composerOf(page).fill('Said once.');
    await stopClock(page);
    await composerOf(page).press('Control+Enter');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send now' }).click();
    await startClock(page);
    await page.getByText('has not gone through').waitFor();
    await composerOf(page).fill('The next one, begun without a line');
    await context.setOffline(false);
    expect(await desk.said(id)).toEqual(['said: Where is it?']);
    await page.getByRole('button', { name: 'Try again' }).dblclick();
    await page.getByText('has not gone through').waitFor({ state: 'detached' });
    await page.getByText('is tried again').waitFor({ state: 'detached' });
    // Shown before the helpdesk has it.
    await page.getByRole('list', { name: 'Messages' }).getByText('Said once.').waitFor();
    await expect.poll(() => page.getByText('sending …').count()).toBe(0);
    expect(await desk.said(id)).toEqual(['said: Where is it?', 'said: Said once.']);
    expect(await composerOf(page).inputValue()).toBe('The next one, begun without a line');
  });

  it('for one ticket is not for the one that Back shows', async () => {
    const [first, second] = [await desk.newTicket('Behind'), await desk.newTicket('In front')];
    const page = await suite.opened(`/inbox?id=${first}`);
    await page.getByRole('link', { name: /In front/ }).click();
    await page.getByRole('heading', { name: 'In front', level: 2 }).waitFor();
    await page.getByRole('button', { name: /^Close/ }).click();
    await page.getByLabel('Reason').fill('of the one in front');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Behind', level: 2 }).waitFor();
    for (const id of [first, second])
      expect((await desk.call('GET', `/api/v1/conversations/${id}`)).close_reason ?? null).toBe(null);
  });

  describe('in a browser', () => {
    beforeAll(() => sendSamples(suite.host().session));

    it('without a line is told so by the page, and a change waits for nobody', async () => {
      const page = await suite.opened('/keys');
      const context = page.context();
      // Pages that were opened once are there without a line.
      await page.getByRole('link', { name: 'Platforms', exact: true }).click();
      await settled(page);
      await page.getByRole('link', { name: 'API keys', exact: true }).click();
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('Without a line');
      await context.setOffline(true);
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('dialog').getByText('did not answer').waitFor();
      expect(await violationsInEveryLook(page)).toEqual([]);
      await context.setOffline(false);
      // Nothing goes out by itself: the person decides.
      await page.waitForTimeout(1_000);
      expect(sent).toHaveLength(1);
      expect(await page.getByRole('dialog').getByText('did not answer').count()).toBe(1);
    });

    it('without a line says so for what it cannot show', async () => {
      const page = await suite.opened('/events');
      const context = page.context();
      await context.setOffline(true);
      await page.getByLabel('Status').selectOption('FAILED');
      await page.getByRole('alert').filter({ hasText: 'did not answer' }).waitFor();
      await context.setOffline(false);
      // What is only read is read again as soon as there is a line.
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    it('that stores nothing at all is told why nobody can sign in', async () => {
      const { context, page } = await suite.visit();
      await context.addInitScript(blocked('sessionStorage', 'localStorage'));
      await page.goto(suite.host().session.dashboard_url);
      await page.getByRole('alert').getByText('allow it storage to sign in').waitFor();
    });

    it('that keeps nothing beyond the tab has every page', async () => {
      const visit = await suite.visit();
      const { page } = visit;
      await visit.context.addInitScript(blocked('localStorage'));
      await signIn(visit, suite.host());
      await settled(page);
      await page.getByLabel('Theme').selectOption('dark');
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      await page.reload();
      await settled(page);
    });

    it.each([
      ['ten minutes behind', -600_000],
      ['ten minutes ahead', 600_000],
    ])('whose clock is %s signs in, and no page says that something is wrong', async (_name, byMs) => {
      const visit = await suite.visit();
      const { page } = visit;
      await visit.context.addInitScript(`(() => {
        const Real = Date;
        const now = () => Real.now() + ${byMs};
        globalThis.Date = class extends Real {
          constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
          static now() { return now(); }
        };
      })()`);
      await signIn(visit, suite.host());
      const alarmed: string[] = [];
      for (const { path } of PAGES) {
        const tree = await followed(page, path);
        if (/- alert|This page broke/.test(tree)) alarmed.push(`${path}\n${tree}`);
      }
      expect(alarmed).toEqual([]);
    });
  });
});

/** As in browsers whose storage is blocked. */
const blocked = (...names: readonly string[]): string => `for (const name of ${JSON.stringify(names)})
  Object.defineProperty(globalThis, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });`;

/** Requests lose their token on the way: the API says 401, as it does for one that has run out. */
async function withoutToken(page: Page, url: string, times?: number): Promise<void> {
  await page.route(
    url,
    async (route) => {
      const { authorization: _, ...headers } = await route.request().allHeaders();
      await route.continue({ headers });
    },
    times === undefined ? {} : { times },
  );
}
