// Goal: what was leased of a day is not deleted before the day is over, which would begin it anew.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { createLeasedWindow } from '#lib/core/work/leased-window.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { openModelledTable } from '#test/conformance/stores/emulated-table.ts';
import { createLeaseStore } from './lease-store.ts';

it('keeps what is leased of a day for longer than the day', async () => {
  const rates = await openModelledTable('rates');
  onTestFinished(() => rates.close());
  const window = createLeasedWindow(createLeaseStore(rates.db, rates.table), {
    windowMs: DAY_MS,
    free: () => 0,
    share: () => 5,
  });
  const startMs = Date.UTC(2026, 10, 21);
  expect(await window.take('shop', 5, 10, startMs + 1)).toBe(5);
  const { Items: [item] = [] } = await rates.db.send(new ScanCommand({ TableName: rates.table }));
  expect(Number(item?.expires) * 1_000).toBeGreaterThan(startMs + DAY_MS);
});
