import type { Command } from '../command.ts';
import { count, idOf } from '../merchant-views.ts';
import { RANGE, rangeIn } from '../range.ts';
import { table } from '../table.ts';

interface Figure {
  readonly counted: number;
  readonly recounted: number;
  readonly drift: number;
}

export const verify: Command = {
  name: 'verify',
  takes: ['<merchant>'],
  purpose: 'Counts the events of a range once more, and compares; ends with 1 where figures differ.',
  options: {
    ...RANGE,
    settle: {
      type: 'boolean',
      help: 'credits orders anew whose clicks say something else now',
    },
  },
  prepare(given) {
    const { start, end } = rangeIn(given);
    const settle = given.values.settle === true;
    return async ({ ask, within, remark }) => {
      const merchant = await idOf(ask, given.positionals[0] ?? '');
      const figures = new Map<string, Figure>();
      const sum = { rows: 0, unreadable: 0, drift: 0 };
      let isSettling = false;
      await within(merchant, 'change', async (client) => {
        for (let from: string | null = start; from !== null; ) {
          const { body } = await client.verifyAnalytics({ body: { start: from, end, settle } });
          for (const name of ['rows', 'unreadable', 'drift'] as const) sum[name] += body[name];
          isSettling ||= body.settling;
          for (const [name, { counted, recounted, drift }] of Object.entries(body.figures)) {
            const known = figures.get(name) ?? { counted: 0, recounted: 0, drift: 0 };
            figures.set(name, {
              counted: known.counted + counted,
              recounted: known.recounted + recounted,
              drift: known.drift + drift,
            });
          }
          remark(`${count(sum.rows)} events up to ${body.verified.end}`);
          from = body.next_start;
        }
      });
      const differing = [...figures].filter(([, { drift }]) => drift !== 0);
      const json = { merchant, ...sum, settling: isSettling, figures: Object.fromEntries(figures) };
      const rows = differing.map(([name, { counted, recounted, drift }]) => [
        name,
        counted,
        recounted,
        drift,
      ]);
      const late = isSettling ? ' Counters still follow: repeat it in two minutes.' : '';
      const text = `${count(sum.rows)} events, ${count(sum.unreadable)} unreadable, ${differing.length} figures differ.${late}\n`;
      return {
        json,
        text: `${text}${table(['FIGURE', 'COUNTED', 'RECOUNTED', 'DIFFERENCE'], rows)}`,
        isRefused: differing.length > 0,
      };
    };
  },
};
