// A queue that hands out a second copy of a message as another first receive: two workers send without a lease, and whoever
// finds the other's success notes that there may be a second copy. A run is one seed in which nobody dies and no call fails.
import { type Figures, type RunOptions, runSeed } from '../run.ts';
import { type Finding, figure, type Proof, type ProofOptions } from './proof.ts';
import { NOTHING } from './storms.ts';

export const COPIES_LOOK_FIRST = { duplicateRate: 0.5, duplicatesLookFirst: true } as const;

const copiesOf = (seed: number): RunOptions => ({
  seed,
  weather: { ...COPIES_LOOK_FIRST, faultRate: 0, crashRate: 0, slowRate: 0 },
});

export const copies: Proof = {
  name: 'copies',
  properties: ['G8'],
  run: async ({ seed, runs, mutation }: ProofOptions) => {
    const findings: Finding[] = [];
    const sum: Record<keyof Figures, number> = { ...NOTHING };
    for (let i = 0; i < runs; i++) {
      const result = await runSeed({ ...copiesOf(seed + i), ...(mutation ? { mutation } : {}) });
      findings.push(...result.violations.map((violation) => ({ ...violation, seed: seed + i })));
      for (const key of Object.keys(sum) as (keyof Figures)[]) sum[key] += result.figures[key];
    }
    const { duplicates, copies, unknowns } = sum;
    const sentence = `${figure(duplicates)} copies handed out as first: ${figure(copies)} surplus at platforms, ${figure(unknowns)} unknown: ${figure(findings.length)} not covered`;
    return { findings, figures: { G8: sentence } };
  },
};
