import { resolve } from 'node:path';
import * as z from 'zod';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { RETENTION_DAYS_MAX } from '#lib/events/domain/merchant.ts';
import { type Command, type Scene, textOf, UsageProblem } from '../command.ts';
import { SETTLED_AFTER_MS } from '../export/content.ts';
import { count, idOf, type MerchantView, merchant as merchantView, minute } from '../merchant-views.ts';
import { facts } from '../table.ts';
import { exported } from './export-merchant.ts';
import { suspended } from './suspend-merchant.ts';

/** Pages are refused half a minute after a suspension at the latest. */
const REFUSED_AFTER_MS = 30_000;
const REASON = 'is about to be removed';

const shown = z.object({ merchant: merchantView });
const answer = z.object({
  merchant: z.string(),
  changed: z.boolean(),
  removed: z.object({ since: z.string(), by: z.string() }),
  ended: z.object({ connections: z.number(), people: z.number(), keys: z.number(), days: z.number() }),
});

export const removeMerchant: Command = {
  name: 'merchants remove',
  takes: ['<id or name>'],
  purpose: 'Suspends, exports and ends a merchant for good; broken off, the same command goes on.',
  options: {
    export: { type: 'string', value: 'folder', help: 'where the export goes, without which nothing ends' },
    yes: { type: 'boolean', help: 'does not ask for the name' },
  },
  prepare(given) {
    const folder = textOf(given, 'export');
    if (folder === undefined || folder === '')
      throw new UsageProblem('Say where the export goes: --export my-shop');
    return async (scene) => {
      const { ask, remark } = scene;
      const id = await idOf(ask, given.positionals[0] ?? '');
      const { merchant } = await ask('merchants/show', { merchant: id }, shown);
      const isBegun = merchant.state === 'removing' || merchant.state === 'removed';
      if (!isBegun) {
        if (given.values.yes !== true) await askForName(merchant, scene);
        const { since } = await suspended(scene, id, REASON);
        const path = resolve(folder);
        remark((await exportedOf(merchant, { path, sinceMs: Date.parse(since) }, scene)).text.trim());
      }
      const json = await ask('merchants/remove', { merchant: id }, answer);
      return { json, text: textOfRemoval(json) };
    };
  },
};

async function askForName({ id, name, owners }: MerchantView, { question }: Scene): Promise<void> {
  const typed = await question(
    `${id} of ${owners.join(', ')} cannot be brought back. Type its name, ${name}, to remove it: `,
  );
  if (typed.normalize('NFC').trim() !== name.normalize('NFC').trim())
    throw new Error('That is not its name: nothing was done.');
}

/** Of all that is kept, once what was accepted before the suspension is listed. */
async function exportedOf(
  { id, created_at }: MerchantView,
  { path, sinceMs }: { readonly path: string; readonly sinceMs: number },
  scene: Scene,
) {
  const waitMs = Math.max(0, sinceMs + REFUSED_AFTER_MS + SETTLED_AFTER_MS - scene.nowMs);
  if (waitMs > 0) {
    scene.remark(`suspended; waits ${Math.ceil(waitMs / 1_000)} s until all that was accepted is listed`);
    await scene.pause(waitMs);
  }
  const nowMs = scene.nowMs + waitMs;
  const fromMs = Math.max(Date.parse(created_at), nowMs - RETENTION_DAYS_MAX * DAY_MS);
  return await exported({ merchant: id, path, fromMs }, { ...scene, nowMs });
}

function textOfRemoval({ merchant, changed, removed, ended }: z.output<typeof answer>): string {
  const since = `${minute(removed.since)} by ${removed.by}`;
  return facts([
    ['merchant', changed ? `${merchant} is removed` : `${merchant} was removed already, ${since}`],
    [
      'ended',
      `${count(ended.connections)} connections, ${count(ended.people)} people, ${count(ended.keys)} keys`,
    ],
    ['sealed', `nothing opens it within five minutes; ${count(ended.days)} days of personal data`],
    ['rows', 'go as they expire; tickets of the helpdesk stay'],
  ]);
}
