// Batches: each event gets its own answer, independent of the others.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { MERCHANT, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';
import type { EventAnswer } from './accept-batch.ts';

const OTHER = '8f14e45f-ceea-467f-a111-000000000099';
const good = (id: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify(purchase({ event_id: id, ...more }));

async function ingest(body: unknown, ingestion = testIngestion()) {
  const reply = await send(ingestion.app, request('/v1/ingest', body));
  const { results = [], success } = reply.json as { results?: EventAnswer[]; success?: boolean };
  return { status: reply.status, json: reply.json, results, success, stored: ids(ingestion) };
}
const ids = ({ events }: ReturnType<typeof testIngestion>): string[] =>
  events.rows().map(({ key }) => key.eventId);
const TAKEN = { status: 202, success: true };
const kinds = (results: readonly EventAnswer[]) => results.map(({ status, code }) => code ?? status);

describe('one bad event in a batch', () => {
  const [before, after] = [good('before'), good('after')];
  it.each<[string, string | Uint8Array, string]>([
    ['is no JSON', '{"event_id":}', 'must be JSON'],
    ['is a word', 'event', 'must be JSON'],
    ['has a comma too many', '{"event_id":"a",}', 'must be JSON'],
    ['holds NaN', '{"value":NaN}', 'must be JSON'],
    ['gives a key twice', '{"event_id":"a","event_id":"b"}', 'must not give a key twice in one object'],
    ['is too deep', `${'{"a":'.repeat(19)}1${'}'.repeat(19)}`, 'must not nest deeper than 20'],
    ['has the key __proto__', '{"__proto__":{"a":1}}', 'must not have the key __proto__'],
    ['has a number beyond doubles', '{"value":1e400}', 'must not contain numbers beyond 1.8e308'],
    ['has NUL', String.raw`{"event_id":"a\u0000"}`, 'must not contain NUL characters'],
    ['has a lone surrogate', String.raw`{"event_id":"\ud800"}`, 'must not contain lone surrogates'],
    ['begins with a byte order mark', '\ufeff{}', 'must be JSON'],
    ['is not UTF-8', Buffer.from('{"event_id":"\xff"}', 'latin1'), 'must be UTF-8'],
  ])(
    'that %s is refused alone, with and without a byte order mark before all',
    async (_name, bad, message) => {
      for (const mark of ['', '\ufeff']) {
        const ingestion = testIngestion();
        const parts = [`${mark}{"events":[${before},`, bad, `,${after}]}`];
        const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
        const reply = await send(ingestion.app, { ...request('/v1/ingest', ''), body });
        expect(reply.status).toBe(202);
        const error = expect.stringMatching(/\.$/) as string;
        const refused = { status: 400, code: 'invalid_json', error, details: [{ path: '', message }] };
        expect(reply.json).toEqual({
          success: false,
          results: [
            { event_id: 'before', status: 202 },
            { event_id: null, ...refused },
            { event_id: 'after', status: 202 },
          ],
        });
        expect(ids(ingestion)).toEqual(['before', 'after']);
      }
    },
  );

  it.each([
    ['the text around them is wrong', `{"merchant_id":"\\ud800","events":[${before}]}`],
    ['a list stands twice', `{"events":[${before}],"events":[{]}`],
    ['the text ends too early', `{"events":[${before},{"event_id":"x`],
    ['a bracket is missing', `{"events":[${before},{"event_id":"x",${after}]}`],
    ['there is nothing between two commas', `{"events":[${before},,${after}]}`],
  ])('spoils the batch where %s', async (_name, body) => {
    expect(await ingest(body)).toMatchObject({ status: 400, json: { code: 'invalid_json' }, stored: [] });
  });

  it('never moves its neighbours, whatever its bytes are', async () => {
    const junk = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\ae1 \n'), maxLength: 20 }),
      fc.json({ maxDepth: 3 }),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(junk, async (bad) => {
        const { status, results, stored } = await ingest(`{"events":[${before},${bad},${after}]}`);
        if (status === 400) {
          expect(stored).toEqual([]);
          return;
        }
        expect(status).toBe(202);
        expect([results[0]?.status, results.at(-1)?.status]).toEqual([202, 202]);
        expect(stored).toEqual(['before', 'after']);
      }),
      { numRuns: 500 },
    );
  });
});

describe('whose events they are', () => {
  it('another merchant_id around them is refused with the batch', async () => {
    const wrong = await ingest({ merchant_id: OTHER, events: [purchase()] });
    expect(wrong).toMatchObject({ status: 403, json: { code: 'merchant_mismatch' }, stored: [] });
    for (const merchant_id of [5, {}, ['x']])
      expect(await ingest({ merchant_id, events: [purchase()] })).toMatchObject({ status: 400, stored: [] });
    for (const merchant_id of [MERCHANT, MERCHANT.toUpperCase(), null])
      expect(await ingest({ merchant_id, events: [purchase()] })).toMatchObject(TAKEN);
  });

  it('another merchant_id in one of them is refused with that event', async () => {
    const ingestion = testIngestion();
    const events = [purchase({ event_id: 'a', merchant_id: OTHER }), purchase({ event_id: 'b' })];
    const { results, stored } = await ingest({ merchant_id: MERCHANT, events }, ingestion);
    expect(kinds(results)).toEqual(['merchant_mismatch', 202]);
    expect(stored).toEqual(['b']);
    const [row] = ingestion.events.rows();
    expect(row?.key.merchantId).toBe(MERCHANT);
  });

  it('is said by the batch of a browser, never by its events', async () => {
    const ingestion = testIngestion();
    const events = [
      purchase({ event_id: 'a', merchant_id: OTHER }),
      purchase({ event_id: 'b', merchant_id: MERCHANT.toUpperCase() }),
    ];
    const reply = await send(ingestion.app, request('/v1/browser/events', { merchant_id: MERCHANT, events }));
    expect(reply.json).toMatchObject({
      success: false,
      results: [{ code: 'merchant_mismatch' }, { status: 202 }],
    });
    expect(ids(ingestion)).toEqual(['b']);
  });
});

describe('success', () => {
  it('is true when every event was accepted, or had been accepted with the same payload', async () => {
    const ingestion = testIngestion();
    const batch = { events: [purchase({ event_id: 'a' }), purchase({ event_id: 'b' })] };
    expect((await ingest(batch, ingestion)).success).toBe(true);
    const again = await ingest(batch, ingestion);
    expect(again.success).toBe(true);
    const duplicate = { status: 409, code: 'duplicate_event', same_payload: true };
    expect(again.results).toMatchObject([duplicate, duplicate]);
    const changed = await ingest({ events: [purchase({ event_id: 'a', value: 1 })] }, ingestion);
    expect(changed).toMatchObject({ success: false, results: [{ same_payload: false }] });
  });

  it('is false when one was refused, and every refused one says why in a sentence', async () => {
    const { success, results } = await ingest({
      events: [purchase(), {}, purchase({ merchant_id: OTHER }), 5, null],
    });
    expect(success).toBe(false);
    expect(results.map(({ status }) => status)).toEqual([202, 400, 403, 400, 400]);
    for (const { error, code } of results.slice(1)) {
      expect(error).toMatch(/^\w.+ .+\.$/);
      expect(code).toMatch(/^[a-z_]+$/);
    }
  });

  it('names every mistake of every event, for a server and a browser', async () => {
    const deep = { a: { b: { c: { d: { e: {} } } } } };
    const late = { event_id: 'late', event_time: 5, value: -1 };
    const events = [purchase(late), purchase({ event_id: 'deep', event_time: 2 ** 50, custom_data: deep })];
    const paths = [
      ['value', 'event_time'],
      ['event_time', 'custom_data'],
    ];
    const { app } = testIngestion();
    for (const [path, body] of [
      ['/v1/ingest', { events }],
      ['/v1/browser/events', { merchant_id: MERCHANT, events }],
    ] as const) {
      const { json } = await send(app, request(path, body));
      const { results } = json as { results: EventAnswer[] };
      expect(results.map(({ details }) => details?.map((detail) => detail.path))).toEqual(paths);
    }
  });

  it('is false for a browser, too', async () => {
    const { app } = testIngestion();
    const events = Array.from({ length: 30 }, (_, i) => purchase({ event_id: `e${i}` }));
    const body = { merchant_id: MERCHANT, events: [...events.slice(1), {}] };
    const first = await send(app, request('/v1/browser/events', body));
    expect(first.json).toMatchObject({ success: false });
    const more = { merchant_id: MERCHANT, events: events.slice(0, 2) };
    expect((await send(app, request('/v1/browser/events', more))).status).toBe(429);
  });
});

describe('how large a batch may be', () => {
  const filled = (i: number, sizeBytes: number) => {
    const event = purchase({ event_id: `e${i}`, custom_data: { text: '' } });
    const missing = sizeBytes - JSON.stringify(event).length;
    return { ...event, custom_data: { text: 'x'.repeat(missing) } };
  };

  it('500 events of 2 KB fit', async () => {
    const events = Array.from({ length: 500 }, (_, i) => filled(i, 2_048));
    expect(JSON.stringify({ events }).length).toBeGreaterThan(1_024_000);
    const { success, stored } = await ingest({ events });
    expect(success).toBe(true);
    expect(stored).toHaveLength(500);
  });

  it('a body beyond 2 MiB is told the limit', async () => {
    const { batchSizeMaxBytes } = EVENT_LIMITS;
    const body = JSON.stringify({ events: [purchase()] }).padEnd(batchSizeMaxBytes + 1);
    const details = [{ path: '', message: 'must be at most 2097152 bytes, not compressed' }];
    const json = { code: 'payload_too_large', details };
    expect(await ingest(body)).toMatchObject({ status: 413, json });
    expect(await ingest(body.slice(0, -1))).toMatchObject(TAKEN);
  });

  it('one event beyond 256 KiB is refused alone, or with the request that is nothing else', async () => {
    const large = purchase({ event_id: 'large', unknown: 'x'.repeat(EVENT_LIMITS.eventSizeMaxBytes) });
    const details = [{ path: '', message: 'must be at most 262144 bytes, not compressed' }];
    const { results, stored } = await ingest({ events: [purchase(), large] });
    expect(results[1]).toMatchObject({ event_id: 'large', status: 413, code: 'payload_too_large', details });
    expect(stored).toEqual(['order-1']);
    expect(await ingest(large)).toMatchObject({ status: 413, json: { details }, stored: [] });
    const escaped = JSON.stringify({ events: [large] }).replace('"events"', '"\\u0065vents"');
    expect(await ingest(escaped)).toMatchObject({ status: 413, json: { details }, stored: [] });
  });
});
