// Goal: two agents on one ticket see what the other did, and neither loses a text; beside the ticket stands what its customer
// ordered. Method: two persons in two browser contexts, the real helpdesk and the real events behind one origin.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { BOB, join } from '#test/support/dashboard/people.ts';
import { ingest, orderEvent } from '#test/support/dashboard/sample-shop.ts';
import { allSent, composerOf, sendNow, startClock, stopClock } from '#test/support/dashboard/undo.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

describe.runIf(browserWanted)('two agents on one ticket', () => {
  const suite = useDashboard({ people: [BOB] });
  const { call, newTicket, said } = openDesk(() => suite.host().session);
  const stateOf = (id: string) => call('GET', `/api/v1/conversations/${id}`);

  it('see each other’s message where they would have closed it, and lose nothing', async () => {
    const id = await newTicket('Ours');
    const [ada, bob] = await Promise.all([suite.visit(), suite.visit()]);
    await join(suite.host(), BOB, 'member');
    await signIn(bob, suite.host(), `/inbox?id=${id}`, BOB);
    await signIn(ada, suite.host(), `/inbox?id=${id}`);
    await Promise.all([ready(ada.page), ready(bob.page)]);
    await composerOf(bob.page).fill('Bob has not finished this');
    // Ada is slow: what Bob does reaches her after she has pressed.
    await composerOf(ada.page).fill('I have found the parcel. <b>Ada</b>');
    await Promise.all([stopClock(ada.page), stopClock(bob.page)]);
    await ada.page.getByRole('button', { name: 'Send reply' }).click();
    await bob.page.getByRole('button', { name: /^Close/ }).click();
    await bob.page.getByLabel('Reason').fill('nothing heard');
    await bob.page.keyboard.press('Enter');
    await bob.page.getByText('sent in 5 seconds').waitFor();
    await ada.page.getByRole('button', { name: 'Send now' }).click();
    await startClock(ada.page);
    await allSent(ada.page);
    const refused = bob.page.waitForResponse((answer) => answer.status() === 412);
    await bob.page.getByRole('button', { name: 'Send now' }).click();
    await startClock(bob.page);
    expect((await refused).url()).toContain(`/api/v1/conversations/${id}/close`);
    await bob.page.getByText('Somebody else changed this ticket meanwhile.').waitFor();
    const meanwhile = bob.page.getByRole('list', { name: 'What came meanwhile' });
    await meanwhile.getByText('I have found the parcel. <b>Ada</b>').waitFor();
    // She has no name there: she is called something all the same.
    expect(await meanwhile.locator('b').first().textContent()).toBe('Agent');
    await bob.page.getByText('Your reason: nothing heard').waitFor();
    expect(await violationsInEveryLook(bob.page)).toEqual([]);
    expect(await composerOf(bob.page).inputValue()).toBe('Bob has not finished this');
    expect((await stateOf(id)).status).toBe('pending');
    await bob.page.getByRole('button', { name: 'Leave it as it is' }).click();
    await bob.page.getByText('Somebody else changed').waitFor({ state: 'detached' });
    // Bob answers and closes; Ada, who types, sees it and keeps her text.
    await composerOf(ada.page).fill('Ada types on');
    await composerOf(bob.page).press('Control+Shift+Enter');
    await sendNow(bob.page);
    await allSent(bob.page);
    expect((await stateOf(id)).status).toBe('resolved');
    const said = ada.page.getByRole('list', { name: 'Messages' });
    await said.getByText('Bob has not finished this').waitFor();
    await ada.page.getByText('✔ Done', { exact: true }).waitFor();
    expect(await composerOf(ada.page).inputValue()).toBe('Ada types on');
    expect(await said.locator('li b').allTextContents()).toEqual(['ada@example.com', 'You', 'Agent']);
  });

  it('who answer and close at once: both answers are said, one closes, the other is asked', async () => {
    const id = await newTicket('At once');
    const [ada, bob] = await Promise.all([suite.visit(), suite.visit()]);
    await signIn(bob, suite.host(), `/inbox?id=${id}`, BOB);
    await signIn(ada, suite.host(), `/inbox?id=${id}`);
    for (const [{ page }, text] of [
      [ada, 'Ada’s answer'],
      [bob, 'Bob’s answer'],
    ] as const) {
      await ready(page);
      await composerOf(page).fill(text);
      await stopClock(page);
      await composerOf(page).press('Control+Shift+Enter');
      // The next ticket is open by then.
      await page.getByRole('heading', { name: 'At once', level: 2 }).waitFor({ state: 'detached' });
    }
    await ada.page.getByRole('button', { name: 'Send now' }).click();
    await startClock(ada.page);
    await allSent(ada.page);
    await bob.page.getByRole('button', { name: 'Send now' }).click();
    await startClock(bob.page);
    // The failure is shown on the current page, with the way back.
    await bob.page.getByRole('alert').getByText('has not gone through').waitFor();
    await bob.page.getByRole('button', { name: 'Show it' }).click();
    await bob.page.getByText('Your message was sent; the ticket was not closed with it.').waitFor();
    await bob.page.getByRole('list', { name: 'What came meanwhile' }).getByText('Ada’s answer').waitFor();
    await bob.page.getByRole('button', { name: 'Close all the same' }).click();
    await bob.page.getByText('Somebody else changed').waitFor({ state: 'detached' });
    await allSent(bob.page);
    expect(await said(id)).toEqual(['said: Where is it?', 'said: Ada’s answer', 'said: Bob’s answer']);
    expect((await stateOf(id)).status).toBe('resolved');
  });

  it('see what the customer ordered and did, and what is left of it', async () => {
    const user_data = { email: 'Ada@example.com ' };
    const order = orderEvent('order-<b>-1', { order_id: 'O-77', value: 59.98, user_data });
    const others = [
      { ...order, event_id: 'of-somebody-else', order_id: 'O-78', user_data: { email: 'eve@example.com' } },
      { ...order, event_id: 'a-look', event_name: 'PageView' },
      { ...order, event_id: 'asked', event_name: 'Lead' },
    ];
    await ingest(suite.host().session, [order, ...others]);
    const id = await newTicket('Where is my order?');
    const page = await suite.opened(`/inbox?id=${id}`);
    const orders = page.getByRole('complementary', { name: 'Orders of this customer' });
    const listed = async () => {
      await page.reload();
      await orders.getByRole('link', { name: 'All events with this address' }).waitFor();
      await settled(page);
      return await orders.getByRole('listitem').allTextContents();
    };
    const within = { timeout: 30_000 };
    const lead = expect.stringMatching(/^Lead/);
    await expect.poll(listed, within).toEqual([expect.stringMatching(/^O-77\$59\.98/), lead]);
    const refund = { ...order, event_id: 'back', event_name: 'Refund', value: 9.98 };
    await ingest(suite.host().session, [refund]);
    await expect.poll(listed, within).toEqual([expect.stringMatching(/^O-77\$50\.00\$9\.98 refunded/), lead]);
    await orders.getByText('First seen').waitFor();
    await orders.getByRole('link', { name: 'O-77' }).click();
    await page.getByRole('heading', { name: 'order-<b>-1', level: 1 }).waitFor();
  });
});

async function ready(page: Page): Promise<void> {
  await composerOf(page).waitFor();
  await settled(page);
}
