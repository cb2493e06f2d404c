// Goal: of two connections to a platform each is chosen, given rules of its own, paused and removed by itself, and is still
// named where an event went to it. Method: the real API behind the pages.
import { beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly platform: string;
  readonly status: string;
  readonly events: readonly string[] | null;
  readonly consent: unknown;
}

const NAME = 'meta#2 Zweiter Pixel';

describe.runIf(browserWanted)('one connection of two', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });
  const call = (method: string, path: string, body?: unknown) =>
    asOwner(suite.host().session, method, path, body);
  const second = async (): Promise<Shown | undefined> => {
    const { platforms } = (await call('GET', '/v1/platforms')).body as { platforms: readonly Shown[] };
    return platforms.find(({ name }) => name === NAME);
  };
  beforeAll(async () => {
    const credentials = { pixel_id: '9876543210', access_token: 'y'.repeat(20) };
    await call('POST', '/v1/platforms', { platform: 'meta', name: NAME, another: true, credentials });
  });

  it('gets its own events and consent, is paused, chosen for a rule, and named once it is gone', async () => {
    const page = await suite.opened('/platforms');
    const card = page.getByRole('listitem').filter({ hasText: NAME });
    await card.getByRole('button', { name: 'Events and consent' }).click();
    await page.getByLabel('Only these events').fill('Purchase, Lead');
    await page.getByLabel('storage for ads').check();
    await page.getByLabel('Of people in').fill('Germany');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('two capital letters').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Of people in').fill('de, fr');
    await page.getByRole('button', { name: 'Save' }).click();
    await card
      .getByText('gets only Purchase, Lead; only with consent to storage for ads of people in DE, FR')
      .waitFor();
    expect(await second()).toMatchObject({
      events: ['Purchase', 'Lead'],
      consent: { require: ['ad_storage'], countries: ['DE', 'FR'] },
    });
    await card.getByRole('button', { name: 'Pause' }).click();
    await card.getByText('paused by a person').waitFor();
    expect(await second()).toMatchObject({ status: 'paused' });

    const { id = '' } = (await second()) ?? {};
    const ruled = await suite.opened('/rules');
    await ruled.getByRole('button', { name: 'New rule' }).click();
    await ruled.getByLabel('Name', { exact: true }).fill('Not there');
    await ruled.getByLabel(NAME).check();
    await ruled.getByRole('button', { name: 'Make the rule' }).click();
    await ruled.getByText(NAME).waitFor();
    // Its name is on the page before the answer is: in the field that chose it.
    const chosen = async () => {
      const { rules } = (await call('GET', '/v1/rules')).body as { rules: { platforms: string[] }[] };
      return rules.map(({ platforms }) => platforms);
    };
    await expect.poll(chosen).toEqual([[id]]);

    await page.bringToFront();
    await card.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await card.waitFor({ state: 'detached' });
    const after = await suite.opened('/rules');
    await after.getByText('a removed connection').waitFor();
  });
});
