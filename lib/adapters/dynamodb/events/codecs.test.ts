import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../events/domain/delivery.ts';
import { SAMPLE_HASHED, sampleEvent } from '../../../events/platforms/testing/sample-event.ts';
import type { NormalizedRow } from '../../../events/ports/event-store.ts';
import { packDelivery, unpackDelivery } from './delivery-codec.ts';
import { packJson, unpackJson } from './event-codec.ts';
import { fromItem, ingestTimeMs, parseItemKey, partitionKey, toItem } from './event-item.ts';
import { packHashed, unpackHashed } from './hashed-codec.ts';

const RECEIVED_MS = 1_795_262_400_123;
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => Buffer.from(b).toString('hex'));

describe('hashed codec', () => {
  const roundTrip = (hashed: Parameters<typeof packHashed>[0]) => {
    const { text, digests } = packHashed(hashed);
    return unpackHashed(text, (i) => Buffer.from(digests[i] ?? []).toString('hex'));
  };

  it('gives back what it was given', () => {
    expect(roundTrip(SAMPLE_HASHED)).toEqual(SAMPLE_HASHED);
    expect(roundTrip({})).toEqual({});
  });

  it('gives back any combination of variants and ids', () => {
    const variants = fc.record(
      {
        emailPlain: digest,
        emailGa4: digest,
        phoneE164: digest,
        gender: digest,
        genderOrN: digest,
        country: digest,
        madid: digest,
      },
      { requiredKeys: [] },
    );
    const ids = fc.record(
      {
        externalIds: fc.array(digest, { minLength: 1, maxLength: 20 }),
        externalIdsCased: fc.array(digest, { minLength: 1, maxLength: 20 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(variants, ids, (v, i) => {
        // A gender of f or m is stored once, for both variants: rows of before the second one read as it too.
        const genderOrN = v.genderOrN ?? v.gender;
        const both = genderOrN === undefined ? {} : { genderOrN };
        expect(roundTrip({ ...v, ...i })).toEqual({ ...v, ...both, ...i });
      }),
    );
  });

  it('stores each distinct digest once, and the digest of a code as the code', () => {
    const { text, digests } = packHashed(SAMPLE_HASHED);
    const distinct = new Set(Object.values(SAMPLE_HASHED).flat());
    expect(digests.length).toBe(distinct.size - 3);
    expect(text.split('|')[3]).toBe('f,ca,us');
  });
});

describe('delivery codec', () => {
  const attempt = fc.record(
    {
      atMs: fc.integer({ min: RECEIVED_MS, max: RECEIVED_MS + 1e9 }),
      latencyMs: fc.nat(60_000),
      outcome: fc.constantFrom(
        'delivered',
        'duplicate',
        'retry',
        'rate_limited',
        'auth',
        'permanent',
        'batch_refused',
      ),
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
        updatedAtMs: fc.integer({ min: RECEIVED_MS, max: RECEIVED_MS + 1e9 }),
        nextAttemptAtMs: fc.integer({ min: RECEIVED_MS, max: RECEIVED_MS + 1e9 }),
        reason: fc.string({ minLength: 1 }),
        history: fc.array(attempt, { maxLength: 5 }),
      },
      { requiredKeys: ['state', 'attempts', 'unknowns', 'updatedAtMs', 'nextAttemptAtMs', 'history'] },
    );
    fc.assert(
      fc.property(retry, (delivery) => {
        expect(unpackDelivery(packDelivery(delivery as Delivery, RECEIVED_MS), RECEIVED_MS)).toEqual(
          delivery,
        );
      }),
    );
  });

  it('writes a first success in under 40 bytes', () => {
    const delivery: Delivery = {
      state: 'DELIVERED',
      attempts: 1,
      unknowns: 0,
      updatedAtMs: RECEIVED_MS + 1_523,
      deliveredAtMs: RECEIVED_MS + 1_523,
      history: [
        { atMs: RECEIVED_MS + 1_400, latencyMs: 123, outcome: 'delivered', batchSize: 10, status: 200 },
      ],
    };
    const text = packDelivery(delivery, RECEIVED_MS);
    expect(text).toBe('D1;1523;;1400,123,d,10,200');
    expect(unpackDelivery(text, RECEIVED_MS)).toEqual(delivery);
  });
});

describe('event codec', () => {
  it('gives back any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(unpackJson(packJson(value)).value).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('gives back a body as large as ingestion takes, however little it compresses', () => {
    const noise = Array.from({ length: 20_000 }, (_, i) => Math.sin(i).toString(36));
    expect(unpackJson(packJson(noise)).value).toEqual(noise);
  });

  it('refuses what it did not write', () => {
    expect(() => unpackJson(new Uint8Array([9, 0, 0, 0]))).toThrow('unknown encoding 9');
  });

  it('keeps a full event with 16 distinct digests near one write unit', () => {
    const { sealed: _, ...event } = sampleEvent();
    const done: Delivery = {
      state: 'DELIVERED',
      attempts: 1,
      unknowns: 0,
      updatedAtMs: event.receivedAtMs + 1_523,
      deliveredAtMs: event.receivedAtMs + 1_523,
      history: [
        {
          atMs: event.receivedAtMs + 1_400,
          latencyMs: 123,
          outcome: 'delivered',
          batchSize: 10,
          status: 200,
        },
      ],
    };
    const row: NormalizedRow = {
      key: { merchantId: event.merchantId, channel: event.channel, eventId: event.eventId },
      ingestId: ingestIdAt(event.receivedAtMs),
      receivedAtMs: event.receivedAtMs,
      expiresAtMs: event.receivedAtMs + 86_400_000,
      payloadHash: 'dc2f38b9773808ffad08076925f1a029',
      sweeps: 0,
      state: 'normalized',
      event,
      routingVersion: 1,
      deliveries: { meta: done, ga4: done, tiktok: done },
      revision: 0,
      verdicts: { meta: 'pending', ga4: 'pending', tiktok: 'pending' },
    };
    expect(fromItem(toItem(row))).toEqual(row);
    const item = toItem(row);
    expect((item.b as Uint8Array).byteLength).toBeLessThan(820);
  });
});

describe('keys', () => {
  it('survive any event id', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.constantFrom('server', 'browser'),
        (eventId, channel) => {
          const key = { merchantId: '8f14e45f-ceea-467f-a111-000000000001', channel, eventId } as const;
          expect(parseItemKey({ pk: partitionKey(key), sk: '~' })).toEqual(key);
        },
      ),
    );
  });

  it('tell the time of an ingest id', () => {
    expect(ingestTimeMs(ingestIdAt(RECEIVED_MS))).toBe(RECEIVED_MS);
  });
});

function ingestIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
}
