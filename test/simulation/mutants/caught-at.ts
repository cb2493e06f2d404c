// Looks for a mutant with the proof that is there for it.
import { PROOFS } from '../proofs/every-proof.ts';
import type { Proof } from '../proofs/proof.ts';
import type { Mutant } from './mutant.ts';

/** Seeds tried per mutant before it counts as not caught; some need a rare coincidence. */
const SEEDS_MAX: Readonly<Record<string, number>> = {
  audits: 100,
  copies: 40,
  folds: 3_000,
  storms: 250,
  'open-door': 100,
  outage: 40,
  replays: 200,
  revocations: 2_000,
  shards: 1_000,
  'window-edges': 200,
};
const SEEDS_MAX_DEFAULT = 5;

export function proofOf({ proof: name }: Mutant): Proof {
  const entry = PROOFS.find(({ proof }) => proof.name === name);
  if (!entry) throw new Error(`no proof called ${name}`);
  return entry.proof;
}

/** The first seed on which the mutant shows; null when none does. */
export async function caughtAt(mutant: Mutant): Promise<number | null> {
  const proof = proofOf(mutant);
  for (let seed = 1; seed <= (SEEDS_MAX[proof.name] ?? SEEDS_MAX_DEFAULT); seed++) {
    const { findings } = await proof.run({ seed, runs: 1, mutation: mutant.mutation });
    if (findings.some(({ property }) => property === mutant.property)) return seed;
  }
  return null;
}
