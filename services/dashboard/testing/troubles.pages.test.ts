// Goal: Overview shows what is wrong before any figure: which connection, since when, how many events wait and were
// given up, the platform's message and what to do. Method: a shop with five kinds of trouble, made by the sandbox.
import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { asOwner } from '#test/support/dashboard/as-owner.ts';
import { violations, violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { sendOrders } from '#test/support/dashboard/sample-events.ts';
import { fault } from '#test/support/dashboard/sample-shop.ts';
import { tooWide } from '#test/support/dashboard/seen.ts';
import { followed } from '#test/support/dashboard/trees.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

/** For a visual check by a person. */
const PICTURES = '.local/dashboard-pictures/troubles';

/** How soon a circuit opens depends on how many calls there were: until then most of them fail. */
const AWAY = /(?:does not take events|fails most of what it is sent) since/;
const FIGURES = [
  '/?range=24h',
  '/coverage',
  '/coverage?show=problems',
  '/funnel',
  '/quality',
  '/platforms',
  '/billing',
  '/keys',
  '/events',
];
const TROUBLES = [
  ['x', 'X', '401', /refuses its credentials since/],
  ['klaviyo', 'Klaviyo', '500', AWAY],
  ['tiktok', 'TikTok', 'reset', AWAY],
  ['snapchat', 'Snapchat', '429', /limits what it takes since/],
  // 502 with a page for people.
  ['reddit', 'Reddit', 'html', AWAY],
] as const;

describe.runIf(browserWanted)('a shop with five kinds of trouble', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  const troubles = async () => {
    const { platforms } = (await asOwner(suite.host().session, 'GET', '/v1/platforms')).body;
    return platforms.flatMap(
      ({ platform, health }: { platform: string; health: { trouble: { kind: string } | null } }) =>
        health.trouble === null ? [] : [`${platform} ${health.trouble.kind}`],
    );
  };

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    const { session } = suite.host();
    for (const [platform, , kind] of TROUBLES) await fault(session, { platform, kind });
    await sendOrders(session);
    await sendOrders(session, 'later');
    await vi.waitFor(
      async () => {
        const seen = await troubles();
        if (seen.length !== TROUBLES.length) throw new Error(`in trouble: ${seen.join(', ')}`);
      },
      // Against hanging only.
      { timeout: 600_000, interval: 1_000 },
    );
  });

  it('names each of them before any figure, with its numbers and what to do', async () => {
    const page = await suite.opened('/?range=24h', { locale: 'en-US', timezoneId: 'UTC' });
    const region = page.getByRole('region', { name: 'What needs you' });
    await region
      .getByRole('status')
      .getByText(/^▲ 5 connections need you: X, /)
      .waitFor();
    const said = await region.getByRole('listitem').allTextContents();
    expect(said).toHaveLength(5);
    for (const [, label, , words] of TROUBLES) {
      const line = said.find((one) => one.includes(label)) ?? '';
      expect(line, label).toMatch(words);
      expect(line, label).toMatch(/[\d,]+ events? waits?/);
    }
    expect(said.find((one) => one.includes('X'))).toMatch(/It answered 401/);
    // Before everything else of the page.
    const first = await page.evaluate("document.querySelector('main section')?.getAttribute('aria-label')");
    expect(first).toBe('What needs you');
    // Each number opens the events it counts.
    const links = region.getByRole('link', { name: /wait|given up/ });
    for (const link of await links.all()) {
      const number = Number.parseInt((await link.textContent())?.replaceAll(',', '') ?? '', 10);
      const href = (await link.getAttribute('href')) ?? '';
      const { body } = await asOwner(suite.host().session, 'GET', `/v1${href}&limit=1`);
      expect([href, body.total]).toEqual([href, number]);
    }
    expect(await region.getByRole('link', { name: /^Repair X/ }).getAttribute('href')).toBe(
      '/connect?platform=x&step=credentials',
    );
    // What waits is in the rate, and beside it.
    const rate = await page
      .locator('dt', { hasText: /^Delivered$/ })
      .locator('..')
      .textContent();
    expect(rate).toMatch(/[\d,]+ of [\d,]+ that were due/);
    expect(rate).not.toMatch(/100\s?%/);
    await page.getByRole('heading', { name: 'Where every event went' }).waitFor();
  });

  it('is readable in every look', async () => {
    const page = await suite.opened('/?range=24h', { locale: 'en-US' });
    await page.getByRole('region', { name: 'What needs you' }).getByRole('listitem').nth(4).waitFor();
    for (const width of [1_440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${PICTURES}/overview-${width}.png`, fullPage: true });
      expect(await tooWide(page, width)).toEqual([]);
    }
    expect(await violationsInEveryLook(page)).toEqual([]);
  });

  it('keeps its frame, its signs and its bars where colours are forced', async () => {
    const page = await suite.opened('/?range=24h', {
      forcedColors: 'active',
      viewport: { width: 1440, height: 900 },
    });
    const region = page.getByRole('region', { name: 'What needs you' });
    await region.getByRole('listitem').nth(4).waitFor();
    await settled(page);
    await page.screenshot({ path: `${PICTURES}/overview-forced.png`, fullPage: true });
    const styles = await page.evaluate(`[
      getComputedStyle(document.querySelector('main section')).borderTopWidth,
      getComputedStyle(document.querySelector('.bg-fill-waiting')).forcedColorAdjust,
      getComputedStyle(document.querySelector('[aria-pressed=true]')).textDecorationLine,
    ]`);
    expect(styles).toEqual(['2px', 'none', 'underline']);
  });

  it('has names and headings that can be told apart on every page of figures', async () => {
    const page = await suite.opened();
    const found: string[] = [];
    for (const path of FIGURES) {
      await followed(page, path);
      found.push(...(await violations(page, { isAdvised: true })).map((one) => `${path}: ${one}`));
    }
    expect(found).toEqual([]);
  });

  it('moves the chart with its numbers', async () => {
    const page = await suite.opened('/?range=24h', { locale: 'en-US' });
    const point = page.getByText(/^[\d,]+ events; most of them at/);
    const before = await point.textContent();
    await sendOrders(suite.host().session, 'moved');
    await expect.poll(() => point.textContent()).not.toBe(before);
  });
});
