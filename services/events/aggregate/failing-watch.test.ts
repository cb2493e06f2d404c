// Promise: the counts of a process say which connection seems to fail, once in five minutes, also where each minute has one event only;
// of one that takes nearly everything nothing is said, and nothing is asked of any store.
import { expect, it } from 'vitest';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { type States, statesAt } from '#test/support/counted-states.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createFailingWatch } from './failing-watch.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

function setUp() {
  const clock = createManualClock(START_MS);
  const said: TaskWork[] = [];
  const problems: string[] = [];
  let away = false;
  const setAway = (is: boolean) => {
    away = is;
  };
  const watch = createFailingWatch({
    clock,
    taskWork: {
      send: async (messages: readonly { readonly body: TaskWork }[]) => {
        if (away) throw new Error('away');
        said.push(...messages.map(({ body }) => body));
      },
    },
    report: (problem) => void problems.push(problem),
  });
  const counted = async (part: Partial<BucketCounters>, merchantId = 'm', startMs = clock.now()) =>
    await watch.counted({
      key: { merchantId, grain: 'minute', startMs },
      counters: { ...EMPTY_COUNTERS, ...part },
      countedAtMs: clock.now(),
    });
  const minute = async (states: States, merchantId?: string, startMs?: number) =>
    await counted(statesAt('meta', states), merchantId, startMs);
  return { clock, said, problems, counted, minute, setAway };
}

const SAID = { merchant: 'm', incident: 'failing', subject: 'meta' };

it.each([
  ['nothing fails', { DELIVERED: 1_000 }, 0],
  ['a few of many fail', { DELIVERED: 1_000, FAILED: 20 }, 0],
  ['a tenth of many fails', { DELIVERED: 90, ERROR: 10 }, 1],
  ['a few, and all of them fail', { RETRY: 3 }, 1],
  ['two fail', { RETRY: 2 }, 0],
  ['all is skipped', { SKIPPED: 50 }, 0],
] as const)('%s', async (_what, states, times) => {
  const { said, minute } = setUp();
  await minute(states);
  expect(said).toHaveLength(times);
});

it('adds up the last quarter of an hour, counts each minute once, and forgets what is older', async () => {
  const { clock, said, minute } = setUp();
  for (let i = 0; i < 3; i++) await minute({ RETRY: 1 }, 'm', START_MS);
  expect(said).toEqual([]);
  for (let i = 0; i < 2; i++) {
    clock.advance(MINUTE_MS);
    await minute({ RETRY: 1 });
  }
  expect(said).toEqual([SAID]);
  clock.advance(20 * MINUTE_MS);
  await minute({ RETRY: 1 });
  // A minute that is counted again long after.
  await minute({ ERROR: 50 }, 'm', START_MS);
  expect(said).toHaveLength(1);
});

it('is said once in five minutes, of each merchant, and again where the queue was away', async () => {
  const { clock, said, problems, minute, setAway } = setUp();
  setAway(true);
  await minute({ RETRY: 5 });
  setAway(false);
  for (const merchant of ['m', 'm', 'n']) await minute({ RETRY: 5 }, merchant);
  expect(said).toEqual([SAID, { ...SAID, merchant: 'n' }]);
  expect(problems).toEqual(['what may be an incident was not told to its stage']);
  clock.advance(5 * MINUTE_MS);
  await minute({ RETRY: 5 });
  expect(said).toHaveLength(3);
});

it('is each connection of a platform by itself, also where its routing changed in the minute', async () => {
  const [well, bad] = [{ DELIVERED: 30 }, { FAILED: 2 }];
  const at = (states: States) => ({ deliveries: { Purchase: states } });
  const connections = { 'meta@1': at(well), 'meta#2@1': at(bad), 'meta@2': at(well), 'meta#2@2': at(bad) };
  const worst = statesAt('meta', { DELIVERED: 56, FAILED: 4 });
  const { said, counted } = setUp();
  await counted({ ...worst, versions: { 1: 30, 2: 30 }, connections });
  expect(said).toEqual([{ ...SAID, subject: 'meta#2' }]);
  // Where an earlier release counted some of them, the first place stands for the platform.
  const older = setUp();
  await older.counted({ ...worst, ...statesAt('meta', { FAILED: 60 }), versions: { 1: 30 }, connections });
  expect(older.said).toEqual([SAID]);
});
