// What an agent does is sent five seconds later and can be taken back until then. A slow machine needs longer than that for one
// press: tests stop the page's clock meanwhile, or do not mind that it was sent by itself.
import type { Locator, Page } from 'playwright-core';
import { settled } from './visitor.ts';

/** More than passes between two calls to a browser, however slow. */
const AHEAD_MS = 60_000;
const UNDO_MS = 5_000;

/** No time passes in the page until `startClock`: what waits for a time waits. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + AHEAD_MS);
}

export const startClock = (page: Page): Promise<void> => page.clock.resume();

/** Presses `Send now`, unless its time came first. */
export async function sendNow(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Send now' });
  await button.click({ timeout: UNDO_MS + 1_000 }).catch(() => button.waitFor({ state: 'detached' }));
}

/** Where an agent writes. */
export const composerOf = (page: Page): Locator => page.locator('#composer');

/** Until nothing is on its way. */
export async function allSent(page: Page): Promise<void> {
  await page.getByText('sent in 5 seconds').waitFor({ state: 'detached' });
  await page.getByText('sending …').first().waitFor({ state: 'detached' });
  await settled(page);
}
