// Goal: the overview says what a million events cost, and since when a platform is away. Method: the real bill, and a sandbox that
// refuses a platform's credentials.
import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { asOwner } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { fault } from '#test/support/dashboard/sample-shop.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

describe.runIf(browserWanted)('the overview', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  beforeAll(async () => {
    const { session } = suite.host();
    await fault(session, { platform: 'meta', kind: '401' });
    await sendSamples(session);
  });

  it('says what a million events cost, as the bill does', async () => {
    const counted = async () =>
      (await asOwner(suite.host().session, 'GET', '/v1/billing/usage')).body.aws_cost.stored_events;
    await expect.poll(counted).toBe(52);
    const page = await suite.opened('/', { locale: 'en-US' });
    const { aws_cost } = (await asOwner(suite.host().session, 'GET', '/v1/billing/usage')).body;
    const perMillion = (aws_cost.total / aws_cost.stored_events) * 1e6;
    const figure = page.getByRole('link', { name: /^\$/ }).last();
    expect(Number((await figure.textContent())?.replace(/[$,]/g, ''))).toBeCloseTo(perMillion, 1);
    await page.getByText(`AWS, estimated at prices of ${aws_cost.prices_as_of}`).waitFor();
    await figure.click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  });

  it('adds up at every platform, and every number opens the events it counts', async () => {
    const { session } = suite.host();
    const told = async () =>
      (await asOwner(session, 'GET', '/v1/analytics/overview?range=24h')).body as {
        readonly events: number;
        readonly platforms: readonly Readonly<Record<string, number>>[];
      };
    // Nothing is under way any more but what waits for Meta.
    await expect
      .poll(async () => (await told()).platforms.filter(({ waiting }) => waiting === 0).length)
      .toBe(PLATFORMS.length - 1);
    const { events, platforms } = await told();
    expect([events, platforms.length]).toEqual([52, PLATFORMS.length]);
    const page = await suite.opened('/?range=24h', { locale: 'en-US' });
    const numbers = page.getByRole('link', { name: /: \d+ (?:delivered|waiting|failed|withheld)$/ });
    expect(await numbers.count()).toBe(4 * PLATFORMS.length);
    const parts = await numbers.evaluateAll((links) =>
      links.map((one) => [one.getAttribute('aria-label') ?? '', one.getAttribute('href') ?? ''] as const),
    );
    const sums = new Map<string, number>();
    for (const [label, href] of parts) {
      const [platform = '', said = ''] = label.split(': ');
      const number = Number.parseInt(said, 10);
      sums.set(platform, (sums.get(platform) ?? 0) + number);
      const { body } = await asOwner(session, 'GET', `/v1${href}&limit=1`);
      expect([label, body.total]).toEqual([label, number]);
    }
    expect([...sums.values()]).toEqual(Array.from({ length: PLATFORMS.length }, () => events));
    const [label = '', href = ''] = parts.find(([name]) => /: (?:[1-9]|[1-4]\d) withheld$/.test(name)) ?? [];
    const [platform] = label.split(':');
    // By its platform: its number and where it leads are others when the next hour begins, or a count is made anew.
    await page.getByRole('link', { name: new RegExp(`^${platform}: \\d+ withheld$`) }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await settled(page);
    const counted = ((await asOwner(session, 'GET', `/v1${href}&limit=1`)).body as { readonly total: number })
      .total;
    expect(await page.locator('tbody tr').count()).toBe(counted);
  });

  it('asks for four files at most before it is first painted', async () => {
    const page = await suite.opened();
    await page.reload();
    await settled(page);
    const before = (await page.evaluate(`(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      // How many of the questions that its program asks come before that paint is up to the machine.
      return performance.getEntriesByType('resource').filter((one) => one.startTime < paint.startTime && one.initiatorType !== 'fetch').map((one) => one.name);
    })()`)) as string[];
    // And the page itself.
    expect(before.length + 1, before.join(' ')).toBeLessThanOrEqual(4);
  });

  it('marks since when a platform refuses its credentials, as a band and in words', async () => {
    const paused = async () =>
      (await asOwner(suite.host().session, 'GET', '/v1/platforms')).body.platforms.find(
        ({ platform }: { platform: string }) => platform === 'meta',
      ).paused_reason;
    await expect.poll(paused).toBe('auth');
    const page = await suite.opened();
    const outages = page.getByRole('list', { name: 'Outages' });
    await outages.getByText(/^Meta, .* refuses its credentials since/).waitFor();
    expect(await outages.getByRole('listitem').count()).toBe(1);
    const band = page.locator('[title$="refuses its credentials"]');
    expect(await band.count()).toBe(1);
    expect((await band.boundingBox())?.width).toBeGreaterThanOrEqual(4);
    await page.getByRole('button', { name: 'As a table' }).click();
    await outages.waitFor();
  });

  it('marks from when to when it did, once it is mended', async () => {
    const { session } = suite.host();
    const { platforms } = (await asOwner(session, 'GET', '/v1/platforms')).body;
    const { id } = platforms.find(({ platform }: { platform: string }) => platform === 'meta');
    const mended = await asOwner(session, 'PATCH', `/v1/platforms/${id}`, { status: 'active' });
    expect(mended.status).toBe(200);
    const page = await suite.opened();
    const outages = page.getByRole('list', { name: 'Outages' });
    await outages.getByText(/^Meta, .* refused its credentials from .+ to .+/).waitFor();
    expect(await page.locator('[title$="refused its credentials"]').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  it('says how much waits for the limit of a platform, and when it is through', async () => {
    const page = await suite.opened('/?range=24h', { locale: 'en-US', timezoneId: 'UTC' });
    await page.route('**/v1/platforms', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const { health } = body.platforms.find(({ platform }: { platform: string }) => platform === 'klaviyo');
      const now = Date.now();
      health.backlog = 3_000;
      health.trouble = {
        kind: 'limited',
        since: new Date(now - 3_600_000).toISOString(),
        cleared_by: new Date(now + 1_200_000).toISOString(),
        given_up: 0,
        given_up_from: new Date(now).toISOString(),
        last_error: null,
      };
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    const region = page.getByRole('region', { name: 'What needs you' });
    await region.getByRole('status').getByText('Events wait for the limit of Klaviyo').waitFor();
    const said = await region.getByRole('listitem').textContent();
    expect(said).toMatch(/its limit holds events back since/);
    expect(said).toMatch(/3,000 events wait · all of them out by .+ at the latest/);
    expect(await violations(page)).toEqual([]);
  });
});
