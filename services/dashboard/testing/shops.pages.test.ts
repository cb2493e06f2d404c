// Goal: a person of two shops sees one of them at a time, knows which, and switches by keys alone; nothing of the one is shown, kept or
// sent in the other. Method: a person who owns an empty shop and looks on in the sample shop, at the real issuer and API.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '#test/support/dashboard/as-owner.ts';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { join, openEmptyShop } from '#test/support/dashboard/people.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const BOTH = { subject: 'both', email: 'both@shop.example', password: 'a long password' };

describe.runIf(browserWanted)('a person of two shops', () => {
  const suite = useDashboard({ people: [BOTH] });
  const you = (page: Page) => page.getByRole('region', { name: 'You' });
  const sample = async () =>
    (await asOwner(suite.host().session, 'GET', '/v1/account')).body.account as {
      readonly name: string;
      readonly merchant_id: string;
    };
  const shops = { empty: '', sample: '', sampleName: '' };
  const merchantsAsked = (page: Page): Set<string | undefined> => {
    const asked = new Set<string | undefined>();
    page.on('request', (request) => {
      if (/\/(?:v1|api)\//.test(request.url())) asked.add(request.headers()['millrace-merchant']);
    });
    return asked;
  };
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Switch shop' });

  beforeAll(async () => {
    const { name, merchant_id } = await sample();
    shops.empty = await openEmptyShop(suite.host(), BOTH);
    Object.assign(shops, { sample: merchant_id, sampleName: name });
  });

  it('is offered no switch while in one, and comes into the second one by joining it', async () => {
    const page = await suite.opened('/members', { as: BOTH });
    await you(page).getByText('Empty Shop').waitFor();
    expect(await page.getByRole('button', { name: 'Switch shop' }).count()).toBe(0);
    const invited = await asOwner(suite.host().session, 'POST', '/v1/members/invitations', {
      email: BOTH.email,
      role: 'viewer',
    });
    await page.goto(`${suite.host().session.origin_url}/join`);
    await page.getByLabel('Code').fill(invited.body.token);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await you(page).getByText(shops.sampleName).waitFor();
    await you(page).getByText('viewer').waitFor();
    await page.getByRole('button', { name: 'Switch shop' }).waitFor();
  });

  it('is asked which one at a deep link, switches by keys, and the tab keeps to its choice', async () => {
    const page = await suite.opened('/settings', { as: BOTH });
    await page.getByText('You are in several shops').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    const list = page.getByRole('list', { name: 'Your shops' });
    expect(await list.getByRole('button').allTextContents()).toEqual(
      ['Empty Shop · owner', `${shops.sampleName} · viewer`].sort(),
    );
    await list.getByRole('button', { name: /Empty Shop/ }).press('Enter');
    await you(page).getByText('Empty Shop').waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('typed for the empty shop');
    await page.reload();
    await settled(page);
    await you(page).getByText('Empty Shop').waitFor();

    const asked = merchantsAsked(page);
    await page.getByRole('button', { name: 'Switch shop' }).press('Enter');
    await dialog(page).waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Switch shop');
    await page.keyboard.press('Enter');
    const other = dialog(page).getByRole('button', { name: new RegExp(shops.sampleName) });
    asked.clear();
    await other.press('Enter');
    await you(page).getByText(shops.sampleName).waitFor();
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/settings');
    expect(await page.content()).not.toContain('typed for the empty shop');
    expect([...asked]).toEqual([shops.sample]);

    // Another tab begins where the last choice was, and switching there leaves this one alone.
    const second = await page.context().newPage();
    await second.goto(`${suite.host().session.origin_url}/event?id=of-the-other`);
    await you(second).getByText(shops.sampleName).waitFor();
    await second.getByRole('button', { name: 'Switch shop' }).click();
    await dialog(second)
      .getByRole('button', { name: /Empty Shop/ })
      .click();
    await you(second).getByText('Empty Shop').waitFor();
    expect(new URL(second.url()).pathname + new URL(second.url()).search).toBe('/');
    await page.reload();
    await you(page).getByText(shops.sampleName).waitFor();
  });

  it('is told once it is no longer in a shop, and goes on in the other', async () => {
    const page = await suite.opened('/members', { as: BOTH });
    await page.getByRole('button', { name: new RegExp(shops.sampleName) }).click();
    await you(page).getByText(shops.sampleName).waitFor();
    await asOwner(suite.host().session, 'DELETE', `/v1/members/${BOTH.subject}`);
    await page.reload();
    await page.getByText('You are no longer in the shop').waitFor();
    expect(await page.content()).not.toContain(suite.host().session.owner_email);
    expect(await page.getByRole('button', { name: new RegExp(shops.sampleName) }).count()).toBe(0);
    await page.getByRole('button', { name: /Empty Shop/ }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await you(page).getByText('Empty Shop').waitFor();
  });

  it('leaves no choice behind for who signs in next', async () => {
    await join(suite.host(), BOTH, 'viewer');
    const page = await suite.opened('/members', { as: BOTH });
    await page.getByRole('button', { name: /Empty Shop/ }).click();
    await you(page).getByText('Empty Shop').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const { origin_url } = suite.host().session;
    await page.waitForURL(({ origin }) => origin !== origin_url);
    await page.goto(`${origin_url}/config.json`);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toMatch(/both@|millrace\.shop/);
  });
});
