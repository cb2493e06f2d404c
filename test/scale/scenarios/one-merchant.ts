// One merchant from nothing to 10,000 events a second, with a second of twice as many in between.
import { figuresOf } from '../figures.ts';
import { openRegionOf, START_MS } from '../region.ts';
import { MINUTE_MS, startStreams, THREE, untilDelivered } from './play.ts';
import { nothingMissing, type Scenario, unitShare } from './scenario.ts';

const RATE = 10_000;
const SECONDS = { quick: 4, full: 180 } as const;
/** Late; the quota of the account must take it. */
const BURST = { rate: 20_000, lastsMs: 1_000 } as const;
/** What such a merchant's deployment is set to before it comes. */
const WARM = {
  events: { write: 80_000, read: 80_000 },
  'events/by_time': { write: 30_000 },
  config: { read: 40_000 },
};
const COLD =
  'until shards have grown, throttled attempts wait for seconds in the SDK, and all instances announce a minute under one key';

export const oneMerchant: Scenario = {
  name: 'one-merchant',
  what: 'one merchant, 10,000 events/s for three minutes from cold, with a second of 20,000',
  sampled: {
    quick: 'four seconds instead of three minutes, all at full detail',
    full: 'nothing: every event runs',
  },
  limits: [
    {
      what: 'seconds in a row in which requests were refused',
      of: ({ refusedRunSec }) => refusedRunSec,
      atMost: 2,
      known: COLD,
    },
    {
      what: 'accepted of what was sent',
      of: ({ accepted, sent }) => accepted / sent,
      atLeast: 0.9,
      known: COLD,
    },
    {
      what: 'p99 of 202 → delivered, ms',
      of: ({ p99Ms }) => p99Ms,
      atMost: 3_000,
      known: COLD,
    },
    unitShare(
      'after a throttled attempt the SDK waits up to 1, then 2 seconds, and ingestion tries three times',
    ),
    nothingMissing(),
    {
      what: 'write units per event',
      of: ({ writeUnitsPerEvent }) => writeUnitsPerEvent,
      atMost: 3.4,
      known: COLD,
    },
    {
      what: '$ per million events',
      of: ({ dollarsPerMillion }) => dollarsPerMillion,
      atMost: 3.6,
      known: COLD,
    },
  ],
  async run(size, seed) {
    const region = await openRegionOf({
      seed,
      merchants: 1,
      connected: THREE,
      concurrencyMax: 3_000,
      context: { deliveryConcurrency: 100, warmThroughput: WARM },
    });
    const fromMs = START_MS + 1_000;
    const untilMs = fromMs + SECONDS[size] * 1_000;
    const burstMs = fromMs + Math.floor(SECONDS[size] * 0.75) * 1_000;
    const rate = (nowMs: number): number =>
      nowMs >= burstMs && nowMs < burstMs + BURST.lastsMs ? BURST.rate : RATE;
    startStreams(region, [{ merchants: region.merchants, rate, fromMs, untilMs, firstIndex: 0 }]);
    await region.scheduler.run(untilMs);
    const doneMs = await untilDelivered(region, untilMs + 10 * MINUTE_MS);
    region.close();
    return {
      ...figuresOf(region),
      own: { 'seconds until all was delivered': (doneMs - untilMs) / 1_000 },
    };
  },
};
