// Goal: what an agent writes outlives the tab it is written in, is one text in two tabs, and is gone with the person. Method: real
// tabs of one browser on the real host.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { lost, ofChanges } from '#test/support/dashboard/faults.ts';
import { composerOf } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const kept = (page: Page) =>
  page.evaluate('Object.keys(localStorage).filter((key) => /^millrace\\.(draft|typed)\\./.test(key)).length');

describe.runIf(browserWanted)('what an agent writes', () => {
  const suite = useDashboard();
  const desk = openDesk(() => suite.host().session);
  const urlOf = (id: string) => `${suite.host().session.origin_url}/inbox?id=${id}`;

  async function opened(id: string): Promise<Page> {
    const page = await suite.opened(`/inbox?id=${id}`);
    await composerOf(page).waitFor();
    return page;
  }
  async function tab(first: Page, id: string): Promise<Page> {
    const page = await first.context().newPage();
    await page.goto(urlOf(id));
    await composerOf(page).waitFor();
    return page;
  }

  it('is there in the next tab, also what the tab was to send when it was closed', async () => {
    const [first, second] = [await desk.newTicket('Half written'), await desk.newTicket('Not sent yet')];
    const page = await opened(first);
    await composerOf(page).fill('Half of a sen');
    await page.goto(urlOf(second));
    await composerOf(page).fill('Sent, and not gone');
    // Whether it was closed before the five seconds were over, or while nothing answers.
    await page.route('**/api/v1/messages', ofChanges(lost));
    await composerOf(page).press('Control+Enter');
    await expect.poll(() => composerOf(page).inputValue()).toBe('');
    await page.close();
    const next = await tab(page, second);
    await expect.poll(() => composerOf(next).inputValue()).toBe('Sent, and not gone');
    expect(await desk.said(second)).toEqual(['said: Where is it?']);
    await next.goto(urlOf(first));
    await expect.poll(() => composerOf(next).inputValue()).toBe('Half of a sen');
  });

  it('is one text in two tabs, and is sent once', async () => {
    const id = await desk.newTicket('Twice open');
    const page = await opened(id);
    const other = await tab(page, id);
    await composerOf(page).fill('Begun here');
    await expect.poll(() => composerOf(other).inputValue()).toBe('Begun here');
    await composerOf(other).press('End');
    await composerOf(other).pressSequentially(', ended there.');
    await expect.poll(() => composerOf(page).inputValue()).toBe('Begun here, ended there.');
    await composerOf(other).press('Control+Enter');
    await expect.poll(() => desk.said(id)).toEqual(['said: Where is it?', 'said: Begun here, ended there.']);
    await expect.poll(() => composerOf(page).inputValue()).toBe('');
    await expect.poll(() => composerOf(other).inputValue()).toBe('');
  });

  it('is on this device no more when the person has signed out, in no tab', async () => {
    const id = await desk.newTicket('Signed out of');
    const page = await opened(id);
    const other = await tab(page, id);
    await composerOf(page).fill('Personal');
    await expect.poll(() => kept(page)).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('Your session has ended').waitFor();
    await composerOf(other).fill('Typed after it');
    expect(await kept(other)).toBe(0);
    expect(await composerOf(other).inputValue()).toBe('Typed after it');
  });
});
