// Goal: for any failure of the API the rest of the page works, the failure is explained, and nothing is sent twice.
// Method: the real API; its answers are replaced on the way by those of proxies and outages.
import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { changesSent } from '#test/support/dashboard/as-owner.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { disturb, type Fault, held, html, lost, ofChanges, refused } from '#test/support/dashboard/faults.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { submitTwice } from '#test/support/dashboard/twice.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const FAILURES: readonly (readonly [string, Fault, RegExp])[] = [
  ['500', refused(500, 'internal_error'), /It is internal_error/],
  ['503 with a time', refused(503, 'unavailable', { 'retry-after': '600' }), /Retry in \d+ s/],
  ['429', refused(429, 'rate_limited', { 'retry-after': '3' }), /It is rate_limited/],
  ['403', refused(403, 'forbidden'), /Your role does not allow this/],
  ['HTML of a proxy', html(502), /Something else than the service answered/],
  ['HTML that calls itself a success', html(200), /Something else than the service answered/],
  ['nothing', lost, /did not answer/],
];

describe.runIf(browserWanted)('a failure', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });
  beforeAll(() => sendSamples(suite.host().session));

  it.each(FAILURES)('of one request is said in its own panel: %s', async (_name, fail, said) => {
    const page = await suite.opened();
    await page.route('**/v1/analytics/volume*', fail);
    await page.reload();
    await settled(page);
    await page.getByRole('alert').filter({ hasText: said }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByRole('link', { name: /^Meta: \d+ delivered$/ }).waitFor();
    await page.unroute('**/v1/analytics/volume*');
  });

  it('of a suspended merchant is said in the words of the service, and nobody is taken for a stranger', async () => {
    const page = await suite.opened();
    await page.route('**/v1/**', refused(403, 'merchant_suspended'));
    await page.reload();
    await page
      .getByRole('alert')
      .filter({ hasText: /^It is merchant_suspended/ })
      .first()
      .waitFor();
    expect(await page.getByText('a member of no shop').count()).toBe(0);
    await page.unroute('**/v1/**');
  });

  it('is a service that has not answered within 30 seconds', async () => {
    const page = await suite.opened();
    await page.clock.install();
    const { met } = await disturb(page, held);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await expect.poll(met).toBeGreaterThan(0);
    const before = met();
    await page.clock.fastForward(31_000);
    await page.getByRole('alert').filter({ hasText: 'did not answer' }).first().waitFor();
    // Requests are repeated only by pressing Retry, or by the page's polling every five seconds.
    expect(met() - before).toBeLessThan(3);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Events');
  });

  it('is over when Retry is pressed and the service is back', async () => {
    const page = await suite.opened();
    await page.route('**/v1/events?*', refused(500, 'internal_error'), { times: 1 });
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('leaves the last good answer where it was', async () => {
    const page = await suite.opened('/platforms');
    await page.route('**/v1/platforms', lost);
    await page.getByRole('alert').filter({ hasText: 'did not answer' }).waitFor();
    expect(await page.getByRole('button', { name: 'Test' }).count()).toBe(PLATFORMS.length);
  });

  it('of settings stands at its field, and above the button where it is about no field of the page', async () => {
    const page = await suite.opened('/settings');
    const details = [
      { path: 'settings.browser_ingestion_enabled', message: 'must be decided' },
      { path: 'settings.time_zone', message: 'must be a time zone' },
      { path: 'onboarding_step', message: 'must be a step' },
    ];
    await page.route('**/v1/account', ofChanges(refused(400, 'invalid_request', {}, { details })));
    await page.getByLabel('Name', { exact: true }).fill('Another');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'must be a step' }).waitFor();
    for (const [label, words] of [
      ['Events from browsers', 'must be decided'],
      ['Time zone', 'must be a time zone'],
    ] as const) {
      const field = page.getByLabel(label);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await field.locator('..').textContent()).toContain(words);
    }
  });

  it('of a change sends nothing by itself again, and a double press sends one request', async () => {
    const page = await suite.opened('/keys');
    const sent = changesSent(page, /^\/v1\/api-keys$/);
    await page.route('**/v1/api-keys', ofChanges(lost));
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Twice');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(sent).toEqual(['POST /v1/api-keys']);
    await page.unroute('**/v1/api-keys');
    sent.length = 0;
    await page.getByLabel('Name').focus();
    // Both before the first answer can be there.
    await submitTwice(page.getByRole('dialog').locator('form'));
    await page.getByText('It is shown once').waitFor();
    expect(sent).toEqual(['POST /v1/api-keys']);
  });
});
