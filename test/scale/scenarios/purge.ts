// Every message of every queue is lost while events keep coming: the rows bring all of it back.
import { figuresOf } from '../figures.ts';
import { openRegionOf, START_MS } from '../region.ts';
import { MINUTE_MS, startStreams, THREE, untilDelivered, warmed } from './play.ts';
import { noRefusal, nothingMissing, type Scenario, unitShare } from './scenario.ts';

const SIZES = {
  quick: { rate: 200, seconds: 40 },
  full: { rate: 1_000, seconds: 120 },
} as const;
const SWEEPS_MAX = 3;
/** Purged this many times, every so often, from the middle on. */
const PURGES = { count: 5, everyMs: 2_000 } as const;

export const purge: Scenario = {
  name: 'purge',
  what: 'all queues purged, five times in ten seconds, while 1,000 events/s come in',
  sampled: { quick: '200 events/s for 40 s', full: 'nothing: two minutes, every event runs' },
  limits: [
    noRefusal,
    {
      what: 'sweeps (minutes) from the last purge until all is delivered',
      of: ({ own }) => own['minutes until healed'] ?? 0,
      atMost: SWEEPS_MAX,
    },
    unitShare,
    nothingMissing,
    { what: 'copies at platforms', of: ({ copies }) => copies, atMost: 0 },
  ],
  async run(size, seed) {
    const { rate, seconds } = SIZES[size];
    const region = await openRegionOf({
      seed,
      merchants: 1,
      connected: THREE,
      context: { deliveryConcurrency: 100 },
      capacity: warmed(40_000, 40_000),
    });
    const fromMs = START_MS + 1_000;
    const untilMs = fromMs + seconds * 1_000;
    startStreams(region, [{ merchants: region.merchants, rate: () => rate, fromMs, untilMs, firstIndex: 0 }]);
    let lost = 0;
    const firstMs = fromMs + (seconds * 1_000) / 2;
    for (let i = 0; i < PURGES.count; i++)
      region.scheduler.at(firstMs + i * PURGES.everyMs, () => {
        for (const queue of region.queues.values()) lost += queue.depth();
        region.purge();
      });
    const lastMs = firstMs + (PURGES.count - 1) * PURGES.everyMs;
    await region.scheduler.run(untilMs);
    const doneMs = await untilDelivered(region, untilMs + 15 * MINUTE_MS);
    region.close();
    return {
      ...figuresOf(region),
      own: { 'messages lost': lost, 'minutes until healed': (doneMs - lastMs) / MINUTE_MS },
    };
  },
};
