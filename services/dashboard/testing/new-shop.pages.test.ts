// Goal: a person without a shop makes one in the pages, where the deployment lets people do so. Method: the real issuer and API.
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const ANN = { subject: 'ann', email: 'ann@shop.example', password: 'a long password' };

describe.runIf(browserWanted)('a person without a shop', () => {
  const suite = useDashboard({ people: [ANN], settings: { signUp: 'true' }, hasHelpdeskSample: false });

  it('makes one, by keys alone, hears what is wrong at its field, and goes on in it', async () => {
    const page = await suite.opened('/settings', { as: ANN });
    await page.getByText('a member of no shop').waitFor();
    await page.getByLabel('Name').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    expect(await page.getByLabel('Time zone').inputValue()).not.toBe('');
    await page.getByLabel('Name').fill('Ann’s Shop');
    await page.getByLabel('E-mail').fill(ANN.email);
    await page.getByLabel('Currency').fill('XXQ');
    await page.keyboard.press('Enter');
    await page.getByText('must be the code of a currency').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
    await page.getByLabel('Currency').fill('eur');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await settled(page);
    await page.getByRole('region', { name: 'You' }).getByText('Ann’s Shop').waitFor();
    await page.getByRole('region', { name: 'You' }).getByText('owner').waitFor();
  });
});
