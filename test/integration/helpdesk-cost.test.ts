// What a ticket's life costs, counted on the emulated tables and queues as the bill counts it, is within its budget; and reads
// cost what docs/helpdesk.md says they do.
import { describe, expect, it } from 'vitest';
import { LIFE_BUDGETS, lifeExceeded } from '../performance/helpdesk-budgets.ts';
import { LIFE_KINDS, measureLife, sumOf } from '../performance/helpdesk-cost.ts';
import { measureReads } from '../performance/helpdesk-reads.ts';

const TIMEOUT_MS = 120_000;

describe.each(LIFE_KINDS)('a ticket’s life %s', (kind) => {
  it('stays within its budget', { timeout: TIMEOUT_MS }, async () => {
    const steps = await measureLife(kind);
    expect(steps.every(({ writeUnits }) => writeUnits > 0)).toBe(true);
    expect(lifeExceeded(kind, sumOf(steps, 'all'))).toEqual([]);
  });

  it('is told of each limit that it exceeds, and of no other', () => {
    const limits = LIFE_BUDGETS[kind];
    expect(lifeExceeded(kind, limits)).toEqual([]);
    for (const name of ['writeUnits', 'readUnits', 'sqsRequests', 'invocations'] as const) {
      const [only, ...others] = lifeExceeded(kind, { ...limits, [name]: limits[name] + 1 });
      expect(only).toContain(`${name} for a ticket’s life ${kind}`);
      expect(others).toEqual([]);
    }
  });
});

it('reads no more than its page, the keys it counts and the words asked for', {
  timeout: TIMEOUT_MS,
}, async () => {
  const units = Object.fromEntries((await measureReads(200)).map(({ step, readUnits }) => [step, readUnits]));
  expect(units).toEqual({
    // 20 records, a credential, and of each of seven states a page and a count, half a unit for 4 KB of keys.
    'list, a page of 20': 31.5,
    'list of open ones, a page of 20': 24,
    'conversations with counts': 31.5,
    'the inbox, counted to 1,000': 31.5,
    // A record, a credential, and one range in each of four shards.
    'search, a word of one ticket': 6,
    'search, a word of every ticket': 29,
    // Besides, the first 101 keys of the word that is not the rarest, in each shard.
    'search, both words': 14,
    // Half a unit for each of eight shards.
    'sweep of nothing': 4,
  });
});
