// Very many merchants, each with next to nothing to send: what is done per merchant and minute must not add up.
import { figuresOf, sharedKeyRate } from '../figures.ts';
import { openRegionOf, START_MS } from '../region.ts';
import {
  MINUTE_MS,
  overdue,
  P99_GROWN,
  p99Grown,
  startStreams,
  THREE,
  untilDelivered,
  warmed,
} from './play.ts';
import { dollarsAtMost, noRefusal, nothingMissing, type Scenario, unitShare } from './scenario.ts';

const MERCHANTS = 100_000;
const SAMPLE = { quick: { merchants: 1_000, minutes: 3 }, full: { merchants: 20_000, minutes: 4 } } as const;
/** Ten minutes are one slot, which is folded when it is over, and the sweeps that may take. */
const FOLDED_MS = 15 * MINUTE_MS;

export const smallMerchants: Scenario = {
  name: 'small-merchants',
  what: '100,000 merchants at one event a minute each',
  sampled: {
    quick: '1,000 merchants for three minutes; means of what all share count 100 times',
    full: '20,000 merchants for four minutes; means of what all share count five times',
  },
  limits: [
    noRefusal,
    { what: P99_GROWN, of: ({ own }) => own[P99_GROWN] ?? Number.NaN, atMost: 3_000, only: 'quick' },
    // An invocation of normalize takes up to 300 messages, here of 300 merchants: some 14 calls for each, 0.9 ms of its share of a
    // core each. Fewer messages would be as many more batches of a busy merchant (docs/benchmarks.md).
    { what: P99_GROWN, of: ({ own }) => own[P99_GROWN] ?? Number.NaN, atMost: 8_000, only: 'full' },
    unitShare,
    nothingMissing,
    {
      what: 'slots due for more than two sweeps',
      of: ({ own }) => own['slots due for more than two sweeps'] ?? 0,
      atMost: 0,
    },
    {
      what: 'writes/s of one shard of slots that are due, if all sent',
      of: ({ own }) => own['writes/s of one shard of slots due'] ?? Number.NaN,
      atMost: 1_000,
    },
    {
      what: 'invocations of aggregate at once that are needed, of those its queue may cause',
      of: ({ own }) => own['aggregate, share of its concurrency'] ?? Number.NaN,
      atMost: 1,
    },
    // Each event is an order of a new person here,
    // and linking it with later ones is four of its write units. Few merchants find what an instance has cached of them; of many,
    // each event looks up its merchant anew at every stage.
    dollarsAtMost(13.5, 'quick'),
    dollarsAtMost(17, 'full'),
  ],
  async run(size, seed) {
    const { merchants, minutes } = SAMPLE[size];
    const standsFor = MERCHANTS / merchants;
    const region = await openRegionOf({
      seed,
      merchants,
      connected: THREE,
      context: { deliveryConcurrency: 100, aggregateConcurrency: 150 },
      capacity: warmed(10_000_000, 10_000_000, standsFor),
    });
    const fromMs = START_MS + 1_000;
    const untilMs = fromMs + minutes * MINUTE_MS;
    startStreams(region, [
      { merchants: region.merchants, rate: () => merchants / 60, fromMs, untilMs, firstIndex: 0 },
    ]);
    await region.scheduler.run(untilMs);
    await untilDelivered(region, untilMs + 10 * MINUTE_MS);
    await region.scheduler.run(untilMs + FOLDED_MS);
    region.close();
    const sample = { standsFor, trafficMs: untilMs - fromMs };
    const dueSlots = region.capacity().find(({ name }) => name === 'analytics/due');
    if (dueSlots === undefined) throw new Error('slots have no due index');
    const figures = figuresOf(region, sample);
    const aggregate = figures.quotas.find(({ quota }) => quota.startsWith('concurrency of aggregate'));
    return {
      ...figures,
      own: {
        ...p99Grown(region, fromMs),
        'aggregate, share of its concurrency':
          (aggregate?.used ?? Number.NaN) / (aggregate?.limit ?? Number.NaN),
        'writes/s of one shard of slots due': sharedKeyRate(dueSlots, sample),
        'slots due for more than two sweeps': overdue(region, 'ANALYTICS_TABLE', 2 * MINUTE_MS) * standsFor,
      },
    };
  },
};
