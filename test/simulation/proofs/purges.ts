// Every queue and every dead-letter queue emptied in the middle of traffic: everything still finishes, at most two sweeps
// later; a browser event that waits for its server copy at most three, because a sweep also has to end its wait. A run is one seed, lived twice: with the purges and without.
import { createSeededRandom } from '../../support/memory/random.ts';
import { everyRow, type Violation } from '../checks.ts';
import { CALM, type Weather } from '../faults.ts';
import { type RunResult, runSeed } from '../run.ts';
import type { Mutation } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const SWEEP_MS = 60_000;
const MESSAGE_DELAY_MAX_MS = 3_000;
/** For the way through the queues, not for sweeps: five messages, each as late as this run's messages ever are. */
const HOPS = 5;

export const purges: Proof = {
  name: 'purges',
  properties: ['G7'],
  run: async (options) => {
    const { mutation } = options;
    let late = 0;
    const { findings, sum } = await everySeed(options, async (seed) => {
      const without = latencies(await calmRun(seed, 0, mutation));
      const purged = await calmRun(seed, 6, mutation);
      const problems = purged.violations.filter(isLoss).map(({ what }) => what);
      const extras = [...latencies(purged)].map(
        ([id, latencyMs]) => [id, latencyMs - (without.get(id) ?? 0)] as const,
      );
      for (const [id, extraMs] of extras) {
        late = Math.max(late, extraMs);
        const sweeps = id.startsWith('browser') ? 3 : 2;
        if (extraMs > sweeps * SWEEP_MS + HOPS * MESSAGE_DELAY_MAX_MS)
          problems.push(`${id} came ${Math.round(extraMs / 1_000)} s later`);
      }
      const delayed = extras.filter(([, extraMs]) => extraMs > HOPS * MESSAGE_DELAY_MAX_MS).length;
      return { violations: violationsOf('G7', problems), figures: { events: extras.length, delayed } };
    });
    const sentence = `${figure(options.runs)} x 6 purges, ${figure(sum.events)} deliveries, ${figure(sum.delayed)} of them delayed: ${findings.length} lost or late; max extra ${(late / 1_000).toFixed(0)} s`;
    return { findings, figures: { G7: sentence } };
  },
};

const isLoss = ({ property }: Violation): boolean => property === 'G1';

async function calmRun(seed: number, times: number, mutation: Mutation | undefined): Promise<RunResult> {
  const random = createSeededRandom(`purge/${seed}`);
  const weather: Weather = {
    ...CALM,
    messageDelayMaxMs: random.pick([500, MESSAGE_DELAY_MAX_MS]),
    stormMs: 60_000,
    stormsAtMs: [0],
    purges: times,
  };
  const traffic = { repeatRate: 0, lostAnswerRate: 0, nextDayRate: 0, durationMs: 60_000, events: 20 };
  return await runSeed({ seed, weather, traffic, spells: () => [], mutation });
}

/** Received → delivered per body and platform. */
function latencies({ world }: RunResult): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const row of everyRow(world)) {
    if (row.state !== 'normalized') continue;
    for (const [slug, { deliveredAtMs }] of Object.entries(row.deliveries))
      if (deliveredAtMs !== undefined)
        found.set(`${row.key.channel} ${row.event.orderId} at ${slug}`, deliveredAtMs - row.receivedAtMs);
  }
  return found;
}
