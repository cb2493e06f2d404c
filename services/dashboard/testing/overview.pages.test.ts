// Goal: the overview says what a million events cost, and since when a platform is away. Method: the real bill, and a sandbox that
// refuses a platform's credentials.
import { beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../../../test/support/dashboard/as-owner.ts';
import { settled, signIn, useDashboard } from '../../../test/support/dashboard/browser.ts';
import { sendSamples } from '../../../test/support/dashboard/sample-events.ts';
import { browserWanted } from '../../../test/support/pixel/browser.ts';

describe.runIf(browserWanted)('the overview', () => {
  const suite = useDashboard();

  beforeAll(async () => {
    const { session } = suite.host();
    await fetch(`${session.sandbox_url}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'meta', kind: '401' }),
    });
    await sendSamples(session);
  });

  it('says what a million events cost, as the bill does', async () => {
    const counted = async () =>
      (await asOwner(suite.host().session, 'GET', '/v1/billing/usage')).body.aws_cost.stored_events;
    await expect.poll(counted, { timeout: 60_000 }).toBe(68);
    const visit = await suite.visit({ locale: 'en-US' });
    await signIn(visit, suite.host());
    await settled(visit.page);
    const { aws_cost } = (await asOwner(suite.host().session, 'GET', '/v1/billing/usage')).body;
    const perMillion = (aws_cost.total / aws_cost.stored_events) * 1e6;
    const figure = visit.page.getByRole('link', { name: /^\$/ }).last();
    expect(Number((await figure.textContent())?.replace(/[$,]/g, ''))).toBeCloseTo(perMillion, 1);
    await visit.page.getByText(`AWS, estimated at prices of ${aws_cost.prices_as_of}`).waitFor();
    await figure.click();
    await visit.page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  });

  it('marks since when a platform refuses its credentials, as a band and in words', async () => {
    const paused = async () =>
      (await asOwner(suite.host().session, 'GET', '/v1/platforms')).body.platforms.find(
        ({ platform }: { platform: string }) => platform === 'meta',
      ).paused_reason;
    await expect.poll(paused, { timeout: 60_000 }).toBe('auth');
    const visit = await suite.visit();
    await signIn(visit, suite.host());
    const outages = visit.page.getByRole('list', { name: 'Outages' });
    await outages.getByText(/^Meta, .* refuses its credentials since/).waitFor();
    expect(await outages.getByRole('listitem').count()).toBe(1);
    const band = visit.page.locator('[title$="refuses its credentials"]');
    expect(await band.count()).toBe(1);
    expect((await band.boundingBox())?.width).toBeGreaterThanOrEqual(4);
    await visit.page.getByRole('button', { name: 'As a table' }).click();
    await outages.waitFor();
  });
});
