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
  quarantine: 100,
  outage: 40,
  replays: 200,
  revocations: 2_000,
  settles: 300,
  shards: 1_000,
  'window-edges': 200,
};
const SEEDS_MAX_DEFAULT = 5;

/** Where mutants that need a rare coincidence were caught last. They are tried there first; what is out of date costs time only. */
const CAUGHT_LAST_AT: Readonly<Record<string, number>> = {
  'announces no slot before it stores a row': 100,
  'counts batches that were forgotten and tells nobody': 5,
  'calls an unknown fate a duplicate': 2,
  'ends the window a millisecond late': 23,
  'ends the window a millisecond early': 51,
  'normalizes whatever state the row is in': 5,
  'takes over a dead worker as if it had done nothing': 8,
  'sends what came back at once, as if it were new': 72,
  'writes an outcome over whatever is there': 12,
  'counts the batches of shard 0 in every shard': 36,
  'leases a batch where somebody may have sent as if nobody had': 77,
  'sends a batch that was received before without a lease': 228,
  'hands over as new what may have been sent and could not be recorded': 154,
  'hands over as new what it left behind at the cutoff': 115,
  'writes the outcomes of a batch over whatever is there': 112,
  'commits the rows of a batch whatever state they are in': 20,
  'sweeps rows and no batches': 6,
  'forgets that a lost answer about a batch may have been a yes': 2,
  'gives a batch up whose answer was lost, as if it had been a no': 2,
  'looks at the retry of a batch a week late': 2,
  'comes back to a batch at once': 8,
  'spreads waits beyond the ladder': 2,
  'gives a batch up after the first failure': 2,
  'comes back at once, whatever the platform asked for': 2,
  'has no circuit breaker': 9,
  'sends at once without asking what the platform takes': 2,
  'looks at parked batches every quarter of an hour': 4,
  'releases parked rows and forgets parked batches': 4,
  'never closes a circuit': 3,
  'overwrites a slot whatever its version': 182,
  'reads the rows before the version': 251,
  'forgets that somebody announced rows for later': 182,
  'recounts the shard that everybody has': 40,
  'revokes the copies it finds, and leaves out those that are missing': 7,
  'makes a copy whether or not there is one': 7,
  'folds a configured number of shards': 57,
  'sums the minutes of a configured number of shards': 57,
  'announces the shard of its first try alone': 12,
  'reads the clock at the end of a fold': 937,
  'fails a whole read for one row': 2,
  'takes a row it cannot read for one that is not there': 2,
  'fails a whole batch for a message of another shape': 2,
  'fails a whole batch for a pointer to nothing': 796,
  'fails a whole batch for a row that is not for its queue': 510,
  'does not look for the server event when the wait is over': 59,
  'writes over what others noted': 14,
  'settles a slot over what others settled meanwhile': 1_868,
  'forgets that a lost answer may have been a yes': 2,
  'takes silence for consent': 2,
  'takes silence about a batch for consent': 2,
  'probes refused credentials every quarter of an hour': 4,
  'recounts the first merchant of a listing': 2,
  'says what is wrong and has nobody count it anew': 2,
  'settles an order over what others wrote to it meanwhile': 27,
  'notes a page before it is stored': 3,
  'goes on with a paused plan': 2,
  'never takes up a plan whose step died': 3,
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
