// Crashes by plan: at every numbered point of the pipeline, on both sides of the call's effect, on schedules of their
// own. A run is one pass over all points.
import type { CrashPoint } from '../process.ts';
import { type Figures, runSeed } from '../run.ts';
import { addTo, type Finding, type Proof } from './proof.ts';
import { PIPELINE_PROPERTIES, sentences, stormOf } from './storms.ts';

/** Seeds whose runs, together, come by every call the pipeline makes. */
const SURVEY = 25;

/** All crash points that a number of ordinary runs come by. */
export async function surveyCrashPoints(seed: number): Promise<readonly CrashPoint[]> {
  const points = new Set<CrashPoint>();
  for (let i = 0; i < SURVEY; i++) {
    const { crashPoints } = await runSeed(stormOf(seed + i));
    for (const point of crashPoints.keys()) points.add(point);
  }
  return [...points].sort();
}

export const crashPoints: Proof = {
  name: 'crash-points',
  properties: PIPELINE_PROPERTIES,
  run: async ({ seed, runs, mutation }) => {
    const points = await surveyCrashPoints(seed);
    const findings: Finding[] = [];
    const sum = {} as Record<keyof Figures, number>;
    const hit = new Set<CrashPoint>();
    for (let pass = 0; pass < runs; pass++) {
      for (const [index, point] of points.entries()) {
        const own = seed + pass * 1_000 + index;
        const crashPlan = { point, occurrence: 1 + (pass % 3) };
        const result = await runSeed({ ...stormOf(own), crashPlan, mutation });
        if (result.world.calls.crashes().includes(point)) hit.add(point);
        addTo(sum, result.figures);
        findings.push(...result.violations.map((violation) => ({ ...violation, seed: own, crashPlan })));
      }
    }
    return { findings, figures: sentences(runs * points.length, hit.size, sum, findings) };
  },
};
