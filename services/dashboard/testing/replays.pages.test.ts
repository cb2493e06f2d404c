// Goal: after an outage a shop counts what its platform misses, sends exactly that at a rate of its choice, and may
// stop it at any time; all members see the same plan. Method: the real host; one platform refuses until it is well
// again.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodiesSent } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { signIn, useDashboard } from '#test/support/dashboard/browser.ts';
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

const MISSED = 3;
const EVENTS = 30;

interface Found {
  readonly events: readonly { readonly event_id: string }[];
}

const newest = (page: Page) => page.getByRole('region', { name: 'Plans' }).getByRole('listitem').first();
const heading = (page: Page, name: RegExp) => newest(page).getByRole('heading', { name });

describe.runIf(browserWanted)('replays', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  beforeAll(async () => {
    const { session } = suite.host();
    for (let index = 0; index < MISSED; index++) {
      await fault(session, { ...META_REFUSES, count: 1 });
      await ingest(session, [orderEvent(`missed-${index}`)]);
      await untilAt(session, `missed-${index}`, 'meta', 'FAILED');
    }
    const others = Array.from({ length: EVENTS - MISSED }, (_, index) =>
      orderEvent(`taken-${index}`, { event_name: 'AddToCart' }),
    );
    await ingest(session, others);
    for (const { event_id } of others) await untilAt(session, event_id, 'meta', 'DELIVERED');
  });

  it('send what a dry run counted, neither more nor less, whatever came since', async () => {
    const page = await suite.opened('/replays');
    const sent = bodiesSent(page, /\/v1\/replays$/);
    await page.getByLabel('Platform').selectOption('meta');
    await page.getByRole('button', { name: 'Dry run' }).dblclick();
    await heading(page, /done · dry run/).waitFor();
    await newest(page).getByText(`${MISSED} would be sent of ${EVENTS} that fit`).waitFor();
    // Comes after the count: no part of it, although the form's own filter would take it now.
    await fault(suite.host().session, { ...META_REFUSES, count: 1 });
    await ingest(suite.host().session, [orderEvent('too-late')]);
    await untilAt(suite.host().session, 'too-late', 'meta', 'FAILED');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: `Send these ${MISSED} events` }).dblclick();
    await heading(page, /done · replay/).waitFor();
    await newest(page).getByText(`${MISSED} sent of ${EVENTS} that fit`).waitFor();
    await newest(page).getByText('By platform').click();
    const counts = await newest(page).getByRole('row', { name: /^Meta/ }).getByRole('cell').allTextContents();
    expect(counts.slice(-6, -4)).toEqual([`${MISSED}`, `${EVENTS - MISSED}`]);
    expect(sent).toHaveLength(2);
    const [dry, run] = sent.map((one) => JSON.parse(one) as unknown);
    expect(dry).toMatchObject({ dry_run: true, platforms: ['meta'], only: 'undelivered' });
    expect(run).toMatchObject({ platforms: ['meta'], only: 'undelivered' });
    const { events } = await callApi<Found>(suite.host().session, '/v1/events?search=missed-');
    const again = events.map(({ event_id }) => event_id).filter((id) => id.includes('~rp~'));
    expect(again).toHaveLength(MISSED);
    for (const id of again) await untilAt(suite.host().session, id, 'meta', 'DELIVERED');
  });

  it('pause, go on faster and end at a press, and are the same for whoever looks', async () => {
    const page = await suite.opened('/replays');
    await page.getByLabel('Which').selectOption('all');
    await page.getByLabel('A second, at most').fill('1');
    await page.getByRole('button', { name: 'Send once more' }).click();
    await newest(page).getByRole('button', { name: 'Pause' }).click();
    await heading(page, /paused · replay of all/).waitFor();
    const other = await suite.opened('/replays');
    await heading(other, /paused · replay of all/).waitFor();
    await page.reload();
    await heading(page, /paused · replay of all/).waitFor();
    await newest(page).getByRole('progressbar', { name: 'Looked at by the replay' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await newest(page).getByLabel('Rate, a second').fill('500');
    await newest(page).getByRole('button', { name: 'Change the rate' }).click();
    await newest(page).getByText('500 a second at most').waitFor();
    await newest(page).getByRole('button', { name: 'Resume' }).click();
    await heading(page, /done · replay of all/).waitFor();
    await heading(other, /done · replay of all/).waitFor();
  });

  it('are cancelled after a question', async () => {
    const page = await suite.opened('/replays');
    await page.getByLabel('A second, at most').fill('1');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await newest(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await newest(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel for good' }).click();
    await heading(page, /cancelled · dry run/).waitFor();
    expect(await newest(page).getByRole('button').count()).toBe(0);
  });

  it('are shown to a member, who steers none', async () => {
    const visit = await suite.visit();
    const { page } = visit;
    await asMember(page, /^(?:create|change|cancel)Replay/);
    await signIn(visit, suite.host(), '/replays');
    await heading(page, /cancelled · dry run/).waitFor();
    await page.getByText('Your role (member) does not allow this').waitFor();
    expect(await page.getByRole('button', { name: /^(?:Send|Pause|Dry run|Cancel)/ }).count()).toBe(0);
  });
});
