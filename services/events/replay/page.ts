// One page of a plan: every event is judged, and what is to be sent is stored as a replay.
// Guarantees: an event that cannot be read or judged is counted and left out, and keeps no other from its way; a dependency
// that is away fails the page, which is done again.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { connectionTarget, platformOf, selects } from '#lib/events/domain/connections/target.ts';
import { countedInDay } from '#lib/events/domain/event/event.ts';
import type { AcceptedRow, EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import {
  NO_PROGRESS,
  type PlanProgress,
  type PlanVerdict,
  withPage,
} from '#lib/events/domain/replays/plan.ts';
import { claimReplay, tellReplays } from '#lib/events/pipeline/replay/claim-replay.ts';
import { openOriginal } from '#lib/events/pipeline/replay/original.ts';
import { isWanted, type JudgeContext, type Judgement, judge, namesOf, type Words } from './judge.ts';
import type { ReplayPorts } from './ports.ts';
import type { Page } from './read-page.ts';

const ROWS_AT_ONCE = 16;

/** What the page adds to the plan; `counted`: what its replays are in the limit of the day. */
export async function doPage(
  page: Page,
  context: JudgeContext,
  shards: number,
  ports: ReplayPorts,
): Promise<{ readonly added: PlanProgress; readonly counted: number }> {
  const rows = page.rows.filter((row) => isWanted(row, context.plan.filter));
  const claimed: EventKey[] = [];
  let counted = 0;
  const parts = await inParallel(rows, ROWS_AT_ONCE, async (row): Promise<PlanProgress> => {
    const { words, replay } = await judgeRow(row, context, ports);
    const isUnreadable = Object.values(words).includes('unreadable');
    const matched = { ...NO_PROGRESS, matched: 1, unreadable: isUnreadable ? 1 : 0 };
    if (replay === undefined || context.plan.dryRun)
      return { ...matched, sent: replay === undefined ? 0 : 1, counts: countsOf(words) };
    const isNew = (await claimReplay(replay, shards, ports)) === 'claimed';
    if (isNew) claimed.push(replay.key);
    counted += countedInDay(1, Buffer.byteLength(JSON.stringify(replay)));
    // What an earlier try stored is what is sent, whatever the rules say by now.
    const sent = isNew ? words : asStored(words, await ports.events.read(replay.key), context);
    return { ...matched, sent: 1, counts: countsOf(sent) };
  });
  await tellReplays(claimed, ports);
  const unread = Object.fromEntries(namesOf(context).map((name) => [name, { unreadable: page.unreadable }]));
  const seen: PlanProgress = {
    ...NO_PROGRESS,
    seen: page.seen,
    unreadable: page.unreadable,
    ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
    counts: page.unreadable === 0 ? {} : unread,
  };
  return { added: parts.reduce(withPage, seen), counted };
}

async function judgeRow(row: EventRow, context: JudgeContext, ports: ReplayPorts): Promise<Judgement> {
  const original = await openOriginal(row, ports.eventVault);
  const receivedAtMs = ports.clock.now();
  const acceptance = { ingestId: ports.random.uuidv7(receivedAtMs), receivedAtMs };
  try {
    return judge(original, acceptance, context);
  } catch (error) {
    ports.report('an event could not be judged by a replay plan', error);
    return judge({ kind: 'unreadable' }, acceptance, context);
  }
}

const countsOf = (words: Words): PlanProgress['counts'] =>
  Object.fromEntries(Object.entries(words).map(([slug, word]) => [slug, { [word]: 1 }]));

function asStored(words: Words, stored: EventRow | null, { routing }: JudgeContext): Words {
  const targets = stored === null ? [] : targetsIn(stored);
  const isIn = (name: string): boolean => {
    const connection = routing.connections.find(({ id }) => id === name);
    if (connection !== undefined) return selects(targets, connectionTarget(connection));
    return targets.some((target) => platformOf(target) === name);
  };
  return Object.fromEntries(
    Object.entries(words).map(([name, word]): [string, PlanVerdict] => {
      if (isIn(name)) return [name, 'will_send'];
      return [name, word === 'will_send' ? 'excluded' : word];
    }),
  );
}

const targetsIn = (row: EventRow): readonly string[] =>
  (row.state === 'accepted' ? onlyOf(row) : row.event.onlyPlatforms) ?? [];
const onlyOf = ({ body }: AcceptedRow): readonly string[] | undefined => body.internal?.only_platforms;
