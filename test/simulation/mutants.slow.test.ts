// A check that cannot fail proves nothing: each broken variant must be caught by the proof that is there for it, on seeds
// on which the code as it is comes out clean.
import { describe, expect, it } from 'vitest';
import { PROPERTIES } from './checks.ts';
import { caughtAt, proofOf } from './mutants/caught-at.ts';
import { MUTANTS } from './mutants/every-mutant.ts';

describe('mutants', () => {
  /** Proofs that the code as it is stood, with their seeds: many mutants are caught in the same run. */
  const clean = new Set<string>();
  for (const mutant of MUTANTS) {
    it(`${mutant.property} catches code that ${mutant.name}`, async () => {
      const seed = await caughtAt(mutant);
      expect(seed).not.toBeNull();
      if (clean.has(`${mutant.proof} ${seed}`)) return;
      const { findings } = await proofOf(mutant).run({ seed: seed ?? 0, runs: 1 });
      expect(findings).toEqual([]);
      clean.add(`${mutant.proof} ${seed}`);
    });
  }

  it('leave no property without one', () => {
    const covered = new Set(MUTANTS.map(({ property }) => property));
    expect(PROPERTIES.filter((property) => !covered.has(property))).toEqual([]);
  });
});
