import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatApiKey } from '#lib/core/tenancy/api-key.ts';
import { minuteOf } from '#lib/core/work/time-slot.ts';
import type { AcceptedRow } from '#lib/events/domain/event/row.ts';
import { batchOf, outcomesOf } from '#test/conformance/stores/batch-items.ts';
import { delivered, normalizedRow } from '#test/conformance/stores/event-rows.ts';
import {
  API_KEY,
  MERCHANT,
  NOW_MS,
  purchase,
  request,
  send,
  testIngestion,
} from '#test/support/ingestion.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';

const DAY_MS = 86_400_000;
const ORDER_1 = { merchantId: MERCHANT, channel: 'server', eventId: 'order-1' } as const;

/** `asked` gets the platform of each outcome item that is read. */
function countingBatches(asked: string[]) {
  const batches = createMemoryBatchStore();
  const ingestion = testIngestion({
    batches: {
      readMany: (keys, consistency) => {
        asked.push(...(keys.outcomes ?? []).map(({ platform }) => platform));
        return batches.readMany(keys, consistency);
      },
    },
  });
  return { ...ingestion, batches };
}

describe('POST /v1/events', () => {
  it('stores the event, announces it by pointer only and answers 202', async () => {
    const { app, events, counters, sent } = testIngestion();
    const reply = await send(app, request('/v1/events', purchase()));
    expect(reply.status).toBe(202);
    expect(reply.json).toEqual({ success: true, event_id: 'order-1' });
    expect(reply.headers['x-request-id']).toBe('req-1');
    const row = await events.read(ORDER_1);
    const times = { receivedAtMs: NOW_MS, expiresAtMs: NOW_MS + DAY_MS };
    expect(row).toMatchObject({ state: 'accepted', ...times });
    const slot = counters.rows().find(({ key }) => key.grain === 'minute');
    expect(slot).toMatchObject({ key: { merchantId: MERCHANT, startMs: NOW_MS }, dueAtMs: NOW_MS + 60_000 });
    expect(sent).toEqual([{ merchant: MERCHANT, rows: [['s', 'order-1']] }]);
    expect(JSON.stringify(sent)).not.toContain('jane');
  });

  it('refuses a second one within 24 hours and says what it knows about the first', async () => {
    const { app, clock } = testIngestion();
    await send(app, request('/v1/events', purchase()));
    clock.advanceTo(NOW_MS + DAY_MS - 1);
    const same = await send(app, request('/v1/events', purchase()));
    expect(same.status).toBe(409);
    const first = { code: 'duplicate_event', accepted_at: new Date(NOW_MS).toISOString() };
    expect(same.json).toMatchObject({ ...first, same_payload: true });
    const other = await send(app, request('/v1/events', purchase({ value: 30 })));
    expect(other.json).toMatchObject({ same_payload: false });
  });

  it('does not mind the order of keys when it compares payloads', async () => {
    const { app } = testIngestion();
    await send(app, request('/v1/events', purchase()));
    const reversed = Object.fromEntries(Object.entries(purchase()).reverse());
    expect((await send(app, request('/v1/events', reversed))).json).toMatchObject({ same_payload: true });
  });

  it('keeps an expired but unfinished event: 503, nothing replaced', async () => {
    const { app, clock, events } = testIngestion();
    await send(app, request('/v1/events', purchase()));
    clock.advanceTo(NOW_MS + DAY_MS);
    const reply = await send(app, request('/v1/events', purchase()));
    expect(reply.status).toBe(503);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect((await events.read(ORDER_1))?.receivedAtMs).toBe(NOW_MS);
  });

  it('takes an id again that a row of a batch had, once its batch says that it is over, and keeps where to look', async () => {
    const asked: string[] = [];
    const { app, clock, events, batches } = countingBatches(asked);
    await send(app, request('/v1/events', purchase()));
    const first = (await events.read(ORDER_1)) as AcceptedRow;
    const batch = batchOf(MERCHANT, { minuteMs: minuteOf(NOW_MS) });
    const place = { batch, position: 4 };
    const normalized = { ...normalizedRow(first), verdicts: { meta: 'pending' }, place };
    expect(await events.normalize(normalized)).toBe(true);
    const again = async () => (await send(app, request('/v1/events', purchase()))).status;
    // A duplicate is a duplicate, with any outcome of the first.
    expect(await again()).toBe(409);
    expect(asked).toEqual([]);
    clock.advanceTo(NOW_MS + DAY_MS);
    expect(await again()).toBe(503);
    expect(asked).toEqual(['meta']);
    const other = [{ positions: [3], delivery: delivered(NOW_MS + 5) }];
    await batches.writeOutcomes(outcomesOf(batch, other), 0);
    expect(await again()).toBe(503);
    const both = [{ positions: [3, 4], delivery: delivered(NOW_MS + 5) }];
    await batches.writeOutcomes(outcomesOf(batch, both, { version: 2 }), 1);
    batches.spoil(batch, 'meta');
    expect(await again()).toBe(503);
    expect((await events.read(ORDER_1))?.ingestId).toBe(first.ingestId);
    batches.mend(batch, 'meta');
    expect(await again()).toBe(202);
    expect((await events.read(ORDER_1))?.receivedAtMs).toBe(NOW_MS + DAY_MS);
    const archived = { ...normalized, key: { ...ORDER_1, archivedAs: first.ingestId } };
    expect(events.archived().get(first.ingestId)).toEqual(archived);
  });

  it('answers 202 when the queue is down, and 503 when the table is', async () => {
    const broken = testIngestion({ queue: { send: () => Promise.reject(new Error('SQS is down')) } });
    expect((await send(broken.app, request('/v1/events', purchase()))).status).toBe(202);
    expect(broken.counted).toEqual(['pointer_send_failed']);
    const down = testIngestion();
    const noTable = testIngestion({
      events: { ...down.events, claim: () => Promise.reject(new Error('ProvisionedThroughputExceeded')) },
    });
    const reply = await send(noTable.app, request('/v1/events', purchase()));
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('1');
  });

  it('recognises its own claim when the answer was lost', async () => {
    const base = testIngestion();
    let calls = 0;
    const { app, sent } = testIngestion({
      events: {
        ...base.events,
        claim: async (row) => {
          const result = await base.events.claim(row);
          calls += 1;
          if (calls === 1) throw new Error('the answer was lost');
          return result;
        },
      },
    });
    expect((await send(app, request('/v1/events', purchase()))).status).toBe(202);
    expect(sent).toHaveLength(1);
  });
});

describe('API keys', () => {
  const other = formatApiKey('evk_live', new Uint8Array(32).fill(9));
  const mistyped = `${API_KEY.slice(0, -1)}${API_KEY.endsWith('0') ? '1' : '0'}`;
  it.each([
    ['no header', undefined],
    ['another scheme', `Basic ${API_KEY}`],
    ['garbage', 'Bearer abc'],
    ['a key nobody has', `Bearer ${other}`],
    ['a typo in the checksum', `Bearer ${mistyped}`],
    ['two keys', `Bearer ${API_KEY} ${API_KEY}`],
  ])('401 for %s', async (_name, authorization) => {
    const { app, events } = testIngestion();
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const reply = await send(app, { ...request('/v1/events', purchase()), headers });
    expect(reply.status).toBe(401);
    expect(events.rows()).toHaveLength(0);
  });

  it('401 after revocation, 403 without the scope', async () => {
    const { app, addKey } = testIngestion();
    addKey(other, ['events:read']);
    const headers = { authorization: `Bearer ${other}` };
    expect((await send(app, request('/v1/events', purchase(), headers))).status).toBe(403);
    addKey(other, ['events:write'], NOW_MS);
    expect((await send(app, request('/v1/events', purchase(), headers))).status).toBe(401);
  });

  it('takes the merchant from the key and refuses another one in the body', async () => {
    const { app } = testIngestion();
    const foreign = { merchant_id: '8f14e45f-ceea-467f-a111-000000000099' };
    const reply = await send(app, request('/v1/events', purchase(foreign)));
    expect(reply.status).toBe(403);
    expect(reply.json).toMatchObject({ code: 'merchant_mismatch' });
    expect((await send(app, request('/v1/events', purchase({ merchant_id: MERCHANT })))).status).toBe(202);
  });
});

describe('bad input', () => {
  // Every rule of the schema is in check.test.ts, every one of JSON in strict-json.test.ts.
  it.each<[string, Record<string, unknown> | string, number, string]>([
    ['no event_id', purchase({ event_id: undefined }), 400, 'event_id'],
    ['replay suffix', purchase({ event_id: `a~rp~${'0'.repeat(26)}` }), 400, 'event_id'],
    ['control character', purchase({ event_id: 'a\u0007' }), 400, 'event_id'],
    ['user_data as list', purchase({ user_data: [] }), 400, 'user_data'],
    ['time in the future', purchase({ event_time: NOW_MS / 1000 + 601 }), 400, 'event_time'],
    ['value without currency', purchase({ currency: undefined }), 400, 'currency'],
    ['unknown currency', purchase({ currency: 'ZZZ' }), 400, 'currency'],
    ['quantity 0', purchase({ items: [{ id: 'a', quantity: 0, price: 1 }] }), 400, 'items.0.quantity'],
    ['a list', '[]', 400, ''],
    ['no JSON', '{', 400, ''],
    ['nothing', '', 400, ''],
    ['duplicate keys', '{"event_id":"a","event_id":"b"}', 400, ''],
    ['256 KiB and more', JSON.stringify(purchase({ custom_data: { a: 'x'.repeat(262_144) } })), 413, ''],
  ])('%s', async (_name, body, status, path) => {
    const { app, events, sent } = testIngestion();
    const reply = await send(app, request('/v1/events', body));
    expect(reply.status).toBe(status);
    expect(reply.json.error).toEqual(expect.any(String));
    expect(reply.json.code).toEqual(expect.any(String));
    if (path !== '') expect(JSON.stringify(reply.json.details)).toContain(`"path":"${path}"`);
    expect(events.rows()).toHaveLength(0);
    expect(sent).toHaveLength(0);
  });

  it('reads milliseconds as milliseconds', async () => {
    const { app, events } = testIngestion();
    await send(app, request('/v1/events', purchase({ event_time: NOW_MS })));
    const [row] = events.rows();
    expect(row?.state === 'accepted' && row.body.event_time).toBe(NOW_MS / 1000);
  });

  it.each([
    ['GET', '/v1/events', 405],
    ['DELETE', '/v1/pixel.js', 405],
    ['POST', '/v1/nothing', 404],
    ['POST', '/v1/events/', 404],
  ])('%s %s → %i', async (method, path, status) => {
    const { app } = testIngestion();
    const reply = await send(app, { ...request(path, purchase()), method });
    expect(reply.status).toBe(status);
    if (status === 405) expect(reply.headers.allow).toBeTruthy();
  });

  it('415 for anything that is not JSON', async () => {
    const { app } = testIngestion();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', ''])
      expect((await send(app, request('/v1/events', purchase(), { 'content-type': type }))).status).toBe(415);
  });

  it('answers any bytes with 2xx or 4xx', async () => {
    const { app } = testIngestion();
    const json = fc.json().map((text) => Buffer.from(text));
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 400 }), json);
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.constantFrom('/v1/events', '/v1/ingest', '/v1/browser/events'),
        async (body, path) => {
          const reply = await app({ ...request(path, ''), body });
          expect(reply.status).toBeGreaterThanOrEqual(200);
          expect(reply.status).toBeLessThan(500);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('answers any mutation of a good event with 2xx or 4xx', async () => {
    const { app } = testIngestion();
    const more = ['items', 'consent', 'custom_data', 'action_source', 'merchant_id', 'user_data'];
    const keys = [...Object.keys(purchase()), ...more];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 6 }), async (key, value) => {
        const reply = await app(request('/v1/events', purchase({ [key]: value })));
        expect(reply.status).toBeLessThan(500);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('POST /v1/ingest', () => {
  it('answers each event of a batch in order and announces them together', async () => {
    const { app, sent } = testIngestion();
    await send(app, request('/v1/events', purchase({ event_id: 'taken' })));
    const [a, taken] = [purchase({ event_id: 'a' }), purchase({ event_id: 'taken' })];
    const events = [a, taken, { event_id: 'bad' }, a];
    const reply = await send(app, request('/v1/ingest', { events }));
    expect(reply.status).toBe(202);
    expect(reply.json.success).toBe(false);
    const results = reply.json.results as { event_id: string; status: number }[];
    const answers = results.map(({ event_id, status }) => `${event_id} ${status}`);
    expect(answers).toEqual(['a 202', 'taken 409', 'bad 400', 'a 409']);
    expect(sent.slice(1)).toEqual([{ merchant: MERCHANT, rows: [['s', 'a']] }]);
  });

  it('takes one event as it is, and 1 to 500 in a batch', async () => {
    const { app } = testIngestion();
    expect((await send(app, request('/v1/ingest', purchase()))).status).toBe(202);
    expect((await send(app, request('/v1/ingest', { events: [] }))).status).toBe(400);
    const many = Array.from({ length: 501 }, (_, i) => ({ event_id: `e${i}` }));
    expect((await send(app, request('/v1/ingest', { events: many }))).status).toBe(400);
  });
});
