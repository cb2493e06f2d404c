// Goal: what pixel.ts and identifiers.ts promise about consent, identifiers and what stays in the browser. Method:
// headless Chromium against a recording endpoint; cookies and storage are read back from the browser.
import type { BrowserContext, Cookie, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { BROWSER_ID_KEYS } from '#lib/events/domain/identity/identity.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';
import { eachVisit } from '#test/support/pixel/each-visit.ts';
import { refused, type Shop } from '#test/support/pixel/shop.ts';
import { advance, call, eventually, settle, stored, visit } from '#test/support/pixel/visitor.ts';

const DENIED = { ad_user_data: 'denied', ad_personalization: 'denied', ad_storage: 'denied' };
const GRANTED = {
  ad_user_data: 'granted',
  ad_personalization: 'granted',
  ad_storage: 'granted',
  analytics: 'granted',
};

let context: BrowserContext;
let shop: Shop;

const storage = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => Object.fromEntries(Object.entries(localStorage)) as Record<string, string>);
const cookies = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await context.cookies()).map((c) => [c.name, c.value]));
const idsOf = (index: number) =>
  (shop.events[index]?.user_data as { browser_ids?: Record<string, string> } | undefined)?.browser_ids;

describe.skipIf(!browserWanted)('the visitor and pixel.js in Chromium', () => {
  eachVisit(
    ({ context: own, shop: one }) => {
      context = own;
      shop = one;
    },
    ['*.shop.test'],
  );

  describe('consent that is required', () => {
    beforeEach(() => {
      shop.page = { attributes: 'data-consent="required"' };
    });

    it('is waited for: nothing sent, nothing stored, no cookie; then everything, with its own time and place', async () => {
      const { page } = await visit(context, shop.url('/landing?gclid=abc&fbclid=xyz'));
      await page.clock.pauseAt(Date.now() + 60_000);
      await call(page, 'track', 'ViewContent');
      await advance(page, 5);
      await page.evaluate(() => history.replaceState({}, '', '/landing?gclid=abc&fbclid=xyz&step=2'));
      await page.evaluate(() => dispatchEvent(new Event('pagehide')));
      expect(shop.requests).toHaveLength(0);
      expect(await storage(page)).toEqual({});
      expect(await cookies()).toEqual({});

      await call(page, 'consent', GRANTED);
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView', 'ViewContent']);
      for (const event of shop.events) {
        expect(event.consent).toEqual(GRANTED);
        expect(event.event_source_url).toBe(shop.url('/landing?gclid=abc&fbclid=xyz'));
        expect(Number(event.event_time) * 1_000).toBeLessThan(
          (await page.evaluate(() => Date.now())) - 4_000,
        );
      }
      expect(idsOf(0)).toMatchObject({ gclid: 'abc', fbc: expect.stringMatching(/^fb\.1\.\d{13}\.xyz$/) });
    });

    it('is remembered: the next page does not wait', async () => {
      const { page } = await visit(context, shop.url());
      await call(page, 'consent', { analytics: 'granted', ad_storage: 'denied' });
      await advance(page, 2);
      await page.goto(shop.url('/next'));
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView', 'PageView']);
      expect(shop.events[1]?.consent).toEqual({ analytics: 'granted', ad_storage: 'denied' });
    });

    it('when refused: what was held is gone, only the refusal is stored', async () => {
      const { page, errors } = await visit(context, shop.url('/?gclid=abc'));
      await call(page, 'consent', { ...DENIED, analytics: 'denied' });
      await call(page, 'track', 'Lead');
      await advance(page, 5);
      await page.goto(shop.url('/next'));
      await advance(page, 5);
      await settle();
      expect(shop.requests).toHaveLength(0);
      expect(Object.values(await storage(page)).filter((value) => value !== '[]')).toEqual([
        JSON.stringify({ ...DENIED, analytics: 'denied' }),
      ]);
      expect(await cookies()).toEqual({});
      expect(errors).toEqual([]);
    });

    it('is not given by an answer that says nothing', async () => {
      const { page } = await visit(context, shop.url());
      await call(page, 'consent', { ad_storage: 'yes', analytics: true });
      await call(page, 'consent', 'granted');
      await call(page, 'consent');
      await advance(page, 3);
      await settle();
      expect(shop.requests).toHaveLength(0);
      expect(await storage(page)).toEqual({});
      await call(page, 'consent', GRANTED);
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView']);
    });

    it('holds a bearable number of events', async () => {
      const { page } = await visit(context, shop.url());
      await page.evaluate(() => {
        for (let i = 0; i < 300; i++)
          (window as unknown as { millrace(...x: unknown[]): void }).millrace('track', 'N', { i });
      });
      await call(page, 'consent', GRANTED);
      await advance(page, 12);
      await settle();
      // A page view and 98 more; of those the store keeps the newest that fit.
      const numbers = shop.events.map(({ custom_data }) => (custom_data as { i: number }).i);
      expect(numbers.length).toBeGreaterThan(10);
      expect(Math.max(...numbers.filter((n) => n !== undefined))).toBe(97);
    });
  });

  it("takes Consent Mode's word for analytics: with it and ad_storage denied nothing is sent", async () => {
    const { page } = await visit(context, shop.url());
    await call(page, 'consent', {
      ad_storage: 'denied',
      analytics_storage: 'denied',
      security_storage: 'granted',
    });
    await call(page, 'track', 'Lead');
    await advance(page, 5);
    await settle();
    expect(shop.requests).toHaveLength(0);
    await call(page, 'consent', { analytics_storage: 'granted' });
    await call(page, 'track', 'Contact');
    await advance(page, 2);
    await eventually(() => shop.names).toEqual(['Contact']);
    expect(shop.events[0]?.consent).toEqual({
      ad_storage: 'denied',
      analytics: 'granted',
      security_storage: 'granted',
    });
  });

  describe('consent that changes', () => {
    it('is attached as it stands; a refusal of everything empties the queue and stops the cookies', async () => {
      shop.page = {
        attributes: 'data-auto="false"',
        before: `millrace('consent', {ad_storage: 'denied', analytics: 'granted'})`,
      };
      const { page } = await visit(context, shop.url('/?gclid=abc'));
      await page.clock.pauseAt(Date.now() + 60_000);
      await call(page, 'track', 'A');
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['A']);
      expect(shop.events[0]?.consent).toEqual({ ad_storage: 'denied', analytics: 'granted' });
      expect(idsOf(0)).toBeUndefined();
      expect(await cookies()).toEqual({});
      await call(page, 'track', 'B');
      expect(await stored(page)).toHaveLength(1);
      await call(page, 'consent', { analytics: 'denied' });
      expect(await stored(page)).toEqual([]);
      await advance(page, 3);
      await settle();
      expect(shop.names).toEqual(['A']);
    });

    it('counts in the other tabs of the shop too', async () => {
      shop.page = { attributes: 'data-auto="false"' };
      const { page: first } = await visit(context, shop.url());
      const { page: second } = await visit(context, shop.url());
      const choices: Record<string, string>[] = [];
      await first.exposeFunction('onChoice', (choice: string) => void choices.push(JSON.parse(choice)));
      await first.evaluate(() =>
        addEventListener('storage', ({ key, newValue }) => {
          const page = window as unknown as { onChoice(choice: string | null): void };
          if (key?.endsWith('c')) page.onChoice(newValue);
        }),
      );
      const choice = { ...DENIED, analytics: 'denied' };
      await call(second, 'consent', choice);
      // Tabs may be processes, which see each other's storage a moment later: all of a choice at once, or nothing of it.
      await eventually(() => choices.length).toBeGreaterThan(0);
      expect(choices[0]).toEqual(choice);
      await call(first, 'track', 'Lead');
      await advance(first, 3);
      await settle();
      expect(shop.requests).toHaveLength(0);
    });
  });

  describe.each([
    [
      'Global Privacy Control',
      () => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    ],
    ['Do Not Track', () => Object.defineProperty(navigator, 'doNotTrack', { value: '1' })],
  ])('%s', (_, say) => {
    it('denies everything about ads, whatever the banner says; no identifier is read or made', async () => {
      await context.addInitScript(say);
      await context.addCookies([{ name: '_fbp', value: 'fb.1.1.2', url: shop.url() }]);
      shop.page = { before: `millrace('consent', ${JSON.stringify(GRANTED)})` };
      const { page } = await visit(context, shop.url('/?gclid=abc&fbclid=xyz'));
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView']);
      expect(shop.events[0]?.consent).toEqual({ ...GRANTED, ...DENIED });
      expect(idsOf(0)).toBeUndefined();
      expect(await cookies()).toEqual({ _fbp: 'fb.1.1.2' });
    });
  });

  it('does not take an unset Do Not Track for a refusal', async () => {
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'doNotTrack', { value: 'unspecified' }),
    );
    const { page } = await visit(context, shop.url());
    await advance(page, 2);
    await eventually(() => idsOf(0)?.fbp).toBeDefined();
    expect(shop.events[0]?.consent).toEqual({});
  });

  describe('identifiers', () => {
    const CLICKS = {
      gclid: 'Cj0KCQ-g_1',
      gbraid: '0AAAA',
      wbraid: 'Cl4K',
      ttclid: 'E.C.P.x',
      epik: 'dj0yJn',
      li_fat_id: '1-2-3',
      rdt_cid: '456',
      twclid: '2-abc',
      msclkid: 'ff00',
      ScCid: 'sc-1',
      _kx: 'abc%3D.De',
      oppref: 'opp_1',
      tblci: 'GiDx-1',
      OutbrainClickId: 'v3-1',
      awc: '7_1_ab',
      irclickid: 'ir.1',
    };
    const KEPT = {
      gclid: 'Cj0KCQ-g_1',
      gbraid: '0AAAA',
      wbraid: 'Cl4K',
      ttclid: 'E.C.P.x',
      epik: 'dj0yJn',
      li_fat_id: '1-2-3',
      rdt_cid: '456',
      twclid: '2-abc',
      msclkid: 'ff00',
      sc_click_id: 'sc-1',
      kx: 'abc=.De',
      oppref: 'opp_1',
      tblci: 'GiDx-1',
      ob_click_id: 'v3-1',
      awc: '7_1_ab',
      irclickid: 'ir.1',
    };
    const query = Object.entries(CLICKS)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');

    it('are taken from the landing URL and remembered for 90 days', async () => {
      const { page } = await visit(context, shop.url(`/?${query}&fbclid=IwAR0_x`));
      await advance(page, 2);
      await page.goto(shop.url('/next'));
      await advance(page, 3);
      await eventually(() => shop.names).toEqual(['PageView', 'PageView']);
      expect(idsOf(0)).toEqual({
        ...KEPT,
        fbc: expect.stringMatching(/^fb\.1\.\d{13}\.IwAR0_x$/),
        fbp: expect.stringMatching(/^fb\.1\.\d{13}\.\d+$/),
      });
      expect(idsOf(1)).toEqual(idsOf(0));
      for (const key of Object.keys(idsOf(0) ?? {})) expect(BROWSER_ID_KEYS).toContain(key);
      const left = (c: Cookie) => (c.expires - Date.now() / 1_000) / 86_400;
      for (const cookie of await context.cookies()) expect(left(cookie)).toBeCloseTo(90, 1);
    });

    it('of a newer click take the place of older ones; the same click keeps its time', async () => {
      const { page } = await visit(context, shop.url('/?gclid=one&fbclid=first'));
      await advance(page, 2);
      await page.goto(shop.url('/?gclid=two&fbclid=first'));
      await advance(page, 2);
      await page.goto(shop.url('/?fbclid=second'));
      await advance(page, 2);
      await eventually(() => shop.events.length).toBe(3);
      expect([0, 1, 2].map((i) => idsOf(i)?.gclid)).toEqual(['one', 'two', 'two']);
      expect(idsOf(1)?.fbc).toBe(idsOf(0)?.fbc);
      expect(idsOf(2)?.fbc).toMatch(/\.second$/);
    });

    it.each([
      ['too long', 'x'.repeat(300)],
      ['with a control character', 'a%00b'],
      ['with a line break', 'a%0Ab'],
      ['with a semicolon', 'a%3Bdomain%3Devil'],
      ['with a space', 'a%20b'],
      ['with a letter beyond ASCII', 'caf%C3%A9'],
      ['empty', ''],
    ])('%s are ignored, and nothing is kept of them', async (_, value) => {
      const { page } = await visit(context, shop.url(`/?gclid=${value}&fbclid=${value}`));
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView']);
      expect(Object.keys(idsOf(0) ?? {})).toEqual(['fbp']);
      expect(Object.keys(await cookies())).toEqual(['_fbp']);
    });

    it('of other scripts are read from their cookies and left as they are', async () => {
      const theirs = {
        _fbp: 'fb.1.1700000000000.42',
        _fbc: 'fb.1.1700000000001.click',
        _ttp: '2abcDEF',
        _scid: 'sc-cookie',
        _rdt_uuid: '1700000000000.uuid',
        _ga: 'GA1.1.1234567.1700000000',
        _ga_ABC1234: 'GS2.1.s1700000100$o1$g1$t1700000160$j60$l0$h0',
        _ga_SECOND: 'GS2.1.s1700000101$o1',
        unrelated: 'x',
      };
      await context.addCookies(
        Object.entries(theirs).map(([name, value]) => ({ name, value, url: shop.url() })),
      );
      const { page } = await visit(context, shop.url());
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView']);
      expect(idsOf(0)).toEqual({
        fbp: theirs._fbp,
        fbc: theirs._fbc,
        ttp: theirs._ttp,
        sc_cookie1: theirs._scid,
        rdt_uuid: theirs._rdt_uuid,
        ga_client_id: '1234567.1700000000',
        ga_session_id: theirs._ga_ABC1234,
      });
      expect(await cookies()).toEqual(theirs);
    });

    it('of other scripts are not overwritten by what a link says', async () => {
      const theirs = { _fbp: 'fb.1.1700000000000.42', _ga: 'GA1.1.1234567.1700000000' };
      await context.addCookies(
        Object.entries(theirs).map(([name, value]) => ({ name, value, url: shop.url() })),
      );
      const { page } = await visit(context, shop.url('/?_fbp=fb.1.1.666&_ga=2.666-1.2'));
      await advance(page, 2);
      await eventually(() => shop.names).toEqual(['PageView']);
      expect(await cookies()).toEqual(theirs);
    });

    it('are shared by the hosts of a shop', async () => {
      const { page } = await visit(context, shop.url('/?gclid=abc', 'www.shop.test'));
      await advance(page, 2);
      await page.goto(shop.url('/', 'checkout.shop.test'));
      await advance(page, 3);
      await eventually(() => shop.events.length).toBe(2);
      expect(idsOf(1)).toEqual(idsOf(0));
      expect(idsOf(1)?.gclid).toBe('abc');
    });
  });

  describe('the store', () => {
    it('never takes more than 64 KiB, and drops the oldest first', async () => {
      shop.page = { attributes: 'data-auto="false"' };
      shop.answers = [refused(503)];
      const { page } = await visit(context, shop.url());
      await page.evaluate(() => {
        for (let i = 0; i < 400; i++)
          (window as unknown as { millrace(...x: unknown[]): void }).millrace(
            'track',
            'N',
            { text: '"ü'.repeat(i % 300) },
            { event_id: `n${i}` },
          );
      });
      const bytes =
        2 *
        Object.entries(await storage(page))
          .flat()
          .join('').length;
      expect(bytes).toBeLessThanOrEqual(65_536);
      const ids = (await stored(page)).map((json) => JSON.parse(json).event_id as string);
      expect(ids.length).toBeGreaterThan(3);
      expect(ids).toEqual(Array.from(ids, (_, i) => `n${400 - ids.length + i}`));
    });

    it('is not emptied for one event out of all proportion', async () => {
      shop.page = { attributes: 'data-auto="false"' };
      const { page } = await visit(context, shop.url());
      await page.clock.pauseAt(Date.now() + 60_000);
      await call(page, 'track', 'A');
      await call(page, 'track', 'Huge', { text: 'x'.repeat(100_000) });
      await call(page, 'track', 'B');
      expect((await stored(page)).map((json) => JSON.parse(json).event_name)).toEqual(['A', 'B']);
    });

    it('holds no e-mail address once the events are answered', async () => {
      const { page } = await visit(context, shop.url());
      await call(page, 'identify', { email: 'someone@example.com' });
      await call(page, 'track', 'Lead');
      await advance(page, 3);
      await eventually(() => stored(page)).toEqual([]);
      expect(JSON.stringify([await storage(page), await context.storageState()])).not.toContain('someone@');
    });
  });
});
