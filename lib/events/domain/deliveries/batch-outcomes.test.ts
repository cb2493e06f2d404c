import { describe, expect, it } from 'vitest';
import type { BatchOutcomes } from './batch.ts';
import { applyDeliveries, deliveryAt, emptyOutcomes, nextDueMs, nextOutcomes } from './batch-outcomes.ts';
import type { Delivery } from './delivery.ts';

const MINUTE_MS = Date.UTC(2026, 10, 21, 12, 0);
const BATCH = { merchantId: 'merchant', minuteMs: MINUTE_MS, shard: 0, id: 'abcdefgh' };
const delivered = (updatedAtMs: number, unknowns = 0): Delivery => ({
  state: 'DELIVERED',
  attempts: 1,
  unknowns,
  updatedAtMs,
  deliveredAtMs: updatedAtMs,
  history: [{ atMs: updatedAtMs, latencyMs: 80, outcome: 'delivered', status: 200, batchSize: 3 }],
});
const retrying = (nextAttemptAtMs: number): Delivery => ({
  state: 'RETRY',
  attempts: 1,
  unknowns: 0,
  updatedAtMs: 5,
  nextAttemptAtMs,
  history: [],
});
const leased = (leaseUntilMs: number): Delivery => ({
  state: 'SENDING',
  attempts: 0,
  unknowns: 1,
  updatedAtMs: 7,
  leaseUntilMs,
  history: [],
});
const changes = (...entries: readonly (readonly [number, Delivery])[]) => new Map(entries);
const item = (...groups: BatchOutcomes['groups']): BatchOutcomes => ({
  ...emptyOutcomes(BATCH, 'meta'),
  version: 4,
  groups,
});

describe('groups', () => {
  it('hold positions of one fate together, whoever made the fate and in whatever order', () => {
    const backwards = Object.fromEntries(Object.entries(delivered(9)).reverse()) as unknown as Delivery;
    const groups = applyDeliveries(item(), changes([7, delivered(9)], [2, backwards], [5, retrying(50)]));
    expect(groups).toEqual([
      { positions: [2, 7], delivery: delivered(9) },
      { positions: [5], delivery: retrying(50) },
    ]);
  });

  it.each([
    ['state', { state: 'FAILED' as const }],
    ['attempts', { attempts: 2 }],
    ['unknowns', { unknowns: 1 }],
    ['time', { updatedAtMs: 10 }],
    ['reason', { reason: 'duplicate' }],
    ['history', { history: [] }],
    [
      'an attempt',
      { history: [{ atMs: 9, latencyMs: 81, outcome: 'delivered' as const, status: 200, batchSize: 3 }] },
    ],
    [
      'a message',
      { history: [{ ...(delivered(9).history[0] as Delivery['history'][number]), message: 'm' }] },
    ],
  ])('keep apart what differs in %s', (_, difference) => {
    const groups = applyDeliveries(
      item(),
      changes([0, delivered(9)], [1, { ...delivered(9), ...difference }]),
    );
    expect(groups.map(({ positions }) => positions)).toEqual([[0], [1]]);
  });

  it('split where some of their positions change, and lose those that leave', () => {
    const before = item({ positions: [0, 1, 2, 3], delivery: retrying(50) });
    const split = applyDeliveries(before, changes([1, delivered(60)], [3, delivered(60)]));
    expect(split).toEqual([
      { positions: [0, 2], delivery: retrying(50) },
      { positions: [1, 3], delivery: delivered(60) },
    ]);
    expect(applyDeliveries({ groups: split }, changes([0, delivered(60)], [2, delivered(60)]))).toEqual([
      { positions: [0, 1, 2, 3], delivery: delivered(60) },
    ]);
  });

  it('take no success back, but note on it that another attempt may have arrived', () => {
    const before = item({ positions: [0, 1], delivery: delivered(60) });
    const after = applyDeliveries(before, changes([0, retrying(90)], [1, delivered(60, 1)]));
    expect(after).toEqual([
      { positions: [0], delivery: delivered(60) },
      { positions: [1], delivery: delivered(60, 1) },
    ]);
  });
});

describe('an item', () => {
  it('says QUEUED of a position in no group, and of every one before there is an item', () => {
    const outcomes = item({ positions: [1], delivery: retrying(50) });
    expect(deliveryAt(outcomes, 1)).toEqual(retrying(50));
    expect(deliveryAt(outcomes, 0)).toBeUndefined();
    expect(deliveryAt(undefined, 0)).toBeUndefined();
    expect(deliveryAt(emptyOutcomes(BATCH, 'meta'), 0)).toBeUndefined();
  });

  it('is due when the earliest lease or retry in it is, and not when all have ended', () => {
    expect(nextDueMs([])).toBeNull();
    expect(nextDueMs([{ positions: [0], delivery: delivered(60) }])).toBeNull();
    const groups = [
      { positions: [0], delivery: retrying(500) },
      { positions: [1], delivery: leased(300) },
      { positions: [2], delivery: delivered(1) },
    ];
    expect(nextDueMs(groups)).toBe(300);
  });

  it('moves its version with every change, starts its looks anew, and leaves the index when it is over', () => {
    const before = { ...item({ positions: [0], delivery: leased(300) }), dueAtMs: 300, sweeps: 3 };
    const waiting = nextOutcomes(before, changes([0, retrying(500)], [1, retrying(400)]));
    expect(waiting).toMatchObject({ batch: BATCH, platform: 'meta', version: 5, dueAtMs: 400, sweeps: 0 });
    const over = nextOutcomes(waiting, changes([0, delivered(700)], [1, delivered(700)]));
    expect(over).toEqual({
      batch: BATCH,
      platform: 'meta',
      version: 6,
      groups: [{ positions: [0, 1], delivery: delivered(700) }],
      sweeps: 0,
    });
  });
});
