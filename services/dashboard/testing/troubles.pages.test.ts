// Goal: Overview shows what is wrong before any figure: which connection, since when, how many events wait and were
// given up, the platform's message and what to do. Method: a shop with five kinds of trouble, made by the sandbox.
import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { asOwner } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { sendOrders } from '#test/support/dashboard/sample-events.ts';
import { fault } from '#test/support/dashboard/sample-shop.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

/** For a visual check by a person. */
const PICTURES = '.local/dashboard-pictures/troubles';

/** How soon a circuit opens depends on how many calls there were: until then most of them fail. */
const AWAY = /(?:does not take events|fails most of what it is sent) since/;
const TROUBLES = [
  ['x', 'X', '401', /refuses its credentials since/],
  ['klaviyo', 'Klaviyo', '500', AWAY],
  ['tiktok', 'TikTok', 'reset', AWAY],
  ['snapchat', 'Snapchat', '429', /limits what it takes since/],
  // 502 with a page for people.
  ['reddit', 'Reddit', 'html', AWAY],
] as const;

describe.runIf(browserWanted)('a shop with five kinds of trouble', () => {
  const suite = useDashboard();

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
    const visit = await suite.visit({ locale: 'en-US', timezoneId: 'UTC' });
    await signIn(visit, suite.host(), '/?range=24h');
    await settled(visit.page);
    const { page } = visit;
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

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 375],
    ['dark', 375],
  ] as const)('is readable in %s at %i pixels', async (colorScheme, width) => {
    const visit = await suite.visit({
      colorScheme,
      viewport: { width, height: 900 },
      locale: 'en-US',
    });
    await signIn(visit, suite.host(), '/?range=24h');
    await visit.page.getByRole('region', { name: 'What needs you' }).getByRole('listitem').nth(4).waitFor();
    await settled(visit.page);
    await visit.page.screenshot({ path: `${PICTURES}/overview-${colorScheme}-${width}.png`, fullPage: true });
    expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await violations(visit.page)).toEqual([]);
  });

  it('keeps its frame, its signs and its bars where colours are forced', async () => {
    const visit = await suite.visit({ forcedColors: 'active', viewport: { width: 1440, height: 900 } });
    await signIn(visit, suite.host(), '/?range=24h');
    const region = visit.page.getByRole('region', { name: 'What needs you' });
    await region.getByRole('listitem').nth(4).waitFor();
    await settled(visit.page);
    await visit.page.screenshot({ path: `${PICTURES}/overview-forced.png`, fullPage: true });
    const styles = await visit.page.evaluate(`[
      getComputedStyle(document.querySelector('main section')).borderTopWidth,
      getComputedStyle(document.querySelector('.bg-fill-waiting')).forcedColorAdjust,
      getComputedStyle(document.querySelector('[aria-pressed=true]')).textDecorationLine,
    ]`);
    expect(styles).toEqual(['2px', 'none', 'underline']);
  });

  it.each([
    '/?range=24h',
    '/coverage',
    '/coverage?show=problems',
    '/funnel',
    '/quality',
    '/platforms',
    '/billing',
    '/keys',
    '/events',
  ])('has names and headings that can be told apart on %s', async (path) => {
    const visit = await suite.visit();
    await signIn(visit, suite.host(), path);
    await settled(visit.page);
    expect(await violations(visit.page, { isAdvised: true })).toEqual([]);
  });

  it('moves the chart with its numbers', async () => {
    const visit = await suite.visit({ locale: 'en-US' });
    await signIn(visit, suite.host(), '/?range=24h');
    const { page } = visit;
    const point = page.getByText(/^[\d,]+ events; most of them at/);
    const before = await point.textContent();
    await sendOrders(suite.host().session, 'moved');
    await expect.poll(() => point.textContent()).not.toBe(before);
  });
});
