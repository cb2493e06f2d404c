import * as z from 'zod';
import type { Command, Scene } from '../command.ts';
import { costText, incident, minute, pagesOf, platform, unitsOf } from '../merchant-views.ts';
import { table } from '../table.ts';
import { pausedList } from './pause-platform.ts';

export const due = z.array(
  z.object({
    what: z.string(),
    overdue: z.number(),
    oldest: z.string().nullable(),
    complete: z.boolean(),
  }),
);
const trouble = z.object({
  id: z.string(),
  name: z.string().nullable(),
  state: z.enum(['active', 'suspended', 'removing', 'unreadable']),
  platforms: z.array(platform),
  incidents: z.array(incident),
});
type Trouble = z.output<typeof trouble>;
const page = z.object({
  seen: z.number(),
  merchants: z.array(trouble),
  next_cursor: z.string().nullable(),
  read_units: z.number(),
});

export const status: Command = {
  name: 'status',
  takes: [],
  purpose: 'Queues, dead letters, what is due longest, and merchants with trouble.',
  prepare: () => async (scene) => {
    const [queues, { paused }, { due: overdue }, found] = await Promise.all([
      scene.queues(),
      scene.ask('platforms/paused', {}, pausedList),
      scene.ask('status/due', {}, z.object({ due })),
      inTrouble(scene),
    ]);
    scene.remark(costText(found.readUnits));
    const { merchants, seen } = found;
    const json = {
      approximate_queues: queues,
      paused_platforms: paused,
      due: overdue,
      merchants_seen: seen,
      merchants_in_trouble: merchants,
    };
    return {
      json,
      text: [queuesText(queues), ...pausedText(paused), dueText(overdue), troubleText(merchants, seen)].join(
        '\n',
      ),
    };
  },
};

export async function inTrouble({ ask }: Scene) {
  const pages = await pagesOf(ask, 'status/trouble', {}, page);
  return {
    merchants: pages.flatMap(({ merchants }) => merchants),
    seen: pages.reduce((sum, one) => sum + one.seen, 0),
    readUnits: unitsOf(pages),
  };
}

function queuesText(queues: Awaited<ReturnType<Scene['queues']>>): string {
  const rows = queues.map(({ name, waiting, in_flight, delayed }) => [name, waiting, in_flight, delayed]);
  return `Queues, as SQS counts them: near enough, not exact\n${table(['QUEUE', 'WAITING', 'IN FLIGHT', 'PUT OFF'], rows)}`;
}

function pausedText(paused: z.output<typeof pausedList>['paused']): readonly string[] {
  const rows = paused.map(({ platform, since, by, reason }) => [platform, minute(since), by, reason]);
  return rows.length === 0
    ? []
    : [`Platforms that are paused for all merchants\n${table(['PLATFORM', 'SINCE', 'BY', 'WHY'], rows)}`];
}

function dueText(all: z.output<typeof due>): string {
  const rows = all.map(({ what, overdue, oldest, complete }) => [
    what,
    complete ? overdue : `${overdue} or more`,
    oldest === null ? 'none' : `${minute(oldest)}${complete ? '' : ' or before'}`,
  ]);
  return `Due and not done\n${table(['WHAT', 'HOW MANY', 'OLDEST SINCE'], rows)}`;
}

function troubleText(merchants: readonly Trouble[], seen: number): string {
  if (merchants.length === 0) return `No merchant of ${seen} has trouble.\n`;
  const rows = merchants.flatMap(({ id, name, state, platforms, incidents }) => {
    const who = [id, name ?? ''];
    return [
      ...(state === 'active' ? [] : [[...who, state, '', '']]),
      ...platforms.map((one) => [
        ...who,
        `${one.platform} ${one.state}`,
        one.reason ?? '',
        one.since === null ? '' : minute(one.since),
      ]),
      ...incidents.map((one) => [...who, `${one.subject} ${one.kind}`, '', minute(one.since)]),
    ];
  });
  return `${merchants.length} of ${seen} merchants with trouble\n${table(['ID', 'NAME', 'WHAT', 'WHY', 'SINCE'], rows)}`;
}
