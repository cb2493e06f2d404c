// Segment's browser library, unchanged, in a real browser against the running host: from a call in a page to the platforms,
// counted once together with the server's event of the same id.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserWanted, launchBrowser } from '../support/pixel/browser.ts';
import { loadBuilt, openShopPage, type Shop, settingsFor, visitShop } from '../support/switched/shop-page.ts';
import { AGENT, allEvents, api, counted, purchase, send, until, useHost } from './hosts.ts';

const WAIT_MS = 120_000;
let browser: Browser;
let shop: Awaited<ReturnType<typeof openShopPage>>;

describe.runIf(browserWanted)('a shop with analytics.js', () => {
  const { session } = useHost();
  const settings = () => settingsFor(session().ingestion_url, session().merchant_id);
  beforeAll(async () => {
    shop = await openShopPage(settings());
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });
  const events = async () =>
    (await allEvents<{ event_id: string; event_name: string; source: string }>(session())).map(
      ({ event_id, event_name, source }) => [event_id, event_name, source],
    );
  const settled = async (id: string): Promise<readonly unknown[]> => {
    let all: readonly { readonly platform: string; readonly status: string }[] = [];
    await until(async () => {
      const { deliveries } = await api<{ deliveries: typeof all }>(
        session(),
        `/v1/events/${id}?trust=browser`,
      );
      all = deliveries;
      return all.some(({ platform, status }) => platform === 'meta' && status === 'DELIVERED');
    }, WAIT_MS);
    return all;
  };

  it('built in: every call arrives, and the order at the platforms with its click', async () => {
    const { context, page, sent, errors } = await visitShop(
      browser,
      `${shop.url}/built?fbclid=click-7`,
      AGENT,
    );
    await loadBuilt(page, settings());
    await page.evaluate(async () => {
      const { analytics } = globalThis as Shop;
      const order = { order_id: 'o-7', revenue: 10, currency: 'USD' };
      await analytics.page('Thanks', {}, { messageId: 'page-7' });
      await analytics.track('Order Completed', order, { messageId: 'order-7' });
      await analytics.identify('u-7', { email: 'jane@example.com' }, { messageId: 'identify-7' });
      await analytics.group('g-7', {}, { messageId: 'group-7' });
      await analytics.alias('u-8', 'u-7', { messageId: 'alias-7' });
    });
    await expect.poll(() => sent.length, { timeout: 15_000 }).toBe(5);
    expect(sent.filter(({ status }) => status >= 300)).toEqual([]);
    await context.close();
    expect(errors).toEqual([]);
    expect(await settled('order-7')).not.toEqual([]);
    expect(await events()).toEqual(
      expect.arrayContaining([
        ['page-7', 'PageView', 'segment'],
        ['order-7', 'Purchase', 'segment'],
        ['identify-7', 'Identify', 'segment'],
        ['group-7', 'Group', 'segment'],
        ['alias-7', 'Alias', 'segment'],
      ]),
    );
    const answer = await fetch(`${session().sandbox_url}/received?platform=meta`);
    expect(await answer.text()).toContain('.click-7');
  });

  it('is counted once together with the server’s event of the same id', async () => {
    const before = (await counted(session(), 'meta')).by_event_name.Purchase ?? 0;
    const copy = purchase('order-7', { order_id: 'o-7', user_data: { email: 'jane@example.com' } });
    expect((await send(session(), '/v1/events', copy)).status).toBe(202);
    await until(async () => {
      const { deliveries } = await api<{ deliveries: { platform: string; status: string }[] }>(
        session(),
        '/v1/events/order-7?trust=server',
      );
      return deliveries.some(({ platform, status }) => platform === 'meta' && status === 'DELIVERED');
    }, WAIT_MS);
    expect((await counted(session(), 'meta')).by_event_name.Purchase).toBe(before);
  });

  it('standalone: works with the file of settings that the shop serves', async () => {
    const { context, page, sent, errors } = await visitShop(browser, `${shop.url}/standalone`, AGENT);
    await page.evaluate(() => {
      (globalThis as Shop).analytics.track('Lead', {}, { messageId: 'lead-9' });
    });
    await expect
      .poll(() => sent.map(({ path, status }) => [path, status]), { timeout: 15_000 })
      .toContainEqual(['/v1/browser/t', 200]);
    await context.close();
    expect(errors).toEqual([]);
    await expect.poll(events, { timeout: 15_000 }).toContainEqual(['lead-9', 'Lead', 'segment']);
  });
});
