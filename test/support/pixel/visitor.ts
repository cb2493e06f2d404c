// What a visitor and the shop's own code do to a page with the pixel.
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A page whose clock can be put forward; `errors` collects what would be an uncaught error in the shop's console. */
export async function visit(context: BrowserContext, url: string): Promise<{ page: Page; errors: string[] }> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.clock.install();
  await page.goto(url, { waitUntil: 'load' });
  return { page, errors };
}

/** `millrace(...args)` as the shop calls it. */
export function call(page: Page, ...args: unknown[]): Promise<void> {
  return page.evaluate((all) => {
    (window as unknown as { millrace(...x: unknown[]): void }).millrace(...all);
  }, args);
}

/** The events kept in localStorage, as JSON texts. */
export function stored(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, value]) => (key.endsWith('q') ? JSON.parse(value) : [])),
  );
}

/** Second by second, so that answers arrive in between: the clock also moves the time-out of a request. */
export async function advance(page: Page, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    await page.clock.runFor(1_000);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** An expectation that comes true in time; machines that run tests are busy. */
export const eventually = <T>(read: () => T) => expect.poll(read);

/** Long enough for anything that was going to be sent to arrive. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 250));
}
