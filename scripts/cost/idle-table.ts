import { type IdleLine, idleDollars } from '../../test/performance/idle-cost.ts';
import { dollars, textTable } from './text-table.ts';

export const idleTable = (lines: readonly IdleLine[]): string =>
  textTable([
    ['a month of nothing', 'how many', ''],
    ...lines.map(({ what, count, dollars: amount }) => [
      what,
      count.toLocaleString('en-US'),
      dollars(amount),
    ]),
    ['all of it', '', dollars(idleDollars(lines))],
  ]);
