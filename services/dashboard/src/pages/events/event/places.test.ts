// Goal: every connection of a platform has its own attempts, and times far apart can be read on one axis.
import { describe, expect, it } from 'vitest';
import { placeOf, ticksTo } from '#dashboard/parts/charts/log-time.ts';
import { attemptText, type Delivery, hasTimes, placesOf } from './places.ts';

const attempt = { at: '2026-11-20T12:00:01.000Z', latency_ms: 120, outcome: 'delivered', batch_size: 1 };
const fate = { attempts: 1, maybe_delivered: false, history: [attempt] };
const closes = '2026-11-27T12:00:00.000Z';

describe('the places of a delivery', () => {
  const delivery: Delivery = {
    ...fate,
    platform: 'meta',
    connection_id: 'c1',
    label: 'Meta',
    status: 'RETRY',
    window_closes_at: closes,
  };

  it('is one for a platform with one connection, as far as its window', () => {
    expect(placesOf(delivery, undefined)).toEqual([
      {
        key: 'meta',
        name: 'Meta',
        status: 'RETRY',
        history: [attempt],
        next: undefined,
        closes,
        isOurEnd: false,
      },
    ]);
  });

  it('knows an end of ours from one of the platform', () => {
    const ours = { ...delivery, platform_takes_until: '2027-02-18T12:00:00.000Z', we_try_until: closes };
    expect(placesOf(ours, undefined)).toMatchObject([{ closes, isOurEnd: true }]);
  });

  it('is one for each connection where there are several; what is over has no window', () => {
    const connections = [
      { ...fate, connection_id: 'c1', status: 'DELIVERED' },
      { ...fate, connection_id: null, status: 'RETRY', next_attempt_at: closes, history: [] },
    ];
    const list = { platforms: [{ id: 'c1', name: 'Second pixel' }] } as unknown as Parameters<
      typeof placesOf
    >[1];
    expect(placesOf({ ...delivery, connections }, list)).toMatchObject([
      { name: 'Meta · Second pixel', closes: undefined },
      { name: 'Meta · removed', next: closes, closes },
    ]);
    const gone = { connection_name: 'Old', account: '123', removed_at: '2026-11-19T08:00:00.000Z' };
    const [, ...left] = connections;
    expect(
      placesOf(
        { ...delivery, connections: [{ ...fate, ...gone, connection_id: 'c9', status: 'FAILED' }, ...left] },
        list,
      ),
    ).toMatchObject([{ name: 'Meta · Old (123), removed on 2026-11-19' }, { name: 'Meta · removed' }]);
    expect(placesOf({ ...delivery, ...gone }, list)).toMatchObject([
      { name: 'Meta · Old (123), removed on 2026-11-19' },
    ]);
  });

  it('has nothing to draw while nothing was tried and nothing is to come', () => {
    const { window_closes_at: _, ...skipped } = { ...delivery, status: 'SKIPPED', history: [] };
    expect(placesOf(skipped, undefined).map(hasTimes)).toEqual([false]);
  });

  it('says of an attempt what the API says, in words', () => {
    const refused = { ...attempt, http_status: 400, outcome: 'permanent', code: 'meta.100', batch_size: 3 };
    expect(attemptText({ ...refused, message: 'Invalid' })).toBe(
      'HTTP 400 · refused for good · the platform said “100” · Invalid in 120 ms, with 2 others',
    );
    expect(attemptText(attempt)).toBe('no answer · taken in 120 ms');
  });
});

describe('an axis of time', () => {
  it.each([10_000, 90_000, 7_200_000, 604_800_000])('of %i ms has names apart from each other', (lastMs) => {
    const ticks = ticksTo(lastMs);
    expect(ticks.length).toBeGreaterThan(0);
    for (const [index, { at }] of ticks.entries())
      expect(at - (ticks[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(15);
    expect([placeOf(0, lastMs), placeOf(lastMs, lastMs)]).toEqual([0, 97]);
    expect(placeOf(-5_000, lastMs)).toBe(0);
  });
});
