// What a proof is: a way to run the code many times under one kind of hardship, and to count what was promised in vain.
import type { Property, Violation } from '../checks.ts';
import type { CrashPlan } from '../process.ts';
import type { Mutation } from '../world.ts';

export interface ProofOptions {
  /** Of the first run; the others follow from it. */
  readonly seed: number;
  /** How many runs; each proof says what a run is. */
  readonly runs: number;
  readonly mutation?: Mutation;
  /** A crash to add, where a proof knows crashes. */
  readonly crashPlan?: CrashPlan;
}

export interface Finding extends Violation {
  /** Replays it: `npm run prove -- --only <proof> --seed <seed>`. */
  readonly seed: number;
  /** `--crash <point> --occurrence <n>` when that belongs to it. */
  readonly crashPlan?: CrashPlan;
}

export interface ProofResult {
  readonly findings: readonly Finding[];
  /** One sentence per property with the figures that were reached. */
  readonly figures: Readonly<Partial<Record<Property, string>>>;
}

export interface Proof {
  readonly name: string;
  readonly properties: readonly Property[];
  readonly run: (options: ProofOptions) => Promise<ProofResult>;
}

export const figure = (n: number): string => Math.round(n).toLocaleString('en');
