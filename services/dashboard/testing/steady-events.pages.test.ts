// Goal: no row of the list of events moves while a person uses it. Method: the real host takes events meanwhile.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { sendOrders, sendSamples } from '#test/support/dashboard/sample-events.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const rowAt = (page: Page, index: number) => page.locator('tbody tr').nth(index);
const idAt = (page: Page, index: number) => rowAt(page, index).locator('bdi').first().textContent();

describe.runIf(browserWanted)('the list of events', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });
  beforeAll(() => sendSamples(suite.host().session));

  it('keeps the row under the pointer, says how many are new, and shows them when asked', async () => {
    const page = await suite.opened('/events');
    await rowAt(page, 4).hover();
    const [before, top] = [await idAt(page, 4), (await rowAt(page, 4).boundingBox())?.y];
    await sendOrders(suite.host().session, 'hovered');
    const more = page.getByRole('button', { name: /^\d+ new/ });
    await more.waitFor();
    expect([await idAt(page, 4), (await rowAt(page, 4).boundingBox())?.y]).toEqual([before, top]);
    await more.click();
    await page
      .getByText(/^hovered-/)
      .first()
      .waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Events found');
  });

  it('keeps the row of the keys, and Enter opens that one', async () => {
    const page = await suite.opened('/events');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const chosen = await idAt(page, 1);
    await sendOrders(suite.host().session, 'typed');
    await page.getByRole('button', { name: /^\d+ new/ }).waitFor();
    expect(await idAt(page, 1)).toBe(chosen);
    expect(await page.evaluate('document.activeElement.textContent')).toBe(chosen);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: chosen ?? '' }).waitFor();
  });

  it('takes a code, keeps it in the address, and shows what is withheld or refused for it', async () => {
    const page = await suite.opened('/events?platform=meta');
    await page.getByLabel('Code').fill('consent_denied');
    await page.keyboard.press('Enter');
    await page.waitForURL(/platform=meta.*code=consent_denied/);
    await rowAt(page, 0).waitFor();
    await page.getByLabel('Code').fill('☃ no such');
    await page.keyboard.press('Enter');
    await page.getByText('No event fits these filters').waitFor();
  });

  it('follows by itself while nobody is at it', async () => {
    const page = await suite.opened('/events');
    await sendOrders(suite.host().session, 'followed');
    await page
      .getByText(/^followed-/)
      .first()
      .waitFor();
  });
});
