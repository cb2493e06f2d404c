// A large merchant and a small one at a platform that documents how much it takes of each: what is beyond waits, costs little,
// drains at that rate, and delays no other merchant and no other platform.
import { figuresOf } from '../figures.ts';
import { quantile } from '../journal.ts';
import { openRegionOf, START_MS } from '../region.ts';
import { isSmall, MINUTE_MS, startLargeAndSmall, untilDelivered, warmed } from './play.ts';
import { noRefusal, nothingMissing, type Scenario, unitShare } from './scenario.ts';

const LIMITED = 'x';
/** 60,000 events in 15 minutes. */
const PER_MINUTE = 4_000;
const OTHER = 'tiktok';
const CONNECTED = [LIMITED, OTHER] as const;
const SIZES = {
  quick: { rate: 200, forMs: MINUTE_MS },
  full: { rate: 1_000, forMs: 2 * MINUTE_MS },
} as const;

export const quota: Scenario = {
  name: 'quota',
  what: 'more events than a platform takes in a minute, beside a small merchant',
  sampled: {
    quick: '200 events/s for a minute at 4,000 a minute',
    full: '1,000 events/s for two minutes at 4,000 a minute',
  },
  limits: [
    noRefusal,
    {
      what: 'most events in a minute, of those the platform takes',
      of: ({ own }) => (own['most events in a minute'] ?? Number.NaN) / PER_MINUTE,
      // A fiftieth is free of each process.
      atMost: 1.5,
    },
    {
      what: 'minutes until all were out, of those the quota needs',
      of: ({ own }) => (own['minutes until all were out'] ?? Number.NaN) / (own['minutes needed'] ?? 1),
      atMost: 2,
    },
    {
      what: 'p99 of the small merchant and of the other platform, ms',
      of: ({ own }) => own['p99 of the others, ms'] ?? Number.NaN,
      atMost: 5_000,
    },
    {
      what: 'write units beyond those of an event that goes out at once, per event that waited',
      of: ({ own }) => own['extra write units, per event that waited'] ?? Number.NaN,
      atMost: 6,
    },
    unitShare,
    nothingMissing,
  ],
  async run(size, seed) {
    const { rate, forMs } = SIZES[size];
    const free = await play({ rate: PER_MINUTE / 60 / 2, forMs: 20_000, seed });
    const full = await play({ rate, forMs, seed });
    const waited = Math.max(1, full.events - (PER_MINUTE * forMs) / MINUTE_MS);
    return {
      ...full.figures,
      own: {
        'most events in a minute': full.most,
        'minutes needed': full.events / PER_MINUTE,
        'minutes until all were out': full.minutes,
        'p99 of the others, ms': full.othersMs,
        'extra write units, per event that waited':
          ((full.figures.writeUnitsPerEvent - free.figures.writeUnitsPerEvent) * full.events) / waited,
      },
    };
  },
};

async function play({
  rate,
  forMs,
  seed,
}: {
  readonly rate: number;
  readonly forMs: number;
  readonly seed: string;
}) {
  const region = await openRegionOf({
    seed,
    merchants: 2,
    connected: CONNECTED,
    context: { deliveryConcurrency: 50 },
    capacity: warmed(40_000, 40_000),
  });
  const fromMs = START_MS + 1_000;
  const untilMs = fromMs + forMs;
  startLargeAndSmall(region, { rate, fromMs, untilMs });
  await region.scheduler.run(untilMs);
  const doneMs = await untilDelivered(region, untilMs + 90 * MINUTE_MS);
  const { journal } = region;
  const minutes = new Map<number, number>();
  for (const [second, events] of journal.perSecond(LIMITED)) {
    const minute = Math.floor(second / 60);
    minutes.set(minute, (minutes.get(minute) ?? 0) + events);
  }
  const p99 = (of: Parameters<typeof journal.latencies>[0]): number => quantile(journal.latencies(of), 0.99);
  region.close();
  return {
    figures: figuresOf(region),
    events: journal.accepted(),
    most: Math.max(...minutes.values()),
    minutes: (doneMs - fromMs) / MINUTE_MS,
    othersMs: Math.max(p99({ platforms: [OTHER] }), p99({ platforms: [LIMITED], indexes: isSmall })),
  };
}
