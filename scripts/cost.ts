// `npm run cost`: what events cost on AWS, at 1, 33 and 1,000 a second to 1, 3 and 12 platforms. Traffic goes through the
// real pipeline on the embedded emulators, every call is counted and priced. Exits with 1 when an event takes more units,
// requests or invocations than its budget (test/performance/cost-budgets.ts).
// Then what a ticket's life costs in the helpdesk, step by step, held to test/performance/helpdesk-budgets.ts in the same way.
// `npm run cost -- --helpdesk`: that alone. `npm run cost -- --rate 33 --platforms 3`: one of them, part by part; `--rate` (events a second) and `--platforms` may be
// repeated. `--run` bounds the events that are counted, `--events` is a number of events to show dollars for.
import { parseArgs } from 'node:util';
import { budgetOf, exceeded } from '../test/performance/cost-budgets.ts';
import { type Cell, measureCell } from '../test/performance/cost-cell.ts';
import { MEASURED_PLATFORMS } from '../test/performance/measured-platforms.ts';
import { helpdeskCost } from './cost/helpdesk-table.ts';
import { printCell } from './cost/one-cell.ts';
import { dollars, tableOf } from './cost/text-table.ts';

/** So many make the figures steady; more would only take longer. */
const EVENTS_MAX = 1_000;

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1e6' },
    helpdesk: { type: 'boolean', default: false },
    platforms: { type: 'string', multiple: true, default: ['1', '3', '12'] },
    rate: { type: 'string', multiple: true, default: ['1', '33', '1000'] },
    run: { type: 'string' },
  },
});
const rates = options.rate.map((value) => positive('rate', value));
const platforms = options.platforms.map((value) => positive('platforms', value));
if (Math.max(...platforms) > MEASURED_PLATFORMS.length)
  refuse(`There are ${MEASURED_PLATFORMS.length} platforms.`);
const count = positive('events', options.events);

const cells: Cell[] = [];
const eventsMax = options.run === undefined ? EVENTS_MAX : positive('run', options.run);
for (const perSec of options.helpdesk ? [] : rates)
  for (const number of platforms) cells.push(await measureCell({ perSec, platforms: number }, eventsMax));
const [only] = cells;
if (cells.length === 1 && only !== undefined) printCell(only, count);
else if (cells.length > 0) console.log(matrix());
// Fewer events bear more of each fold than the budgets have in mind.
const over = eventsMax < EVENTS_MAX ? [] : cells.flatMap(exceeded);
if (cells.length !== 1) {
  const helpdesk = await helpdeskCost();
  console.log(`\n${helpdesk.text}`);
  over.push(...helpdesk.over);
}
for (const sentence of over) console.log(sentence);
if (over.length > 0) process.exitCode = 1;

function matrix(): string {
  return tableOf(cells, {
    'events/s': ({ perSec }) => String(perSec),
    platforms: ({ platforms: number }) => String(number),
    'per million': ({ dollarsPerMillion }) => dollars(dollarsPerMillion),
    goal: (cell) => {
      const goal = budgetOf(cell)?.targetDollars;
      return goal === undefined ? '' : dollars(goal);
    },
    'write units': ({ units }) => units.writeUnits.toFixed(2),
    'read units': ({ units }) => units.readUnits.toFixed(2),
    'SQS requests': ({ units }) => units.sqsRequests.toFixed(3),
    invocations: ({ units }) => units.invocations.toFixed(3),
    waits: ({ units }) => units.platformWaits.toFixed(3),
    counted: ({ events }) => String(events),
    s: ({ tookSec }) => tookSec.toFixed(0),
  });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  return refuse(`--${name} must be a positive number.`);
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
