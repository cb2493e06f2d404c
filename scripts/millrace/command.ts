// A command as data: the command line and its help are made of these.
import type { Redrive, Redriven } from '#lib/adapters/sqs/redrive.ts';
import type { Deployed } from './account/deployed.ts';
import type { OwnSettings } from './account/findings.ts';
import type { Deployment } from './deployment.ts';
import type { Within } from './in-the-name-of.ts';
import type { Ask } from './operator-function.ts';
import type { Recovery } from './restore/recovery.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  /** What stands for its value. */
  readonly value?: string;
  readonly help: string;
}

export interface Given {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

export interface QueueView {
  readonly name: string;
  readonly waiting: number;
  readonly in_flight: number;
  readonly delayed: number;
}

/** What a command works with. */
export interface Scene {
  readonly deployment: Deployment;
  readonly ask: Ask;
  /** Asks the API in a merchant's name: what is done then is in the merchant's audit log. */
  readonly within: Within;
  /** Of every queue of the deployment, as SQS has them. */
  readonly queues: () => Promise<readonly QueueView[]>;
  readonly redrive: (what: Redrive) => Promise<Redriven>;
  readonly recovery: () => Recovery;
  readonly nowMs: number;
  /** Names of queues that nothing takes from. */
  readonly sources: (deployment: Deployment) => Promise<ReadonlySet<string>>;
  /** Functions that may run at once; null: any number. */
  readonly concurrency: (deployment: Deployment) => Promise<number | null>;
  /** As AWS has it now; null where there is no AWS. */
  readonly deployed: (deployment: Deployment) => Promise<Deployed | null>;
  /** Of this environment, as the file on this machine has them; null where there is none. */
  readonly ownSettings: (environment: string | undefined) => OwnSettings | null;
  /** What the person at the terminal types. Rejects where there is none. */
  readonly question: (text: string) => Promise<string>;
  readonly pause: (ms: number) => Promise<unknown>;
  /** A line before the answer, to stdout. */
  readonly print: (line: string) => void;
  /** Beside the answer: to stderr. */
  readonly remark: (line: string) => void;
}

export interface Answer {
  /** With `--json`. */
  readonly json: unknown;
  readonly text: string;
  /** Ends with 1 although it was answered: what was looked for is not well. */
  readonly isRefused?: boolean;
}

export interface Command {
  /** Noun and verb: `merchants create`. */
  readonly name: string;
  /** What follows the name, options apart: `<name>`; one word each. */
  readonly takes: readonly string[];
  readonly purpose: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Throws `UsageProblem` before anything is asked. */
  readonly prepare: (given: Given) => ((scene: Scene) => Promise<Answer>) | { readonly offline: Answer };
}

/** Asked wrongly: what to say instead. */
export class UsageProblem extends Error {}

export const textOf = ({ values }: Given, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
