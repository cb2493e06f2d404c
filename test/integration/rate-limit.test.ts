// G15: never more than 30 in any sliding 60 seconds, never a refusal while there is room, under 16 concurrent hosts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { type EmulatedTable, openTable } from '../conformance/stores/emulated-table.ts';

const LIMIT = { events: 30, windowSec: 60 };
let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('rates');
});
afterAll(() => opened.close());

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const hosts = () =>
  Array.from({ length: 16 }, () => createRateLimiter(opened.db, opened.table, LIMIT, pause));

describe('browser rate limit', () => {
  it('grants exactly 30 to 16 hosts that ask at once', async () => {
    const caller = { merchantId: 'm1', clientIp: '203.0.113.7' };
    const grants = await Promise.all(
      hosts().flatMap((host) => [host.take(caller, 1, 0), host.take(caller, 2, 0)]),
    );
    expect(grants.reduce((sum, g) => sum + g.granted, 0)).toBe(30);
  });

  it('grants again exactly when the oldest grant is a minute old', async () => {
    const [host] = hosts();
    const caller = { merchantId: 'm2', clientIp: '203.0.113.7' };
    for (let i = 0; i < 30; i++) expect((await host?.take(caller, 1, i * 100))?.granted).toBe(1);
    expect(await host?.take(caller, 1, 59_999)).toMatchObject({ granted: 0, retryAfterSec: 0.001 });
    expect(await host?.take(caller, 5, 60_000)).toMatchObject({ granted: 1 });
  });

  it('takes an IPv6 household for one caller, another merchant for another, and stores no address', async () => {
    const [host] = hosts();
    await host?.take({ merchantId: 'm3', clientIp: '2001:db8:1:2::1' }, 30, 0);
    expect((await host?.take({ merchantId: 'm3', clientIp: '2001:db8:1:2:ffff::9' }, 1, 0))?.granted).toBe(0);
    expect((await host?.take({ merchantId: 'm3', clientIp: '2001:db8:1:3::1' }, 1, 0))?.granted).toBe(1);
    expect((await host?.take({ merchantId: 'm4', clientIp: '2001:db8:1:2::1' }, 1, 0))?.granted).toBe(1);
  });
});
