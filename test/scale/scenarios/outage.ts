// A platform is down while events keep coming, and comes back: how fast the backlog drains, what it costs, and whether a
// small merchant waits behind a large one.
import { bestTenSeconds, figuresOf } from '../figures.ts';
import { openRegionOf, START_MS } from '../region.ts';
import {
  isSmall,
  MINUTE_MS,
  overdue,
  startLargeAndSmall,
  startStreams,
  untilDelivered,
  warmed,
} from './play.ts';
import { noRefusal, nothingMissing, type Scenario, unitShare } from './scenario.ts';

const DOWN = 'meta';
const SIZES = {
  quick: { rate: 200, outageMs: 60_000, afterMs: 5_000 },
  full: { rate: 1_000, outageMs: 5 * MINUTE_MS, afterMs: MINUTE_MS },
} as const;
const CONNECTED = [DOWN, 'tiktok'] as const;
const SWEEP_MS = MINUTE_MS;
/** Breaker and ladder let the first attempt after the end of an outage wait so long. */
const LADDER_MS = 6 * MINUTE_MS;
/** Events of the small merchant have indexes of their own. */

export const outage: Scenario = {
  name: 'outage',
  what: 'one of two platforms down for an hour at 1,000 events/s, and its recovery',
  sampled: {
    quick: '200 events/s, down for a minute',
    full: '1,000 events/s, down for five minutes: what the ladder makes of an hour costs less per minute, not more',
  },
  limits: [
    noRefusal,
    {
      what: 'backlog drained after the recovery, events/s, against the rate at which they come',
      of: ({ own }) => (own['drained per second'] ?? 0) / (own['rate of events'] ?? 1),
      atLeast: 1,
    },
    {
      what: 'seconds from the recovery until the small merchant’s last event is delivered, beyond the ladder’s own wait',
      of: ({ own }) => own['small merchant done, s'] ?? 0,
      atMost: (LADDER_MS + 2 * SWEEP_MS) / 1_000,
    },
    unitShare,
    nothingMissing,
    {
      what: 'write units beyond those of a quiet run, per event that waited',
      of: ({ own }) => own['extra write units, per event that waited'] ?? Number.NaN,
      atMost: 1,
    },
  ],
  async run(size, seed) {
    const { rate, outageMs, afterMs } = SIZES[size];
    const quietWriteUnits = await quiet(rate, seed);
    const fromMs = START_MS + 1_000;
    const backMs = fromMs + outageMs;
    const untilMs = backMs + afterMs;
    const region = await openRegionOf({
      seed,
      merchants: 2,
      connected: CONNECTED,
      context: { deliveryConcurrency: 50 },
      capacity: warmed(40_000, 40_000),
      mood: (slug, nowMs) => (slug === DOWN && nowMs >= fromMs && nowMs < backMs ? 'down' : 'up'),
    });
    startLargeAndSmall(region, { rate, fromMs, untilMs });
    await region.scheduler.run(backMs);
    const atBack = region.journal.deliveries(DOWN);
    const backlog = region.journal.accepted() - atBack;
    const doneMs = await untilDelivered(region, untilMs + 30 * MINUTE_MS);
    const latencies = region.journal.latencies({ platforms: [DOWN], indexes: isSmall, toMs: backMs });
    region.close();
    const figures = figuresOf(region);
    return {
      ...figures,
      own: {
        'rate of events': rate,
        'backlog at the recovery': backlog,
        'drained per second': bestTenSeconds(region.journal.perSecond(DOWN), backMs),
        'seconds until the backlog was gone': (doneMs - backMs) / 1_000,
        // The oldest came when the outage began.
        'small merchant done, s': ((latencies.at(-1) ?? 0) - outageMs) / 1_000,
        'extra write units, per event that waited':
          ((figures.writeUnitsPerEvent - quietWriteUnits) * figures.accepted) / Math.max(1, backlog),
        'rows and batches due for more than two sweeps':
          overdue(region, 'EVENTS_TABLE', 2 * SWEEP_MS) + overdue(region, 'BATCHES_TABLE', 2 * SWEEP_MS),
      },
    };
  },
};

const QUIET_MS = 10_000;

/** What an event writes where nothing is down. */
async function quiet(rate: number, seed: string): Promise<number> {
  const region = await openRegionOf({
    seed,
    merchants: 1,
    connected: CONNECTED,
    capacity: warmed(40_000, 40_000),
  });
  const fromMs = START_MS + 1_000;
  const untilMs = fromMs + QUIET_MS;
  startStreams(region, [{ merchants: region.merchants, rate: () => rate, fromMs, untilMs, firstIndex: 0 }]);
  await region.scheduler.run(untilMs);
  await untilDelivered(region, untilMs + 10 * MINUTE_MS);
  region.close();
  return figuresOf(region).writeUnitsPerEvent;
}
