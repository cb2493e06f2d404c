// What an agent does is sent five seconds later and can be taken back until then. A slow machine needs longer than that for one
// press: tests stop the page's clock meanwhile, or do not mind that it was sent by itself.
import type { Page } from 'playwright-core';

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
