import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#lib/client/client.ts';
import { type Command, type Given, textOf, UsageProblem } from '../command.ts';
import { count, idOf } from '../merchant-views.ts';
import { RANGE, rangeIn } from '../range.ts';
import { facts, table } from '../table.ts';

type Plan = Awaited<ReturnType<Client['readReplay']>>['body']['replay'];

const LOOK_EVERY_MS = 2_000;

export const replay: Command = {
  name: 'replay',
  takes: ['<merchant>'],
  purpose: 'Sends stored events of a range once more, and follows it; interrupted, it goes on.',
  options: {
    ...RANGE,
    platform: { type: 'string', value: 'slugs', help: 'to these alone, with commas between' },
    event: { type: 'string', value: 'name', help: 'these events alone' },
    all: { type: 'boolean', help: 'also to platforms that have taken the event' },
    rate: { type: 'string', value: 'n', help: 'events in a second, at most' },
    'dry-run': { type: 'boolean', help: 'only counts what would be sent' },
    follow: { type: 'string', value: 'id', help: 'one that was begun' },
    cancel: { type: 'string', value: 'id', help: 'ends one; what it has sent stays sent' },
  },
  prepare(given) {
    const begin = beginning(given);
    const [followed, cancelled] = [textOf(given, 'follow'), textOf(given, 'cancel')];
    return async ({ ask, within, remark }) => {
      const merchant = await idOf(ask, given.positionals[0] ?? '');
      return await within(merchant, 'change', async (client) => {
        let plan = await firstOf(client, { begin, followed, cancelled });
        remark(`replay ${plan.id}; --follow or --cancel ${plan.id} later`);
        while (plan.state === 'running') {
          await pause(LOOK_EVERY_MS);
          plan = (await client.readReplay({ params: { id: plan.id } })).body.replay;
          const { seen, matched, sent } = plan.progress;
          remark(`${count(seen)} looked at, ${count(matched)} fit, ${count(sent)} sent`);
        }
        return { json: plan, text: textOfPlan(plan) };
      });
    };
  },
};

type Wanted = NonNullable<Parameters<Client['createReplay']>[0]>['body'];

function beginning(given: Given): Wanted {
  const { start, end } = rangeIn(given);
  const rate = textOf(given, 'rate');
  if (rate !== undefined && !/^[1-9]\d{0,8}$/.test(rate))
    throw new UsageProblem('--rate takes a whole number.');
  const event = textOf(given, 'event');
  const platforms = textOf(given, 'platform')?.split(',');
  return {
    filter: { start, end, ...(event === undefined ? {} : { event_name: event }) },
    only: given.values.all === true ? 'all' : 'undelivered',
    dry_run: given.values['dry-run'] === true,
    ...(rate === undefined ? {} : { rate: Number(rate) }),
    ...(platforms === undefined ? {} : { platforms }),
  };
}

async function firstOf(
  client: Client,
  how: {
    readonly begin: Wanted;
    readonly followed: string | undefined;
    readonly cancelled: string | undefined;
  },
): Promise<Plan> {
  if (how.cancelled !== undefined)
    return (await client.cancelReplay({ params: { id: how.cancelled } })).body.replay;
  if (how.followed !== undefined)
    return (await client.readReplay({ params: { id: how.followed } })).body.replay;
  const headers = { 'idempotency-key': crypto.randomUUID() };
  return (await client.createReplay({ body: how.begin, headers })).body.replay;
}

function textOfPlan({ id, state, dry_run, progress, counts }: Plan): string {
  const said = facts([
    ['replay', id],
    ['state', dry_run ? `${state} (nothing was sent)` : state],
    [
      'events',
      `${count(progress.seen)} looked at, ${count(progress.matched)} fit, ${count(progress.sent)} sent`,
    ],
  ]);
  const verdicts = [...new Set(Object.values(counts).flatMap((one) => Object.keys(one)))];
  const shown = verdicts.filter((word) => Object.values(counts).some((one) => (one[word as never] ?? 0) > 0));
  const rows = Object.entries(counts).map(([platform, one]) => [
    platform,
    ...shown.map((word) => one[word as never] ?? 0),
  ]);
  return `${said}${table(['PLATFORM', ...shown.map((word) => word.replaceAll('_', ' ').toUpperCase())], rows)}`;
}
