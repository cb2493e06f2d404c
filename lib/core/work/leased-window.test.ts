import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createLeasedWindow } from './leased-window.ts';

const MINUTE_MS = 60_000;
const options = { windowMs: MINUTE_MS, free: (limit: number) => limit / 10, share: () => 25 };

describe('a leased window', () => {
  it('lets many processes through up to the limit, and past it by no more than what each may without asking', async () => {
    const store = createMemoryLeaseStore();
    const processes = Array.from({ length: 8 }, () => createLeasedWindow(store, options));
    let granted = 0;
    for (let round = 0; round < 50; round++)
      for (const process of processes) granted += await process.take('shop', 1, 100, 1_000);
    expect(granted).toBe(100 + 8 * 10);
  });

  it('asks nobody for a quiet caller, and nobody again once it is exhausted', async () => {
    const store = createMemoryLeaseStore();
    const window = createLeasedWindow(store, options);
    for (let i = 0; i < 10; i++) expect(await window.take('shop', 1, 100, 1_000)).toBe(1);
    expect(store.asked()).toBe(0);
    expect(await window.take('shop', 200, 100, 1_000)).toBe(100);
    expect(window.isExhausted('shop', 1_000)).toBe(true);
    const asked = store.asked();
    expect(await window.take('shop', 1, 100, 2_000)).toBe(0);
    expect(store.asked()).toBe(asked);
  });

  it('begins anew with the next window, and keeps callers apart', async () => {
    const window = createLeasedWindow(createMemoryLeaseStore(), options);
    await window.take('shop', 500, 100, 1_000);
    expect(await window.take('other', 1, 100, 1_000)).toBe(1);
    expect(window.retryAfterSec(45_000)).toBe(15);
    expect(window.isExhausted('shop', MINUTE_MS)).toBe(false);
    expect(await window.take('shop', 1, 100, MINUTE_MS)).toBe(1);
  });

  it('takes several at once within one process without counting any twice', async () => {
    const window = createLeasedWindow(createMemoryLeaseStore(), options);
    const taken = await Promise.all(Array.from({ length: 40 }, () => window.take('shop', 5, 100, 1_000)));
    expect(taken.reduce((sum, n) => sum + n, 0)).toBe(110);
  });

  it('leases no more for calls side by side than they need, and refuses none while there is a rest', async () => {
    let asked = 0;
    // Four shares; the refusals, which are asked for last, come back first.
    const lease = async (): Promise<number> => {
      const share = ++asked <= 4 ? 25 : 0;
      if (share > 0) await pause(5);
      return share;
    };
    const window = createLeasedWindow({ lease }, options);
    const taken = await Promise.all(Array.from({ length: 60 }, () => window.take('shop', 1, 100, 1_000)));
    expect(taken.reduce((sum, n) => sum + n, 0)).toBe(60);
    expect(asked).toBe(2);
  });

  it('asks again after a store that failed', async () => {
    let fails = true;
    const lease = async () => {
      if (fails) throw new Error('down');
      return 25;
    };
    const window = createLeasedWindow({ lease }, options);
    const failed = await Promise.allSettled([
      window.take('shop', 20, 100, 1_000),
      window.take('shop', 20, 100, 1_000),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await window.take('shop', 20, 100, 1_000)).toBe(20);
  });

  it('lets nothing through at a limit of 0', async () => {
    expect(await createLeasedWindow(createMemoryLeaseStore(), options).take('shop', 1, 0, 1_000)).toBe(0);
  });
});
