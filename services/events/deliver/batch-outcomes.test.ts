// Goal: answers of one batch share writes, wait two seconds for each other at most, and none is lost to another writer.
import { expect, it } from 'vitest';
import type { BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import { deliveryIn } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createOutcomeWriter } from './batch-outcomes.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const batch: BatchKey = { merchantId: 'm', minuteMs: NOW_MS, shard: 0, id: 'batch-01' };
const fate = (state: 'DELIVERED' | 'FAILED') => deliveryIn(state, { updatedAtMs: NOW_MS });
const deliver = () => fate('DELIVERED');

function setUp(expected: number) {
  const batches = createMemoryBatchStore();
  const timers: { readonly ms: number; readonly end: () => void }[] = [];
  const pause = (ms: number) => new Promise<void>((end) => timers.push({ ms, end }));
  const written: number[] = [];
  const writer = createOutcomeWriter({
    seen: emptyOutcomes(batch, 'meta'),
    expected,
    ports: { batches, pause },
    onWritten: (positions) => void written.push(...positions),
  });
  return { batches, writer, timers, written, item: () => batches.outcomes()[0] };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('writes once, when the last answer is there', async () => {
  const { writer, written, item } = setUp(3);
  for (const position of [0, 1, 2]) {
    expect(item()).toBeUndefined();
    writer.note(position, deliver);
  }
  await writer.finish();
  expect(item()).toMatchObject({ version: 1, groups: [{ positions: [0, 1, 2] }] });
  expect(written).toEqual([0, 1, 2]);
});

it('writes what it has two seconds after the first answer that is not written', async () => {
  const { writer, timers, item } = setUp(4);
  writer.note(0, deliver);
  writer.note(1, deliver);
  expect(timers.map(({ ms }) => ms)).toEqual([2_000]);
  timers[0]?.end();
  await settled();
  expect(item()).toMatchObject({ version: 1, groups: [{ positions: [0, 1] }] });
  writer.note(2, deliver);
  writer.note(3, () => fate('FAILED'));
  await writer.finish();
  // A timer that comes late writes nothing.
  for (const { end } of timers) end();
  await settled();
  expect(item()).toMatchObject({ version: 2, groups: [{ positions: [0, 1, 2] }, { positions: [3] }] });
});

it('decides again on what another worker wrote meanwhile', async () => {
  const { batches, writer, item } = setUp(2);
  await batches.writeOutcomes(nextOutcomes(emptyOutcomes(batch, 'meta'), new Map([[0, deliver()]])), 0);
  const seen: unknown[] = [];
  for (const position of [0, 1])
    writer.note(position, (previous) => {
      seen.push(`${position} ${previous?.state}`);
      return previous === undefined ? fate('FAILED') : null;
    });
  await writer.finish();
  expect(seen).toEqual(['0 undefined', '1 undefined', '0 DELIVERED', '1 undefined']);
  expect([0, 1].map((position) => deliveryAt(item(), position)?.state)).toEqual(['DELIVERED', 'FAILED']);
});

it('keeps both where one position is noted twice before a write: left behind, and answered', async () => {
  const { writer, timers, item } = setUp(2);
  writer.note(0, () => fate('FAILED'));
  writer.note(0, (previous) => ({ ...fate('DELIVERED'), unknowns: previous?.state === 'FAILED' ? 1 : 0 }));
  timers[0]?.end();
  await writer.finish();
  expect(deliveryAt(item(), 0)).toMatchObject({ state: 'DELIVERED', unknowns: 1 });
});

it('says at the end that a write failed, and makes the ones after it all the same', async () => {
  const { batches, writer, timers, written, item } = setUp(2);
  const { writeOutcomes } = batches;
  batches.writeOutcomes = async () => {
    throw new Error('throttled');
  };
  writer.note(0, deliver);
  timers[0]?.end();
  await settled();
  batches.writeOutcomes = writeOutcomes;
  writer.note(1, deliver);
  await expect(writer.finish()).rejects.toThrow('throttled');
  expect(written).toEqual([1]);
  expect(item()?.groups).toMatchObject([{ positions: [1] }]);
});
