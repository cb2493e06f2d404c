// Goal: what many processes grant together keeps to the limit, and a call now and then costs nothing.
import { describe, expect, it } from 'vitest';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createLeasedCalls } from './leased-calls.ts';

const T0 = Date.UTC(2026, 10, 21, 12);

const grants = async (limiter: ReturnType<typeof createLeasedCalls>, limit: number, calls: number) => {
  let granted = 0;
  for (let i = 0; i < calls; i++) if ((await limiter.take('a', limit, T0 + i)).granted) granted += 1;
  return granted;
};

describe('calls by leases', () => {
  it('are granted to the call where the limit is small, in twenty processes together', async () => {
    const store = createMemoryLeaseStore();
    let granted = 0;
    for (let process = 0; process < 20; process++) granted += await grants(createLeasedCalls(store), 60, 30);
    expect(granted).toBe(60);
  });

  it('cost no write for what people do, and a twentieth of a write beyond', async () => {
    const store = createMemoryLeaseStore();
    const limiter = createLeasedCalls(store);
    await grants(limiter, 300, 15);
    expect(store.asked()).toBe(0);
    await grants(limiter, 300, 285);
    expect(store.asked()).toBe(19);
  });

  it('are exceeded by a twentieth for each process at most, where the limit is large', async () => {
    const store = createMemoryLeaseStore();
    let granted = 0;
    for (let process = 0; process < 20; process++)
      granted += await grants(createLeasedCalls(store), 300, 100);
    expect(granted).toBeLessThanOrEqual(300 + 20 * 15);
  });

  it('say how many are left and when more are, and cost nothing more once they are refused', async () => {
    const store = createMemoryLeaseStore();
    const limiter = createLeasedCalls(store);
    expect(await limiter.take('a', 60, T0 + 1)).toEqual({ granted: true, remaining: 59, resetSec: 60 });
    await grants(limiter, 60, 59);
    expect(await limiter.take('a', 60, T0 + 30_000)).toEqual({ granted: false, remaining: 0, resetSec: 30 });
    const before = store.asked();
    await grants(limiter, 60, 50);
    expect(store.asked()).toBe(before);
    expect(await limiter.take('a', 60, T0 + 60_000)).toMatchObject({ granted: true, remaining: 59 });
  });
});
