import * as z from 'zod';
import { type Answer, type Command, type Scene, textOf } from '../command.ts';
import { count, idOf, merchantsOf } from '../merchant-views.ts';
import { facts } from '../table.ts';

const KINDS = {
  credentials: 'credentials of connections',
  webhook_secrets: 'secrets of webhooks',
  addresses: 'addresses of people',
  days: 'keys of days',
} as const;
type Kind = keyof typeof KINDS;
const counts = z.object({
  credentials: z.number(),
  webhook_secrets: z.number(),
  addresses: z.number(),
  days: z.number(),
});
const begun = z.object({ rotation: z.number(), since: z.string(), is_new: z.boolean() });
const ended = z.object({ ended: z.boolean() });
const rotated = z.object({
  merchant: z.string(),
  state: z.enum(['replaced', 'resealed', 'left', 'none', 'looked_at']),
  wait_ms: z.number(),
  resealed: counts,
  left: z.array(z.string()),
});
type Rotated = z.output<typeof rotated>;

/** Between two lines about how far it is. */
const MERCHANTS_A_LINE = 25;

export const rotateCredentials: Command = {
  name: 'rotate credentials',
  takes: [],
  purpose:
    'After a leak: new keys for what is sealed, which is sealed again beside running deliveries; broken off, the same command goes on.',
  options: {
    merchant: { type: 'string', value: 'id or name', help: 'of one merchant alone' },
    'dry-run': { type: 'boolean', help: 'counts what would be sealed again, and changes nothing' },
  },
  prepare(given) {
    const wanted = textOf(given, 'merchant');
    const isDry = given.values['dry-run'] === true;
    return async (scene) => {
      const { ask } = scene;
      const { ids, unreadable } = await merchantsToRotate(wanted, scene);
      if (isDry) {
        const looked = await each(ids, {}, { ...scene, ask: dry(ask) });
        return answerOf({ is: 'dry run', rotation: null }, looked, unreadable);
      }
      const rotation = wanted === undefined ? await begin(scene) : null;
      const done = await rotateAll(ids, rotation === null ? {} : { rotation }, scene);
      const isWhole = unreadable.length === 0 && done.every(({ left }) => left.length === 0);
      if (rotation !== null && isWhole) await ask('credentials/end', { rotation }, ended);
      return answerOf({ is: isWhole ? 'done' : 'not done', rotation }, done, unreadable);
    };
  },
};

const dry =
  (ask: Scene['ask']): Scene['ask'] =>
  (path, body, answer) =>
    ask(path, { ...body, dry_run: true }, answer);

async function merchantsToRotate(wanted: string | undefined, { ask }: Scene) {
  if (wanted !== undefined) return { ids: [await idOf(ask, wanted)], unreadable: [] };
  const { merchants } = await merchantsOf(ask);
  const isUnreadable = ({ state }: { readonly state: string }) => state === 'unreadable';
  return {
    ids: merchants.filter((one) => !isUnreadable(one)).map(({ id }) => id),
    unreadable: merchants.filter(isUnreadable).map(({ id }) => `the profile of ${id}`),
  };
}

async function begin({ ask, remark }: Scene): Promise<number> {
  const { rotation, since, is_new: isNew } = await ask('credentials/begin', {}, begun);
  remark(isNew ? `rotation ${rotation}` : `goes on with rotation ${rotation}, begun ${since}`);
  return rotation;
}

async function each(ids: readonly string[], how: object, { ask, remark }: Scene): Promise<Rotated[]> {
  const all: Rotated[] = [];
  for (const merchant of ids) {
    all.push(await ask('credentials/rotate', { merchant, ...how }, rotated));
    if (all.length % MERCHANTS_A_LINE === 0 || all.length === ids.length)
      remark(`${count(all.length)} of ${count(ids.length)} merchants`);
  }
  return all;
}

/** Every merchant gets its new key before the wait, which is one for all. */
async function rotateAll(ids: readonly string[], how: object, scene: Scene): Promise<readonly Rotated[]> {
  const all = new Map<string, Rotated>();
  for (let asking = ids; asking.length > 0; ) {
    const answers = await each(asking, how, scene);
    for (const one of answers) all.set(one.merchant, one);
    const waiting = answers.filter(({ state }) => state === 'replaced');
    const waitMs = Math.max(0, ...waiting.map(({ wait_ms }) => wait_ms));
    if (waiting.length > 0) {
      scene.remark(`waits ${Math.ceil(waitMs / 1_000)} s until no process has a replaced key in memory`);
      await scene.pause(waitMs);
    }
    asking = waiting.map(({ merchant }) => merchant);
  }
  return [...all.values()];
}

function answerOf(
  { is, rotation }: { readonly is: 'done' | 'not done' | 'dry run'; readonly rotation: number | null },
  merchants: readonly Rotated[],
  unreadable: readonly string[],
): Answer {
  const left = [
    ...unreadable,
    ...merchants.flatMap((one) => one.left.map((name) => `${one.merchant}: ${name}`)),
  ];
  const total = (kind: Kind) => merchants.reduce((sum, { resealed }) => sum + resealed[kind], 0);
  const resealed = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, total(kind as Kind)]));
  const rows = Object.entries(KINDS).map(([kind, name]) => [name, count(total(kind as Kind))] as const);
  const title = { done: 'sealed again', 'not done': 'sealed again', 'dry run': 'would be sealed again' }[is];
  const text = facts([
    ['merchants', count(merchants.length)],
    [title, ''],
    ...rows,
    ['only expires', 'events, under the keys of their days: from the next UTC day on, keys are new'],
    ['', 'kept answers, confirmations and jobs, under the replaced key'],
    ['not undone', 'what was read: give the platforms new credentials, and connect them with those'],
    ...left.map((name) => ['left', name] as const),
  ]);
  return {
    json: { state: is.replace(' ', '_'), rotation, merchants: merchants.length, resealed, left },
    text:
      left.length === 0
        ? text
        : `${text}Mend what is left (docs/runbook.md, Quarantine), and repeat the command.\n`,
    isRefused: is === 'not done',
  };
}
