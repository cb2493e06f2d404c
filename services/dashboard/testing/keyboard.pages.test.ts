// Goal: every flow works without a mouse, by keys that a person can find: Tab, Enter, the keys of the list under `?`;
// and takes no more of them than is written here. Method: the real host; nothing is clicked, filled in or focused
// except by keys.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { type Keys, keysOf } from '#test/support/dashboard/keys.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

describe.runIf(browserWanted)('a person without a mouse', () => {
  const suite = useDashboard();
  const desk = openDesk(() => suite.host().session);
  beforeAll(() => sendSamples(suite.host().session));

  /** Signed in, on Overview; keys are counted from there. */
  async function begun(): Promise<{ readonly page: Page; readonly keys: Keys }> {
    const page = await suite.opened();
    return { page, keys: keysOf(page) };
  }

  async function goes(page: Page, keys: Keys, key: string, title: string): Promise<void> {
    await keys.press('g', key);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await settled(page);
    expect(await focused(page)).toBe(title);
  }

  it('signs in', async () => {
    const { page } = await suite.visit();
    const { origin_url, owner_email, owner_password } = suite.host().session;
    const keys = keysOf(page);
    await page.goto(origin_url);
    await keys.tabTo(page.getByLabel('E-mail'));
    await keys.type(owner_email);
    await keys.press('Tab');
    await keys.type(owner_password);
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await settled(page);
    expect(await focused(page)).toBe('Overview');
    expect(keys.count()).toBeLessThanOrEqual(5);
  });

  it('finds an event and reads why a platform got it', async () => {
    const { page, keys } = await begun();
    await goes(page, keys, 'e', 'Events');
    await keys.press('j', 'j', 'Enter');
    await page.getByText(`${PLATFORMS.length} platforms:`).waitFor();
    await keys.tabTo(page.locator('summary').first());
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    expect(keys.count()).toBeLessThanOrEqual(12);
  });

  it('opens an event whose id somebody sent', async () => {
    const { page, keys } = await begun();
    await keys.press('/');
    await page.getByRole('dialog').waitFor();
    await keys.type('order-1003');
    await keys.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'order-1003' }).waitFor();
    expect(keys.count()).toBe(3);
  });

  it('connects a platform and sees its test', async () => {
    const { page, keys } = await begun();
    await goes(page, keys, 'p', 'Platforms');
    await enter(keys, page.getByRole('link', { name: /^Connect/ }).first());
    await page.getByRole('heading', { level: 1, name: 'Connect' }).waitFor();
    await enter(keys, page.getByRole('link', { name: /Meta/ }).first());
    await keys.tabTo(page.getByLabel('Dataset (pixel) ID'));
    await keys.type('12');
    await keys.tabTo(page.getByLabel('Access token'));
    await keys.type('EAA-secret-token');
    await keys.press('Enter');
    await page.getByText('must be the digits of a dataset').waitFor();
    await keys.tabTo(page.getByLabel('Dataset (pixel) ID'));
    await keys.press('Control+a');
    await keys.type('1234567890');
    await keys.tabTo(page.getByLabel('Test event code'));
    await keys.type('TEST123');
    await keys.press('Enter');
    await page.getByText('access_token=***').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('EAA-secret-token');
    await enter(keys, page.getByRole('button', { name: 'Next' }));
    await enter(keys, page.getByRole('button', { name: 'Connect and test' }));
    await page.getByText('The platform took the test event').waitFor();
    expect(keys.count()).toBeLessThanOrEqual(40);
  });

  it('creates, stores and revokes a key, and gets the focus back', async () => {
    const { page, keys } = await begun();
    await goes(page, keys, 'k', 'API keys');
    await enter(keys, page.getByRole('button', { name: 'Create a key' }));
    await keys.tabTo(page.getByLabel('Name'));
    await keys.type('By keys');
    await keys.press('Enter');
    await page.getByText('It is shown once').waitFor();
    await keys.press('Escape');
    expect(await page.getByText('It is shown once').count()).toBe(1);
    await keys.tabTo(page.getByLabel('I have stored it'));
    await keys.press('Space', 'Tab', 'Enter');
    await page.getByText('It is shown once').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Create a key');
    await enter(keys, page.getByRole('button', { name: 'Revoke By keys' }));
    await enter(keys, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await page.getByText('– revoked').waitFor();
    expect(keys.count()).toBeLessThanOrEqual(20);
  });

  it('counts what a replay would send, sends exactly that, and sees it done', async () => {
    const { page, keys } = await begun();
    await goes(page, keys, 'r', 'Replays');
    await keys.tabTo(page.getByLabel('Event name'));
    await keys.type('Purchase');
    await keys.press('Tab', 'Tab');
    await keys.type('all');
    await keys.press('Enter', 'Tab', 'Tab', 'Enter');
    await page.getByText(/would be sent of 7 that fit/).waitFor();
    await page.getByRole('heading', { name: /done . dry run/ }).waitFor();
    await enter(keys, page.getByRole('button', { name: /^Send these/ }));
    await page
      .getByText(/sent of 7 that fit/)
      .first()
      .waitFor();
    expect(keys.count()).toBeLessThanOrEqual(36);
  });

  it('answers a ticket and is at the next one', async () => {
    await desk.newTicket('The second');
    await desk.newTicket('The first');
    const { page, keys } = await begun();
    await keys.press('g', 'i');
    await page.getByRole('link', { name: /The first/ }).waitFor();
    await keys.press('j');
    await page.locator('#composer').waitFor();
    await keys.press('r');
    await keys.type('It is on its way.');
    await keys.press('Control+Shift+Enter');
    await page.getByRole('heading', { level: 2, name: 'The second' }).waitFor();
    expect(keys.count()).toBe(6);
  });

  it('switches keys without Ctrl off', async () => {
    const { page, keys } = await begun();
    await keys.press('?');
    await keys.tabTo(page.getByLabel('Keys without Ctrl do something'));
    await keys.press('Space', 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.press('g', 'e', 'Control+k');
    await page.getByRole('dialog').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await enter(keys, page.getByRole('link', { name: 'Events', exact: true }));
    await page.getByRole('table').waitFor();
    await keys.press('j');
    expect(await page.evaluate('document.activeElement.closest("tr")')).toBe(null);
  });
});

async function enter(keys: Keys, target: Locator): Promise<void> {
  await keys.tabTo(target);
  await keys.press('Enter');
}
