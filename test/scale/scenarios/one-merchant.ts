// One merchant from nothing to 10,000 events a second, with a second of twice as many in between.
import { figuresOf } from '../figures.ts';
import { openRegionOf, START_MS } from '../region.ts';
import { MINUTE_MS, P99_GROWN, p99Grown, startStreams, THREE, untilDelivered } from './play.ts';
import { dollarsAtMost, nothingMissing, type Scenario, unitShare } from './scenario.ts';

const RATE = 10_000;
const SECONDS = { quick: 4, full: 180 } as const;
/** Late; the quota of the account must take it. */
const BURST = { rate: 20_000, lastsMs: 1_000 } as const;
/** What such a merchant's deployment is set to before it comes. */
const WARM = {
  events: { write: 80_000, read: 80_000 },
  'events/by_time': { write: 30_000 },
  batches: { write: 12_000 },
  config: { read: 40_000 },
};
/** Two seconds before a minute ends: its turn, when all announce the next one, is the first thing that must go well. */
const FROM_MS = START_MS + 57_000;
/** While instances start and shards open, nobody promises more. */
const COLD_SEC = 2;
const ACCEPTED_WARM = 'accepted of what was sent after the first two seconds';

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
      atMost: COLD_SEC,
    },
    {
      what: 'accepted of what was sent after the first two seconds',
      of: ({ own }) => own[ACCEPTED_WARM] ?? Number.NaN,
      atLeast: 0.99,
      only: 'full',
    },
    // Two seconds behind a cold start: any change in the order of calls moves it. Over seeds 1 to 3 of three versions it was
    // 0.945 to 1; a second in which a tenth is refused is 0.95.
    {
      what: 'accepted of what was sent in the third and fourth second',
      of: ({ own }) => own[ACCEPTED_WARM] ?? Number.NaN,
      atLeast: 0.94,
      only: 'quick',
    },
    {
      what: 'p99 of 202 → delivered of events sent after the first 20 seconds, ms',
      of: ({ own }) => own[P99_GROWN] ?? Number.NaN,
      atMost: 3_000,
      only: 'full',
    },
    unitShare,
    nothingMissing,
    {
      what: 'write units per event',
      of: ({ writeUnitsPerEvent }) => writeUnitsPerEvent,
      atMost: 3.85,
    },
    // At 1,000/s it is 3.63 (npm run cost); here a thousand cold starts and two full seconds come on top.
    dollarsAtMost(3.9, 'full'),
    // A thousand cold starts, and what each new process may look up at first, are 2 % of so few events.
    {
      what: '$ per million events of the first four seconds',
      of: ({ dollarsPerMillion }) => dollarsPerMillion,
      atMost: 4.1,
      only: 'quick',
    },
  ],
  async run(size, seed) {
    const region = await openRegionOf({
      seed,
      merchants: 1,
      connected: THREE,
      concurrencyMax: 3_000,
      context: { deliveryConcurrency: 250, warmThroughput: WARM },
    });
    const untilMs = FROM_MS + SECONDS[size] * 1_000;
    const burstMs = FROM_MS + Math.floor(SECONDS[size] * 0.75) * 1_000;
    const rate = (nowMs: number): number =>
      nowMs >= burstMs && nowMs < burstMs + BURST.lastsMs ? BURST.rate : RATE;
    startStreams(region, [{ merchants: region.merchants, rate, fromMs: FROM_MS, untilMs, firstIndex: 0 }]);
    await region.scheduler.run(untilMs);
    const doneMs = await untilDelivered(region, untilMs + 10 * MINUTE_MS);
    region.close();
    const figures = figuresOf(region);
    const refusedSince = new Map(
      [...region.journal.refusals()].filter(([second]) => second * 1_000 >= FROM_MS + COLD_SEC * 1_000),
    );
    const refused = [...refusedSince.values()].reduce((sum, count) => sum + count, 0);
    return {
      ...figures,
      own: {
        [ACCEPTED_WARM]: 1 - refused / (figures.sent - COLD_SEC * RATE),
        ...p99Grown(region, FROM_MS),
        'seconds until all was delivered': (doneMs - untilMs) / 1_000,
      },
    };
  },
};
