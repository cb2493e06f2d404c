// Goal: what pixel.ts promises about sending holds in a real browser. Method: headless Chromium, a shop and a
// recording endpoint on sockets of their own origin; the page's clock is put forward, the network is not faked.
import type { BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventSchema } from '#lib/events/domain/event/event.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';
import { eachVisit } from '#test/support/pixel/each-visit.ts';
import { accepted, each, MERCHANT, refused, type Shop } from '#test/support/pixel/shop.ts';
import { advance, call, eventually, settle, stored, visit } from '#test/support/pixel/visitor.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let context: BrowserContext;
let shop: Shop;

describe.skipIf(!browserWanted)('pixel.js in Chromium', () => {
  eachVisit(({ context: own, shop: one }) => {
    context = own;
    shop = one;
  });
  afterEach(() => {
    // Whatever a test was about, no event was one the ingestion would refuse.
    for (const event of shop.events) expect(eventSchema.safeParse(event).error).toBeUndefined();
  });

  describe('an event', () => {
    it('is a page view on load, in one request without a preflight', async () => {
      const { page, errors } = await visit(context, shop.url('/cap?color=red'));
      await page.clock.runFor(1_100);
      await eventually(() => shop.requests.length).toBe(1);
      const [{ contentType, merchantId, method, events } = expect.fail()] = shop.requests;
      expect({ contentType, merchantId, method }).toEqual({
        contentType: 'text/plain;charset=UTF-8',
        merchantId: MERCHANT,
        method: 'POST /v1/browser/events',
      });
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        event_name: 'PageView',
        event_id: expect.stringMatching(UUID),
        action_source: 'website',
        event_source_url: shop.url('/cap?color=red'),
      });
      expect(events[0]).not.toHaveProperty('source');
      expect(Math.abs(Number(events[0]?.event_time) - Date.now() / 1_000)).toBeLessThan(10);
      await page.clock.runFor(60_000);
      await settle();
      expect(shop.requests).toHaveLength(1);
      expect(await stored(page)).toEqual([]);
      expect(errors).toEqual([]);
    });

    it('carries what the page gave, in the fields of the ingestion', async () => {
      shop.page = {
        attributes: 'data-auto="false"',
        before: `millrace('identify', {email: 'a@example.com'}); millrace('identify', {phone: '+15551234567'});
          millrace('track', 'Purchase', {value: '12.5', currency: 'EUR', order_id: 1001, colour: 'red',
            items: [{id: 'cap', quantity: 2, price: 6.25}]}, {event_id: 'order-1001'});`,
      };
      const { page } = await visit(context, shop.url());
      await page.clock.runFor(1_100);
      await eventually(() => shop.names).toEqual(['Purchase']);
      expect(shop.events[0]).toMatchObject({
        event_id: 'order-1001',
        value: 12.5,
        currency: 'EUR',
        order_id: '1001',
        items: [{ id: 'cap', quantity: 2, price: 6.25 }],
        custom_data: { colour: 'red' },
        user_data: { email: 'a@example.com', phone: '+15551234567' },
      });
    });

    it('loses an amount that would have it refused, not itself', async () => {
      shop.page = { attributes: 'data-auto="false"' };
      const { page } = await visit(context, shop.url());
      await call(page, 'track', 'NoCurrency', { value: 3 });
      await call(page, 'track', 'NoNumber', { value: 'a lot', currency: 'EUR' });
      await call(page, 'track', 'Free', { value: 0, currency: 'EUR' });
      await page.clock.runFor(1_100);
      await eventually(() => shop.events.map(({ value }) => value)).toEqual([undefined, undefined, 0]);
    });

    it('has an id where the page is no secure context, and a URL of bearable length', async () => {
      await context.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
      const { page } = await visit(context, shop.url(`/?x=${'y'.repeat(4_000)}`));
      await page.clock.runFor(1_100);
      await eventually(() => shop.events[0]?.event_id).toMatch(/^\d{13}-0\.\d+$/);
      expect(String(shop.events[0]?.event_source_url)).toHaveLength(2_000);
    });

    it('is reported for every page of a single-page shop, and not for its fragments', async () => {
      const { page } = await visit(context, shop.url('/a'));
      await page.evaluate(() => history.pushState({}, '', '/b'));
      await page.clock.runFor(1_100);
      await page.evaluate(() => history.replaceState({}, '', '/c'));
      await page.clock.runFor(1_100);
      await page.evaluate(() => history.pushState({}, '', '/c#reviews'));
      await page.clock.runFor(1_100);
      await page.goBack();
      await page.goBack();
      await page.clock.runFor(2_100);
      const paths = () => shop.events.map((e) => new URL(String(e.event_source_url)).pathname);
      await eventually(paths).toEqual(['/a', '/b', '/c', '/a']);
      expect(new Set(shop.names)).toEqual(new Set(['PageView']));
    });

    it('is counted once when the script is on the page twice', async () => {
      const { page } = await visit(context, shop.url());
      await page.addScriptTag({ url: shop.script });
      await page.evaluate((src) => {
        const script = document.createElement('script');
        Object.assign(script, { src }).dataset.merchant = 'other';
        document.head.append(script);
        return new Promise((resolve) => script.addEventListener('load', resolve));
      }, shop.script);
      await page.clock.runFor(3_000);
      await settle();
      expect(shop.names).toEqual(['PageView']);
    });

    it('also comes from code that kept the stub', async () => {
      shop.page = { attributes: 'data-auto="false"', before: 'window.kept = window.millrace;' };
      const { page } = await visit(context, shop.url());
      await page.evaluate(() => (window as unknown as { kept(...x: string[]): void }).kept('track', 'Lead'));
      await page.clock.runFor(1_100);
      await eventually(() => shop.names).toEqual(['Lead']);
    });
  });

  describe('sending', () => {
    beforeEach(() => {
      shop.page = { attributes: 'data-auto="false"' };
    });

    it('collects for a second, but not more than ten', async () => {
      const { page } = await visit(context, shop.url());
      await page.clock.pauseAt(Date.now() + 60_000);
      for (const name of ['A', 'B', 'C']) await call(page, 'track', name);
      await settle();
      expect(shop.requests).toHaveLength(0);
      await page.clock.runFor(1_000);
      await eventually(() => shop.requests.map((r) => r.events.length)).toEqual([3]);
      await advance(page, 2);
      for (let i = 0; i < 10; i++) await call(page, 'track', `N${i}`);
      await eventually(() => shop.requests.map((r) => r.events.length)).toEqual([3, 10]);
    });

    it('puts at most 30 events into a request, and none is missing afterwards', async () => {
      shop.answers = [refused(503), accepted];
      const { page } = await visit(context, shop.url());
      const ids = Array.from({ length: 36 }, (_, i) => `e${i}`);
      await page.evaluate((all) => {
        for (const id of all)
          (window as unknown as { millrace(...x: unknown[]): void }).millrace(
            'track',
            'V',
            {},
            { event_id: id },
          );
      }, ids);
      await advance(page, 12);
      await expect
        .poll(() => new Set(shop.requests.slice(1).flatMap((r) => r.events.map((e) => e.event_id))))
        .toEqual(new Set(ids));
      expect(Math.max(...shop.requests.map((r) => r.events.length))).toBe(30);
      expect(shop.requests.slice(1).flatMap((r) => r.events)).toHaveLength(36);
    });

    it('waits as long as Retry-After says, over a reload too', async () => {
      shop.answers = [refused(429, { 'retry-after': '20' }), accepted];
      const { page } = await visit(context, shop.url());
      await call(page, 'track', 'Lead');
      await page.clock.runFor(1_100);
      await eventually(() => shop.requests.length).toBe(1);
      await eventually(() => page.evaluate(() => localStorage.length)).toBe(2);
      await page.clock.runFor(8_000);
      await page.reload();
      await page.clock.runFor(8_000);
      await settle();
      expect(shop.requests).toHaveLength(1);
      await advance(page, 30);
      await eventually(() => shop.requests.length).toBe(2);
      expect(shop.events[1]).toEqual(shop.events[0]);
      expect(await stored(page)).toEqual([]);
    });

    it('backs off when there is no answer to be had, and starts afresh after success', async () => {
      shop.answers = [refused(503), refused(500), refused(502), accepted];
      const { page } = await visit(context, shop.url());
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.evaluate(() => {
        const { fetch } = window;
        const at: number[] = [];
        const timed: typeof fetch = (...args) => {
          at.push(Date.now());
          return fetch(...args);
        };
        Object.assign(window, { at, fetch: timed });
      });
      await call(page, 'track', 'Lead');
      for (let second = 0; second < 60 && shop.requests.length < 4; second++) await advance(page, 1);
      const at = await page.evaluate(() => (window as unknown as { at: number[] }).at);
      const waitsSec = at.slice(1).map((ms, i) => (ms - (at[i] ?? 0)) / 1_000);
      expect(waitsSec).toHaveLength(3);
      for (const [i, waitSec] of waitsSec.entries()) {
        // 2, 4, 8 seconds, up to twice that, and up to the next full second; a late answer may cost some more.
        expect(waitSec).toBeGreaterThanOrEqual(2 ** (i + 1));
        expect(waitSec).toBeLessThanOrEqual(2 * 2 ** (i + 1) + 4);
      }
    });

    it('keeps of a batch what was refused for now, and only that', async () => {
      shop.answers = [each(202, 429, 400, 409, 503), accepted];
      const { page } = await visit(context, shop.url());
      await page.clock.pauseAt(Date.now() + 60_000);
      for (const name of ['A', 'B', 'C', 'D', 'E']) await call(page, 'track', name);
      await page.clock.runFor(1_000);
      await eventually(() => stored(page)).toHaveLength(2);
      await advance(page, 12);
      await eventually(() => shop.names).toEqual(['A', 'B', 'C', 'D', 'E', 'B', 'E']);
      expect(await stored(page)).toEqual([]);
    });

    it.each([400, 403, 404, 413])('gives up what is answered %i', async (status) => {
      shop.answers = [refused(status)];
      const { page, errors } = await visit(context, shop.url());
      await call(page, 'track', 'Lead');
      await page.clock.runFor(1_100);
      await eventually(() => shop.requests.length).toBe(1);
      await eventually(() => stored(page)).toEqual([]);
      await page.clock.runFor(60_000);
      await settle();
      expect(shop.requests).toHaveLength(1);
      expect(errors).toEqual([]);
    });

    it('survives a reload: sent once, under the same id', async () => {
      await context.route('**/v1/browser/events', (route) => route.abort());
      const { page } = await visit(context, shop.url());
      await call(page, 'track', 'Purchase', { value: 1, currency: 'EUR' }, { event_id: 'order-7' });
      await page.clock.runFor(1_100);
      await context.unroute('**/v1/browser/events');
      await page.reload();
      await advance(page, 10);
      await eventually(() => shop.events.map((e) => e.event_id)).toContain('order-7');
      await eventually(() => stored(page)).toEqual([]);
    });

    it('forgets what is too old for the ingestion to know it again', async () => {
      shop.answers = [refused(503)];
      const { page } = await visit(context, shop.url());
      await call(page, 'track', 'Old');
      await page.clock.runFor(1_100);
      await eventually(() => stored(page)).toHaveLength(1);
      await page.clock.fastForward('23:00:00');
      await call(page, 'track', 'New');
      shop.answers = [accepted];
      shop.requests.length = 0;
      await page.reload();
      await advance(page, 8);
      await eventually(() => shop.names).toContain('New');
      // The first page, still there for a moment, may have sent both; the one that came after it must not.
      expect(shop.requests.at(-1)?.events.map((e) => e.event_name)).toEqual(['New']);
    });

    it('does not pile up in front of an endpoint that hangs', async () => {
      shop.answers = [() => undefined];
      const { page, errors } = await visit(context, shop.url());
      for (let second = 0; second < 60; second++) {
        await call(page, 'track', `N${second}`, { text: 'x'.repeat(500) });
        await advance(page, 1);
      }
      // Given up after 10 seconds, tried again after 2 to 4, 10, 4 to 8, 10, 8 to 16.
      expect(shop.requests.length).toBeGreaterThanOrEqual(3);
      expect(shop.requests.length).toBeLessThanOrEqual(5);
      expect(shop.openMax).toBe(1);
      expect(errors).toEqual([]);
    });
  });

  describe('leaving', () => {
    beforeEach(() => {
      shop.page = { attributes: 'data-auto="false"' };
    });

    it('sends what is pending as one beacon, and the next page asks for the answer', async () => {
      shop.answers = [accepted, each(409)];
      const { page, errors } = await visit(context, shop.url());
      await call(page, 'track', 'Lead', {}, { event_id: 'lead-1' });
      await page.goto(shop.url('/next'));
      await eventually(() => shop.requests.map((r) => r.fetchMode)).toEqual(['no-cors']);
      expect(shop.requests[0]?.contentType).toBe('text/plain;charset=UTF-8');
      await page.clock.runFor(2_100);
      await eventually(() => shop.requests.map((r) => r.fetchMode)).toEqual(['no-cors', 'cors']);
      expect(shop.events.map((e) => e.event_id)).toEqual(['lead-1', 'lead-1']);
      await eventually(() => stored(page)).toEqual([]);
      await page.goto(shop.url('/third'));
      await page.clock.runFor(3_000);
      await settle();
      expect(shop.requests).toHaveLength(2);
      expect(errors).toEqual([]);
    });

    it('sends when the tab goes to the background', async () => {
      const { page } = await visit(context, shop.url());
      await page.clock.pauseAt(Date.now() + 60_000);
      await call(page, 'track', 'Lead');
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
      await eventually(() => shop.requests.map((r) => r.fetchMode)).toEqual(['no-cors']);
      expect(await stored(page)).toHaveLength(1);
    });

    it('keeps to a pause the ingestion asked for, but not to its own', async () => {
      shop.answers = [refused(429, { 'retry-after': '60' })];
      const { page } = await visit(context, shop.url());
      await call(page, 'track', 'Paused');
      await page.clock.runFor(1_100);
      await eventually(() => page.evaluate(() => localStorage.length)).toBe(2);
      await page.goto(shop.url('/elsewhere'));
      await settle();
      expect(shop.requests).toHaveLength(1);

      const other = (await context.browser()?.newContext()) ?? expect.unreachable();
      shop.requests.length = 0;
      shop.answers = [refused(503), accepted];
      const { page: flaky } = await visit(other, shop.url());
      await call(flaky, 'track', 'Flaky');
      await flaky.clock.runFor(1_100);
      await eventually(() => flaky.evaluate(() => localStorage.length)).toBe(2);
      await flaky.goto('about:blank');
      await eventually(() => shop.requests.map((r) => r.fetchMode)).toEqual(['cors', 'no-cors']);
      await other.close();
    });

    it.each([
      ['returns false', () => Object.defineProperty(navigator, 'sendBeacon', { value: () => false })],
      ['is missing', () => Object.defineProperty(navigator, 'sendBeacon', { value: undefined })],
    ])('asks by a request that outlives the page when sendBeacon %s', async (_, breakIt) => {
      await context.addInitScript(breakIt);
      const { page } = await visit(context, shop.url());
      await call(page, 'track', 'Lead');
      await page.goto('about:blank');
      await eventually(() => shop.requests.map((r) => r.fetchMode)).toEqual(['cors']);
      await settle();
      expect(shop.names).toEqual(['Lead']);
    });
  });
});
