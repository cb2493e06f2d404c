// A connection whose credentials are refused, and events that wait for it: what waiting costs. Run with two sizes of backlog,
// so that what grows with the events shows.
import { dollarsOf, figuresOf } from '../figures.ts';
import { openRegionOf, START_MS } from '../region.ts';
import { MINUTE_MS, startStreams, unitsOf, warmed } from './play.ts';
import { noRefusal, type Scenario, unitShare } from './scenario.ts';

const MILLION = 1e6;
const SIZES = { quick: [1_000, 3_000], full: [20_000, 60_000] } as const;
const RATE = 500;
/** After this, every event has had its first refusal and been put off. */
const SETTLED_MS = 30 * MINUTE_MS;
const HOURS = 2;

export const paused: Scenario = {
  name: 'paused',
  what: 'a paused connection with a million open events, for hours',
  sampled: {
    quick: '1,000 and 3,000 open events over two hours; a million by the line through both',
    full: '20,000 and 60,000 open events over two hours; a million by the line through both',
  },
  limits: [
    noRefusal,
    unitShare,
    {
      what: 'write units an hour for a million waiting events',
      of: ({ own }) => own['write units an hour, a million events'] ?? Number.NaN,
      atMost: 1_000,
    },
  ],
  async run(size, seed) {
    const [few, many] = SIZES[size];
    const small = await wait(few, seed);
    const large = await wait(many, seed);
    const line = (of: (cost: Cost) => number): number => {
      const each = (of(large) - of(small)) / (many - few);
      return Math.max(0, of(small) + each * (MILLION - few));
    };
    return {
      ...large.figures,
      own: {
        'write units an hour, a million events': line(({ writeUnits }) => writeUnits),
        'read units an hour, a million events': line(({ readUnits }) => readUnits),
        '$ an hour, a million events': line(({ dollars }) => dollars),
        [`write units an hour, ${few} events`]: small.writeUnits,
        [`write units an hour, ${many} events`]: large.writeUnits,
      },
    };
  },
};

interface Cost {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly dollars: number;
  readonly figures: ReturnType<typeof figuresOf>;
}

async function wait(events: number, seed: string): Promise<Cost> {
  const region = await openRegionOf({
    seed,
    merchants: 1,
    connected: ['meta'],
    capacity: warmed(40_000, 40_000),
    mood: () => 'unauthorized',
  });
  const fromMs = START_MS + 1_000;
  const untilMs = fromMs + (events / RATE) * 1_000;
  startStreams(region, [{ merchants: region.merchants, rate: () => RATE, fromMs, untilMs, firstIndex: 0 }]);
  await region.scheduler.run(untilMs + SETTLED_MS);
  const cost = () => ({
    writeUnits: unitsOf(region, 'writeUnits'),
    readUnits: unitsOf(region, 'readUnits'),
    dollars: dollarsOf(region),
  });
  const before = cost();
  await region.scheduler.run(untilMs + SETTLED_MS + HOURS * 60 * MINUTE_MS);
  region.close();
  const after = cost();
  return {
    writeUnits: (after.writeUnits - before.writeUnits) / HOURS,
    readUnits: (after.readUnits - before.readUnits) / HOURS,
    dollars: (after.dollars - before.dollars) / HOURS,
    figures: figuresOf(region),
  };
}
