// Goal: a person is invited, joins, and sees what his role allows, explained and without an error; the last owner stays. Method:
// two people who sign in at the real issuer, each in a browser of his own.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { asOwner, changesSent } from '#test/support/dashboard/as-owner.ts';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { settled, useDashboard } from '#test/support/dashboard/browser.ts';
import { submitTwice } from '#test/support/dashboard/twice.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const COLLEAGUE = { subject: 'colleague', email: 'colleague@shop.example', password: 'a long password' };

describe.runIf(browserWanted)('members', () => {
  const suite = useDashboard({ people: [COLLEAGUE] });
  const call = (method: string, path: string, body?: unknown) =>
    asOwner(suite.host().session, method, `/v1/members${path}`, body);
  const team = async () => (await call('GET', '')).body;

  /** Gives the colleague this role, from any earlier state. */
  async function give(role: 'viewer' | 'agent' | 'member' | 'admin' | 'owner'): Promise<void> {
    const { members } = await team();
    if (members.some(({ id }: { id: string }) => id === COLLEAGUE.subject)) {
      await call('PATCH', `/${COLLEAGUE.subject}`, { role });
      return;
    }
    const { token } = (await call('POST', '/invitations', { email: COLLEAGUE.email, role })).body;
    const page = await suite.opened('/join', { as: COLLEAGUE });
    await page.getByLabel('Code').fill(token);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: role === 'agent' ? 'Inbox' : 'Overview' }).waitFor();
  }

  it('are invited by keys alone with a code that is shown once, and join with it', async () => {
    const page = await suite.opened('/members');
    const sent = changesSent(page);
    await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
    await page.getByLabel('E-mail').pressSequentially('no address');
    await page.keyboard.press('Enter');
    await page.getByText('✖').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
    sent.length = 0;
    await page.getByLabel('E-mail').fill(COLLEAGUE.email);
    await submitTwice(page.getByRole('dialog').locator('form'));
    await page.getByText('Hand over this code').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    expect(sent).toEqual(['POST /v1/members/invitations']);
    const code = (await page.getByText(/^evi_/).textContent()) ?? '';
    await page.keyboard.press('Escape');
    await page.getByText('Hand over this code').waitFor();
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('list', { name: 'Open invitations' })
      .getByText(COLLEAGUE.email, { exact: true })
      .waitFor();
    expect(await page.content()).not.toContain(code);

    const other = await suite.opened('/', { as: COLLEAGUE });
    await other.getByText('a member of no shop').waitFor();
    await other.getByRole('link', { name: 'join' }).click();
    await other.getByLabel('Code').fill('evi_wrong.code');
    await other.getByRole('button', { name: 'Join' }).click();
    await other.getByRole('alert').filter({ hasText: 'no such invitation' }).waitFor();
    expect(await violationsInEveryLook(other)).toEqual([]);
    await other.getByLabel('Code').fill(code);
    await other.getByRole('button', { name: 'Join' }).dblclick();
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await settled(other);
    expect(await other.getByRole('alert').count()).toBe(0);
    await other.getByRole('link', { name: /Privacy/ }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('2 members').waitFor();
    await page.getByText('Nobody is invited').waitFor();
  });

  it('who may only look see every page their role shows, with the reason for what it does not, and no error', async () => {
    await give('member');
    const page = await suite.opened('/', { as: COLLEAGUE });
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    const go = async (path: string) => {
      await page.goto(suite.host().session.origin_url + path);
      await settled(page);
      expect(await page.getByRole('alert').count()).toBe(0);
    };
    await go('/members');
    await page.getByText(/Your role \(member\) does not allow this/).waitFor();
    expect(await buttons(page, /Invite|Change role|Remove|Withdraw/)).toBe(0);
    const members = page.getByRole('list', { name: 'Members' }).getByRole('listitem');
    expect(await members.filter({ hasText: '· owner' }).count()).toBe(1);
    expect(await members.filter({ hasText: `${COLLEAGUE.email} (you) · member` }).count()).toBe(1);
    await go('/rules');
    await page.getByText(/Your role \(member\) does not allow this/).waitFor();
    expect(await buttons(page, /New rule|Edit|Delete|Switch|Move/)).toBe(0);
    await go('/rules?edit=new');
    await page.getByText(/Your role \(member\) does not allow this/).waitFor();
    await go('/privacy');
    await page.getByText('Your role in this shop, member, does not show this page').waitFor();
    expect(await page.getByRole('link', { name: /Privacy/ }).count()).toBe(0);
    expect(failed).toEqual([]);
  });

  it('who are agents see the helpdesk and nothing of events, and every page says why', async () => {
    await give('agent');
    const page = await suite.opened('/', { as: COLLEAGUE });
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await settled(page);
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual(
      ['Inbox', 'Mail set aside', 'Contacts', 'Articles', 'Workspace'].map((title) =>
        expect.stringContaining(title),
      ),
    );
    await page.getByText(/· agent$/).waitFor();
    await page.locator('[aria-label=Tickets] a').first().click();
    await page.getByRole('button', { name: 'Send reply' }).waitFor();
    for (const path of ['/events', '/keys', '/billing', '/members', '/webhooks']) {
      await page.goto(suite.host().session.origin_url + path);
      await page.getByText(/Your role in this shop, agent of the helpdesk only/).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });

  it('who are viewers read events and tickets, and find nothing to press that would change them', async () => {
    await give('viewer');
    const page = await suite.opened('/inbox', { as: COLLEAGUE });
    const sent = changesSent(page);
    await page.locator('[aria-label=Tickets] a').first().click();
    await page.getByText(/You read this ticket\. To answer or change it: your role \(viewer\)/).waitFor();
    await settled(page);
    expect(await buttons(page, /Send|Snooze|Close|Raise|Reject|Insert|Ask/)).toBe(0);
    for (const key of ['e', 's', '1', '!', 'u', 'r', 'd']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await violationsInEveryLook(page)).toEqual([]);
    for (const path of ['/events', '/platforms', '/rules', '/members']) {
      await page.goto(suite.host().session.origin_url + path);
      await settled(page);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    expect(sent).toEqual([]);
  });

  it('who are admins may do all but what is an owner’s', async () => {
    await give('admin');
    const page = await suite.opened('/members', { as: COLLEAGUE });
    await page.getByText('Only an owner may change or remove an owner.').waitFor();
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const role = page.getByRole('dialog').getByLabel('Role', { exact: true });
    await role.waitFor();
    const offered = await role.locator('option').allTextContents();
    expect(offered).toEqual(['viewer', 'agent', 'member', 'admin']);
    await role.selectOption('agent');
    await page.getByText('Answers customers in the helpdesk, and sees nothing else').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Remove ${COLLEAGUE.email}` }).click();
    await page.getByText('This is you').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('a member of no shop').waitFor();
    expect((await team()).members).toHaveLength(1);
  });

  it('keep one owner: the page says so before, and the service when somebody was quicker', async () => {
    await give('admin');
    const page = await suite.opened('/members');
    await page.getByText('The last owner stays one. Make somebody else an owner first.').waitFor();
    await page.getByRole('button', { name: `Change role of ${COLLEAGUE.email}` }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('owner');
    await page.getByRole('button', { name: 'Change', exact: true }).dblclick();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Change role of ${suite.host().session.owner_email}` }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('member');
    await page.getByText('This is you').waitFor();
    await call('PATCH', `/${COLLEAGUE.subject}`, { role: 'admin' });
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'this is the last owner by now' }).waitFor();
    expect((await team()).members).toContainEqual(
      expect.objectContaining({ is_caller: true, role: 'owner' }),
    );
  });

  it('are removed after a question, and what they have open says that they are members of nothing', async () => {
    await give('member');
    const theirs = await suite.opened('/', { as: COLLEAGUE });
    const page = await suite.opened('/members');
    await page.getByRole('button', { name: `Remove ${COLLEAGUE.email}` }).click();
    expect((await team()).members).toHaveLength(2);
    const sent = changesSent(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).dblclick();
    await page.getByText('1 member', { exact: true }).waitFor();
    expect(sent).toHaveLength(1);
    await theirs.reload();
    await theirs.getByText('a member of no shop').waitFor();
  });

  it('are no longer invited when it is withdrawn', async () => {
    await call('POST', '/invitations', { email: 'gone@shop.example', role: 'admin' });
    const page = await suite.opened('/members');
    await page.getByRole('button', { name: 'Withdraw the invitation of gone@shop.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Nobody is invited').waitFor();
    expect((await team()).invitations).toEqual([]);
  });
});

const buttons = (page: Page, name: RegExp): Promise<number> =>
  page.getByRole('main').getByRole('button', { name }).count();
