// The steps of a restore, as data. Guarantees: each can be repeated, also where it was broken off; nothing is deleted before there
// is a backup of what takes its place, nor a table that is not the one it began with; nothing writes between the first step and the
// last but one.
import type { Scene } from '../command.ts';
import { count } from '../merchant-views.ts';
import { commandOf, type Progress, STEP_NAMES, type StepName } from './progress.ts';
import type { Recovery, TableState } from './recovery.ts';

export interface Restoring {
  readonly progress: Progress;
  /** What settings call the table. */
  readonly part: string;
  readonly aws: Recovery;
  readonly deployment: Pick<Scene['deployment'], 'stacks' | 'queueUrls'>;
  readonly isSure: boolean;
  readonly isCounted: boolean;
  readonly say: (line: string) => void;
  /** For the operator, in the answer. */
  readonly note: (line: string) => void;
  readonly question: Scene['question'];
  readonly pause: Scene['pause'];
}

interface Step {
  readonly title: string;
  /** What is to be remembered. */
  readonly run: (restoring: Restoring) => Promise<Partial<Progress> | undefined>;
}

const LOOK_EVERY_MS = 10_000;
const MISSED_MAX = 6;
/** A purge takes up to a minute: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_PurgeQueue.html */
const PURGED_AFTER_MS = 60_000;
/** The sweep switches their expiry, as horizons of pages allow. */
const SWEPT: ReadonlySet<string> = new Set(['events', 'batches']);

export const copyOf = ({ table, to }: Pick<Progress, 'table' | 'to'>): string =>
  `${table}-${to.replaceAll(/[^\dTZ]/g, '')}`;

export async function functionsOf(aws: Recovery, stacks: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(stacks.map((stack) => aws.resources(stack)));
  return found.flat().flatMap(({ type, name }) => (type === 'AWS::Lambda::Function' ? [name] : []));
}

export const STEPS: Readonly<Record<StepName, Step>> = {
  stop: {
    title: 'stops all functions',
    run: async ({ aws, deployment }) => {
      for (const name of await functionsOf(aws, deployment.stacks)) await aws.setConcurrency(name, 0);
      return undefined;
    },
  },
  copy: {
    title: 'restores beside the original',
    run: async (restoring) => {
      const { aws, progress } = restoring;
      const copy = copyOf(progress);
      // Of an earlier restore to this moment, which has only just ended.
      const isGoing = async () => (await aws.table(copy))?.status === 'DELETING';
      await until(`an earlier ${copy} is gone`, async () => !(await isGoing()), restoring);
      if ((await aws.table(copy)) === null)
        await aws.restoreToTime(progress.table, copy, Date.parse(progress.to));
      await untilActive(copy, restoring);
      return undefined;
    },
  },
  compare: {
    title: 'counts the items of both',
    run: async ({ aws, progress, isCounted, say }) => {
      if (!isCounted) return undefined;
      const counted = async (name: string) =>
        await aws.countItems(name, (items) => say(`${name}: ${count(items)} items so far`));
      return {
        items: {
          original: await counted(progress.table),
          restored: await counted(copyOf(progress)),
        },
      };
    },
  },
  confirm: {
    title: 'asks whether the original may go',
    run: async ({ progress, part, isSure, question }) => {
      if (isSure) return undefined;
      const { items, table, to } = progress;
      const compared =
        items === null
          ? 'Nothing was counted.'
          : `It has ${count(items.original)} items, and had ${count(items.restored)} at ${to}.`;
      const typed = await question(
        `${compared} Look at ${copyOf(progress)}. Type ${part} to delete ${table} and put that in its place: `,
      );
      if (typed.trim() !== part)
        throw new Error(
          `Nothing was deleted, and all functions stand still. Go on with ${commandOf(progress)}, or add --abandon.`,
        );
      return undefined;
    },
  },
  backup: {
    title: 'backs the restored table up',
    run: async (restoring) => {
      const { aws, progress } = restoring;
      const copy = copyOf(progress);
      let backup = '';
      const begin = async () => {
        backup = (await aws.backUp(copy, 'restored')) ?? '';
        return backup !== '';
      };
      await until('it can be backed up', begin, restoring);
      await until(
        'the backup is made',
        async () => {
          const status = await aws.backupStatus(backup);
          if (status === 'DELETED') throw new Error(`The backup ${backup} was deleted: repeat this.`);
          return status === 'AVAILABLE';
        },
        restoring,
      );
      return { backup };
    },
  },
  delete: {
    title: 'deletes the original',
    run: async (restoring) => {
      const { aws, progress } = restoring;
      const isOriginal = (found: TableState | null) => found?.id === progress.original;
      const found = await aws.table(progress.table);
      if (isOriginal(found) && found?.status !== 'DELETING') {
        if ((await aws.backupStatus(progress.backup ?? '')) !== 'AVAILABLE')
          throw new Error(`The backup ${progress.backup} is not available: nothing was deleted.`);
        if (found?.isProtected === true) {
          await aws.protect(progress.table, false);
          await untilActive(progress.table, restoring);
        }
        await aws.deleteTable(progress.table);
      }
      await until(
        'the original is gone',
        async () => !isOriginal(await aws.table(progress.table)),
        restoring,
      );
      return undefined;
    },
  },
  restore: {
    title: 'restores under the name of the original',
    run: async (restoring) => {
      const { aws, progress } = restoring;
      if ((await aws.table(progress.table)) === null)
        await aws.restoreBackup(progress.backup ?? '', progress.table);
      await untilActive(progress.table, restoring);
      return undefined;
    },
  },
  settings: {
    title: 'brings back recovery, protection, tags, expiry',
    run: async (restoring) => {
      await bringBack(restoring);
      return undefined;
    },
  },
  drift: {
    title: 'looks at what differs from the stack',
    run: async ({ aws, progress, deployment, note }) => {
      // Not in the way of opening: what differs, or cannot be seen, is there for the operator to read.
      try {
        for (const stack of deployment.stacks) {
          const own = (await aws.resources(stack)).find(({ name }) => name === progress.table);
          if (own === undefined) continue;
          for (const property of await aws.drift(stack, own.id))
            note(`${stack}: ${own.id} differs in ${property}`);
        }
      } catch (error) {
        note(`Drift was not looked at: ${(error as Error).message}`);
      }
      return undefined;
    },
  },
  purge: {
    title: 'purges all queues',
    run: async ({ aws, deployment, pause }) => {
      for (const url of Object.values(deployment.queueUrls)) await aws.purge(url);
      await pause(PURGED_AFTER_MS);
      return undefined;
    },
  },
  open: {
    title: 'lets all functions go on',
    run: async (restoring) => {
      await open(restoring);
      return undefined;
    },
  },
  tidy: {
    title: 'deletes what was restored beside it',
    run: async ({ aws, progress }) => {
      const copy = copyOf(progress);
      if ((await aws.table(copy))?.status === 'ACTIVE') await aws.deleteTable(copy);
      return undefined;
    },
  },
};

/** Those that are left, first the next. */
export const stepsFrom = (next: StepName): readonly StepName[] => STEP_NAMES.slice(STEP_NAMES.indexOf(next));

/** With what was reserved before. */
export async function open({
  aws,
  deployment,
  progress,
}: Pick<Restoring, 'aws' | 'deployment' | 'progress'>): Promise<void> {
  for (const name of await functionsOf(aws, deployment.stacks))
    await aws.setConcurrency(name, progress.reserved[name] ?? null);
}

async function bringBack(restoring: Restoring): Promise<void> {
  const { aws, progress, part, note } = restoring;
  const { table, tags, expiry, days } = progress;
  await until('point-in-time recovery is on', () => aws.recoverToTime(table, days), restoring);
  const found = await untilActive(table, restoring);
  if (progress.is_protected && !found.isProtected) await aws.protect(table, true);
  if (Object.keys(tags).length > 0) await aws.tag(found.arn, tags);
  if (found.isProvisioned)
    note(
      'Auto scaling is registered again by the next deployment that changes its figures (provisionedCapacity).',
    );
  if (expiry === null) return;
  if (SWEPT.has(part)) note('The sweep switches expiry on within an hour or when no archive is late.');
  else await expireUnlessOn(restoring, expiry, found);
}

/** DynamoDB refuses to switch on what is on. */
async function expireUnlessOn(
  { aws, progress: { table } }: Restoring,
  expiry: string,
  found: TableState,
): Promise<void> {
  if ((await aws.settings(found, table)).expiry === null) await aws.expire(table, expiry);
}

async function untilActive(name: string, restoring: Restoring): Promise<TableState> {
  let found: TableState | null = null;
  let missed = 0;
  await until(
    `${name} is there`,
    async () => {
      found = await restoring.aws.table(name);
      // A new table is not seen everywhere at once.
      if (found === null) missed += 1;
      if (missed > MISSED_MAX) throw new Error(`There is no table ${name} any more: repeat this.`);
      return found?.status === 'ACTIVE';
    },
    restoring,
  );
  return found as unknown as TableState;
}

async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { say, pause }: Pick<Restoring, 'say' | 'pause'>,
): Promise<void> {
  for (let waitedMs = 0; !(await isSo()); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs % (6 * LOOK_EVERY_MS) === 0) say(`waits until ${what} (${waitedMs / 60_000} min)`);
    await pause(LOOK_EVERY_MS);
  }
}
