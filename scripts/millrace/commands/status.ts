import * as z from 'zod';
import { addNumbers } from '#lib/events/domain/analytics/numbers.ts';
import type { Command, Scene } from '../command.ts';
import { costText, count, incident, minute, pagesOf, platform, unitsOf } from '../merchant-views.ts';
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
const figures = z.object({
  platform: z.string(),
  delivered: z.number(),
  refused: z.number(),
  given_up: z.number(),
  waiting: z.number(),
  codes: z.record(z.string(), z.number()),
});
type Figures = z.output<typeof figures>;
const page = z.object({
  seen: z.number(),
  /** A function of the release before does not say these. */
  since: z.string().nullable().default(null),
  platforms: z.array(figures).default([]),
  unread: z.number().default(0),
  merchants: z.array(trouble),
  next_cursor: z.string().nullable(),
  read_units: z.number(),
});

export const status: Command = {
  name: 'status',
  takes: [],
  purpose: 'Queues, dead letters, what is due longest, what platforms took, and merchants with trouble.',
  prepare: () => async (scene) => {
    const [queues, { paused }, { due: overdue }, found] = await Promise.all([
      scene.queues(),
      scene.ask('platforms/paused', {}, pausedList),
      scene.ask('status/due', {}, z.object({ due })),
      inTrouble(scene),
    ]);
    scene.remark(costText(found.readUnits));
    const { merchants, seen, since, unread } = found;
    if (unread > 0)
      scene.remark(
        `${count(unread)} slots of counters cannot be read, and are missing in what platforms took.`,
      );
    const json = {
      approximate_queues: queues,
      paused_platforms: paused,
      due: overdue,
      platforms: { since, deliveries: found.platforms, unread_slots: unread },
      merchants_seen: seen,
      merchants_in_trouble: merchants,
    };
    return {
      json,
      text: [
        queuesText(queues),
        ...pausedText(paused),
        dueText(overdue),
        ...platformsText(found.platforms, since),
        troubleText(merchants, seen),
      ].join('\n'),
    };
  },
};

export async function inTrouble({ ask }: Scene) {
  const pages = await pagesOf(ask, 'status/trouble', {}, page);
  return {
    merchants: pages.flatMap(({ merchants }) => merchants),
    seen: pages.reduce((sum, one) => sum + one.seen, 0),
    since: pages[0]?.since ?? null,
    platforms: summed(pages.flatMap(({ platforms }) => platforms)),
    unread: pages.reduce((sum, one) => sum + one.unread, 0),
    readUnits: unitsOf(pages),
  };
}

/** A platform once, by name. */
function summed(parts: readonly Figures[]): readonly Figures[] {
  const sums = new Map<string, Figures>();
  for (const { platform, codes, ...counts } of parts) {
    const { codes: otherCodes = {}, platform: _, ...others } = sums.get(platform) ?? {};
    const sum = { delivered: 0, refused: 0, given_up: 0, waiting: 0 };
    for (const part of [counts, others]) addNumbers(sum, part);
    const sumOfCodes = { ...codes };
    addNumbers(sumOfCodes, otherCodes);
    sums.set(platform, { platform, ...sum, codes: sumOfCodes });
  }
  return [...sums.values()].sort((a, b) => (a.platform < b.platform ? -1 : 1));
}

function platformsText(all: readonly Figures[], since: string | null): readonly string[] {
  if (since === null || all.length === 0) return [];
  const rows = all.map(({ platform, delivered, refused, given_up, waiting, codes }) => [
    ...[platform, delivered, refused, given_up, waiting],
    Object.entries(codes)
      .sort(([, a], [, b]) => b - a)
      .map(([code, times]) => `${code} ${times}`)
      .join(', '),
  ]);
  return [
    `Deliveries of all merchants' events since ${minute(since)}\n${table(['PLATFORM', 'DELIVERED', 'REFUSED', 'GIVEN UP', 'WAITING', 'WHY NOT'], rows)}`,
  ];
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
