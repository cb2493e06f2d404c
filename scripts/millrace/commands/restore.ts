import * as z from 'zod';
import { parameterOf } from '#cdk/stack-names.ts';
import { takeLock } from '../../deploy/lock.ts';
import { type Command, type Given, type Scene, textOf, UsageProblem } from '../command.ts';
import { count } from '../merchant-views.ts';
import {
  commandOf,
  type Progress,
  progressOf,
  progressParameter,
  type StepName,
} from '../restore/progress.ts';
import type { Recovery } from '../restore/recovery.ts';
import { copyOf, functionsOf, open, type Restoring, STEPS, stepsFrom } from '../restore/steps.ts';
import { facts } from '../table.ts';

const LATEST = 'latest';
const NAME_LENGTH_MAX = 255;
const time = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.date(),
]);

interface Wish {
  readonly table: string;
  readonly asked: string;
  readonly isSure: boolean;
  readonly isCounted: boolean;
  readonly isDryRun: boolean;
  readonly isAbandoned: boolean;
}

export const restore: Command = {
  name: 'restore',
  takes: [],
  purpose: 'Puts a table back to a moment, with all functions stopped; broken off, the same command goes on.',
  options: {
    table: { type: 'string', value: 'table', help: 'events, batches, config, …, or its name in DynamoDB' },
    to: { type: 'string', value: 'time', help: `2026-11-20T08:00Z; ${LATEST}: as late as DynamoDB can` },
    'dry-run': { type: 'boolean', help: 'only says what would be done' },
    'no-count': { type: 'boolean', help: 'does not count the items of both, which reads the whole table' },
    yes: {
      type: 'boolean',
      help: 'does not ask before it stops everything, nor before it deletes the original',
    },
    abandon: { type: 'boolean', help: 'ends one whose original is still there: all goes on as it was' },
  },
  prepare(given) {
    const wish = wishIn(given);
    return async (scene) => {
      const { deployment, recovery } = scene;
      if (deployment.token !== undefined)
        throw new Error('A host on this machine has no backups of its tables: copy its folder instead.');
      const part = partOf(wish.table, deployment.tables);
      const table = deployment.tables[part] ?? '';
      const aws = recovery();
      const begun = await progressOf(aws, deployment);
      if (begun !== null && (begun.table !== table || begun.asked !== wish.asked))
        throw new Error(
          `${begun.by} restores ${begun.table} to ${begun.asked} since ${begun.begun_at}: go on with ${commandOf(begun)}, or add --abandon to that.`,
        );
      if (wish.isAbandoned) return await abandon(begun, aws, scene);
      const progress = begun ?? (await planned({ table, asked: wish.asked }, aws, scene));
      if (wish.isDryRun) return answerOf(progress, part, ['Nothing was done.', ...plan(progress, part)]);
      if (begun === null) await begin(progress, { part, wish, aws, scene });
      return await goOn(progress, { part, wish, aws, scene });
    };
  },
};

function wishIn(given: Given): Wish {
  const [table, asked] = [textOf(given, 'table'), textOf(given, 'to')];
  if (table === undefined || table === '') throw new UsageProblem('Say which: --table events');
  if (asked === undefined || !(asked === LATEST || time.safeParse(asked).success))
    throw new UsageProblem(`--to takes a time with its zone, 2026-11-20T08:00Z, or ${LATEST}.`);
  return {
    table,
    asked,
    isSure: given.values.yes === true,
    isCounted: given.values['no-count'] !== true,
    isDryRun: given.values['dry-run'] === true,
    isAbandoned: given.values.abandon === true,
  };
}

function partOf(wanted: string, tables: Readonly<Record<string, string>>): string {
  const found = Object.entries(tables).find(([part, name]) => part === wanted || name === wanted);
  if (found === undefined)
    throw new Error(`There is no table ${wanted}: ${Object.keys(tables).sort().join(', ')}.`);
  return found[0];
}

/** What would be done, after all that can be refused before. */
async function planned(
  { table, asked }: { readonly table: string; readonly asked: string },
  aws: Recovery,
  { nowMs, deployment }: Scene,
): Promise<Progress> {
  const [found, window] = await Promise.all([aws.table(table), aws.window(table)]);
  if (found === null) throw new Error(`There is no table ${table} in ${deployment.region}.`);
  if (window === null)
    throw new Error(`${table} has no point-in-time recovery: there is nothing to go back to.`);
  const [from, latest] = [window.fromMs, window.toMs].map((ms) => new Date(ms).toISOString());
  const toMs = asked === LATEST ? window.toMs : Date.parse(asked);
  if (asked !== LATEST && toMs > nowMs) throw new Error(`--to ${asked} is in the future.`);
  if (toMs < window.fromMs || toMs > window.toMs)
    throw new Error(`--to ${asked}: ${table} can go back to any second from ${from} to ${latest}.`);
  const { identity, concurrency, settings } = aws;
  const functions = await functionsOf(aws, deployment.stacks);
  const reserved = await Promise.all(functions.map(async (name) => [name, await concurrency(name)] as const));
  const { expiry, tags } = await settings(found, table);
  const progress: Progress = {
    table,
    asked,
    to: new Date(toMs).toISOString(),
    by: (await identity()).arn,
    begun_at: new Date(nowMs).toISOString(),
    next: 'stop',
    original: found.id,
    reserved: Object.fromEntries(reserved.flatMap(([name, n]) => (n === null ? [] : [[name, n]]))),
    is_protected: found.isProtected,
    expiry,
    tags,
    days: window.days,
    items: null,
    backup: null,
  };
  if (copyOf(progress).length > NAME_LENGTH_MAX)
    throw new Error(`The name ${table} is too long to restore beside it.`);
  return progress;
}

const plan = (progress: Progress, part: string): readonly string[] =>
  stepsFrom(progress.next).map(
    (name, i) => `${i + 1}. ${STEPS[name].title}${name === 'confirm' ? ` (${part})` : ''}`,
  );

interface Working {
  readonly part: string;
  readonly wish: Wish;
  readonly aws: Recovery;
  readonly scene: Scene;
}

/** Not beside a deployment, which looks for the parameter under the lock that is taken here. */
async function begin(progress: Progress, { part, wish, aws, scene }: Working): Promise<void> {
  const { remark, question, deployment } = scene;
  for (const line of plan(progress, part)) remark(line);
  if (!wish.isSure) {
    const typed = await question(
      `Until the last step but one nothing is accepted or delivered. Type ${part} to begin: `,
    );
    if (typed.trim() !== part) throw new Error('Nothing was done.');
  }
  const { environment } = deployment;
  const name = parameterOf(environment, 'deploying');
  const unlock = await takeLock({
    account: aws,
    name,
    who: progress.by,
    now: () => scene.nowMs,
    say: remark,
  });
  try {
    if (
      !(await aws.putParameter(progressParameter(environment), JSON.stringify(progress), { replace: false }))
    )
      throw new Error('Another restore has begun meanwhile: nothing was done.');
  } finally {
    await unlock().catch((error: Error) => remark(`The lock was not let go of: ${error.message}`));
  }
}

async function goOn(begun: Progress, { part, wish, aws, scene }: Working) {
  const { deployment, remark, question, pause } = scene;
  const name = progressParameter(deployment.environment);
  const notes: string[] = [];
  let progress = begun;
  for (const step of stepsFrom(begun.next)) {
    remark(`${STEPS[step].title} …`);
    const restoring: Restoring = {
      ...{ progress, part, aws, deployment, question, pause },
      ...{ isSure: wish.isSure, isCounted: wish.isCounted },
      say: remark,
      note: (line) => notes.push(line),
    };
    const more = await STEPS[step].run(restoring);
    const next: StepName | undefined = stepsFrom(step)[1];
    progress = { ...progress, ...more, ...(next === undefined ? {} : { next }) };
    if (next === undefined) await aws.deleteParameter(name);
    else await aws.putParameter(name, JSON.stringify(progress), { replace: true });
  }
  return answerOf(progress, part, [
    ...notes,
    `The backup stays until it is deleted: ${progress.backup}`,
    'Ask again for every erasure, suppression and removal since: docs/restore.md.',
  ]);
}

async function abandon(begun: Progress | null, aws: Recovery, { deployment, remark }: Scene) {
  if (begun === null) throw new Error('No restore is under way.');
  const found = await aws.table(begun.table);
  if (found?.id !== begun.original || found.status === 'DELETING')
    throw new Error(`The original is gone: go on with ${commandOf(begun)}.`);
  if (begun.is_protected && !found.isProtected) await aws.protect(begun.table, true);
  remark(`${STEPS.open.title} …`);
  await open({ aws, deployment, progress: begun });
  await aws.deleteParameter(progressParameter(deployment.environment));
  const text = `Abandoned. ${begun.table} is as it was; delete ${copyOf(begun)} where it is there.\n`;
  return { json: { abandoned: true, table: begun.table, copy: copyOf(begun) }, text };
}

function answerOf(progress: Progress, part: string, lines: readonly string[]) {
  const { table, to, items, backup, next } = progress;
  const rows = [
    ['table', `${part}, ${table}`],
    ['to', to],
    ...(items === null
      ? []
      : [['items', `${count(items.restored)}, where there were ${count(items.original)}`]]),
  ] as const;
  return {
    json: { part, table, to, items, backup, next, notes: lines },
    text: `${facts(rows as readonly (readonly [string, string])[])}${lines.join('\n')}\n`,
  };
}
