// Goal: an agent goes through tickets and finds each one settled, with no row moving under the cursor, no key lost and
// no needless request. Method: the real host; slow parts are slowed on purpose, and counts replace times.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { composerOf } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

/** As many as one key may write in a minute, with the tickets; long ones. */
const MESSAGES = 34;
const LINES = 'one more line of it\n'.repeat(12);
const PICTURES = process.env.INBOX_PICTURES;

const COUNT_TIMES = `globalThis.timesWritten = 0;
const format = Intl.RelativeTimeFormat.prototype.format;
Intl.RelativeTimeFormat.prototype.format = function (...given) {
  globalThis.timesWritten += 1;
  return format.apply(this, given);
};`;

describe.runIf(browserWanted)('at the desk', () => {
  const suite = useDashboard();
  const { call, newTicket } = openDesk(() => suite.host().session);
  let long: string;
  beforeAll(async () => {
    long = await newTicket('A long one', 'message 1 of a long thread');
    for (let n = 2; n <= MESSAGES; n++)
      await call('POST', '/api/v1/messages', {
        ticket_id: long,
        body: `message ${n} of a long thread\n${n === MESSAGES ? '' : LINES}`,
      });
    for (let n = 1; n <= 9; n++) await newTicket(`Ticket ${n}`);
  });

  async function opened(path: string, width = 1440): Promise<Page> {
    const { context, page } = await suite.visit({ viewport: { width, height: width < 600 ? 667 : 900 } });
    await context.addInitScript(COUNT_TIMES);
    await signIn({ context, page }, suite.host(), path);
    await settled(page);
    return page;
  }

  it.each([1_440, 375])('opens a long ticket at its end, ready to write, at %i px', async (width) => {
    const page = await opened(`/inbox?id=${long}`, width);
    await composerOf(page).waitFor();
    await page.getByText(`message ${MESSAGES} of`).waitFor();
    const seen = async (name: string) =>
      await page.evaluate(`(() => {
        const { top, bottom } = [...document.querySelectorAll('button, textarea, #composer, [aria-label=Messages] li')]
          .findLast((one) => one.id === ${JSON.stringify(name)} || one.textContent.includes(${JSON.stringify(name)}))
          .getBoundingClientRect();
        return bottom > 0 && top < innerHeight && bottom <= innerHeight + 1;
      })()`);
    for (const name of ['composer', 'Send reply', 'Snooze', `message ${MESSAGES} of`])
      await expect.poll(async () => [name, await seen(name)]).toEqual([name, true]);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/inbox-${width}.png` });
    expect(await violationsInEveryLook(page)).toEqual([]);
  });

  it('asks once for the orders of a customer, in one read, and keeps what was found', async () => {
    const { context, page } = await suite.visit({ viewport: { width: 1440, height: 900 } });
    const looked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      expect(pathname).not.toBe('/v1/events');
      if (pathname === '/v1/people') looked.push(searchParams.get('email') ?? '');
    });
    await signIn({ context, page }, suite.host(), '/inbox');
    await settled(page);
    for (let n = 0; n < 8; n++) {
      await page.keyboard.press('j');
      await composerOf(page).waitFor();
      await settled(page);
    }
    await page.getByText('None was tracked with this address.').waitFor();
    expect(looked.length).toBeGreaterThan(0);
    expect(new Set(looked).size).toBe(looked.length);
  });

  it('snoozes by s 1, and closes with what is typed, however late the dialogs are loaded', async () => {
    const { context, page } = await suite.visit({ viewport: { width: 1440, height: 900 } });
    let asked = 0;
    const { promise: later, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/(?:snooze|close)-dialog[^/]*\.js$/, async (route) => {
      asked += 1;
      await later;
      await route.continue();
    });
    const id = await newTicket('By quick keys');
    await signIn({ context, page }, suite.host(), `/inbox?id=${id}`);
    await composerOf(page).waitFor();
    await page.keyboard.press('s');
    await page.keyboard.press('1');
    await page.waitForTimeout(200);
    release();
    await page.getByRole('button', { name: 'Wake' }).waitFor();
    for (const key of ['e', 'o', 'k', 'Enter']) await page.keyboard.press(key);
    await page.getByText('Reason: ok').waitFor();
    expect(asked).toBeGreaterThan(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('draws two rows for a j, not all of them', async () => {
    const page = await opened('/inbox');
    await page.keyboard.press('j');
    await composerOf(page).waitFor();
    await settled(page);
    const drawn: number[] = [];
    for (let n = 0; n < 5; n++) {
      await page.evaluate('globalThis.timesWritten = 0');
      await page.keyboard.press('j');
      await page.locator('[aria-label=Tickets] [aria-current]').waitFor();
      drawn.push(Number(await page.evaluate('globalThis.timesWritten')));
      await settled(page);
    }
    // Once in five a minute may begin, or an answer may have news.
    expect(drawn.toSorted((a, b) => a - b)[2]).toBeLessThanOrEqual(2);
  });

  it('moves no row under the pointer, and shows what came when it is asked', async () => {
    const page = await opened('/inbox');
    const row = page.locator('[aria-label=Tickets] li').nth(2);
    await row.hover();
    const [text, top] = [await row.locator('.font-bold').first().textContent(), (await row.boundingBox())?.y];
    await newTicket('Came meanwhile');
    const more = page.getByRole('button', { name: /^1 new/ });
    await more.waitFor();
    expect([await row.locator('.font-bold').first().textContent(), (await row.boundingBox())?.y]).toEqual([
      text,
      top,
    ]);
    await more.click();
    await page.getByRole('link', { name: /Came meanwhile/ }).waitFor();
  });
});
