// Segment's browser library, unchanged, in a real browser against ingestion over HTTP: how it batches, repeats and leaves a
// page, and what a page hears that has a secret key.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY, MERCHANT } from '../support/ingestion.ts';
import { browserWanted, launchBrowser } from '../support/pixel/browser.ts';
import { openSwitched } from '../support/switched/endpoint.ts';
import { loadBuilt, openShopPage, type Shop, settingsFor, visitShop } from '../support/switched/shop-page.ts';

const WAIT = { timeout: 15_000 };

let browser: Browser;
let switched: Awaited<ReturnType<typeof openSwitched>>;
let shop: Awaited<ReturnType<typeof openShopPage>>;

describe.skipIf(!browserWanted)('analytics.js', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    switched = await openSwitched();
    shop = await openShopPage(settingsFor(switched.url, MERCHANT));
  });
  afterEach(async () => {
    await shop.close();
    await switched.close();
  });
  const strategy = (deliveryStrategy: object) => {
    const { 'Segment.io': own } = settingsFor(switched.url, MERCHANT).cdnSettings.integrations;
    return { integrations: { 'Segment.io': { ...own, deliveryStrategy } } };
  };
  const opened = async (options: object = {}, writeKey = MERCHANT) => {
    const visit = await visitShop(browser, `${shop.url}/built`);
    await loadBuilt(visit.page, settingsFor(switched.url, writeKey), options);
    const track = (...ids: string[]) =>
      visit.page.evaluate(async (all) => {
        const { analytics } = globalThis as Shop;
        await Promise.all(all.map((messageId) => analytics.track('Lead', {}, { messageId })));
      }, ids);
    return { ...visit, track, posts: () => visit.sent };
  };

  it('sends every call on its own', async () => {
    const { track, posts, context, errors } = await opened();
    await track('a', 'b');
    await expect
      .poll(() => posts().map(({ path, status }) => [path, status]), WAIT)
      .toEqual([
        ['/v1/browser/t', 200],
        ['/v1/browser/t', 200],
      ]);
    expect(switched.received()).toBe(2);
    expect([errors, switched.problems]).toEqual([[], []]);
    await context.close();
  });

  it('sends a batch, by a request that may outlive the page', async () => {
    const { track, posts, context } = await opened(
      strategy({ strategy: 'batching', config: { size: 3, keepalive: true } }),
    );
    await track('a', 'b', 'c');
    await expect
      .poll(() => posts().map(({ path, status }) => [path, status]), WAIT)
      .toEqual([['/v1/browser/b', 200]]);
    expect(switched.received()).toBe(3);
    await context.close();
  });

  it('sends what is left when the page is left', async () => {
    const { track, page, context } = await opened(strategy({ strategy: 'batching', config: { size: 10 } }));
    await track('a', 'b');
    await page.goto('about:blank');
    await expect.poll(() => switched.received(), WAIT).toBe(2);
    await context.close();
  });

  it('sends again what was not stored, with a header that the preflight allows', async () => {
    const { track, posts, context } = await opened(strategy({ strategy: 'batching', config: { size: 2 } }));
    switched.fail(1);
    await track('a', 'b');
    await expect.poll(() => posts().map(({ status }) => status), WAIT).toEqual([503, 200]);
    expect(posts()[1]?.headers).toHaveProperty('x-retry-count');
    expect(switched.received()).toBe(2);
    await context.close();
  });

  it('is refused with a secret key, and the page can read why', async () => {
    const { track, page, posts, context } = await opened({}, API_KEY);
    await track('a');
    await expect.poll(() => posts().map(({ status }) => status), WAIT).toEqual([400]);
    const why = await page.evaluate(
      async ([url, writeKey]) =>
        await (
          await fetch(`${url}/v1/browser/t`, { method: 'POST', body: JSON.stringify({ writeKey }) })
        ).text(),
      [switched.url, API_KEY] as const,
    );
    expect(why).toContain('is a secret API key');
    expect(switched.received()).toBe(0);
    await context.close();
  });
});
