// Goal: an event is sent again exactly as often as requested, and the result is shown; step 3 of connecting shows a
// pasted event without anything being sent. Method: the real host, with a platform that refuses, and asks to wait.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestsSent } from '#test/support/dashboard/as-owner.ts';
import { violations } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { answerLost } from '#test/support/dashboard/faults.ts';
import {
  asMember,
  callApi,
  fault,
  ingest,
  orderEvent,
  TIKTOK_REFUSES,
  untilAt,
} from '#test/support/dashboard/sample-shop.ts';
import { submitTwice } from '#test/support/dashboard/twice.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const IDS = ['again-1', 'again-2', 'again-3', 'again-4'] as const;
const WAITING = 'again-2';

const sendOnce = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Send once more' });

describe.runIf(browserWanted)('an event', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  beforeAll(async () => {
    const { session } = suite.host();
    // TikTok refuses all but one for good, and asks to wait for an hour with that one.
    const others = IDS.filter((id) => id !== WAITING).map((id) => orderEvent(id));
    await fault(session, { ...TIKTOK_REFUSES, count: 1_000 });
    await ingest(session, others);
    for (const { event_id } of others) {
      await untilAt(session, event_id, 'tiktok', 'FAILED');
      await untilAt(session, event_id, 'meta', 'DELIVERED');
    }
    await fetch(`${session.sandbox_url}/faults`, { method: 'DELETE' });
    await fault(session, { platform: 'tiktok', kind: '429', retry_after: 3_600, count: 1_000 });
    await ingest(session, [orderEvent(WAITING)]);
    await untilAt(session, WAITING, 'tiktok', 'RETRY');
  });

  it('is retried where it failed, once, and leads to the new one', async () => {
    const page = await suite.opened('/event?id=again-1');
    const sent = requestsSent(page, /\/v1\/events\/again-1\/retry-failed$/);
    await page.getByRole('button', { name: 'Retry what failed' }).click();
    await page.getByRole('dialog').getByText('TikTok').waitFor();
    expect(await page.getByRole('dialog').getByText('Meta').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await sendOnce(page).dblclick();
    await page.getByText('Sent once more to TikTok').waitFor();
    expect(sent.map((request) => request.headers()['idempotency-key'])).toEqual([
      expect.stringMatching(/^[\da-f-]{36}$/),
    ]);
    await page.getByRole('status').getByRole('link').click();
    await page.getByText('A replay of').waitFor();
    await page.getByRole('heading', { level: 1, name: /^again-1~rp~/ }).waitFor();
  });

  it('is not retried where it only waits for its next attempt', async () => {
    const page = await suite.opened(`/event?id=${WAITING}`);
    await page.getByText('TikTok').first().waitFor();
    await settled(page);
    expect(await page.getByRole('button', { name: 'Retry what failed' }).count()).toBe(0);
  });

  it('is replayed once although the answer was lost: the second try has the same key', async () => {
    const { session } = suite.host();
    const page = await suite.opened('/event?id=again-3');
    const sent = requestsSent(page, /\/v1\/events\/again-3\/replay$/);
    await page.route('**/v1/events/again-3/replay', answerLost, { times: 1 });
    await page.getByRole('button', { name: 'Replay' }).click();
    await sendOnce(page).click();
    await page.getByRole('dialog').getByText('did not answer').waitFor();
    await sendOnce(page).click();
    await page.getByText('Sent once more to every connected platform').waitFor();
    const keys = sent.map((request) => request.headers()['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    const { events } = await callApi<{ events: unknown[] }>(session, '/v1/events?search=again-3~rp');
    expect(events).toHaveLength(1);
  });

  it('is forwarded by keys alone to the platforms chosen, which are those connected', async () => {
    const { session } = suite.host();
    const page = await suite.opened('/event?id=again-4');
    const sent = requestsSent(page, /\/v1\/events\/again-4\/forward$/);
    await page.getByRole('button', { name: 'Forward' }).press('Enter');
    await page.getByRole('checkbox').first().waitFor();
    const { platforms } = await callApi<{ platforms: { platform: string }[] }>(session, '/v1/platforms');
    expect(await page.getByRole('checkbox').count()).toBe(
      new Set(platforms.map(({ platform }) => platform)).size,
    );
    // Nothing is chosen yet.
    await sendOnce(page).press('Enter');
    expect(sent).toHaveLength(0);
    await page.getByRole('checkbox', { name: 'Meta' }).press('Space');
    await submitTwice(page.getByRole('dialog').locator('form'));
    await page.getByText('Sent once more to Meta').waitFor();
    expect(sent.map((request) => request.postDataJSON())).toEqual([
      { platforms: ['meta'], dedupe: 'original' },
    ]);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Forward');
  });

  it('shows what was received, sent and answered side by side, and every attempt up to the end', async () => {
    const page = await suite.opened(`/event?id=${WAITING}`);
    const lane = page.getByRole('list', { name: 'Attempts by platform' }).getByText('TikTok');
    expect(await lane.textContent()).toMatch(/waiting; after .* HTTP 429 .*; next attempt .*; taken until/);
    for (const [name, status] of [
      ['Meta', 200],
      ['TikTok', 429],
    ] as const) {
      await page.locator('summary', { hasText: name }).click();
      const row = page.locator('details[open]', { hasText: name }).first();
      await row.getByRole('region', { name: `Request to ${name}` }).waitFor();
      await row
        .getByRole('region', { name: `Received, for ${name}` })
        .getByText(`"${WAITING}"`)
        .waitFor();
      const answers = row.getByRole('region', { name: `Answers of ${name}` });
      expect(await answers.textContent()).toContain(`"http_status": ${status}`);
      await page.locator('summary', { hasText: name }).click();
    }
  });

  it('leads to all events of its order', async () => {
    const page = await suite.opened(`/event?id=${WAITING}`);
    await page.getByRole('link', { name: WAITING, exact: true }).click();
    await page.getByRole('heading', { name: `1 event of order ${WAITING}` }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  it('offers a member nothing that his role does not allow, and says why', async () => {
    const visit = await suite.visit();
    const { page } = visit;
    await asMember(page, /^(?:replay|forward|retry)/);
    await signIn(visit, suite.host(), '/event?id=again-4');
    await page.getByText('Your role (member) does not allow this').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('that is pasted is sent nowhere while it is no JSON, and shown as the platform would get it', async () => {
    const page = await suite.opened('/connect?platform=meta&step=credentials');
    await page.getByLabel('Dataset (pixel) ID').fill('1234567890');
    await page.getByLabel('Access token').fill('EAA-secret-token');
    await page.keyboard.press('Enter');
    await page.getByLabel('An event I paste').check();
    await settled(page);
    const sent = requestsSent(page, /\/v1\/platforms\/preview$/);
    const text = page.getByLabel('Event as JSON');
    await text.fill('{\n  "event_name": "Purchase",\n  value: 3\n}');
    await page.getByText('This is not JSON: line 3, column 3, at “value: 3”.').waitFor();
    await page.getByRole('button', { name: 'Show the request' }).click({ force: true });
    expect(await violations(page)).toEqual([]);
    expect(sent).toHaveLength(0);
    const event = orderEvent('pasted-1', { user_data: { email: 'pasted@example.com' } });
    await text.fill(JSON.stringify({ ...event, currency: 'DOLLARS' }));
    await page.getByRole('button', { name: 'Show the request' }).click();
    await page
      .getByRole('alert')
      .getByText(/event\.currency/)
      .waitFor();
    await text.fill(JSON.stringify(event));
    await page.getByRole('button', { name: 'Show the request' }).dblclick();
    const request = page.getByRole('region', { name: 'Request to Meta' });
    await request.getByText('"pasted-1"').waitFor();
    await page.getByText('access_token=***').waitFor();
    expect(await request.textContent()).not.toContain('pasted@example.com');
    expect(sent).toHaveLength(2);
    const kept = await page.evaluate(
      'location.href + JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })',
    );
    expect(kept).not.toMatch(/pasted@example|EAA-secret/);
    // Nothing was stored either.
    const { total } = await callApi<{ total: number }>(suite.host().session, '/v1/events?search=pasted-1');
    expect(total).toBe(0);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await text.inputValue()).toContain('pasted-1');
  });
});
