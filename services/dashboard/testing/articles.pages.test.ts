// Goal: articles are written, published, changed and archived; an error is shown at its field; nothing typed is lost,
// even if another person changes the article meanwhile; text is shown as text. Method: the real helpdesk behind the
// pages' one origin.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { answerLost, ofChanges } from '#test/support/dashboard/faults.ts';
import { BOB, join } from '#test/support/dashboard/people.ts';
import { HOSTILE } from '#test/support/dashboard/sample-events.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

describe.runIf(browserWanted)('articles', () => {
  const suite = useDashboard({ people: [BOB] });
  const { call } = openDesk(() => suite.host().session);
  const made = async (title: string, content = 'A text.') =>
    String((await call('POST', '/api/v1/articles', { title, content })).id);
  const stored = (id: string) => call('GET', `/api/v1/articles/${id}`);
  it('are written, published, found and archived by keys alone', async () => {
    const page = await suite.opened('/');
    const { keyboard } = page;
    await keyboard.press('g');
    await keyboard.press('n');
    await page.getByRole('link', { name: 'New article' }).press('Enter');
    await page.getByLabel('Title').pressSequentially('Käse & Wein <b>richtig</b> lagern');
    await keyboard.press('Tab');
    await keyboard.type('Cool and dark.');
    await keyboard.press('Tab');
    await keyboard.type('wine, cheese,, ');
    await keyboard.press('Tab');
    await keyboard.type('Never above 16 °C.');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Käse & Wein <b>richtig</b> lagern', level: 1 }).waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';
    expect(await stored(id)).toMatchObject({
      status: 'draft',
      tags: ['wine', 'cheese'],
      excerpt: 'Cool and dark.',
      content: 'Never above 16 °C.',
    });
    await page.getByRole('button', { name: 'Publish' }).press('Enter');
    await page.getByText('✔ Published').waitFor();
    await page.getByRole('link', { name: '← Articles' }).press('Enter');
    await page.getByLabel('Search').pressSequentially('kase wein');
    await keyboard.press('Enter');
    await page.getByText('1 article', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Käse & Wein/ }).press('Enter');
    await page.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByText('– Archived').waitFor();
    await page.goBack();
    await settled(page);
    await page.getByRole('link', { name: 'Published' }).click();
    await page.getByText('No article fits').waitFor();
    await page.getByRole('link', { name: 'Archived' }).click();
    await page.getByRole('link', { name: /Käse & Wein/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=kase+wein&status=archived');
  });

  it('say at the field what is wrong with it, and lose nothing', async () => {
    const page = await suite.opened('/articles?id=new');
    await page.getByRole('textbox', { name: 'Text' }).fill('Kept');
    await page.getByLabel('Tags').fill(`fine, ${'x'.repeat(65)}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('✖ must not be empty').waitFor();
    expect(await focused(page)).toBe('Title');
    await page.getByLabel('Title').fill('A title');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('✖ must be at most 64 characters long').waitFor();
    expect(await focused(page)).toBe('Tags');
    await page.reload();
    await settled(page);
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Kept');
    await page.getByLabel('Tags').fill('fine');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('✔ Published').waitFor();
    // What was typed for the one that is there now does not come back for the next.
    await page.goto(`${suite.host().session.origin_url}/articles?id=new`);
    await settled(page);
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('');
  });

  it('take 50,000 characters, and refuse what is more than the helpdesk keeps', async () => {
    const id = await made('Long');
    const page = await suite.opened(`/articles?id=${id}`);
    const long = `${'ありがとう 👩‍👩‍👧 '.repeat(4_166)}end`;
    expect([...long].length).toBeGreaterThan(49_000);
    await page.getByRole('textbox', { name: 'Text' }).fill(long);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect((await stored(id)).content).toBe(long);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    await page.getByRole('textbox', { name: 'Text' }).fill('あ'.repeat(100_001));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('✖ must be at most 300000 bytes as UTF-8').waitFor();
    expect(await focused(page)).toBe('Text');
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toHaveLength(100_001);
  });

  it('are not overwritten: both versions are shown, and either can be taken', async () => {
    const id = await made('Shipping', 'Two days.');
    const page = await suite.opened(`/articles?id=${id}`);
    await page.getByRole('textbox', { name: 'Text' }).fill('Three days.');
    await call('PATCH', `/api/v1/articles/${id}`, { title: 'Shipping abroad', content: 'Nine <i>days</i>.' });
    await page.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed this article' });
    await notice.getByText('The article as it is now').click();
    await notice.getByText('Nine <i>days</i>.').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Three days.');
    expect((await stored(id)).content).toBe('Nine <i>days</i>.');
    await notice.getByRole('button', { name: 'Save mine all the same' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    // What was not touched here stays theirs.
    expect(await stored(id)).toMatchObject({ title: 'Shipping abroad', content: 'Three days.' });
    await page.getByRole('textbox', { name: 'Text' }).fill('Four days.');
    await call('PATCH', `/api/v1/articles/${id}`, { content: 'Five days.' });
    await page.getByRole('button', { name: 'Publish' }).click();
    await notice.getByRole('button', { name: 'Take theirs, drop mine' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Five days.');
    expect(await notice.count()).toBe(0);
    expect(await stored(id)).toMatchObject({ status: 'draft', content: 'Five days.' });
  });

  it('are made once, however often the button is pressed and whatever gets lost', async () => {
    const page = await suite.opened('/articles?id=new');
    await page.getByLabel('Title').fill('Once');
    await page.getByRole('textbox', { name: 'Text' }).fill('Once only.');
    let asked = 0;
    const losing = ofChanges((route) => (asked++ === 0 ? answerLost(route) : route.continue()));
    await page.route('**/api/v1/articles', losing);
    await page.getByRole('button', { name: 'Publish' }).dblclick();
    await page.getByText('The service did not answer.').waitFor();
    const lost = asked;
    await page.getByRole('button', { name: 'Publish' }).dblclick();
    await page.getByText('✔ Published').waitFor();
    expect(lost).toBeLessThanOrEqual(2);
    const { total } = await call('GET', '/api/v1/articles?search=once');
    expect(total).toBe(1);
  });

  it('show whatever was written as text', async () => {
    const ids: string[] = [];
    for (const text of HOSTILE) ids.push(await made(text, `${text}\n${text}`));
    const page = await suite.opened('/articles');
    for (const [index, id] of ids.entries()) {
      await page.goto(`${suite.host().session.origin_url}/articles?id=${id}`);
      await page
        .getByRole('heading', { level: 1 })
        .filter({ hasText: HOSTILE[index] ?? '' })
        .waitFor();
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(
        `${HOSTILE[index]}\n${HOSTILE[index]}`,
      );
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    }
  });

  it('of nobody here are not found', async () => {
    const page = await suite.opened('/articles?id=00000000-0000-7000-8000-000000000000');
    await page.getByRole('alert').filter({ hasText: 'Article not found' }).waitFor();
  });

  it('are read, and not changed, by a member', async () => {
    const id = await made('For members', 'To be <b>read</b>.');
    await join(suite.host(), BOB, 'member');
    const page = await suite.opened(`/articles?id=${id}`, { as: BOB });
    await page.getByText('To be <b>read</b>.').waitFor();
    await page.getByText('your role (member) does not allow that').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('link', { name: '← Articles' }).click();
    await page.getByRole('link', { name: 'For members' }).waitFor();
    expect(await page.getByRole('link', { name: 'New article' }).count()).toBe(0);
  });
});

/** The label of what has the focus. */
const focused = (page: Page) =>
  page.evaluate('document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent');
