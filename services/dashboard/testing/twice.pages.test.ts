// Goal: a button that is pressed twice, or a form that gets Enter twice, sends one request. Method: every button of every page there
// is, and of the dialogs behind them, pressed twice before an answer can be there; what would change anything is held on its
// way and never arrives, so that each page stays as it was.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { PAGES } from '#test/support/dashboard/page-list.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { followed, steadyTree } from '#test/support/dashboard/trees.ts';
import { enterTwice, twice } from '#test/support/dashboard/twice.ts';
import { allSent, composerOf, sendNow } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

/** What belongs to a person's session, or leads elsewhere. */
const LEFT_OUT = /^(?:Sign out|Sign in again)$/;
const BUTTONS = 'main button:not([aria-disabled=true])';

describe.runIf(browserWanted)('pressed twice', () => {
  const suite = useDashboard();
  beforeAll(() => sendSamples(suite.host().session));

  it('sends one request, on every page', async () => {
    const visit = await suite.visit();
    const { page } = visit;
    await visit.context.addInitScript(`${COUNTED};${LEAVES}`);
    await signIn(visit, suite.host());
    await settled(page);
    await holdChanges(page);
    const { origin_url, helpdesk_sample } = suite.host().session;
    const more = [
      '/event?id=order-1007',
      `/inbox?id=${helpdesk_sample.tickets[0]}`,
      '/connect?platform=meta&step=credentials',
    ];
    const repeated: string[] = [];
    const seen = new Set<string>();
    // What is held on its way would go on being sent: only a new document has begun nothing.
    let hasBegun = false;
    const reach = async (path: string): Promise<void> => {
      if (!hasBegun) return void (await followed(page, path));
      await page.goto(origin_url + path);
      await steadyTree(page);
      hasBegun = false;
    };
    for (const path of [...PAGES.map((entry) => entry.path), ...more]) {
      await reach(path);
      const count = Math.min(BUTTONS_MAX, await page.locator(BUTTONS).count());
      for (let index = 0; index < count; index++) {
        const button = page.locator(BUTTONS).nth(index);
        const name = (await button.textContent({ timeout: 1_000 }).catch(() => null)) ?? '';
        if (name === '' || LEFT_OUT.test(name)) continue;
        const sent = await press(page, button);
        hasBegun ||= sent.length > 0;
        for (const one of sent)
          seen.add(
            one
              .split(' ', 2)
              .join(' ')
              .replaceAll(/[0-9a-f-]{36}/g, ':id'),
          );
        const again = sent.filter((one, at) => sent.indexOf(one) !== at);
        repeated.push(...again.map((one) => `${path} “${name}”: again ${one}`));
        if (!(await isOtherPage(page, origin_url + path))) continue;
        await reach(path);
      }
    }
    expect(repeated).toEqual([]);
    // What it met, so that it cannot pass by pressing nothing.
    expect([...seen]).toEqual(expect.arrayContaining(['POST /v1/api-keys', 'POST /v1/replays']));
    expect(seen.size).toBeGreaterThan(4);
  });

  it('does what waits to be sent once, and says it once', async () => {
    const desk = openDesk(() => suite.host().session);
    const id = await desk.newTicket('Twice');
    const visit = await suite.visit();
    const { page } = visit;
    await visit.context.addInitScript(COUNTED);
    await signIn(visit, suite.host(), `/inbox?id=${id}`);
    await composerOf(page).fill('Once.');
    const begun: string[] = [];
    for (const name of [/^Send reply/, /^Raise/]) {
      await page.getByRole('button', { name }).evaluate(twice);
      await sendNow(page);
      await allSent(page);
      begun.push(...((await page.evaluate(TURNS)) as string[]));
    }
    expect(begun.map((one) => one.split(' ', 2).join(' '))).toEqual([
      'POST /api/v1/messages',
      `POST /api/v1/conversations/${id}/escalate`,
    ]);
    expect(await page.getByText('has not gone through').count()).toBe(0);
    expect(await desk.said(id)).toEqual(['said: Where is it?', 'said: Once.']);
  });
});

/** Every change the page begins to send, before it leaves the page: however slow the machine is, none is missed. */
const COUNTED = `(() => {
  const send = fetch;
  globalThis.begun = [];
  globalThis.fetch = (url, init) => {
    const { method = 'GET', body = '' } = init ?? {};
    if (method !== 'GET' && /^\\/(?:v1|api)\\//.test(url)) globalThis.begun.push(method + ' ' + url + ' ' + body);
    return send(url, init);
  };
})()`;
/** What was not sent yet is left on purpose. */
const LEAVES = `addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);`;
/** Many turns of the page's own loop: what a press sets off has begun by then. */
const TURNS = `(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done));
  return globalThis.begun.splice(0);
})()`;

/** Of one page: a list of hundreds of rows has hundreds that are all alike. */
const BUTTONS_MAX = 16;
/** A part of the page that is loaded when it is first drawn, as dialogs are. */
const LOADED = '[data-part=loading]';

/** The changes that it begins. */
async function press(page: Page, button: Locator): Promise<readonly string[]> {
  await button.evaluate(twice);
  const sent = (await page.evaluate(TURNS)) as string[];
  if (sent.length > 0) return sent;
  await page.locator(LOADED).waitFor({ state: 'detached' });
  await page.evaluate(TURNS);
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return [];
  await filled(dialog);
  for (const form of await dialog.locator('form').all())
    await form.evaluate(enterTwice).catch(() => undefined);
  sent.push(...((await page.evaluate(TURNS)) as string[]));
  // What the form has sent is being sent: its button does nothing now.
  for (const one of await dialog.locator('button:not([aria-disabled=true])').all())
    await one.evaluate(twice, undefined, { timeout: 1_000 }).catch(() => undefined);
  return [...sent, ...((await page.evaluate(TURNS)) as string[])];
}

const isOtherPage = async (page: Page, url: string): Promise<boolean> =>
  page.url() !== url || (await page.getByRole('dialog').count()) > 0;

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

/** None arrives: each page stays as it was. */
async function holdChanges(page: Page): Promise<void> {
  await page.route(/\/(?:v1|api)\//, async (route) => {
    if (route.request().method() === 'GET') await route.continue();
  });
}
