// The whole pipeline under everything at once: crashes at every call, faults, duplicates, purges, lagging indexes,
// wandering clocks, platforms that misbehave. A run is one seed from first event to rest.
import type { Property } from '../checks.ts';
import type { CrashPoint } from '../process.ts';
import { type Figures, type RunOptions, runSeed } from '../run.ts';
import { everySeed, type Finding, figure, type Proof } from './proof.ts';

/** Every few seeds the weather is all duplicates, so that their number is beyond doubt. */
const DUPLICATES_EVERY = 4;

export function stormOf(seed: number): RunOptions {
  return seed % DUPLICATES_EVERY === 0 ? { seed, weather: { duplicateRate: 0.8 } } : { seed };
}

/** What every run of the whole pipeline is checked for. */
export const PIPELINE_PROPERTIES = [
  'G1',
  'G2',
  'G4',
  'G5',
  'G8',
  'G9',
  'G11',
] as const satisfies readonly Property[];

export const storms: Proof = {
  name: 'storms',
  properties: PIPELINE_PROPERTIES,
  run: async (options) => {
    const { mutation, crashPlan } = options;
    const crashed = new Set<CrashPoint>();
    const { findings, sum } = await everySeed(options, async (seed) => {
      const result = await runSeed({ ...stormOf(seed), mutation, crashPlan });
      for (const point of result.world.calls.crashes()) crashed.add(point);
      return result;
    });
    return { findings, figures: sentences(options.runs, crashed.size, sum, findings) };
  },
};

/** What many runs of the whole pipeline come to. `points`: crash points at which a process died. */
export function sentences(runs: number, points: number, sum: Figures, findings: readonly Finding[]) {
  const bad = (property: Property) => figure(findings.filter((f) => f.property === property).length);
  const { accepted, refused, lostAnswers, deliveries, copies, unknowns, duplicates, transitions, crashes } =
    sum;
  return {
    G1: `${points} crash points x ${figure(runs)} schedules, ${figure(crashes)} crashes, ${figure(sum.faults)} faults: ${bad('G1')} of ${figure(accepted)} lost`,
    G2: `${figure(duplicates)} injected duplicates: ${bad('G2')} processed twice`,
    G4: `${figure(refused)} x 409: ${bad('G4')} untrue, ${bad('G4')} processed all the same`,
    G5: `${figure(lostAnswers)} lost answers: ${bad('G5')} duplicates, ${bad('G1')} losses`,
    G8: `${figure(unknowns)} unknown outcomes, ${figure(copies)} surplus copies among ${figure(deliveries)} deliveries: ${bad('G8')} not covered`,
    G9: `${bad('G9')} of ${figure(deliveries)} deliveries misreported`,
    G11: `drift ${bad('G11')} over ${figure(transitions)} transitions, ${figure(crashes)} crashes`,
  };
}
