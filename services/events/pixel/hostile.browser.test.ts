// Goal: whatever a page, a policy or a blocker does to the pixel, the shop does not notice. Method: headless Chromium,
// one disturbance per test; an uncaught error or rejection on the page fails it.
import type { BrowserContext } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserWanted } from '#test/support/pixel/browser.ts';
import { eachVisit } from '#test/support/pixel/each-visit.ts';
import type { Shop } from '#test/support/pixel/shop.ts';
import { advance, call, eventually, settle, stored, visit } from '#test/support/pixel/visitor.ts';

let context: BrowserContext;
let shop: Shop;

const EVENTS = '**/v1/browser/events';
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
type Api = { millrace(...args: unknown[]): void };

describe.skipIf(!browserWanted)('pixel.js on a hostile page in Chromium', () => {
  eachVisit(({ context: own, shop: one }) => {
    context = own;
    shop = one;
  });

  describe('storage', () => {
    const forbidden = () => {
      const get = () => {
        throw new DOMException('no', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { get });
    };
    const full = () => {
      Storage.prototype.setItem = () => {};
      localStorage.setItem('x', 'y');
      localStorage.other = 'x'.repeat(5_242_000);
    };
    it.each([
      ['forbidden', forbidden],
      ['missing', () => Object.defineProperty(window, 'localStorage', { value: undefined })],
      ['full', full],
    ])('%s: events are sent from memory', async (_, breakIt) => {
      await context.addInitScript(breakIt);
      const { page, errors } = await visit(context, shop.url());
      await call(page, 'track', 'Lead');
      await advance(page, 3);
      await eventually(() => shop.names).toEqual(['PageView', 'Lead']);
      await advance(page, 5);
      expect(shop.requests).toHaveLength(1);
      expect(errors).toEqual([]);
    });

    const BROKEN = ['null', '{}', '[null]', '[{"e":1}]', '{', '["{}"]'];
    it.each(BROKEN)('broken (%s): taken for empty', async (entry) => {
      const { page, errors } = await visit(context, shop.url());
      await advance(page, 2);
      await page.evaluate((text) => {
        for (const key of Object.keys(localStorage)) localStorage[key] = text;
        for (const key of Object.keys(localStorage)) localStorage[`${key.slice(0, -1)}q`] = text;
      }, entry);
      shop.requests.length = 0;
      await page.reload();
      await advance(page, 4);
      await eventually(() => shop.names).toContain('PageView');
      expect(errors).toEqual([]);
    });

    it('and cookies forbidden by a sandbox: events are sent, without identifiers', async () => {
      shop.page = {
        html: `<iframe sandbox="allow-scripts" srcdoc="${shop.element().replaceAll('"', '&quot;')}"></iframe>`,
      };
      const { page, errors } = await visit(context, shop.url());
      await advance(page, 3);
      await eventually(() => shop.names).toEqual(['PageView']);
      expect(shop.events[0]?.user_data).toEqual({ browser_ids: {} });
      expect(errors).toEqual([]);
    });
  });

  describe('the network', () => {
    const policy = async () => {
      shop.page = { headers: { 'content-security-policy': "connect-src 'none'" } };
    };
    const aborted = (reason: string) => () => context.route(EVENTS, (route) => route.abort(reason));
    it.each([
      ['a Content-Security-Policy', policy],
      ['an ad blocker', aborted('blockedbyclient')],
      ['no connection', aborted('internetdisconnected')],
    ])('%s: tried ever more seldom, kept, bounded', async (_, block) => {
      await block();
      const { page, errors } = await visit(context, shop.url());
      await page.evaluate(() => {
        const { fetch } = window;
        Object.assign(window, {
          tries: 0,
          fetch: (...args: Parameters<typeof fetch>) => {
            (window as unknown as { tries: number }).tries++;
            return fetch(...args);
          },
        });
      });
      await advance(page, 30);
      expect(shop.requests).toHaveLength(0);
      const tries = await page.evaluate(() => (window as unknown as { tries: number }).tries);
      expect(tries).toBeGreaterThanOrEqual(3);
      expect(tries).toBeLessThanOrEqual(5);
      expect(await stored(page)).toHaveLength(1);
      await page.goto('about:blank');
      expect(errors).toEqual([]);
    });

    it('blocks the script itself: the stub goes on taking calls', async () => {
      await context.route('**/v1/pixel.js', (route) => route.abort('blockedbyclient'));
      const { page, errors } = await visit(context, shop.url());
      await call(page, 'track', 'Lead');
      expect(errors).toEqual([]);
    });

    it.each([
      ['no JSON', 202, '<html>'],
      ['JSON of another shape', 202, '{"results":{"0":7}}'],
      ['null', 202, 'null'],
      ['nothing', 200, ''],
    ])('answers %s: accepted is accepted', async (_, status, body) => {
      await context.route(EVENTS, (route) => route.fulfill({ status, body, headers: ANY_ORIGIN }));
      const { page, errors } = await visit(context, shop.url());
      await advance(page, 4);
      await eventually(() => stored(page)).toEqual([]);
      expect(errors).toEqual([]);
    });
  });

  describe('the page', () => {
    it('hands over nonsense: swallowed, and the next event is sent', async () => {
      shop.page = { attributes: 'data-auto="false"' };
      const { page, errors } = await visit(context, shop.url());
      await page.evaluate(() => {
        const { millrace } = window as unknown as Api;
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        const bomb = {
          get value() {
            throw new Error('boom');
          },
        };
        for (const data of [circle, bomb, { big: 10n }, Symbol('s'), 'text', 7, null, () => {}]) {
          millrace('identify', data);
          millrace('consent', data);
        }
        for (const data of [circle, bomb, { big: 10n }]) millrace('track', 'Lost', data);
        const names = ['', 'nope', '__proto__', 'constructor', 'toString'];
        for (const command of [...names, null, undefined, {}, Symbol('s')]) millrace(command);
        millrace();
        millrace('track', 'Kept', { items: 'none' }, null);
      });
      await advance(page, 3);
      await eventually(() => shop.names).toEqual(['Kept']);
      expect(errors).toEqual([]);
    });

    const BOOM = "() => { throw new Error('boom'); }";
    it.each([
      ['fetch', `window.fetch = ${BOOM}`],
      ['fetch that gives nothing', 'window.fetch = () => undefined'],
      ['sendBeacon', `navigator.sendBeacon = ${BOOM}`],
      ['JSON', `JSON.stringify = ${BOOM}`],
      ['JSON.parse', `JSON.parse = ${BOOM}`],
      ['Array.prototype.toJSON', "Object.assign(Array.prototype, { toJSON: () => '[]' })"],
      ['crypto', "Object.defineProperty(window, 'crypto', { value: undefined })"],
      ['AbortSignal', "Object.defineProperty(window, 'AbortSignal', { value: {} })"],
      ['URLSearchParams', "Object.defineProperty(window, 'URLSearchParams', { value: undefined })"],
      ['the clock', 'Date.now = () => Number.NaN'],
    ])('breaks %s: nothing of it reaches the shop', async (_, before) => {
      shop.page = { before: `${before};` };
      const { page, errors } = await visit(context, shop.url());
      await page.evaluate(() => {
        const { millrace } = window as unknown as Api;
        millrace('track', 'Lead', { value: 1, currency: 'EUR' });
        dispatchEvent(new Event('pagehide'));
      });
      await advance(page, 3);
      await settle();
      expect(errors).toEqual([]);
    });

    it.each(['', 'not-a-uuid', '&quot;,&quot;x&quot;:&quot;'])(
      'names a merchant (%s) there cannot be: no error, and nothing kept for ever',
      async (merchant) => {
        shop.answers = [() => ({ status: 400, body: {} })];
        shop.page = {
          html: `<script async src="${shop.script}" data-merchant="${merchant}" data-auto="x" data-consent="y"></script>`,
        };
        const refusal = { status: 400, body: '{}', headers: ANY_ORIGIN };
        await context.route(EVENTS, (route) => route.fulfill(refusal));
        const { page, errors } = await visit(context, shop.url());
        await advance(page, 4);
        expect(await stored(page)).toEqual([]);
        expect(errors).toEqual([]);
      },
    );

    it('keeps its hands on window.millrace: the pixel gives way', async () => {
      shop.page = { before: `Object.defineProperty(window, 'millrace', {value: 5, writable: false});` };
      const { page, errors } = await visit(context, shop.url());
      await advance(page, 3);
      expect(errors).toEqual([]);
    });

    it('loads it as a module, where a script does not know itself: nothing happens', async () => {
      shop.page = { html: `<script type="module" src="${shop.script}"></script>` };
      const { page, errors } = await visit(context, shop.url());
      await advance(page, 2);
      expect(shop.requests).toHaveLength(0);
      expect(errors).toEqual([]);
    });
  });
});
