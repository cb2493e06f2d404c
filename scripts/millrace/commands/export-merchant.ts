import { resolve } from 'node:path';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { type Command, type Scene, textOf, UsageProblem } from '../command.ts';
import { eventFiles, restFiles } from '../export/content.ts';
import { openExportFolder } from '../export/folder.ts';
import { count, idOf } from '../merchant-views.ts';

const DAYS_DEFAULT = 90;

export const exportMerchant: Command = {
  name: 'export',
  takes: ['<merchant>'],
  purpose: 'Writes what the API shows of a merchant to files; broken off, the same command goes on.',
  options: {
    folder: { type: 'string', value: 'path', help: 'where to; default: millrace-export-<id> here' },
    from: { type: 'string', value: 'day', help: `events received since; default: ${DAYS_DEFAULT} days ago` },
  },
  prepare(given) {
    const from = textOf(given, 'from');
    if (from !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(from) && Date.parse(from) > 0))
      throw new UsageProblem('--from takes a day: 2026-11-20');
    return async (scene) => {
      const merchant = await idOf(scene.ask, given.positionals[0] ?? '');
      const path = resolve(textOf(given, 'folder') ?? `millrace-export-${merchant}`);
      const fromMs = from === undefined ? scene.nowMs - DAYS_DEFAULT * DAY_MS : Date.parse(from);
      return await exported({ merchant, path, fromMs }, scene);
    };
  },
};

/** Rejects unless all of it is written. */
export async function exported(
  { merchant, path, fromMs }: { readonly merchant: string; readonly path: string; readonly fromMs: number },
  { within, remark, nowMs }: Pick<Scene, 'within' | 'remark' | 'nowMs'>,
) {
  const folder = openExportFolder(path, merchant);
  const so = { files: 0, events: 0 };
  try {
    await within(merchant, 'change', async (client) => {
      const range = { fromMs, toMs: nowMs, nowMs };
      const isDone = (name: string) => Object.hasOwn(folder.files, name);
      for await (const { name, lines, isFinal } of eventFiles(client, range, isDone)) {
        const written = await folder.write(name, lines, isFinal);
        so.files += 1;
        so.events += written.lines;
        remark(`${name}: ${count(written.lines)} events`);
      }
      for (const { name, lines, isFinal } of restFiles(client)) await folder.write(name, lines, isFinal);
    });
  } finally {
    folder.close();
  }
  const json = { merchant, folder: path, written: so, whole_hours: Object.keys(folder.files).length };
  return { json, text: `${count(so.events)} events in ${count(so.files)} new files of ${path}\n` };
}
