// Goal: the workspace and its keys are managed by who may, and read by who may not; snoozed tickets come back by the workspace's
// clock, wherever the agent is. Method: the real helpdesk behind the pages' one origin.
import { describe, expect, it } from 'vitest';
import { bodiesSent } from '#test/support/dashboard/as-owner.ts';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { BOB, join } from '#test/support/dashboard/people.ts';
import { submitTwice } from '#test/support/dashboard/twice.ts';
import { sendNow } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

describe.runIf(browserWanted)('the workspace', () => {
  const suite = useDashboard({ people: [BOB] });
  const { call, newTicket } = openDesk(() => suite.host().session);
  const account = () => call('GET', '/api/v1/accounts');
  it('gets a name, a language and a time zone; what is none is said at its field', async () => {
    const page = await suite.opened('/');
    const { keyboard } = page;
    await keyboard.press('g');
    await keyboard.press('w');
    await page.getByLabel('Time zone').press('Control+a');
    await keyboard.type('Mars/Olympus');
    await keyboard.press('Enter');
    await page.getByText('✖ must be a time zone such as Europe/Berlin').waitFor();
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Time zone');
    await keyboard.press('Control+a');
    await keyboard.type('Europe/Berlin');
    await page.getByLabel('Language').press('Control+a');
    await keyboard.type('no such language');
    await keyboard.press('Enter');
    await page.getByText('✖ must be a language tag such as en or pt-BR').waitFor();
    await keyboard.press('Control+a');
    await keyboard.type('pt-br');
    await page.getByLabel('Name').fill('Desk <b>&</b> Co');
    await page.getByRole('button', { name: 'Save' }).dblclick();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await account()).toMatchObject({
      name: 'Desk <b>&</b> Co',
      default_language: 'pt-BR',
      default_timezone: 'Europe/Berlin',
    });
    expect(await page.getByLabel('Language').inputValue()).toBe('pt-BR');
    expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('is not overwritten: what somebody else changed is shown, and what was typed stays', async () => {
    const page = await suite.opened('/workspace');
    await page.getByLabel('Name').fill('Mine');
    await call('PUT', '/api/v1/accounts', { name: 'Theirs', default_timezone: 'Asia/Tokyo' });
    await page.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed the workspace' });
    await notice.getByText('The name is Theirs now.').waitFor();
    await notice.getByText('The time zone is Asia/Tokyo now.').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    expect((await account()).name).toBe('Theirs');
    await notice.getByRole('button', { name: 'Go on with mine' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await account()).toMatchObject({ name: 'Mine', default_timezone: 'Asia/Tokyo' });
  });

  it('has keys: a secret is seen once, opens what it may, and nothing once it is revoked', async () => {
    const page = await suite.opened('/workspace');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('✖ must not be empty').waitFor();
    await dialog.getByLabel('Name').fill('<u>CRM</u>');
    for (const scope of ['read:tickets', 'write:tickets']) await dialog.getByLabel(scope).uncheck();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('✖ must not be empty').waitFor();
    await dialog.getByLabel('read:knowledge').check();
    await dialog.getByRole('button', { name: 'Create' }).dblclick();
    await dialog.getByText('It is shown once').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    const secret = (await dialog.locator('p.font-mono').textContent()) ?? '';
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const status = async (path: string) => {
      const { helpdesk_url } = suite.host().session;
      return (await fetch(helpdesk_url + path, { headers: { 'x-api-key': secret } })).status;
    };
    expect([await status('/api/v1/articles'), await status('/api/v1/contacts')]).toEqual([200, 403]);
    const { api_keys } = await call('GET', '/api/v1/api-keys');
    expect((api_keys as { name: string }[]).filter(({ name }) => name === '<u>CRM</u>')).toHaveLength(1);
    expect(await page.locator('body').textContent()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke <u>CRM</u>' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).dblclick();
    await page.getByRole('row', { name: /CRM/ }).getByText('– revoked').waitFor();
    expect(await status('/api/v1/articles')).toBe(401);
  });

  it('works where its keys cannot be listed, and says so in their place', async () => {
    const page = await suite.opened('/');
    await page.route('**/api/v1/api-keys', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '7' }, json: { error: 'It rests.' } }),
    );
    await page.getByRole('link', { name: /^Workspace/ }).click();
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByRole('alert').filter({ hasText: 'It rests.' }).waitFor();
    await keys.getByRole('button', { name: /Retry in [567] s/ }).waitFor();
    await page.getByLabel('Name').fill('Still works');
    const sent = bodiesSent(page, /./);
    await submitTwice(page.getByRole('main').locator('form').first());
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(sent).toEqual([JSON.stringify({ name: 'Still works' })]);
    await page.route('**/api/v1/accounts', (route) => route.abort('connectionreset'));
    await page.getByLabel('Name').fill('Kept');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'The service did not answer.' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Kept');
  });

  it('is read by a member, with the reason why it is not changed', async () => {
    await call('PUT', '/api/v1/accounts', { name: 'Of all', default_timezone: 'Asia/Kathmandu' });
    await join(suite.host(), BOB, 'member');
    const page = await suite.opened('/workspace', { as: BOB });
    await page.getByText('Your role (member) may read this and not change it').waitFor();
    await page.getByText('Asia/Kathmandu').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByText('Create a key').count()).toBe(0);
  });

  it('says when a ticket comes back, by its own clock', async () => {
    await call('PUT', '/api/v1/accounts', { default_timezone: 'Pacific/Auckland' });
    const id = await newTicket('Far away');
    const page = await suite.opened(`/inbox?id=${id}`, { timezoneId: 'America/New_York', locale: 'en-GB' });
    const until = async () =>
      new Date(String((await call('GET', `/api/v1/conversations/${id}`)).snoozed_until));
    const inAuckland = (at: Date) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Pacific/Auckland',
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
      }).format(at);
    const snooze = async (...keys: string[]) => {
      await page.keyboard.press('s');
      await page.getByText('Times are the workspace’s: Pacific/Auckland.').waitFor();
      for (const key of keys) await page.keyboard.press(key);
    };
    const sent = async () => {
      await sendNow(page);
      await page.getByText(/sent in 5 seconds|sending …/).waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: /^Snooze/ }).waitFor();
    await snooze('3');
    await sent();
    expect(inAuckland(await until())).toBe('Mon 09:00');
    await snooze('2');
    await sent();
    const tomorrow = await until();
    expect(inAuckland(tomorrow).slice(-5)).toBe('09:00');
    expect(tomorrow.getTime() - Date.now()).toBeLessThan(34 * 3_600_000);
    await snooze();
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
    await page.getByText('✖ must be in the future').waitFor();
    // The clocks go forward at two.
    await page.getByLabel('Until').fill('2027-09-26T02:30');
    await page.getByText('The clocks change then, and leave this time out.').waitFor();
    // Digits are digits there.
    await page.getByLabel('Until').press('1');
    await page.getByLabel('Until').fill('2027-09-27T07:45');
    await page.getByText('Mon, 27 Sept 2027, 07:45 GMT+13').waitFor();
    await page.keyboard.press('Enter');
    await sent();
    expect((await until()).toISOString()).toBe('2027-09-26T18:45:00.000Z');
  });
});
