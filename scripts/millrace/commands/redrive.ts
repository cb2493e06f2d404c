import type { Command } from '../command.ts';
import { UsageProblem } from '../command.ts';
import { count } from '../merchant-views.ts';
import { table } from '../table.ts';

const DEAD_LETTERS = 'dead letter';

export const redrive: Command = {
  name: 'redrive',
  takes: ['<queue>'],
  purpose: 'Sends dead letters back to the queue they came from, as status calls it, or all of them.',
  options: {
    'dry-run': { type: 'boolean', help: 'only counts them' },
    unmarked: {
      type: 'boolean',
      help: 'also those that an emulator does not say the queue of, to the queue that is named',
    },
  },
  prepare({ values, positionals: [queue = ''] }) {
    const isUnmarked = values.unmarked === true;
    if (isUnmarked && queue === 'all') throw new UsageProblem('With --unmarked name the queue they go to.');
    return async ({ deployment: { queueUrls }, redrive: move, remark }) => {
      const { [DEAD_LETTERS]: deadLetterUrl, ...others } = queueUrls;
      const wanted = others[queue];
      if (queue !== 'all' && wanted === undefined)
        throw new Error(`There is no queue ${queue}: ${Object.keys(others).join(', ')}, or all.`);
      if (deadLetterUrl === undefined) throw new Error('The deployment has no queue of dead letters.');
      const byName = new Map(Object.entries(others).map(([name, url]) => [lastOf(url), { name, url }]));
      const { found, moved } = await move({
        deadLetterUrl,
        isDryRun: values['dry-run'] === true,
        urlFor: (arn) => {
          if (arn === undefined) return isUnmarked ? (wanted ?? null) : null;
          const source = byName.get(arn.split(':').at(-1) ?? '');
          return source === undefined || (queue !== 'all' && source.name !== queue) ? null : source.url;
        },
        onProgress: (looked, back) => remark(`${count(looked)} looked at, ${count(back)} sent back`),
      });
      const rows = [...found].map(
        ([name, n]) => [byName.get(name)?.name ?? (name || 'not said'), n] as const,
      );
      const left = rows.reduce((sum, [, n]) => sum + n, 0) - moved;
      const json = { found: Object.fromEntries(rows), moved, left };
      return {
        json,
        text: `${table(['QUEUE', 'DEAD LETTERS'], rows)}${count(moved)} sent back, ${count(left)} left\n`,
      };
    };
  },
};

const lastOf = (url: string): string => url.split('/').at(-1) ?? '';
