// Goal: an agent answers, notes, snoozes, wakes, closes and takes back by keys alone; a text belongs to its ticket; two agents lose
// nothing; what customers write is text. Method: the real helpdesk behind the pages' one origin; nothing of it is made up.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { answerLost, ofChanges } from '#test/support/dashboard/faults.ts';
import { allSent, composerOf, startClock, stopClock } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const HOSTILE = [
  `<img src=x onerror="alert(1)"><script>alert(2)</script>`,
  'javascript:alert(3)',
  '\u202eegassem a ton\u2066 \u2067',
  '👩‍👩‍👧‍👦',
  `${'long'.repeat(12_499)}last`,
  'x'.repeat(200),
];

describe.runIf(browserWanted)('the inbox', () => {
  const suite = useDashboard();

  const { call, newTicket, said } = openDesk(() => suite.host().session);
  const stateOf = async (id: string) => await call('GET', `/api/v1/conversations/${id}`);

  async function opened(id: string): Promise<Page> {
    const page = await suite.opened(`/inbox?id=${id}`);
    await composerOf(page).waitFor();
    return page;
  }

  it('answers, notes, snoozes, wakes, raises, closes and takes back by keys alone', async () => {
    const id = await newTicket('By keys');
    const other = await newTicket('The one above');
    const page = await suite.opened();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('g', 'i');
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.getByRole('link', { name: /By keys/ }).waitFor();
    await press('j');
    await page.getByRole('heading', { name: 'The one above' }).waitFor();
    await press('j');
    await page.getByRole('heading', { name: 'By keys', level: 2 }).waitFor();
    await composerOf(page).waitFor();
    await press('r');
    await page.keyboard.type('It is on its way.');
    await stopClock(page);
    await press('Control+Enter', 'Escape');
    await page.getByText('about to be sent').waitFor();
    await press('z');
    await startClock(page);
    expect(await composerOf(page).inputValue()).toBe('It is on its way.');
    expect(await said(id)).toEqual(['said: Where is it?']);
    await press('r', 'Control+Enter', 'Escape', 'n');
    await page.keyboard.type('Ask the carrier.');
    await press('Control+Enter', 'Escape');
    await allSent(page);
    expect(await said(id)).toEqual([
      'said: Where is it?',
      'said: It is on its way.',
      'note: Ask the carrier.',
    ]);
    await press('s');
    await page.getByRole('dialog').waitFor();
    await press('1');
    await page.getByRole('button', { name: 'Wake' }).waitFor();
    await allSent(page);
    expect((await stateOf(id)).ticket_status).toBe('snoozed');
    await press('u');
    await page.getByRole('button', { name: 'Wake' }).waitFor({ state: 'detached' });
    await allSent(page);
    expect((await stateOf(id)).ticket_status).not.toBe('snoozed');
    await press('!');
    await page.getByRole('button', { name: 'Raise' }).waitFor({ state: 'detached' });
    await allSent(page);
    expect((await stateOf(id)).status).toBe('escalated');
    // With its clock stopped the page gives the focus to no dialog: what is typed is the reason all the same.
    await stopClock(page);
    await press('e');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('solved');
    await startClock(page);
    await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('solved');
    await stopClock(page);
    await press('Enter');
    await page.getByText('Reason: solved').waitFor();
    await press('z');
    await page.getByText('Reason: solved').waitFor({ state: 'detached' });
    await startClock(page);
    await press('e');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('solved');
    await press('Enter');
    await allSent(page);
    expect(await stateOf(id)).toMatchObject({ status: 'resolved', close_reason: 'solved' });
    await press('k');
    await page.getByRole('heading', { name: 'The one above' }).waitFor();
    await press('r');
    await page.keyboard.type('Done.');
    await press('Control+Shift+Enter');
    await allSent(page);
    expect(await stateOf(other)).toMatchObject({ status: 'resolved' });
  });

  it('breaks no rule while something can be taken back', async () => {
    const page = await opened(await newTicket('Five seconds'));
    const waiting = page.getByText('about to be sent');
    const found: string[] = [];
    // axe needs a clock that runs: where the five seconds were over before it was, it looks at the next reply.
    const looked = async (): Promise<boolean> => {
      await composerOf(page).fill('It is on its way.');
      await composerOf(page).press('Control+Enter');
      await waiting.waitFor();
      found.push(...(await violationsInEveryLook(page)));
      return await waiting.isVisible();
    };
    await expect.poll(looked).toBe(true);
    expect(found).toEqual([]);
  });

  it('keeps a draft for its ticket, a reply and a note apart, and shows it in no other', async () => {
    const [first, second] = [await newTicket('First'), await newTicket('Second')];
    const page = await opened(first);
    await composerOf(page).fill('Only for the first');
    await page.getByRole('button', { name: /Note n/ }).click();
    expect(await composerOf(page).inputValue()).toBe('');
    await page.getByLabel('Internal note: the customer never sees it').fill('A note on the first');
    await page.getByRole('button', { name: 'Add internal note' }).waitFor();
    await page.getByRole('link', { name: /Second/ }).click();
    await page.getByRole('heading', { name: 'Second', level: 2 }).waitFor();
    await page.getByLabel('Reply to ada@example.com').waitFor();
    expect(await composerOf(page).inputValue()).toBe('');
    await page.goto(`${suite.host().session.origin_url}/inbox?id=${first}`);
    await page.getByLabel('Internal note').waitFor();
    expect(await composerOf(page).inputValue()).toBe('A note on the first');
    await page.getByRole('button', { name: /Reply r/ }).click();
    expect(await composerOf(page).inputValue()).toBe('Only for the first');
    expect([...(await said(first)), ...(await said(second))]).toEqual([
      'said: Where is it?',
      'said: Where is it?',
    ]);
  });

  it('says a reply once, however often it is sent, and keeps it while nothing answers', async () => {
    const id = await newTicket('Once');
    const page = await opened(id);
    let lost = 0;
    const losing = ofChanges((route) => (lost++ === 0 ? answerLost(route) : route.continue()));
    await page.route('**/api/v1/messages', losing);
    await composerOf(page).fill('Once only');
    await stopClock(page);
    await composerOf(page).press('Control+Enter');
    await composerOf(page).press('Control+Enter');
    await page.getByRole('button', { name: 'Send now' }).dblclick();
    await startClock(page);
    await page.getByText('has not gone through').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await allSent(page);
    await page.getByText('has not gone through').waitFor({ state: 'detached' });
    expect(lost).toBe(2);
    expect(await said(id)).toEqual(['said: Where is it?', 'said: Once only']);
  });

  it('finds a contact, saves all of it, and erases it after its address was typed', async () => {
    const made = await call('POST', '/api/v1/contacts', { email: 'gone@example.com', name: 'To be gone' });
    const page = await suite.opened('/contacts?search=gone');
    await page.getByRole('link', { name: 'gone@example.com' }).click();
    await page.getByRole('heading', { name: 'gone@example.com', level: 1 }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const parts: Buffer[] = [];
    for await (const part of await file.createReadStream()) parts.push(part as Buffer);
    expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject({ contact: { id: made.id } });
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type its address').fill('other@example.com');
    await page.keyboard.press('Enter');
    expect((await call('GET', `/api/v1/contacts/${made.id}`)).email).toBe('gone@example.com');
    await dialog.getByLabel('Type its address').fill('gone@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('The erasure has begun').waitFor();
    const left = async () => (await call('GET', '/api/v1/contacts?email=gone@example.com')).total;
    await expect.poll(left).toBe(0);
  });

  it('shows who changed what, by what it was and what it is', async () => {
    const made = await call('POST', '/api/v1/contacts', { email: 'audited@example.com' });
    await call('PATCH', `/api/v1/contacts/${made.id}`, { company: 'New & Co' });
    const page = await suite.opened(`/audit-log?resource_id=${made.id}`);
    const rows = page.locator('tbody tr');
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Action').selectOption('contact.created');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('action')).toBe('contact.created');
    await page.reload();
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
  });

  it('shows whatever customers write as text', async () => {
    const ids: string[] = [];
    for (const text of HOSTILE) ids.push(await newTicket(text.slice(0, 500), text));
    const page = await opened(ids[0] ?? '');
    for (const [index, id] of ids.entries()) {
      await page.goto(`${suite.host().session.origin_url}/inbox?id=${id}`);
      await composerOf(page).waitFor();
      const long = page.getByRole('button', { name: /Show all/ });
      if ((HOSTILE[index] ?? '').length > 4_000) await long.click();
      const list = page.getByRole('list', { name: 'Messages' });
      await list.waitFor();
      expect(await list.locator('p').nth(1).textContent()).toBe(HOSTILE[index]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    }
  });
});
