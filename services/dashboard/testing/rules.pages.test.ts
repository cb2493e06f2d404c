// Goal: a rule is written, tried and put in its place by keys alone; what is wrong stands at its field; two people lose nothing;
// nothing is sent twice. Method: the real API, changed behind the page's back by the same API.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asOwner, changesSent } from '#test/support/dashboard/as-owner.ts';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { answerLost, ofChanges, refused } from '#test/support/dashboard/faults.ts';
import { HOSTILE, sendSamples } from '#test/support/dashboard/sample-events.ts';
import { ingest, orderEvent } from '#test/support/dashboard/sample-shop.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly priority: number;
  readonly enabled: boolean;
  readonly match: unknown;
}

const EXCLUDE = { name: 'No tests', action: { type: 'exclude' } };

describe.runIf(browserWanted)('rules', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });
  const call = (method: string, path: string, body?: unknown) =>
    asOwner(suite.host().session, method, `/v1/rules${path}`, body);
  const list = async (): Promise<readonly Listed[]> => (await call('GET', '')).body.rules;
  const make = async (body: unknown): Promise<Listed> => (await call('POST', '', body)).body.rule;

  beforeAll(() => sendSamples(suite.host().session));
  beforeEach(async () => {
    for (const { id } of await list()) await call('DELETE', `/${id}`);
  });

  it('are written, tried and saved by keys alone, and hold from the next event on', async () => {
    const page = await suite.opened('/');
    const into = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).pressSequentially(text);
    };
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByText('There is no rule').waitFor();
    await page.getByRole('button', { name: 'New rule' }).press('Enter');
    await page.getByRole('heading', { name: 'New rule', level: 1 }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New rule');
    await into('Name', 'No small purchases');
    await into('Event names', 'Purchase');
    await into('Currency', 'USD');
    await into('Value to', '30');
    await page.getByRole('button', { name: 'Try it' }).press('Enter');
    // Of order-1003, 1009 … 1039, worth 13, 19 … 49: three are worth 30 or less.
    await page.getByText('3 of the last 52 events would change.').waitFor();
    await page.getByRole('link', { name: 'order-1003' }).waitFor();
    expect(await list()).toEqual([]);
    await page.getByRole('button', { name: 'Make the rule' }).press('Enter');
    await page.getByRole('heading', { name: /1\. No small purchases/ }).waitFor();
    const [rule] = await list();
    expect(rule).toMatchObject({ match: { event_name: ['Purchase'], currency: 'USD', value_max: 30 } });
    await page.getByRole('button', { name: 'Dry run of No small purchases' }).press('Enter');
    await page.getByRole('button', { name: 'Try it' }).press('Enter');
    await page.getByRole('link', { name: 'order-1003' }).press('Enter');
    await page.getByRole('heading', { name: 'order-1003', level: 1 }).waitFor();
    const sent = [orderEvent('small-1'), orderEvent('large-1', { value: 100 })];
    await ingest(suite.host().session, sent);
    await expect.poll(() => verdictOf('small-1')).toBe('rule_excluded');
    await expect.poll(() => verdictOf('large-1')).toBe('delivered');
  });

  const verdictOf = async (id: string): Promise<unknown> =>
    (await asOwner(suite.host().session, 'GET', `/v1/events/${id}/explain`)).body.verdicts?.find(
      ({ platform }: { platform: string }) => platform === 'meta',
    )?.verdict;

  it('say at the field what is wrong there, in the form and in the dry run, and send nothing by themselves', async () => {
    const page = await suite.opened('/rules?edit=new');
    await page.getByLabel('Name', { exact: true }).fill('Wrong');
    await page.getByLabel('Countries').fill('DE\nGermany');
    await page.getByLabel('Value from').fill('1,50');
    await page.getByLabel('It does', { exact: true }).selectOption('sample');
    await page.getByLabel('Share that goes through').fill('2');
    await page.getByText('Custom fields', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a custom field' }).click();
    const problemOf = (label: string) =>
      page
        .getByLabel(label, { exact: true })
        .evaluate((field: { getAttribute(name: string): string | null }) =>
          field.getAttribute('aria-invalid'),
        );
    for (const [press, problem] of [
      ['Make the rule', 'It was not saved: see the marked fields.'],
      ['Try it', 'It could not be tried: see the marked fields.'],
    ] as const) {
      await page.getByRole('button', { name: press }).click();
      await page.getByRole('alert').filter({ hasText: problem }).waitFor();
      await page.getByText('line 2: must be two capital letters').waitFor();
      for (const label of ['Countries', 'Value from', 'Share that goes through', 'Path', 'Value'])
        expect([press, label, await problemOf(label)]).toEqual([press, label, 'true']);
      expect(await problemOf('Name')).toBeNull();
      expect(
        await page.evaluate(
          'document.activeElement.ariaInvalid ?? document.activeElement.getAttribute("aria-invalid")',
        ),
      ).toBe('true');
    }
    expect(await list()).toEqual([]);
  });

  it('that somebody else saved meanwhile are shown beside what is typed, and neither is lost', async () => {
    const rule = await make({ ...EXCLUDE, match: { source: ['pos'] } });
    const page = await suite.opened(`/rules?edit=${rule.id}`);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByLabel('Sources').fill('pos\nphone');
    await call('PATCH', `/${rule.id}`, { name: 'Theirs', priority: 7 });
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('Somebody else changed this rule').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    const row = page.getByRole('table', { name: '' }).getByRole('row', { name: /Name/ });
    expect(await row.getByRole('cell').allTextContents()).toEqual(['Name', 'No tests', 'Theirs', 'Mine']);
    expect(await page.getByLabel('Sources').inputValue()).toBe('pos\nphone');
    expect((await list())[0]).toMatchObject({ name: 'Theirs', match: { source: ['pos'] } });
    await page.getByRole('button', { name: 'Keep what I typed' }).click();
    expect(await page.getByLabel('Priority').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByRole('heading', { name: /1\. Mine/ }).waitFor();
    expect((await list())[0]).toMatchObject({
      name: 'Mine',
      priority: 7,
      match: { source: ['pos', 'phone'] },
    });
  });

  it('are there again after a reload, typed as they were, until they are saved or cancelled', async () => {
    const page = await suite.opened('/rules?edit=new');
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    await page.getByLabel('Event names').fill('Purchase');
    await page.reload();
    await page.getByText('not saved was brought back').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    expect(await page.getByLabel('Event names').inputValue()).toBe('Purchase');
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByRole('heading', { name: /1\. Half typed/ }).waitFor();
    const [rule] = await list();
    await page.goto(`${suite.host().session.origin_url}/rules?edit=${rule?.id}`);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await call('PATCH', `/${rule?.id}`, { name: 'Theirs' });
    await page.reload();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('Theirs').first().waitFor();
    expect((await list())[0]?.name).toBe('Theirs');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${suite.host().session.origin_url}/rules?edit=new`);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(await page.getByText('not saved was brought back').count()).toBe(0);
  });

  it('that somebody else deleted meanwhile can be made again from what is typed', async () => {
    const rule = await make(EXCLUDE);
    const page = await suite.opened(`/rules?edit=${rule.id}`);
    await page.getByLabel('Name', { exact: true }).fill('Still wanted');
    await call('DELETE', `/${rule.id}`);
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('Somebody deleted this rule meanwhile').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByRole('heading', { name: /1\. Still wanted/ }).waitFor();
    expect(await list()).toHaveLength(1);
  });

  it('are moved by buttons, which keep the focus, also where all have one priority', async () => {
    for (const name of ['A', 'B', 'C', 'D']) await make({ ...EXCLUDE, name });
    const page = await suite.opened('/rules');
    const names = async () => (await list()).map(({ name }) => name).join('');
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).press('Enter');
    };
    await press('Move C up');
    await expect.poll(names).toBe('ACBD');
    await page.getByText('C is number 2 of 4 now.').waitFor({ state: 'attached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move C up');
    await page.keyboard.press('Enter');
    await expect.poll(names).toBe('CABD');
    await page.getByText('C is number 1 of 4 now.').waitFor({ state: 'attached' });
    await press('Move A down');
    await expect.poll(names).toBe('CBAD');
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toHaveLength(4);
  });

  it('are switched off and deleted only as they were seen', async () => {
    const rule = await make(EXCLUDE);
    const page = await suite.opened('/rules');
    await page.getByRole('button', { name: 'Switch off No tests' }).click();
    await page.getByText('– off').waitFor();
    expect((await list())[0]).toMatchObject({ enabled: false, version: 2 });
    await page.getByRole('button', { name: 'Delete No tests' }).click();
    await page.getByRole('dialog').waitFor();
    await call('PATCH', `/${rule.id}`, { name: 'Needed after all' });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing was deleted').waitFor();
    expect(await list()).toHaveLength(1);
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Delete Needed after all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).dblclick();
    await page.getByText('There is no rule').waitFor();
    expect(await list()).toEqual([]);
  });

  it('are made once: pressed twice, and tried again when the answer was lost', async () => {
    const page = await suite.opened('/rules?edit=new');
    await page.getByLabel('Name', { exact: true }).fill('Once');
    const sent = changesSent(page);
    await page.route('**/v1/rules', ofChanges(answerLost));
    await page.getByRole('button', { name: 'Make the rule' }).dblclick();
    await page.getByRole('alert').filter({ hasText: 'did not answer' }).waitFor();
    await page.unroute('**/v1/rules');
    expect(await list()).toHaveLength(1);
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByRole('heading', { name: /1\. Once/ }).waitFor();
    expect(await list()).toHaveLength(1);
    expect(new Set(sent)).toEqual(new Set(['POST /v1/rules']));
  });

  it('say that the service is away, and keep what is typed', async () => {
    const page = await suite.opened('/rules?edit=new');
    await page.getByLabel('Name', { exact: true }).fill('Kept');
    await page.route('**/v1/rules', refused(503, 'unavailable', { 'retry-after': '9' }));
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByRole('alert').filter({ hasText: 'It is unavailable.' }).waitFor();
    await page.unroute('**/v1/rules');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept');
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByRole('heading', { name: /1\. Kept/ }).waitFor();
  });

  it('show what strangers named them as text, and ids of nobody as nothing', async () => {
    for (const text of HOSTILE)
      await make({ name: text, match: { source: [text.slice(0, 40)] }, action: { type: 'exclude' } });
    const page = await suite.opened('/rules', { viewport: { width: 320, height: 800 } });
    const titles = (await page.getByRole('heading', { level: 3 }).allTextContents()).join('\n');
    for (const text of HOSTILE) expect(titles).toContain(text.trim());
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.goto(`${suite.host().session.origin_url}/rules?edit=rul_of-somebody-else`);
    await page.getByText('There is no rule with this id').waitFor();
  });
});
