// Goal: what the assistant says leads to the queries it rests on, and nothing is changed without Confirm. Method: the real host,
// with a scripted model behind a real socket; and one without a model.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { asOwner, bodiesSent, changesSent } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { useScriptedModel } from '#test/support/dashboard/model.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';
import type { Asked, Script } from '#test/support/scripted-model.ts';

const MARKUP = `<img src=x onerror=alert()> **bold** [click](javascript:alert()) \u202e${'z'.repeat(5_000)}`;
const field = (page: Page) => page.getByLabel('Your question');

async function asks(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await field(page).press('Enter');
}

/** What the last tool brought. */
function toldBy({ messages }: Asked): { readonly data: { readonly total?: number } } | undefined {
  const told = messages.findLast(({ role }) => role === 'tool')?.content;
  return told === undefined ? undefined : JSON.parse(String(told));
}

const isTold = ({ messages }: Asked): boolean => messages.at(-1)?.role === 'tool';

const counting: Script = (asked) =>
  isTold(asked)
    ? { text: `There are ${toldBy(asked)?.data.total} events [r1]; a few times that is 4,711. ${MARKUP}` }
    : { calls: [{ name: 'listEvents', input: { query: { event_name: 'Purchase', limit: 1 } } }] };
const renaming: Script = (asked) =>
  isTold(asked)
    ? { text: 'Shall I?' }
    : { calls: [{ name: 'updateAccount', input: { body: { name: 'Renamed by Ada' } } }] };

describe.runIf(browserWanted)('the assistant', async () => {
  let script: Script = counting;
  const { model, options } = await useScriptedModel((asked, turn) => script(asked, turn));
  const suite = useDashboard({ hasHelpdeskSample: false, ...options });
  beforeAll(() => sendSamples(suite.host().session));

  const shopName = async (): Promise<string> =>
    (await asOwner(suite.host().session, 'GET', '/v1/account')).body.account.name;

  it('answers by keyboard alone: each figure leads to its query, and one without a query is marked', async () => {
    script = counting;
    const page = await suite.opened('/assistant');
    await asks(page, 'How many purchases?');
    await page.getByText('There are').waitFor();
    const figure = page.getByRole('button', { name: /^\d+ \(show query r1\)$/ });
    await figure.press('Enter');
    const query = page.locator('details', { hasText: '/v1/events?event_name=Purchase' });
    expect(await query.getAttribute('open')).not.toBeNull();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    const total = (await figure.textContent())?.split(' ')[0];
    await query.getByText(`"total": ${total}`).waitFor();
    await page.getByText('4,711* (in no result)', { exact: true }).waitFor();
    expect(await page.locator('main').textContent()).toContain(MARKUP);
    expect(await page.locator('main img, main a[href^=javascript]').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    await query.getByRole('link', { name: 'Open Events' }).click();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?event_name=Purchase');
  });

  it('changes nothing before Confirm, and then once, however often it is pressed', async () => {
    script = renaming;
    const page = await suite.opened('/assistant');
    const before = await shopName();
    const bodies = bodiesSent(page, /\/ai\/chat$/);
    await asks(page, 'Call my shop Renamed by Ada.');
    const card = page.getByRole('region', { name: /^Change to confirm/ });
    await card.getByText('"name": "Renamed by Ada"').waitFor();
    await page.getByText('Shall I?').waitFor();
    expect([await shopName(), bodies.length]).toEqual([before, 1]);
    expect(await violations(page)).toEqual([]);
    script = () => ({ text: 'Done as you wished.' });
    await card.getByRole('button', { name: 'Confirm' }).dblclick();
    await page.getByText('Done as you wished.').waitFor();
    await card.getByText('Confirmed').waitFor();
    expect([await shopName(), bodies.length]).toEqual(['Renamed by Ada', 2]);
    expect(JSON.parse(bodies[1] ?? '')).toMatchObject({ confirm: expect.any(String) });
    await page.locator('summary', { hasText: 'PATCH /v1/account' }).getByText('200').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
  });

  it('is stopped by a key or by leaving: the model hears of it', async () => {
    script = () => ({ hangs: true });
    const page = await suite.opened('/assistant');
    let turn = model.asked.length;
    await asks(page, 'Tell me everything.');
    await page.getByText('Well', { exact: true }).waitFor();
    // One at a time.
    await asks(page, 'And this?');
    await field(page).press('Escape');
    await page.getByText('Stopped.').waitFor();
    await model.closed(turn);
    expect(await field(page).inputValue()).toBe('And this?');
    turn = model.asked.length;
    expect(turn).toBeGreaterThan(0);
    await field(page).press('Enter');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await expect.poll(() => model.asked.length).toBe(turn + 1);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await model.closed(turn);
    // What was said goes with the next question, the answer that was stopped included.
    const said = model.asked[turn]?.messages.filter(({ role }) => role !== 'system');
    expect(said?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('says when the model fails, and goes on', async () => {
    script = () => ({ status: 500 });
    const page = await suite.opened('/assistant');
    await asks(page, 'Hello?');
    await page.getByRole('alert').getByText('The language model failed').waitFor();
    await page.route(
      '**/v1/ai/chat',
      (route) =>
        route.fulfill({
          status: 200,
          contentType: 'text/event-stream',
          body: 'event: text\ndata: {"text":"Half an"}\n\n',
        }),
      { times: 1 },
    );
    await asks(page, 'And now?');
    await page.getByText('The answer broke off').waitFor();
    await page.getByText('Half an').waitFor();
  });
});

describe.runIf(browserWanted)('an assistant that is not configured', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  it('says what whoever runs it sets, and keeps the question', async () => {
    const page = await suite.opened('/assistant');
    const asked = changesSent(page);
    await page.getByRole('button', { name: 'Which platform waits longest' }).dblclick();
    await page.getByRole('heading', { name: 'No assistant is configured here' }).waitFor();
    await page.getByText('aiProvider=bedrock').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(asked).toHaveLength(1);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('heading', { name: 'No assistant is configured here' }).waitFor();
    await expect.poll(() => asked).toHaveLength(2);
  });
});
