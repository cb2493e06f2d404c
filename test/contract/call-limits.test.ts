// Goal: every operation of the event API that somebody must be known for has a limit; a call beyond it is a 429 that says when
// to come back; what looks through many rows is limited for the whole merchant, whichever of its keys asks and whatever it asks.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_MB } from '../../cdk/memory-sizes.ts';
import { readSettings } from '../../cdk/settings.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { MERCHANT_CALLS_PER_MINUTE, READS } from '../../lib/core/routes/call-limits.ts';
import { createLeasedCalls } from '../../lib/core/work/leased-calls.ts';
import { AWS_PRICES } from '../../lib/events/domain/billing/aws-cost.ts';
import { VERIFIED_ROWS_MAX } from '../../lib/events/routes/analytics/insights.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { SCAN_ROWS_MAX } from '../../services/events/api/events/scan.ts';
import { createMemoryLeaseStore } from '../support/memory/lease-store.ts';
import { codeOf, openApi, THEIRS } from './api-host.ts';

/** What anybody may ask: files, a list in the source, and what the payment provider signs. */
const OPEN = [
  'getOpenApi',
  'getDocs',
  'getDocsScript',
  'getDocsStart',
  'getDocsStyle',
  'listBillingPlans',
  'takeBillingEvent',
];
const GUARDED = routesOf('api').filter(({ auth }) => auth !== 'public');
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const urlOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, '019aa2f4-6a10-7000-8000-000000000001');

const open = async () => {
  const leases = createMemoryLeaseStore();
  const host = await openApi(() => ({ calls: createLeasedCalls(leases) }));
  return { host, leases };
};

describe('limits of calls', () => {
  it('are there for every operation but those that anybody may ask', () => {
    const open = routesOf('api').filter(({ auth }) => auth === 'public');
    expect(open.map(({ id }) => id).sort()).toEqual([...OPEN].sort());
    for (const route of GUARDED)
      expect([nameOf(route), route.rateLimit?.perMinute]).toEqual([nameOf(route), expect.any(Number)]);
  });

  it.each(GUARDED.map((route) => [nameOf(route), route] as const))(
    '%s stops at its number',
    async (_, route) => {
      const { host } = await open();
      const headers = { authorization: `Bearer ${host.session('owner')}` };
      const ask = () => host.app.inject({ method: route.method, url: urlOf(route), headers });
      const { perMinute = 0 } = route.rateLimit ?? {};
      let granted = 0;
      while (granted <= 2 * perMinute && (await ask()).statusCode !== 429) granted += 1;
      expect(granted).toBeGreaterThanOrEqual(perMinute);
      expect(granted).toBeLessThanOrEqual(perMinute * 1.05);
      const last = await ask();
      expect([last.statusCode, last.json().code]).toEqual([429, 'rate_limited']);
      expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(last.headers['x-ratelimit-limit']).toBe(String(perMinute));
      host.clock.advance(60_000);
      expect((await ask()).statusCode).not.toBe(429);
    },
  );

  it('of lists that look through rows are the merchant’s, with all of its keys together', async () => {
    const { host } = await open();
    const keys = [await host.keyFor(['events:read']), await host.keyFor(['events:read'])];
    const list = (url: string, n: number) => host.call(url, { token: keys[n % 2]?.key ?? '' });
    for (let i = 0; i < 60; i++)
      expect(
        (await list(i % 2 === 0 ? '/v1/events?status=failed' : '/v1/deliveries?status=RETRY', i >> 1)).status,
      ).toBeLessThan(429);
    const refused = await list('/v1/events?search=x', 0);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(refused.headers['x-ratelimit-limit']).toBe('60');
    // What reads a page of rows goes on, and so does another merchant.
    expect((await list('/v1/events', 0)).status).toBe(200);
    const theirs = await host.keyFor(['events:read'], THEIRS);
    expect((await host.call('/v1/events?search=x', { token: theirs.key })).status).toBe(200);
  });

  it('cost no write for fifteen calls of a kind in a minute', async () => {
    const { host, leases } = await open();
    for (let i = 0; i < 15; i++) await host.call('/v1/platforms', { token: host.session('owner') });
    expect(leases.leased()).toBe(0);
  });

  it('of all calls of a merchant are one, whichever key calls and whatever', async () => {
    const { host } = await open();
    const urls = GUARDED.filter(
      ({ method, path, auth, rateLimit }) =>
        method === 'GET' && !path.includes(':') && rateLimit === READS && 'key' in (auth as object),
    ).map(({ path }) => path);
    const keys = await Promise.all(urls.map(() => host.keyFor(['admin'])));
    let granted = 0;
    for (let n = 0; n < 1_300; n++) {
      const token = keys[n % keys.length]?.key ?? '';
      const { status, headers } = await host.call(urls[n % urls.length] ?? '', { token });
      // Some need a parameter, or find nothing: that is looked at after the limit, a right before it.
      expect([401, 403]).not.toContain(status);
      if (status !== 429) granted += 1;
      else expect(headers['x-ratelimit-limit']).toBe('1200');
    }
    expect(granted).toBeGreaterThanOrEqual(MERCHANT_CALLS_PER_MINUTE);
    expect(granted).toBeLessThanOrEqual(MERCHANT_CALLS_PER_MINUTE * 1.05);
    const theirs = await host.keyFor(['admin'], THEIRS);
    expect((await host.call('/v1/platforms', { token: theirs.key })).status).toBe(200);
  });

  it('bound what one merchant costs in a day to what the operator is told', () => {
    const { readUnitsPerDayMax, writeUnitsPerDayMax, apiConcurrency } = readSettings(() => undefined);
    const { readUnit, writeUnit, lambdaRequest, lambdaGbSec } = AWS_PRICES;
    const told = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8');
    const dollars = (amount: number) => `$${amount.toFixed(2)}`;
    // Each process of the API has a free share, and may have one call under way.
    const most = 1 + apiConcurrency / 500;
    const rows = Math.max(SCAN_ROWS_MAX, 2 * VERIFIED_ROWS_MAX);
    const reads = readUnitsPerDayMax * readUnit;
    expect(told).toContain(
      `${dollars(reads)} (at most ${dollars(reads * most + apiConcurrency * rows * readUnit)})`,
    );
    const writes = writeUnitsPerDayMax * writeUnit;
    expect(told).toContain(`${dollars(writes)} (at most ${dollars(writes * most)})`);
    expect(told).toContain(`${dollars(MERCHANT_CALLS_PER_MINUTE * 1_440 * lambdaRequest)} of calls`);
    const time = apiConcurrency * 86_400 * (API_MB / 1_024) * lambdaGbSec;
    expect(told).toContain(`$${Math.ceil(time)} of time`);
  });
});
