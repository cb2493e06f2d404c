// Goal: which events a test key marks. Where nothing leaves for a platform, it marks none.
import { expect, it } from 'vitest';
import { formatApiKey } from '#lib/core/tenancy/api-key.ts';
import { purchase, request, send, testIngestion } from '#test/support/ingestion.ts';

const TEST_KEY = formatApiKey('evk_test', new Uint8Array(32).fill(9));
const TEST = { authorization: `Bearer ${TEST_KEY}` };

async function stored(isSandboxed: boolean | undefined, headers: Record<string, string>) {
  const { app, addKey, events, sent } = testIngestion(isSandboxed === undefined ? {} : { isSandboxed });
  addKey(TEST_KEY, ['events:write']);
  const answer = await send(app, request('/v1/events', purchase(), headers));
  expect(JSON.parse(String(answer.body))).toEqual({ success: true, event_id: 'order-1' });
  expect(JSON.stringify(sent)).toContain(events.rows()[0]?.key.eventId);
  const [row] = events.rows();
  return row?.state === 'accepted' ? [row.key.eventId, row.body.event_id, row.body.internal] : [];
}

it.each([undefined, false])('marks what comes with one where %s says that platforms are real', async (is) => {
  expect(await stored(is, TEST)).toEqual([
    'order-1~test',
    'order-1',
    { test: true, replay: true, bot: true },
  ]);
});

it('marks nothing of a live key', async () => {
  expect(await stored(undefined, {})).toEqual(['order-1', 'order-1', undefined]);
});

it('marks nothing where all platforms are a sandbox', async () => {
  expect(await stored(true, TEST)).toEqual(['order-1', 'order-1', undefined]);
});

it('refuses one that was revoked', async () => {
  const { app, addKey } = testIngestion();
  addKey(TEST_KEY, ['events:write'], 1);
  expect((await send(app, request('/v1/events', purchase(), TEST))).status).toBe(401);
});
