// A sealed minute whose counters somebody got wrong, with the hour and the day above it: the audit of its hour says so and has
// it counted anew. Counters that are right are never called wrong. A run is one seed from first event to rest; every third one
// is left alone.
import { shardOf } from '#lib/events/domain/shard.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { CALM } from '../faults.ts';
import { runSeed } from '../run.ts';
import { EPOCH_MS, type Mutation, type World } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

/** After the first hour is sealed, and before its audit. */
const TAMPERED_MS = 90 * 60_000;
/** What nobody sent. */
const SURPLUS = 7;

export const audits: Proof = {
  name: 'audits',
  properties: ['G11'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { problems, tampered, drift } = await auditedRun(seed, options.mutation);
      const figures = { wrong: tampered ? 1 : 0, found: drift > 0 ? 1 : 0 };
      return { violations: violationsOf('G11', problems), figures };
    });
    const sentence = `${figure(sum.wrong)} wrong minutes in ${figure(options.runs)} audited hours: ${figure(sum.found)} found, ${figure(findings.length)} missed, left wrong or called wrong in vain`;
    return { findings, figures: { G11: sentence } };
  },
};

async function auditedRun(seed: number, mutation: Mutation | undefined) {
  const random = createSeededRandom(`audit/${seed}`);
  const isTampered = seed % 3 !== 0;
  let tampered = false;
  const { violations, figures } = await runSeed({
    seed,
    weather: { ...CALM, shardsMax: random.pick([1, 3]), windowMs: random.pick([0, 20_000]) },
    traffic: { repeatRate: 0, lostAnswerRate: 0, nextDayRate: 0, durationMs: 60_000, events: 20 },
    spells: () => [],
    prepare: (world) => {
      world.timeline.at(EPOCH_MS + TAMPERED_MS, () => {
        if (!isTampered) return;
        tamper(world, random.below(1_000)).then(
          (done) => {
            tampered = done;
          },
          () => undefined,
        );
      });
    },
    mutation,
  });
  const drift = figures.auditDrift;
  const problems = violations.map(({ property, what }) => `${property}: ${what}`);
  if (isTampered && !tampered) problems.push('no minute was sealed in time');
  if (tampered !== drift > 0)
    problems.push(tampered ? 'a wrong minute was not found' : 'called wrong in vain');
  return { problems, tampered, drift };
}

/** Writes a sealed minute wrong, and what is summed from it: as a fold that miscounted would leave them. */
async function tamper({ stores: { counters } }: World, nth: number): Promise<boolean> {
  const sealed = counters
    .rows()
    .filter(({ key, dueAtMs }) => key.grain === 'minute' && dueAtMs === undefined);
  // The last shards first: somebody may look at the first one alone.
  const [minute] = sealed
    .sort((a, b) => shardOf(b.key) - shardOf(a.key))
    .slice(nth % Math.max(1, Math.ceil(sealed.length / 2)));
  if (minute === undefined) return false;
  const { merchantId, startMs } = minute.key;
  const above = counters
    .rows()
    .filter(({ key }) => key.grain !== 'minute' && key.merchantId === merchantId && key.startMs <= startMs);
  for (const row of [minute, ...above]) {
    const events = row.counters.events + SURPLUS;
    await counters.write({ ...row, version: row.version + 1, counters: { ...row.counters, events } });
  }
  return true;
}
