// Goal: a webhook is added, tried, changed, rotated and deleted; its deliveries are listed and can be sent again; a
// reason is shown if nothing is sent. Method: real deliveries, to the sandbox's receiver and to one that refuses on
// demand.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesSent } from '#test/support/dashboard/as-owner.ts';
import { violationsInEveryLook } from '#test/support/dashboard/axe.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { BOB, join } from '#test/support/dashboard/people.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

interface Received {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

describe.runIf(browserWanted)('webhooks', () => {
  const suite = useDashboard({ people: [BOB] });
  /** Answers with the status in `answer`. */
  let receiver: Server;
  let answer = 200;
  let receiverUrl = '';
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(answer).end('<b>the receiver’s own</b>'));
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => receiver.close());

  const { call, newTicket } = openDesk(() => suite.host().session);
  async function made(body: Record<string, unknown>): Promise<string> {
    const { webhook } = await call('POST', '/api/v1/webhooks', body);
    return (webhook as { id: string }).id;
  }
  async function received(name: string): Promise<readonly Received[]> {
    const listed = await fetch(suite.host().session.helpdesk_sample.webhook_receiver_url);
    const all = ((await listed.json()) as { received: readonly Received[] }).received;
    return all.filter((one) => one.name === name);
  }
  const rows = (page: Page) =>
    page.getByRole('region', { name: 'Deliveries', exact: true }).locator('tbody tr');

  it('are refused at their address where it is not public, and added with a secret that signs', async () => {
    const page = await suite.opened('/webhooks');
    const url = `${suite.host().session.sandbox_url}/webhooks/by-page`;
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog');
    for (const [address, words] of [
      ['', 'must not be empty'],
      ['http://example.com/', 'only https is allowed'],
      ['https://169.254.169.254/latest/meta-data', 'the address is not public'],
      ['https://metadata.google.internal/', 'the host name is not public'],
      ['https://user:pass@example.com/', 'credentials in the address are not allowed'],
      ['javascript:alert(1)', 'only https is allowed'],
      [`https://example.com/${'a'.repeat(2_048)}`, 'must be at most 2048 characters long'],
    ] as const) {
      await dialog.getByLabel('Address').fill(address);
      await page.keyboard.press('Enter');
      await dialog.getByText(`✖ ${words}`).waitFor();
      expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Address');
    }
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByLabel('Description').fill('<i>CRM</i>');
    await dialog.getByLabel('everything').uncheck();
    await dialog.getByLabel('ticket.created').waitFor();
    const sent = changesSent(page, /^\/api\/v1\/webhooks$/);
    await dialog.getByRole('button', { name: 'Add' }).dblclick();
    await dialog.getByText('It is shown once').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    const secret = (await dialog.locator('p.font-mono').textContent()) ?? '';
    await page.keyboard.press('Escape');
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(sent).toEqual(['POST /api/v1/webhooks']);
    expect(await page.locator('body').textContent()).not.toContain(secret);
    await newTicket('For the page');
    await expect.poll(async () => (await received('by-page')).length).toBe(1);
    const [one] = await received('by-page');
    expect(new Verifier(secret).verify(one?.body ?? '', one?.headers ?? {})).toMatchObject({
      type: 'ticket.created',
    });
    await page.getByRole('link', { name: url }).click();
    await rows(page).getByText('✔ delivered').waitFor();
    expect(await rows(page).first().locator('td').nth(3).textContent()).toBe('1');
    await rows(page)
      .getByText(/answered 200 in \d+ ms/)
      .waitFor();
    await page.getByText('<i>CRM</i>').waitFor();
  });

  it('that fail say since when, are sent to again by hand, and are well again after it', async () => {
    answer = 500;
    const id = await made({ url: receiverUrl, events: ['ticket.created'] });
    const page = await suite.opened(`/webhooks?id=${id}`);
    await page.getByText('Nothing was sent to it yet').waitFor();
    await newTicket('Not taken');
    await rows(page).getByText('answered 500').waitFor();
    await page.getByText(/▲ Active, failing since/).waitFor();
    await rows(page).getByText('↻ waiting').waitFor();
    answer = 200;
    const sent = changesSent(page, new RegExp(`^/api/v1/webhooks/${id}/deliveries/.+/retry$`));
    await page.getByRole('button', { name: 'Retry ticket.created' }).press('Enter');
    await rows(page).getByText('✔ delivered').waitFor();
    expect(sent).toHaveLength(1);
    const attempts = Number(await rows(page).first().locator('td').nth(3).textContent());
    expect(attempts).toBeGreaterThan(1);
    await page.getByText('✔ Active').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('the receiver’s own');
  });

  it('whose receiver is gone are disabled with the reason, and enabled by hand', async () => {
    answer = 410;
    const id = await made({ url: receiverUrl, events: ['ticket.created'] });
    await newTicket('Gone');
    const page = await suite.opened(`/webhooks?id=${id}`);
    await page.getByText('✖ Disabled: its receiver answered 410, gone').waitFor();
    await page.getByText('Nothing can be sent again while the webhook is disabled.').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
    const sent = changesSent(page, /\/retry$/);
    await page.getByRole('button', { name: 'Retry ticket.created' }).press('Enter');
    answer = 200;
    await page.getByRole('button', { name: 'Enable' }).dblclick();
    await page.getByText('✔ Active').waitFor();
    expect(sent).toEqual([]);
    await page.getByRole('button', { name: 'Retry ticket.created' }).click();
    await rows(page).getByText('✔ delivered').waitFor();
  });

  it('are tested: delivered or not, and nothing more', async () => {
    answer = 503;
    const id = await made({ url: receiverUrl, active: false });
    const page = await suite.opened(`/webhooks?id=${id}`);
    await page.getByText('– Disabled by hand').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('✖ The test was not delivered.').waitFor();
    answer = 200;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('✔ The test was delivered.').waitFor();
    await rows(page).nth(1).getByText('○ test').waitFor();
    expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
  });

  it('get another secret, with the one before signing beside it, and are deleted, by keys alone', async () => {
    const id = await made({ url: `${suite.host().session.sandbox_url}/webhooks/rotated` });
    const page = await suite.opened(`/webhooks?id=${id}`);
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Rotate the secret' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).press('Enter');
    await page.getByText('Store this secret now').waitFor();
    const secret = (await page.getByRole('dialog').locator('p.font-mono').textContent()) ?? '';
    await page.getByLabel('I have stored it').press('Space');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Rotate the secret');
    await page.getByText(`…${secret.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).press('Enter');
    await page.getByText('✔ The test was delivered.').waitFor();
    const [one] = await received('rotated');
    expect(one?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    new Verifier(secret).verify(one?.body ?? '', one?.headers ?? {});
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.goto(`${suite.host().session.origin_url}/webhooks?id=${id}`);
    await page.getByRole('alert').filter({ hasText: 'Webhook not found' }).first().waitFor();
  });

  it('are changed: an address inside is refused there as well, and what is kept shows as text', async () => {
    const id = await made({ url: 'https://example.com/%3Cscript%3E?a=<b>', description: '\u202eevil <b>' });
    const page = await suite.opened(`/webhooks?id=${id}`);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('https://127.0.0.1.nip.io:22/');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('✖ only port 443 and ports from 1024 on are allowed').waitFor();
    await dialog.getByLabel('Address').fill('https://example.com/other');
    await dialog.getByLabel('Description').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('https://example.com/other').waitFor();
    const { webhook } = await call('GET', `/api/v1/webhooks/${id}`);
    expect(webhook).toMatchObject({ url: 'https://example.com/other', description: null, events: ['*'] });
  });

  it('are explained to a member, and linked for none', async () => {
    await join(suite.host(), BOB, 'member');
    const page = await suite.opened('/webhooks', { as: BOB });
    await page.getByText('Your role in this shop, member, does not show this page.').waitFor();
    expect(await page.getByRole('link', { name: /^Webhooks/ }).count()).toBe(0);
  });
});
