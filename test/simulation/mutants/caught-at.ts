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
  quarantine: 20,
  outage: 40,
  replays: 200,
  revocations: 2_000,
  shards: 1_000,
  'window-edges': 200,
};
const SEEDS_MAX_DEFAULT = 5;

/** Where mutants that need a rare coincidence were caught last. They are tried there first; what is out of date costs time only. */
const CAUGHT_LAST_AT: Readonly<Record<string, number>> = {
  'calls an unknown fate a duplicate': 13,
  'takes over a dead worker as if it had done nothing': 8,
  'writes an outcome over whatever is there': 6,
  'leases a batch where somebody may have sent as if nobody had': 31,
  'writes the outcomes of a batch over whatever is there': 5,
  'sends a batch that was received before without a lease': 176,
  'hands over as new what may have been sent and could not be recorded': 189,
  'hands over as new what it left behind at the cutoff': 28,
  'commits the rows of a batch whatever state they are in': 91,
  'gives a batch up whose answer was lost, as if it had been a no': 9,
  'counts the batches of shard 0 in every shard': 36,
  'has no circuit breaker': 9,
  'reads the rows before the version': 516,
  'recounts the shard that everybody has': 40,
  'does not look for the server event when the wait is over': 33,
  'reads the clock at the end of a fold': 435,
};

export function proofOf({ proof: name }: Pick<Mutant, 'proof'>): Proof {
  const entry = PROOFS.find(({ proof }) => proof.name === name);
  if (!entry) throw new Error(`no proof called ${name}`);
  return entry.proof;
}

/** A seed on which the mutant shows; null when there is none. */
export async function caughtAt({ name, mutation, property, ...mutant }: Mutant): Promise<number | null> {
  const proof = proofOf(mutant);
  const isCaught = async (seed: number): Promise<boolean> => {
    const { findings } = await proof.run({ seed, runs: 1, mutation });
    return findings.some((finding) => finding.property === property);
  };
  const last = CAUGHT_LAST_AT[name];
  if (last !== undefined && (await isCaught(last))) return last;
  for (let seed = 1; seed <= (SEEDS_MAX[proof.name] ?? SEEDS_MAX_DEFAULT); seed++)
    if (await isCaught(seed)) return seed;
  return null;
}
