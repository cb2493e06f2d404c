// How far a restore is, in a parameter of Systems Manager: the same command goes on from there, from any machine, and a deployment
// is refused meanwhile.
import * as z from 'zod';
import { parameterOf } from '#cdk/stack-names.ts';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';
import type { Deployment } from '../deployment.ts';
import type { Recovery } from './recovery.ts';

/** In the order in which they are done. */
export const STEP_NAMES = [
  'stop',
  'copy',
  'compare',
  'confirm',
  'backup',
  'delete',
  'restore',
  'settings',
  'drift',
  'purge',
  'open',
  'tidy',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

const progress = z.object({
  table: z.string(),
  /** As it was typed. */
  asked: z.string(),
  to: z.iso.datetime(),
  by: z.string(),
  begun_at: z.iso.datetime(),
  next: z.enum(STEP_NAMES),
  /** Of the table that goes. */
  original: z.string(),
  /** Functions with concurrency of their own, as it was before they were stopped. */
  reserved: z.record(z.string(), z.number()),
  is_protected: z.boolean(),
  expiry: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  days: z.number().nullable(),
  items: z.object({ original: z.number(), restored: z.number() }).nullable(),
  backup: z.string().nullable(),
});
export type Progress = Readonly<z.output<typeof progress>>;

type Parameters = Pick<Recovery, 'parameter'>;

export const progressParameter = (environment: string | undefined): string =>
  parameterOf(environment, 'restoring');

/** Null where no restore is under way. */
export async function progressOf(
  account: Parameters,
  { environment }: Pick<Deployment, 'environment'>,
): Promise<Progress | null> {
  const name = progressParameter(environment);
  const held = await account.parameter(name);
  if (held === null) return null;
  const read = readTextBy(progress, held);
  if (read === null)
    throw new Error(
      `What ${name} says of a restore is of another release: go on with that one, or by hand (docs/restore.md).`,
    );
  return read;
}

/** The command that goes on with it. */
export const commandOf = ({ table, asked }: Pick<Progress, 'table' | 'asked'>): string =>
  `npx millrace restore --table ${table} --to ${asked}`;
