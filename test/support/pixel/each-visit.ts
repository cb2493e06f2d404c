// A browser and a shop for the tests of one file: each test gets a context of its own, and a shop that has seen nothing.
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { bundlePixel } from '#services/events/pixel/build.ts';
import { launchBrowser } from './browser.ts';
import { accepted, Shop } from './shop.ts';

/** `hosts`: names that the browser takes for this machine. */
export function eachVisit(
  use: (given: { readonly context: BrowserContext; readonly shop: Shop }) => void,
  hosts: string[] = [],
): void {
  let browser: Browser;
  let context: BrowserContext;
  let shop: Shop;
  beforeAll(async () => {
    browser = await launchBrowser(hosts);
    shop = new Shop(await bundlePixel());
    await shop.listen();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    shop.requests.length = 0;
    shop.answers = [accepted];
    shop.page = {};
    shop.openMax = 0;
    use({ context, shop });
  });
  afterEach(async () => {
    await context.close();
  });
}
