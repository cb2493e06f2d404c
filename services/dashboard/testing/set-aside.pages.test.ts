// Goal: an agent finds a customer's mail that was taken for an automatic one, and makes a ticket of it. Method: the mail comes in at
// the host's own mailbox, as SES would hand it on.
import { expect, it } from 'vitest';
import { supportAddress } from '#lib/helpdesk/domain/mail/address.ts';
import { LOCAL_MAIL_DOMAIN } from '#services/local/mail/local-mail.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const suite = useDashboard();

it.runIf(browserWanted)('mail that was set aside is listed with its reason, and taken in', async () => {
  const { session } = suite.host();
  const page = await suite.opened('/set-aside');
  await page.getByText('Nothing was set aside').waitFor();
  const sent = await fetch(`${session.sandbox_url}/mail/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      from: 'Ada <ada@customer.example>',
      to: supportAddress(session.merchant_id, LOCAL_MAIL_DOMAIN),
      subject: 'Out of office: my lamp <b>broke</b>',
      text: 'It is in two pieces.',
    }),
  });
  expect(sent.ok).toBe(true);
  const row = page.getByRole('row').filter({ hasText: 'ada@customer.example' });
  await row.getByText('An automatic answer').waitFor();
  expect(await row.textContent()).toContain('my lamp <b>broke</b>');
  await row.getByRole('button', { name: 'Take in' }).click();
  await row.getByRole('link', { name: 'Open the ticket' }).click();
  await page.getByText('It is in two pieces.').first().waitFor();
});
