// The whole pipeline under everything at once: crashes at every call, faults, duplicates, purges, lagging indexes,
// wandering clocks, platforms that misbehave. A run is one seed from first event to rest.
import type { Property } from '../checks.ts';
import type { CrashPoint } from '../process.ts';
import { type Figures, type RunOptions, runSeed } from '../run.ts';
import { type Finding, figure, type Proof, type ProofOptions } from './proof.ts';

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
  run: async ({ seed, runs, mutation, crashPlan }: ProofOptions) => {
    const extra = { ...(mutation ? { mutation } : {}), ...(crashPlan ? { crashPlan } : {}) };
    const findings: Finding[] = [];
    const crashed = new Map<CrashPoint, number>();
    const sum: Record<keyof Figures, number> = { ...NOTHING };
    for (let i = 0; i < runs; i++) {
      const result = await runSeed({ ...stormOf(seed + i), ...extra });
      findings.push(...result.violations.map((violation) => ({ ...violation, seed: seed + i })));
      for (const point of result.world.calls.crashes()) crashed.set(point, (crashed.get(point) ?? 0) + 1);
      for (const key of Object.keys(sum) as (keyof Figures)[]) sum[key] += result.figures[key];
    }
    return { findings, figures: sentences(runs, crashed.size, sum, findings) };
  },
};

export const NOTHING: Figures = {
  accepted: 0,
  refused: 0,
  lostAnswers: 0,
  deliveries: 0,
  copies: 0,
  unknowns: 0,
  duplicates: 0,
  transitions: 0,
  crashes: 0,
  faults: 0,
  auditDrift: 0,
  steps: 0,
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
