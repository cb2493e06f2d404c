import { describe, expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryDayKeys } from '#test/support/memory/event-vault.ts';
import { eraseExpiredDays } from './erasure.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAYS = [0, 1, 2, 89, 90, 91, 399, 400, 401];
const day = (daysAgo: number): string => new Date(NOW - daysAgo * 86_400_000).toISOString().slice(0, 10);

async function open() {
  const dayKeys = createMemoryDayKeys();
  const clock = createManualClock(NOW);
  const kept = async (merchantId: string, days: readonly number[]) => {
    const found = await Promise.all(days.map(async (ago) => await dayKeys.read(merchantId, day(ago))));
    return days.filter((_, i) => found[i] !== null);
  };
  for (const merchantId of ['a', 'b', 'c'])
    for (const ago of DAYS) await dayKeys.create(merchantId, day(ago), 'key');
  return { clock, kept, ports: { dayKeys, clock } };
}

describe('the erasure', () => {
  it('deletes the days each merchant keeps no longer, by its own setting, and no other', async () => {
    const { ports, kept } = await open();
    const merchants = [
      { merchantId: 'a' },
      { merchantId: 'b', retentionDays: 1 },
      { merchantId: 'c', retentionDays: 400 },
    ];
    const erase = () => Promise.all(merchants.map((merchant) => eraseExpiredDays(merchant, ports)));
    expect(await erase()).toEqual([4, 7, 1]);
    expect(await kept('a', DAYS)).toEqual([0, 1, 2, 89, 90]);
    expect(await kept('b', DAYS)).toEqual([0, 1]);
    expect(await kept('c', DAYS)).toEqual([0, 1, 2, 89, 90, 91, 399, 400]);
    expect(await erase()).toEqual([0, 0, 0]);
  });

  it('keeps nothing for longer than the operator allows, whatever a merchant set before', async () => {
    const { ports, kept } = await open();
    await eraseExpiredDays({ merchantId: 'c', retentionDays: 400 }, { ...ports, retentionDaysMax: 90 });
    expect(await kept('c', [89, 90, 91, 399])).toEqual([89, 90]);
  });

  it('keeps the last moment of a day for as many whole days as the setting says, and not a day more', async () => {
    const { ports, kept, clock } = await open();
    const b = { merchantId: 'b', retentionDays: 1 };
    clock.advance(12 * 3_600_000 - 1);
    await eraseExpiredDays(b, ports);
    expect(await kept('b', [1])).toEqual([1]);
    clock.advance(1);
    await eraseExpiredDays(b, ports);
    expect(await kept('b', [1])).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, 401])('erases nothing for a setting of %s days', async (retentionDays) => {
    const { ports, kept } = await open();
    await expect(eraseExpiredDays({ merchantId: 'a', retentionDays }, ports)).rejects.toThrow();
    expect(await kept('a', [0, 401])).toEqual([0, 401]);
  });
});
