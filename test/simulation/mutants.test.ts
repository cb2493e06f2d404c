// A check that cannot fail proves nothing: each broken variant must be caught by the proof that is there for it, on seeds
// on which the code as it is comes out clean.
import { describe, expect, it } from 'vitest';
import { PROPERTIES } from './checks.ts';
import { MUTANTS } from './mutants/every-mutant.ts';
import type { Mutant } from './mutants/mutant.ts';
import { PROOFS } from './proofs/every-proof.ts';
import type { Proof } from './proofs/proof.ts';

/** Seeds tried per mutant before it counts as not caught; some need a rare coincidence. */
const SEEDS_MAX: Readonly<Record<string, number>> = { folds: 3_000, storms: 60 };
const SEEDS_MAX_DEFAULT = 5;

function proofOf({ proof: name }: Mutant): Proof {
  const entry = PROOFS.find(({ proof }) => proof.name === name);
  if (!entry) throw new Error(`no proof called ${name}`);
  return entry.proof;
}

/** The first seed on which the mutant shows; null when none does. */
async function caughtAt(mutant: Mutant): Promise<number | null> {
  const proof = proofOf(mutant);
  for (let seed = 1; seed <= (SEEDS_MAX[proof.name] ?? SEEDS_MAX_DEFAULT); seed++) {
    const { findings } = await proof.run({ seed, runs: 1, mutation: mutant.mutation });
    if (findings.some(({ property }) => property === mutant.property)) return seed;
  }
  return null;
}

describe('mutants', () => {
  for (const mutant of MUTANTS) {
    it(`${mutant.property} catches code that ${mutant.name}`, { timeout: 60_000 }, async () => {
      const seed = await caughtAt(mutant);
      expect(seed).not.toBeNull();
      const { findings } = await proofOf(mutant).run({ seed: seed ?? 0, runs: 1 });
      expect(findings).toEqual([]);
    });
  }

  it('leave no property without one', () => {
    const covered = new Set(MUTANTS.map(({ property }) => property));
    expect(PROPERTIES.filter((property) => !covered.has(property))).toEqual([]);
  });
});
