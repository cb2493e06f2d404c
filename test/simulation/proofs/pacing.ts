// More events than a platform documents that it takes, whose vendor refuses what is beyond: it sees its quota, and what each
// process may send without asking; the rest waits in one write, without an attempt, and goes out at the quota's rate. A run is
// one such burst.
import { everyRow } from '../checks.ts';
import { CALM } from '../faults.ts';
import { runSeed } from '../run.ts';
import { EPOCH_MS, type LimitedVendor, type Mutation } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const EVENTS = 200;
const MINUTE_MS = 60_000;
/** One event is free of each process and minute. */
const LIMITED: LimitedVendor = {
  slug: 'alpha',
  quota: { counts: 'events', max: 50, perSec: 60 },
  slack: 35,
};
/** Events of browsers wait for their server copies. */
const PROMPT_MS = 4 * MINUTE_MS;
/** Two minutes begin while the events come. Then the quota's rate, and sweeps that find what waits. */
const DRAINED_MS = (EVENTS / LIMITED.quota.max + 5) * MINUTE_MS;
/** A write that parks, a lease, an answer; one of the former more where the window ended between them. */
const WRITES_MAX = 4;

export const pacing: Proof = {
  name: 'pacing',
  properties: ['G12'],
  run: async (options) => {
    let most = 0;
    let lastMs = 0;
    const { findings, sum } = await everySeed(options, async (seed) => {
      const run = await burst(seed, options.mutation);
      most = Math.max(most, run.most);
      lastMs = Math.max(lastMs, run.lastMs);
      return { violations: violationsOf('G12', run.wrong), figures: { waited: run.waited } };
    });
    const sentence = `${figure(options.runs)} bursts of ${EVENTS} events at a quota of ${LIMITED.quota.max} a minute: at most ${most} in one, ${figure(sum.waited)} waited, the last one out after ${(lastMs / 1_000).toFixed(0)} s, ${findings.length} wrong`;
    return { findings, figures: { G12: sentence } };
  },
};

async function burst(seed: number, mutation: Mutation | undefined) {
  const waited = new Set<string>();
  const result = await runSeed({
    seed,
    weather: { ...CALM, oneProcess: seed % 2 === 0, windowMs: seed % 3 === 0 ? 5_000 : 0 },
    traffic: {
      ...{ repeatRate: 0, lostAnswerRate: 0, nextDayRate: 0, poisonRate: 0 },
      events: EVENTS,
      durationMs: MINUTE_MS,
      freshOnly: true,
    },
    spells: () => [],
    undisturbed: true,
    limited: LIMITED,
    prepare: (world) => {
      const look = (): void => {
        for (const row of everyRow(world))
          if (row.state === 'normalized' && row.deliveries.alpha?.reason === 'platform_limit')
            waited.add(row.event.orderId ?? '');
      };
      for (let minute = 1; minute < 12; minute++) world.timeline.at(EPOCH_MS + minute * MINUTE_MS, look);
    },
    mutation,
  });
  const wrong = result.violations.map(({ property, what }) => `${property}: ${what}`);
  const vendor = result.world.vendors.get(LIMITED.slug);
  const most = vendor?.mostInWindow() ?? 0;
  if (most > LIMITED.quota.max + LIMITED.slack) wrong.push(`${most} events in one window`);
  if (waited.size === 0) wrong.push('nothing waited');
  let lastMs = 0;
  for (const row of everyRow(result.world)) {
    if (row.state !== 'normalized') continue;
    for (const [slug, { state, attempts, deliveredAtMs = 0 }] of Object.entries(row.deliveries)) {
      const id = `${row.event.orderId} at ${slug}`;
      const lateMs = deliveredAtMs - row.receivedAtMs;
      if (state !== 'DELIVERED' || attempts !== 1) wrong.push(`${id}: ${state} after ${attempts} attempts`);
      else if (lateMs > (slug === LIMITED.slug ? DRAINED_MS : PROMPT_MS))
        wrong.push(`${id}: ${Math.round(lateMs / 1_000)} s late`);
      if (slug === LIMITED.slug) lastMs = Math.max(lastMs, lateMs);
    }
  }
  const deliveries = EVENTS * result.world.vendors.size;
  if (result.world.ledger.transitions > WRITES_MAX * deliveries)
    wrong.push(`${result.world.ledger.transitions} writes to ${deliveries} deliveries`);
  return { wrong, most, lastMs, waited: waited.size };
}
