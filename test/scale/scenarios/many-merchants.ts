// A hundred thousand events a second from a thousand merchants: each as busy as one shard of anything can be.
import { figuresOf } from '../figures.ts';
import { quantile } from '../journal.ts';
import { openRegionOf, START_MS } from '../region.ts';
import { MINUTE_MS, startStreams, THREE, untilDelivered, warmed } from './play.ts';
import { dollarsAtMost, noRefusal, nothingMissing, type Scenario, unitShare } from './scenario.ts';

const MERCHANTS = 1_000;
const RATE_EACH = 100;
const SAMPLE = { quick: { merchants: 4, seconds: 20 }, full: { merchants: 10, seconds: 120 } } as const;
/** All begin in the same second with nothing running; event sources begin with 5 invocations and add 5 a second. */
const GROWN_MS = 5_000;
const P99_GROWN = 'p99 of 202 → delivered after the first five seconds, ms';

export const manyMerchants: Scenario = {
  name: 'many-merchants',
  what: '1,000 merchants at 100 events/s each',
  sampled: {
    quick:
      '4 merchants for 20 s at full detail; means of what all share (tables, concurrency) count 250 times',
    full: '10 merchants for two minutes at full detail; means of what all share (tables, concurrency) count 100 times',
  },
  limits: [
    noRefusal,
    {
      what: 'p99 of 202 → delivered of events sent after the first five seconds, ms',
      of: ({ own }) => own[P99_GROWN] ?? Number.NaN,
      atMost: 3_000,
    },
    {
      what: 'p99 of 202 → delivered from cold, ms',
      of: ({ p99Ms }) => p99Ms,
      atMost: 4_000,
    },
    unitShare,
    nothingMissing,
    {
      what: 'write units per event',
      of: ({ writeUnitsPerEvent }) => writeUnitsPerEvent,
      // Of it 0.4 are orders, their buyers and clicks.
      atMost: 3.7,
    },
    dollarsAtMost(3.9),
  ],
  async run(size, seed) {
    const { merchants, seconds } = SAMPLE[size];
    const standsFor = MERCHANTS / merchants;
    const region = await openRegionOf({
      seed,
      merchants,
      connected: THREE,
      context: { deliveryConcurrency: 1_000 },
      // Not what binds here: the sample's bunches would count as if all merchants bunched together.
      capacity: warmed(10_000_000, 10_000_000, standsFor),
    });
    const fromMs = START_MS + 1_000;
    const untilMs = fromMs + seconds * 1_000;
    startStreams(region, [
      { merchants: region.merchants, rate: () => merchants * RATE_EACH, fromMs, untilMs, firstIndex: 0 },
    ]);
    await region.scheduler.run(untilMs);
    await untilDelivered(region, untilMs + 10 * MINUTE_MS);
    region.close();
    return {
      ...figuresOf(region, { standsFor, trafficMs: untilMs - fromMs }),
      own: { [P99_GROWN]: quantile(region.journal.latencies({ fromMs: fromMs + GROWN_MS }), 0.99) },
    };
  },
};
