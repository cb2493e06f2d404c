// Goal: a person is erased only after a second thought, once, with a receipt that says 0 remaining and can be kept; what was typed
// is left nowhere. Method: the real pipeline; the last test waits for an erasure as long as it takes, about three minutes.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { asOwner, changesSent } from '#test/support/dashboard/as-owner.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { ofChanges, refused } from '#test/support/dashboard/faults.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { submitTwice } from '#test/support/dashboard/twice.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const PERSON = 'person7@example.com';
const LASTS_MS = 400_000;

describe.runIf(browserWanted)('privacy', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });
  const call = (method: string, path: string, body?: unknown) =>
    asOwner(suite.host().session, method, `/v1/privacy/erasures${path}`, body);
  const list = async () => (await call('GET', '')).body.erasures;

  beforeAll(() => sendSamples(suite.host().session));

  it('erases by keys alone, after the person was typed once more, with one request', async () => {
    const page = await suite.opened('/privacy');
    const sent = changesSent(page);
    await page.getByText('Nobody was erased yet').waitFor();
    await page.getByLabel('E-mail').pressSequentially(PERSON);
    await page.keyboard.press('Enter');
    await page.getByLabel('Type it once more').waitFor();
    await page.getByLabel('Type it once more').pressSequentially('person8@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Erase for good' }).dblclick({ force: true });
    expect(sent).toEqual([]);
    await page.getByLabel('Type it once more').fill(PERSON);
    await submitTwice(page.getByRole('dialog').locator('form'));
    await page.getByRole('progressbar', { name: 'The erasure goes on' }).waitFor();
    expect(sent).toEqual(['POST /v1/privacy/erasures']);
    const [erasure] = await list();
    expect(new URL(page.url()).searchParams.get('id')).toBe(erasure.id);
    const kept = await page.evaluate(
      'location.href + JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })',
    );
    expect(decodeURIComponent(String(kept))).not.toContain(PERSON);
    expect(await page.content()).not.toContain(PERSON);
  });

  it('takes what may leave by its name, and how long events wait, and says at the field what it does not take', async () => {
    const settings = async () =>
      (await asOwner(suite.host().session, 'GET', '/v1/account')).body.account.settings;
    const page = await suite.opened('/settings');
    const allowed = page.getByLabel('Parameters that may hold personal data');
    await allowed.fill('contact a=b');
    await page.getByLabel('Seconds for which a server’s order waits').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be the name of a parameter').waitFor();
    expect(await allowed.getAttribute('aria-invalid')).toBe('true');
    expect(await settings()).toMatchObject({ allowed_parameters: [], page_copy_wait_sec: 0 });
    await allowed.fill('Contact  ref');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved;').waitFor();
    expect(await settings()).toMatchObject({
      ...{ allowed_parameters: ['contact', 'ref'], page_copy_wait_sec: 3 },
      ...{ server_copy_wait_sec: 120, browser_ingestion_enabled: true },
    });
    await allowed.fill('');
    await page.getByLabel('Seconds for which a server’s order waits').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved;').waitFor();
    expect(await settings()).toMatchObject({ allowed_parameters: [], page_copy_wait_sec: 0 });
  });

  it('puts who objects on the list and takes them off, alone and by lines, and keeps nothing of what was typed', async () => {
    const setting = (suppression: string) =>
      asOwner(suite.host().session, 'PATCH', '/v1/account', { settings: { suppression } });
    const page = await suite.opened('/privacy');
    const panel = page.getByRole('region', { name: 'People who object' });
    await panel.getByText('Say in the settings first').waitFor();
    await setting('not_sent');
    await page.reload();
    await panel.getByText('are not sent').waitFor();
    await panel.getByText('An objection erases nothing').waitFor();
    await panel.getByLabel('Number of who objects').fill('030 1234567');
    await panel.getByRole('button', { name: 'Put on the list' }).click();
    await panel.getByText('must be a number with + and its country code').waitFor();
    await panel.getByLabel('Number of who objects').fill('');
    await panel.getByLabel('Address of who objects').fill('objects@example.com');
    await panel.getByRole('button', { name: 'Put on the list' }).click();
    await panel.getByText('Put on the list.').waitFor();
    await panel.getByText('On it are 1 addresses').waitFor();
    expect(await panel.getByLabel('Address of who objects').inputValue()).toBe('');
    await panel.getByText('Many at once').click();
    const lines = panel.getByLabel('A line for each person');
    await lines.fill('objects@example.com\nother@\n');
    await panel.getByRole('button', { name: 'Put all on the list' }).click();
    await panel.getByRole('alert').filter({ hasText: 'lines.2' }).waitFor();
    await lines.fill('objects@example.com\n+447700900123\n');
    await panel.getByRole('button', { name: 'Put all on the list' }).click();
    await panel.getByText('2 lines read, 1 people new on the list.').waitFor();
    await panel.getByText('On it are 2 addresses').waitFor();
    await panel.getByLabel('Address of who objects').fill('OBJECTS@example.com');
    await panel.getByRole('button', { name: 'Take off the list' }).click();
    await panel.getByText('Taken off the list.').waitFor();
    await panel.getByText('On it are 1 addresses').waitFor();
    const kept = await page.evaluate('location.href + JSON.stringify([sessionStorage, localStorage])');
    expect(String(kept)).not.toMatch(/objects@|7700/);
    await setting('off');
  });

  it('says at the field what the service does not take, and has sent nothing that runs', async () => {
    const before = await list();
    const page = await suite.opened('/privacy');
    await page.getByLabel('Phone').fill('030 1234567');
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByLabel('Type it once more').fill('030 1234567');
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('must be a number with + and its country code').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Phone').inputValue()).toBe('030 1234567');
    expect(await page.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
    expect((await list()).length).toBe(before.length);
  });

  it('shows what is no erasure of this shop as nothing', async () => {
    const page = await suite.opened('/privacy?id=019aa2f4-6a10-7000-8000-000000000001');
    await page.getByRole('alert').filter({ hasText: 'There is nothing here with this id' }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });

  it('says that the service is away, and sends nothing again by itself', async () => {
    const page = await suite.opened('/privacy');
    await page.route(
      '**/v1/privacy/erasures',
      ofChanges(refused(503, 'unavailable', { 'retry-after': '5' })),
    );
    const sent = changesSent(page);
    await page.getByLabel('External id').fill('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByLabel('Type it once more').fill('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'It is unavailable.' }).waitFor();
    expect(sent).toHaveLength(1);
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await page.getByLabel('External id').inputValue()).toBe('<img src=x onerror=alert(1)>');
  });

  it(
    'ends with a receipt: found, erased, 0 remaining, as a file that says what the service says',
    async () => {
      const page = await suite.opened('/privacy');
      await page
        .getByRole('button', { name: /^Receipt of/ })
        .last()
        .click();
      const save = page.getByRole('button', { name: 'Save the receipt as a file' });
      await page.getByRole('region', { name: 'Receipt' }).getByText('✔ done').waitFor({ timeout: LASTS_MS });
      const [erasure] = (await list()).toReversed();
      expect(erasure).toMatchObject({ status: 'done', found: 1, erased: 1, remaining: 0 });
      const figures = await page
        .getByRole('region', { name: 'Receipt' })
        .getByRole('definition')
        .allTextContents();
      expect(figures.slice(0, 3).map((text) => Number.parseInt(text, 10))).toEqual([1, 1, 0]);
      const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
      expect(file.suggestedFilename()).toBe(`erasure-${erasure.id}.json`);
      expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual(erasure);
      const event = await asOwner(suite.host().session, 'GET', '/v1/events/order-1007');
      expect(JSON.stringify(event.body)).not.toContain(PERSON);
    },
    2 * LASTS_MS,
  );
});
