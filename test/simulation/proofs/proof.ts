// What a proof is: a way to run the code many times under one kind of hardship, and to count what was promised in vain.
import type { Property, Violation } from '../checks.ts';
import type { CrashPlan } from '../process.ts';
import type { Mutation } from '../world.ts';

export interface ProofOptions {
  /** Of the first run; the others follow from it. */
  readonly seed: number;
  /** How many runs; each proof says what a run is. */
  readonly runs: number;
  readonly mutation?: Mutation | undefined;
  /** A crash to add, where a proof knows crashes. */
  readonly crashPlan?: CrashPlan | undefined;
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

/** Runs seed after seed; `sum` adds up what the runs have counted, name by name. */
export async function everySeed<Name extends string>(
  { seed, runs }: ProofOptions,
  run: (seed: number) => Promise<{
    readonly violations: readonly Violation[];
    readonly figures: Readonly<Record<Name, number>>;
  }>,
): Promise<{ readonly findings: readonly Finding[]; readonly sum: Readonly<Record<Name, number>> }> {
  const findings: Finding[] = [];
  const sum = {} as Record<Name, number>;
  for (let own = seed; own < seed + runs; own++) {
    const { violations, figures } = await run(own);
    findings.push(...violations.map((violation) => ({ ...violation, seed: own })));
    addTo(sum, figures);
  }
  return { findings, sum };
}

export function addTo<Name extends string>(
  sum: Record<Name, number>,
  figures: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(figures) as Name[]) sum[name] = (sum[name] ?? 0) + figures[name];
}

export const violationsOf = (property: Property, problems: readonly string[]): Violation[] =>
  problems.map((what) => ({ property, what }));

export const figure = (n: number): string => Math.round(n).toLocaleString('en');
