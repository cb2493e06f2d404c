import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { seriesPart } from '#lib/events/domain/analytics/series.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { EVENT_LIMITS, type EventBody } from '#lib/events/domain/event/event.ts';
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import { KNOWN_FIELDS } from '#lib/events/domain/event/known-fields.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { type Rewrite, RULE_LIMITS } from '#lib/events/domain/rules/rule.ts';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { sealEvent } from '#lib/events/pipeline/sealed-event.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { standardEvent } from '#test/performance/standard-event.ts';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { createTestEventVault } from '#test/support/memory/event-vault.ts';
import { itemSizeBytes } from '#test/support/metering/item-size.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { nationalPhone } from '../../phone/national-phone.ts';
import { countryCode, regionCode } from '../../regions/region-codes.ts';
import { unpackedParts } from './counter-store.ts';
import { packDelivery, unpackDelivery } from './delivery-codec.ts';
import { decodeRows } from './rows/decoder.ts';
import { packBody, packClear, packCounters, unpackBody, unpackClear } from './rows/event-codec.ts';
import { fromItem, type Item, parseItemKey, partitionKey, toItem } from './rows/event-item.ts';

const RECEIVED_MS = 1_795_262_400_123;

const vault = createTestEventVault({ now: () => RECEIVED_MS });

const DONE: Delivery = {
  state: 'DELIVERED',
  attempts: 1,
  unknowns: 0,
  updatedAtMs: RECEIVED_MS + 1_523,
  deliveredAtMs: RECEIVED_MS + 1_523,
  history: [{ atMs: RECEIVED_MS + 1_400, latencyMs: 123, outcome: 'delivered', batchSize: 10, status: 200 }],
};

const KEY = {
  merchantId: '0192f7a0-0000-7000-8000-000000000001',
  channel: 'server',
  eventId: 'order-1001',
} as const;
const SAMPLE_ROW: NormalizedRow = {
  key: KEY,
  ingestId: ingestIdAt(RECEIVED_MS),
  receivedAtMs: RECEIVED_MS,
  expiresAtMs: RECEIVED_MS + 86_400_000,
  payloadHash: 'dc2f38b9773808ffad08076925f1a029',
  sweeps: 0,
  state: 'normalized',
  event: {
    ...KEY,
    dedupId: 'order-1001',
    name: 'Purchase',
    eventTimeSec: 1_795_262_400,
    receivedAtMs: RECEIVED_MS,
    source: 'server',
    actionSource: 'website',
    items: [],
    consent: {},
    issues: [],
    known: [],
  },
  routingVersion: 1,
  deliveries: { meta: DONE, ga4: DONE, tiktok: DONE },
  revision: 0,
  verdicts: { meta: 'pending', ga4: 'pending', tiktok: 'pending' },
};

describe('delivery codec', () => {
  const OUTCOMES = ['delivered', 'duplicate', 'retry', 'rate_limited', 'auth', 'permanent', 'batch_refused'];
  const laterMs = fc.integer({ min: RECEIVED_MS, max: RECEIVED_MS + 1e9 });
  const attempt = fc.record(
    {
      atMs: laterMs,
      latencyMs: fc.nat(60_000),
      outcome: fc.constantFrom(...OUTCOMES),
      batchSize: fc.nat(1000),
      status: fc.integer({ min: 100, max: 599 }),
      code: fc.string({ minLength: 1 }),
      message: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ['atMs', 'latencyMs', 'outcome', 'batchSize'] },
  );

  it('gives back any delivery, whatever the platform said', () => {
    const retry = fc.record(
      {
        state: fc.constant('RETRY' as const),
        attempts: fc.nat(50),
        unknowns: fc.nat(9),
        updatedAtMs: laterMs,
        nextAttemptAtMs: laterMs,
        reason: fc.string({ minLength: 1 }),
        history: fc.array(attempt, { maxLength: 5 }),
      },
      { requiredKeys: ['state', 'attempts', 'unknowns', 'updatedAtMs', 'nextAttemptAtMs', 'history'] },
    );
    fc.assert(
      fc.property(retry, (delivery) => {
        const text = packDelivery(delivery as Delivery, RECEIVED_MS);
        expect(unpackDelivery(text, RECEIVED_MS)).toEqual(delivery);
      }),
    );
  });

  it('gives back what a platform says later, beside a success or a late rejection', () => {
    const said = fc.record({ request: fc.string({ minLength: 1 }), reason: fc.string({ minLength: 1 }) });
    const counts = fc.record({ rejected: fc.nat(2_000), of: fc.nat(2_000) });
    fc.assert(
      fc.property(said, counts, laterMs, ({ request, reason }, numbers, askAtMs) => {
        const { deliveredAtMs: _, ...rest } = DONE;
        for (const delivery of [
          { ...DONE, confirmation: { word: 'waiting', request, askAtMs } },
          { ...DONE, confirmation: { word: 'confirmed', request } },
          { ...DONE, confirmation: { word: 'partly', request, reason } },
          { ...DONE, confirmation: { word: 'partly', request, reason, ...numbers } },
          { ...DONE, reason, confirmation: { word: 'never', request, reason } },
          { ...rest, state: 'FAILED', reason, confirmation: { word: 'rejected', request } },
        ] satisfies Delivery[])
          expect(unpackDelivery(packDelivery(delivery, RECEIVED_MS), RECEIVED_MS)).toEqual(delivery);
      }),
    );
  });

  it('writes a first success in under 40 bytes', () => {
    const text = packDelivery(DONE, RECEIVED_MS);
    expect(text).toBe('D1;1523;;1400,123,d,10,200');
    expect(unpackDelivery(text, RECEIVED_MS)).toEqual(DONE);
  });
});

describe('event codec', () => {
  it('gives back any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(unpackBody(packBody(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(unpackClear(packClear(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('gives back a body as large as ingestion takes, however little it compresses', () => {
    const noise = Array.from({ length: 20_000 }, (_, i) => Math.sin(i).toString(36));
    expect(unpackBody(packBody(noise))).toEqual(noise);
  });

  it('refuses what it did not write, and what was written under another dictionary', () => {
    expect(() => unpackBody(new Uint8Array([9, 0, 0, 0]))).toThrow('unknown encoding 9');
    expect(() => unpackClear(packBody({}))).toThrow('unknown encoding 1');
  });

  it('gives back a normalized row whatever is known about the person', () => {
    const known = fc.subarray([...KNOWN_FIELDS]);
    fc.assert(
      fc.property(known, (fields) => {
        const row = { ...SAMPLE_ROW, event: { ...SAMPLE_ROW.event, known: fields } };
        expect(fromItem(toItem(row))).toEqual(row);
      }),
    );
  });

  it('keeps a full event with 16 distinct digests, sealed, near one write unit', async () => {
    const event = await sealEvent(SAMPLE_ROW, { ...sampleEvent(), receivedAtMs: RECEIVED_MS }, vault);
    const row = { ...SAMPLE_ROW, event };
    expect(fromItem(toItem(row))).toEqual(row);
    const { b, se } = toItem(row) as Item as Record<string, Uint8Array>;
    expect((b?.byteLength ?? 0) + (se?.byteLength ?? 0)).toBeLessThan(1_000);
  });

  it('keeps the ordinary event, delivered to three platforms, within one write unit', async () => {
    for (let i = 0; i < 100; i++) {
      const row = { ...SAMPLE_ROW, event: await sealEvent(SAMPLE_ROW, ordinaryEvent(i), vault) };
      expect(itemSizeBytes(toItem(row) as Parameters<typeof itemSizeBytes>[0])).toBeLessThanOrEqual(1_024);
    }
  });
});

describe('what a sender called its request', () => {
  const id = '4b1c7a52-9c6e-4b07-8a8e-3d3f6f5f0d11';
  const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7' };
  const sizeOf = (row: NormalizedRow) => itemSizeBytes(toItem(row) as Parameters<typeof itemSizeBytes>[0]);

  it.each([{ id }, { trace }])('comes back: %j', (names) => {
    const row = { ...SAMPLE_ROW, request: names };
    expect(fromItem(toItem(row))).toEqual(row);
    expect(sizeOf(row) - sizeOf(SAMPLE_ROW)).toBeLessThanOrEqual(26);
  });

  it('leaves the ordinary event within one write unit', async () => {
    for (let i = 0; i < 100; i++) {
      const event = await sealEvent(SAMPLE_ROW, ordinaryEvent(i), vault);
      expect(sizeOf({ ...SAMPLE_ROW, event, request: { trace } })).toBeLessThanOrEqual(1_024);
    }
  });
});

describe('what rules changed', () => {
  const sizeOf = (row: NormalizedRow) => itemSizeBytes(toItem(row) as Parameters<typeof itemSizeBytes>[0]);
  const withRewrites = (rewrites: readonly Rewrite[]): NormalizedRow => ({
    ...SAMPLE_ROW,
    event: { ...SAMPLE_ROW.event, rewrites },
  });

  it('comes back as it was, for about a tenth of a write unit', () => {
    const rule = 'rul_019aa2f4-6a10-7000-8000-000000000001';
    const changes = [{ op: 'override_value', value: 50, currency: 'EUR' }] as const;
    const row = withRewrites([{ rule, changes, platforms: ['meta'] }]);
    expect(fromItem(toItem(row))).toEqual(row);
    expect(sizeOf(row) - sizeOf(SAMPLE_ROW)).toBeLessThan(120);
  });

  it('fits beside the largest event, however little of it can be packed', () => {
    const noise = (i: number) => hash('sha512', String(i), 'base64url');
    const rewrites = Array.from({ length: RULE_LIMITS.transformsMax }, (_, r) => ({
      rule: `rul_${noise(r).slice(0, 36)}`,
      changes: Array.from({ length: RULE_LIMITS.changesMax }, (_, c) => ({
        op: 'set_field' as const,
        field: `custom_data.f${c}`,
        value: noise(100 * r + c) + noise(100 * r + c + 50),
      })),
    }));
    expect(sizeOf(withRewrites(rewrites)) + EVENT_LIMITS.eventSizeMaxBytes).toBeLessThan(400_000);
  });

  it('is no row where it is no list of changes', () => {
    for (const rewrites of [[{ rule: 1, changes: [] }], [{ rule: 'r' }], 'rul_1']) {
      const item = toItem(withRewrites(rewrites as unknown as readonly Rewrite[]));
      expect(decodeRows([item], () => {}).unreadable).toHaveLength(1);
    }
  });
});

describe('parts of series', () => {
  it('are none where a part has another shape', () => {
    const parts = { 18: seriesPart(EMPTY_COUNTERS) };
    expect(unpackedParts(packCounters(parts))).toEqual(parts);
    for (const other of [
      null,
      7,
      'x',
      [1],
      { 18: 7 },
      { 18: { events: 1 } },
      { 18: { ...parts[18], bots: 'x' } },
    ])
      expect(unpackedParts(packCounters(other))).toBeUndefined();
    for (const bytes of ['text', new Uint8Array([1, 2, 3]), undefined])
      expect(unpackedParts(bytes)).toBeUndefined();
  });
});

describe('keys', () => {
  it('survive any event id', () => {
    const text = fc.string({ minLength: 1, unit: ANY_CHARACTER });
    fc.assert(
      fc.property(text, fc.constantFrom('server', 'browser'), (eventId, channel) => {
        const key = { merchantId: '8f14e45f-ceea-467f-a111-000000000001', channel, eventId } as const;
        expect(parseItemKey({ pk: partitionKey(key), sk: '~' })).toEqual(key);
      }),
    );
  });

  it('tell the time of an ingest id', () => {
    expect(ingestTimeMs(ingestIdAt(RECEIVED_MS))).toBe(RECEIVED_MS);
  });
});

/** To the platforms most merchants connect. */
function ordinaryEvent(index: number) {
  const body = standardEvent(index, Math.floor(RECEIVED_MS / 1_000));
  const row = { ...SAMPLE_ROW, body: { ...body, source: 'server' } as unknown as EventBody };
  const connections = ['meta', 'ga4', 'tiktok'].map((platform) => ({ id: platform, platform }));
  const routing = { merchantId: SAMPLE_ROW.key.merchantId, version: 1, connections, rules: [] };
  return normalizeEvent(row, routing, PLATFORMS, { nationalPhone, countryCode, regionCode }).event;
}

function ingestIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
}
