// Goal: a proposal of the language model is put into a reply by hand, with its sources, and is never sent by itself.
// Method: the real host, with a scripted model behind a real socket.
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { useScriptedModel } from '#test/support/dashboard/model.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';
import type { Script } from '#test/support/scripted-model.ts';

const REPLY = 'Your parcel takes two to four working days. <b>Not markup</b>';

const citing: Script = ({ messages }) => {
  const asked = String(messages.find(({ role }) => role === 'user')?.content);
  const { articles } = JSON.parse(asked) as { articles: { id: string }[] };
  return { text: JSON.stringify({ reply: REPLY, article_ids: articles.map(({ id }) => id) }) };
};

describe.runIf(browserWanted)('a draft by AI', async () => {
  const { options } = await useScriptedModel(citing);
  const suite = useDashboard(options);
  const { call } = openDesk(() => suite.host().session);

  it('is inserted by hand only, below what is written already, with its articles beside it', async () => {
    const [id] = suite.host().session.helpdesk_sample.tickets;
    const page = await suite.opened(`/inbox?id=${id}`);
    const card = page.getByRole('region', { name: 'Draft by AI' });
    await card.getByText(REPLY).waitFor();
    await card.getByText('from “Where is my parcel?”').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    const field = page.locator('#composer');
    expect(await field.inputValue()).toBe('');
    expect(await page.getByRole('list', { name: 'Messages' }).getByText(REPLY).count()).toBe(0);
    await field.fill('Hello Jane,');
    await field.press('Escape');
    await page.keyboard.press('d');
    await expect.poll(() => field.inputValue()).toBe(`Hello Jane,\n\n${REPLY}`);
    await settled(page);
    const { messages } = await call('GET', `/api/v1/messages?ticket_id=${id}`);
    const directions = (messages as { direction: string }[]).map(({ direction }) => direction);
    expect(directions).toEqual(['inbound', 'internal']);
  });

  it('says why it is there, leads to its articles, and is discarded until it is brought back', async () => {
    const [id] = suite.host().session.helpdesk_sample.tickets;
    const page = await suite.opened(`/inbox?id=${id}`);
    const card = page.getByRole('region', { name: 'Draft by AI' });
    await card.getByText(REPLY).waitFor();
    await card.getByRole('button', { name: 'Why' }).click();
    await card.getByText('Written because the customer wrote').waitFor();
    await card.getByText(/by scripted of openai-compatible/).waitFor();
    await card.getByRole('button', { name: 'Discard' }).click();
    await card.getByText('discarded by you').waitFor();
    expect(await page.getByText(REPLY).count()).toBe(0);
    await page.keyboard.press('d');
    expect(await page.locator('#composer').inputValue()).toBe('');
    await page.reload();
    await card.getByText('discarded by you').waitFor();
    expect(await page.getByText(REPLY).count()).toBe(0);
    await card.getByRole('button', { name: 'Bring it back' }).click();
    await card.getByText(REPLY).waitFor();
    await card.getByRole('link', { name: 'Where is my parcel?' }).click();
    await page.getByRole('heading', { name: 'Where is my parcel?', level: 1 }).waitFor();
  });
});
