// Promise: work about deliveries that are parked can be sent for every place at every platform.
import { expect, it } from 'vitest';
import { PLATFORMS } from '../../platforms/registry.ts';
import { freeTarget, TARGETS_MAX } from '../connections/target.ts';
import { dueWorkSchema } from './due-work.ts';

const MERCHANT = '018f3c1e-0000-7000-8000-000000000001';

function placesAt(platform: string): readonly string[] {
  const taken: Record<string, true> = {};
  for (let n = 1; n <= TARGETS_MAX; n++) taken[freeTarget(platform, taken) ?? ''] = true;
  return Object.keys(taken);
}

const PLACES = PLATFORMS.flatMap(({ slug }) => placesAt(slug)).sort();

it.each([...PLACES, PLACES.join('+')])('takes what is parked for %s', (parkedFor) => {
  for (const task of ['scan', 'due', 'release'] as const) {
    const work = { task, table: 'events', merchant: MERCHANT, shard: 0, parkedFor };
    expect(dueWorkSchema.parse(work)).toEqual(work);
  }
});

it.each(['', '+', 'meta+', '+meta', 'meta++x'])('refuses %j, which names no place', (parkedFor) => {
  const work = { task: 'release', table: 'events', merchant: MERCHANT, shard: 0, parkedFor };
  expect(dueWorkSchema.safeParse(work).success).toBe(false);
});
