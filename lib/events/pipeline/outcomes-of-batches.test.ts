// The join by itself; what stores do with it: test/conformance/stores/joined-event-store.suite.ts.
import { describe, expect, it } from 'vitest';
import { batchOf, outcomesOf } from '#test/conformance/stores/batch-items.ts';
import {
  acceptedRow,
  delivered,
  leased,
  normalizedRow,
  retrying,
  T0,
} from '#test/conformance/stores/event-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import type { NormalizedRow } from '../domain/event/row.ts';
import { joinOutcomes, withOutcomes } from './outcomes-of-batches.ts';

const BATCH = batchOf('merchant');
const LONE: NormalizedRow = {
  ...normalizedRow(acceptedRow({ merchantId: 'merchant', channel: 'server', eventId: 'e' })),
  verdicts: { meta: 'pending', x: 'pending', ga4: 'bot' },
};
const ROW: NormalizedRow = { ...LONE, place: { batch: BATCH, position: 1 } };
const at = (position: number, delivery = delivered(T0)) => [{ positions: [position], delivery }];

describe('a row with outcomes', () => {
  it('takes none of another batch, tenant, minute or shard, nor of another position', () => {
    const others = [
      { ...BATCH, id: 'another0' },
      { ...BATCH, merchantId: 'other' },
      { ...BATCH, minuteMs: BATCH.minuteMs + 60_000 },
      { ...BATCH, shard: 1 },
    ];
    const items = [...others.map((batch) => outcomesOf(batch, at(1))), outcomesOf(BATCH, at(2))];
    expect(withOutcomes(ROW, items)).toEqual(ROW);
    const own = outcomesOf(BATCH, at(1), { platform: 'x' });
    expect(withOutcomes(ROW, [...items, own])).toEqual({ ...ROW, deliveries: { x: delivered(T0) } });
  });

  it('is due when an item that holds an open delivery of it is, and never for a delivery that has ended', () => {
    const lease = outcomesOf(BATCH, at(1, leased(T0)), { platform: 'x', dueAtMs: T0 + 90_000 });
    const over = outcomesOf(BATCH, at(1), { dueAtMs: T0 + 5 });
    expect(withOutcomes(ROW, [over, lease]).dueAtMs).toBe(T0 + 90_000);
    expect(withOutcomes(ROW, [over])).not.toHaveProperty('dueAtMs');
    // No due time finds this one again: the count sees that it is stranded.
    expect(withOutcomes(ROW, [outcomesOf(BATCH, at(1, retrying(T0)))])).not.toHaveProperty('dueAtMs');
  });

  it('is what the items say, whatever was joined before; a lone row is as it is stored', () => {
    const before = { ...ROW, deliveries: { meta: retrying(T0) }, dueAtMs: T0 };
    expect(withOutcomes(before, [])).toEqual(ROW);
    const lone = { ...LONE, deliveries: { meta: retrying(T0) }, dueAtMs: T0 };
    expect(withOutcomes(lone, [outcomesOf(BATCH, at(1))])).toEqual(lone);
  });
});

describe('the join', () => {
  it('asks once for each item that rows share, for none of platforms that are not to have them, and not for lone rows', async () => {
    const store = createMemoryBatchStore();
    const asked: string[] = [];
    const batches: Parameters<typeof joinOutcomes>[1] = {
      readMany: (keys, consistency) => {
        asked.push(
          ...(keys.outcomes ?? []).map(({ batch, platform }) => `${batch.id} ${platform} ${consistency}`),
        );
        return store.readMany(keys, consistency);
      },
    };
    const other = { ...BATCH, id: 'another0' };
    const rows = [0, 1, 2].map((position) => ({ ...ROW, place: { batch: BATCH, position } }));
    const elsewhere = { ...ROW, verdicts: { meta: 'pending' }, place: { batch: other, position: 0 } };
    const accepted = acceptedRow(ROW.key);
    const joined = await joinOutcomes([accepted, LONE, ...rows, elsewhere], batches, 'eventual');
    expect(joined).toEqual({ rows: [accepted, LONE, ...rows, elsewhere], unreadable: [] });
    expect(asked).toEqual([`${BATCH.id} meta eventual`, `${BATCH.id} x eventual`, 'another0 meta eventual']);
    asked.length = 0;
    await joinOutcomes([accepted, LONE, { ...ROW, verdicts: { ga4: 'bot' } }], batches, 'strong');
    expect(asked).toEqual([]);
  });
});
