// Goal: a shop learns which of its orders a platform misses, has twice or has wrong, and sends what is missing; a file
// that is not a CSV is refused in a sentence and not sent. Method: the real host; one platform refuses one order.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodiesSent } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import {
  asMember,
  callApi,
  fault,
  ingest,
  META_REFUSES,
  orderEvent,
  untilAt,
} from '#test/support/dashboard/sample-shop.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const ORDERS = `\ufefforder_id,value,currency,note\r
shop-1,10.00,USD,"as it, should be"\r
shop-2,99.00,USD,another value\r
shop-3,10,USD,refused by Meta\r
shop-4,10,USD,never came\r
`;

const eventOf = (order: string) => orderEvent(`event-${order}`, { order_id: order });

interface Made {
  readonly reconciliation: { readonly id: string };
}

const posts = (page: Page): string[] => bodiesSent(page, /^\/v1\/reconciliations/);

describe.runIf(browserWanted)('reconciling', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  beforeAll(async () => {
    const { session } = suite.host();
    for (const order of ['shop-3', 'shop-5']) {
      await fault(session, { ...META_REFUSES, count: 1 });
      await ingest(session, [eventOf(order)]);
      await untilAt(session, `event-${order}`, 'meta', 'FAILED');
    }
    await ingest(session, [eventOf('shop-1'), eventOf('shop-2')]);
    for (const order of ['shop-1', 'shop-2']) await untilAt(session, `event-${order}`, 'meta', 'DELIVERED');
  });

  it('compares what was pasted, once, and shows what differs with its orders and events', async () => {
    const page = await suite.opened('/reconcile');
    const sent = posts(page);
    await page.getByLabel('Orders as CSV').fill(ORDERS);
    await page.getByText('4 orders').waitFor();
    await page.getByText('Left out: note').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Compare' }).dblclick();
    await page.getByRole('progressbar', { name: 'Compared' }).waitFor();
    expect(sent).toHaveLength(1);
    await page.getByRole('heading', { name: /platforms differ from your orders/ }).waitFor();
    await page.getByRole('link', { name: 'Meta: 1 wrong value' }).click();
    await settled(page);
    const rows = page.getByRole('region', { name: 'Orders found' }).locator('tbody tr');
    expect(await rows.count()).toBe(1);
    expect(await rows.textContent()).toMatch(/shop-2.*Meta.*: wrong value.*was sent 10 USD.*99\.00 USD/);
    await page.getByRole('link', { name: 'Meta: 2 missing' }).click();
    await page.getByText('shop-4').waitFor();
    expect(await rows.count()).toBe(2);
    expect(await page.getByRole('link', { name: 'Search for it' }).getAttribute('href')).toBe(
      '/events?search=shop-4',
    );
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'event-shop-3' }).click();
    await page.getByRole('heading', { level: 1, name: 'event-shop-3' }).waitFor();
  });

  it('is the same for a second person, who sends what is missing: a dry run first', async () => {
    const orders = ['shop-5', 'never-5'].map((order_id) => ({ order_id }));
    const { reconciliation } = await callApi<Made>(suite.host().session, '/v1/reconciliations', { orders });
    const page = await suite.opened(`/reconcile?id=${reconciliation.id}`);
    await page.getByRole('link', { name: 'Meta: 2 missing' }).waitFor();
    await page.reload();
    await page.getByLabel('To', { exact: true }).selectOption('meta');
    const sent = posts(page);
    await page.getByRole('button', { name: 'Dry run' }).dblclick();
    await page.getByText('Dry run of 1 order, done: 1 would be sent of 1 that fit').waitFor();
    expect(sent).toHaveLength(1);
    await page.getByRole('button', { name: 'Send once more' }).click();
    await page.getByText('Replay of 1 order, done: 1 sent').waitFor();
    await page.getByRole('link', { name: 'To the plans' }).first().click();
    await page.getByRole('heading', { name: /replay of what was not delivered/ }).waitFor();
    expect(await page.getByText('dry run of what was not delivered').count()).toBe(1);
  });

  it('has nothing to send of orders that never came, and says so; whatever their ids are', async () => {
    const id = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(200)}`;
    const page = await suite.opened('/reconcile', { viewport: { width: 390, height: 900 } });
    await page.getByLabel('Orders as CSV').fill(`order_id,<b>${'y'.repeat(300)}\n${id},1\n`);
    await page.getByText('1 order.').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Compare' }).press('Enter');
    await page.getByRole('heading', { name: /platforms differ/ }).waitFor();
    await page.getByRole('cell', { name: id, exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('There is nothing to send').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'Compare others' }).click();
    await page.getByLabel('Orders as CSV').waitFor();
  });

  it('shows a member what others compared, and says why he cannot begin', async () => {
    const visit = await suite.visit();
    const { page } = visit;
    const orders = [{ order_id: 'shop-1' }];
    const { reconciliation } = await callApi<Made>(suite.host().session, '/v1/reconciliations', { orders });
    await asMember(page, /^(?:create|replay)/);
    await signIn(visit, suite.host(), '/reconcile');
    await page.getByText('Your role (member) does not allow this').waitFor();
    expect(await page.getByLabel('Orders as CSV').count()).toBe(0);
    await page.locator(`a[href="/reconcile?id=${reconciliation.id}"]`).click();
    await page.getByText(/^1 order, with/).waitFor();
    await page.goto(`${suite.host().session.origin_url}/reconcile?id=${crypto.randomUUID()}`);
    await page.getByRole('alert').getByText('It may belong to another merchant').waitFor();
  });

  const long = (rows: number): Buffer => Buffer.from(`order_id,value\n${'1001,10\n'.repeat(rows)}`);
  it.each([
    ['100,000 rows', long(100_000), /more than 10,000 orders/],
    ['six megabytes', long(800_000), /at most 4 MB/],
    ['a workbook', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]), /a workbook/],
    ['another header', Buffer.from('<img src=x>,Total\n1,2'), /It is: <img src=x>, Total/],
  ])('says why it cannot take %s, and sends nothing', async (_name, buffer, said) => {
    const page = await suite.opened('/reconcile');
    const sent = posts(page);
    await page.getByLabel('or a file').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
    await page.getByText(said).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click({ force: true });
    await page.getByRole('button', { name: 'Take another' }).click();
    await page.getByLabel('or a file').waitFor();
    expect(sent).toEqual([]);
  });

  it('takes a long text that is pasted like a file, and shows what the API says of its lines', async () => {
    const page = await suite.opened('/reconcile');
    await page.getByLabel('Orders as CSV').waitFor();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'order_id,value\\n' + Array.from({ length: 9999 }, (_, n) => n + ',1\\n').join('') + 'x,1.000,5\\n'.replace(',5', ''));
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('textarea').dispatchEvent(event);
    })()`);
    await page.getByText('What you pasted').waitFor();
    await page.getByText('10,000 orders').waitFor();
    await page.getByRole('button', { name: 'Take another' }).click();
    await page.getByLabel('Orders as CSV').fill('order_id,value\n1,"1.059,98"\n');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page
      .getByRole('alert')
      .getByText(/lines\.2\.value: must be an amount like 1059\.98/)
      .waitFor();
  });
});
