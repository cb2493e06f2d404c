// Goal: a button that is pressed twice, or a form that gets Enter twice, sends one request. Method: every button of every page there
// is, and of the dialogs behind them, pressed twice before an answer can be there; what would change anything is held on its
// way and never arrives, so that each page stays as it was.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { settled, signIn, useDashboard } from '../../../test/support/dashboard/browser.ts';
import { PAGES } from '../../../test/support/dashboard/page-list.ts';
import { sendSamples } from '../../../test/support/dashboard/sample-events.ts';
import { steadyTree } from '../../../test/support/dashboard/trees.ts';
import { browserWanted } from '../../../test/support/pixel/browser.ts';

/** Two presses in one turn of the browser: nothing was drawn between them. */
const TWICE = '(e) => { e.click(); e.click(); }';
const ENTER_TWICE = '(form) => { form.requestSubmit(); form.requestSubmit(); }';
/** What belongs to a person's session, or leads elsewhere. */
const LEFT_OUT = /^(?:Sign out|Sign in again)$/;
const BUTTONS = 'main button:not([aria-disabled=true])';

describe.runIf(browserWanted)('pressed twice', () => {
  const suite = useDashboard();
  beforeAll(() => sendSamples(suite.host().session));

  it('sends one request, on every page', async () => {
    const visit = await suite.visit();
    const { page } = visit;
    await signIn(visit, suite.host());
    await settled(page);
    const { origin_url, helpdesk_sample } = suite.host().session;
    const sent = await holdChanges(page);
    const more = [
      '/event?id=order-1007',
      `/inbox?id=${helpdesk_sample.tickets[0]}`,
      '/connect?platform=meta&step=credentials',
    ];
    const twice: string[] = [];
    const seen = new Set<string>();
    for (const path of [...PAGES.map((entry) => entry.path), ...more]) {
      const at = origin_url + path;
      await page.goto(at);
      await steadyTree(page);
      const count = await page.locator(BUTTONS).count();
      for (let index = 0; index < Math.min(count, BUTTONS_MAX); index++) {
        const button = page.locator(BUTTONS).nth(index);
        const name = (await button.textContent({ timeout: 1_000 }).catch(() => null)) ?? '';
        if (name === '' || LEFT_OUT.test(name)) continue;
        sent.length = 0;
        const changed = await press(page, button);
        for (const one of new Set(sent)) {
          seen.add(one.replaceAll(/[0-9a-f-]{36}|order-\d+/g, ':id'));
          const times = sent.filter((other) => other === one).length;
          if (times > 1) twice.push(`${path} “${name}”: ${times} x ${one}`);
        }
        if (!changed) continue;
        await page.goto(at);
        await steadyTree(page);
      }
    }
    expect(twice).toEqual([]);
    // What it met, so that it cannot pass by pressing nothing.
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['POST /v1/analytics/verify', 'POST /v1/replays']),
    );
    expect(seen.size).toBeGreaterThan(5);
  });
});

/** Of one page: a list of hundreds of rows has hundreds that are all alike. */
const BUTTONS_MAX = 30;

/** Answers whether the page is another one now. */
async function press(page: Page, button: Locator): Promise<boolean> {
  const before = page.url();
  await button.evaluate(TWICE);
  await page.waitForTimeout(60);
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return page.url() !== before || (await button.count()) === 0;
  await filled(dialog);
  for (const form of await dialog.locator('form').all()) await form.evaluate(ENTER_TWICE);
  for (const one of await dialog.locator('button:not([aria-disabled=true])').all())
    if (await one.isVisible().catch(() => false)) await one.evaluate(TWICE).catch(() => undefined);
  await page.waitForTimeout(60);
  return true;
}

/** Every field has something, every box is checked: nothing is refused for being empty. */
async function filled(dialog: Locator): Promise<void> {
  for (const box of await dialog.locator('input[type=checkbox]').all())
    await box.check().catch(() => undefined);
  const fields = dialog.locator('input:not([type=checkbox]):not([type=radio]), textarea');
  for (const field of await fields.all()) {
    const isMail = (await field.getAttribute('type')) === 'email';
    await field.fill(isMail ? 'twice@example.com' : 'twice').catch(() => undefined);
  }
}

/** Method, path and text of each change, as it leaves; none arrives. */
async function holdChanges(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route(/\/(?:v1|api)\//, async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return await route.continue();
    sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return sent;
}
