// Goal: one table, index or queue that takes nothing for ten minutes, an index half a minute late, a clock a minute off: no
// accepted event is lost, doubled or miscounted, nothing stays stuck, and only the door says so to anybody.
import { expect, it } from 'vitest';
import { CALM, type Weather } from './faults.ts';
import { runSeed } from './run.ts';

const TEN_MINUTES_MS = 600_000;
const SEEDS = [1, 2, 3];

async function endures(weather: Partial<Weather>) {
  const storm = {
    ...CALM,
    stormMs: TEN_MINUTES_MS,
    stormsAtMs: [0],
    windowMs: 2_000,
    shardsMax: 3,
    ...weather,
  };
  const sum = { accepted: 0, faults: 0, unavailable: 0 };
  for (const seed of SEEDS) {
    const { violations, figures, world } = await runSeed({
      seed,
      weather: storm,
      spells: () => [],
      traffic: { durationMs: 180_000, events: 20, nextDayRate: 0 },
    });
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(world.host.deadLetters(), `seed ${seed}`).toBe(0);
    sum.accepted += figures.accepted;
    sum.faults += figures.faults;
    sum.unavailable += world.ledger.answers.filter(({ kind }) => kind === 'unavailable').length;
  }
  return sum;
}

it.each([
  ['the index of times', /events\.received$/],
  ['the due index of events', /events\.due/],
  ['the due index of batches', /batches\.due/],
  ['the due index of slots', /counters\.due/],
  ['the table of batches', /\.batches\./],
  ['writes of normalized rows', /events\.normalize$/],
  ['outcomes of rows', /events\.putDelivery$/],
  ['the queue of accepted events', /accepted\.send$/],
  ['the queue of normalized events', /normalized\.send$/],
  ['the queues of one platform', /deliveries-bravo\.send$/],
  ['the queue of counters', /counter-refresh\.send$/],
])('%s takes nothing for ten minutes', async (_what, throttled) => {
  const { accepted, faults, unavailable } = await endures({ throttled });
  expect(faults).toBeGreaterThan(0);
  expect(accepted).toBeGreaterThan(0);
  expect(unavailable).toBe(0);
});

it.each([
  ['the table of events', /\.events\./],
  ['the table of counters', /\.counters\./],
])('%s takes nothing for ten minutes: the door says so, and loses nothing', async (_what, throttled) => {
  const { faults, unavailable } = await endures({ throttled });
  expect(faults).toBeGreaterThan(0);
  expect(unavailable).toBeGreaterThan(0);
});

it('indexes show what was written half a minute late', async () => {
  expect((await endures({ indexLagMaxMs: 30_000 })).accepted).toBeGreaterThan(0);
});

it('clocks of hosts are a minute off', async () => {
  expect((await endures({ clockOffsetMaxMs: 60_000 })).accepted).toBeGreaterThan(0);
});
