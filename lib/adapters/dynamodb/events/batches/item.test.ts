// Goal: a batch with any key and any outcomes is read back as it was written. Method: any merchant, minute, shard, id,
// text and sequence of changes, against plain maps.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchKey, BatchOutcomes } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import { DELIVERY_STATES, type Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { inShard } from '#lib/events/domain/shard.ts';
import { manifestOf } from '#test/conformance/stores/batch-items.ts';
import { T0 } from '#test/conformance/stores/event-rows.ts';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { packPlace, unpackPlace } from '../place-codec.ts';
import { decodeBatchItems } from './decoder.ts';
import { batchItemKey, manifestItem, outcomesItem, parseBatchItemKey } from './item.ts';

const id = fc.stringMatching(/^[\w-]{8}$/).filter((text) => text.length === 8);
const batch: fc.Arbitrary<BatchKey> = fc.record({
  merchantId: fc.string({ unit: ANY_CHARACTER, minLength: 1 }),
  minuteMs: fc.integer({ min: 0, max: 100_000_000 }).map((minute) => minute * 60_000),
  shard: fc.nat({ max: 60_000_000 }),
  id,
});
const slug = fc.constantFrom('meta', 'google_ads', 'x', 'a#b', '#');

const STATES = DELIVERY_STATES.filter((state) => state !== 'QUEUED');
/** Few enough values that equal deliveries occur. */
const delivery: fc.Arbitrary<Delivery> = fc
  .record({
    state: fc.constantFrom(...STATES),
    updatedAtMs: fc.constantFrom(T0, T0 + 1),
    unknowns: fc.nat({ max: 1 }),
    reason: fc.option(fc.constantFrom('timeout', '50 %;,ü'), { nil: undefined }),
  })
  .map(({ state, updatedAtMs, unknowns, reason }) => ({
    state,
    attempts: 1,
    unknowns,
    updatedAtMs,
    history: [],
    ...(state === 'DELIVERED' ? { deliveredAtMs: updatedAtMs } : {}),
    ...(state === 'RETRY' ? { nextAttemptAtMs: updatedAtMs + 10 } : {}),
    ...(state === 'SENDING' ? { leaseUntilMs: updatedAtMs + 20 } : {}),
    ...(reason === undefined ? {} : { reason }),
  }));

describe('keys of items', () => {
  it('say which batch and platform they are of, and no other', () => {
    fc.assert(
      fc.property(batch, fc.option(slug, { nil: undefined }), (key, platform) => {
        const parsed = { batch: key, ...(platform === undefined ? {} : { platform }) };
        expect(parseBatchItemKey(batchItemKey(key, platform))).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('say nothing that was not written here', () => {
    for (const sk of ['', '0720', '0720#short', '072#abcdefgh', '0720#abcdefgh#', 'x'])
      expect(parseBatchItemKey({ pk: 'merchant#kx1#0', sk })).toBeNull();
    for (const pk of ['', 'merchant', 'merchant#', 'merchant#kx1', 'merchant#KX1#0', 'merchant#kx1#0#'])
      expect([pk, parseBatchItemKey({ pk, sk: '0720#abcdefgh' })]).toEqual([pk, null]);
  });
});

describe('the place of a row', () => {
  it('is read as it was written, with its merchant and minute, and is short', () => {
    fc.assert(
      fc.property(batch, fc.nat({ max: 99 }), fc.nat({ max: 59_999 }), (key, position, offsetMs) => {
        const rowKey = { merchantId: key.merchantId, channel: 'server', eventId: 'e' } as const;
        const row = inShard({ key: rowKey, receivedAtMs: key.minuteMs + offsetMs }, key.shard);
        const text = packPlace({ batch: key, position }, row);
        expect(unpackPlace(text, row)).toEqual({ batch: key, position });
        expect(text).toHaveLength(10);
      }),
    );
  });

  it('is refused where it is of another merchant, minute or shard, or would not be read again', () => {
    const key: BatchKey = { merchantId: 'm', minuteMs: T0, shard: 0, id: 'abcdefgh' };
    const rowKey = { merchantId: 'm', channel: 'server', eventId: 'e' } as const;
    const row = { key: rowKey, receivedAtMs: T0 };
    const place = { batch: key, position: 0 };
    expect(packPlace(place, row)).toBe('abcdefgh00');
    expect(() => packPlace(place, { ...row, key: { ...rowKey, merchantId: 'n' } })).toThrow(RangeError);
    expect(() => packPlace(place, { ...row, receivedAtMs: T0 + 60_000 })).toThrow(RangeError);
    expect(() => packPlace(place, { ...row, shard: 1 })).toThrow(RangeError);
    expect(() => packPlace({ batch: { ...key, id: 'short' }, position: 0 }, row)).toThrow(RangeError);
    expect(() => packPlace({ batch: key, position: -1 }, row)).toThrow(RangeError);
  });
});

describe('manifests', () => {
  it('keep every text', () => {
    fc.assert(
      fc.property(
        batch,
        fc.array(fc.string({ unit: ANY_CHARACTER, minLength: 1 }), { maxLength: 100 }),
        (key, ids) => {
          const manifest = manifestOf(key, ids);
          expect(decodeBatchItems([manifestItem(manifest)], () => {}).manifests).toEqual([manifest]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('outcomes', () => {
  it('say after any changes, each stored and read again, what a map of positions says', () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: 99 }), delivery), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(batch, slug, fc.array(changes, { minLength: 1, maxLength: 6 }), (key, platform, steps) => {
        const model = new Map<number, Delivery>();
        let stored: BatchOutcomes = emptyOutcomes({ ...key, minuteMs: T0 }, platform);
        for (const step of steps) {
          const changed = new Map(step);
          for (const [position, fate] of changed)
            if (model.get(position)?.state !== 'DELIVERED' || fate.state === 'DELIVERED')
              model.set(position, fate);
          const next = nextOutcomes(stored, changed);
          const read = decodeBatchItems([outcomesItem(next)], () => {});
          expect(read).toEqual({ manifests: [], outcomes: [next], unreadable: [] });
          stored = read.outcomes[0] ?? stored;
        }
        expect(stored.version).toBe(steps.length);
        for (let position = 0; position < 100; position++)
          expect(deliveryAt(stored, position)).toEqual(model.get(position));
        const fates = new Set([...model.values()].map((fate) => JSON.stringify(fate)));
        expect(stored.groups).toHaveLength(fates.size);
        const due = [...model.values()].flatMap((fate) => fate.nextAttemptAtMs ?? fate.leaseUntilMs ?? []);
        expect(stored.dueAtMs).toBe(due.length === 0 ? undefined : Math.min(...due));
      }),
      { numRuns: 200 },
    );
  });
});
