// `npm run cost`: what events cost on AWS, all in: processing, data out, ninety days of keeping them. From one a minute to 1,000
// a second, to 1, 3 and 12 platforms, with one poller of each queue and with the five that Lambda begins with. Traffic goes
// through the real pipeline on the embedded emulators, every call is counted and priced. Exits with 1 when an event takes more
// than its budget (test/performance/cost-budgets.ts), or a month of nothing more than it may (test/performance/idle-cost.ts).
// Then what a ticket's life costs in the helpdesk, step by step, held to test/performance/helpdesk-budgets.ts in the same way.
// `npm run cost -- --helpdesk`: that alone. `npm run cost -- --rate 33 --platforms 3`: one of them, part by part; `--rate` (events
// a second), `--platforms` and `--gatherers` (1 or 5) may be repeated. `--together`: the many merchants with few events. `--run`
// bounds the events that are counted, `--events` is a number of events to show dollars for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesizeApp, type Template } from '../cdk/synthesize.ts';
import { BUDGETS, budgetOf, exceeded, kindOf } from '../test/performance/cost-budgets.ts';
import { type Cell, type CellKey, measureCell } from '../test/performance/cost-cell.ts';
import { totalDollars } from '../test/performance/cost-model.ts';
import { idleExceeded, idleMonth } from '../test/performance/idle-cost.ts';
import { MEASURED_PLATFORMS } from '../test/performance/measured-platforms.ts';
import { readUnits } from '../test/performance/metered-usage.ts';
import { helpdeskCost } from './cost/helpdesk-table.ts';
import { idleTable } from './cost/idle-table.ts';
import { printCell } from './cost/one-cell.ts';
import { dollars, tableOf } from './cost/text-table.ts';

/** So many make the figures steady; more would only take longer. */
const EVENTS_MAX = 1_000;

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1e6' },
    gatherers: { type: 'string', multiple: true, default: ['5'] },
    helpdesk: { type: 'boolean', default: false },
    platforms: { type: 'string', multiple: true },
    rate: { type: 'string', multiple: true },
    run: { type: 'string' },
    together: { type: 'boolean', default: false },
  },
});
const count = positive('events', options.events);
const eventsMax = options.run === undefined ? EVENTS_MAX : positive('run', options.run);

const cells: Cell[] = [];
for (const key of options.helpdesk ? [] : wanted()) cells.push(await measureCell(key, eventsMax));
const [only] = cells;
if (cells.length === 1 && only !== undefined) printCell(only, count);
else if (cells.length > 0) console.log(matrix());
// Fewer events bear more of each fold than the budgets have in mind.
const over = eventsMax < EVENTS_MAX ? [] : cells.flatMap(exceeded);
if (cells.length !== 1) {
  if (only !== undefined) {
    const idle = idleMonth(synthesizedTemplate(), readUnits(only.idleSweep));
    console.log(`\n${idleTable(idle)}`);
    over.push(...idleExceeded(idle));
  }
  const helpdesk = await helpdeskCost();
  console.log(`\n${helpdesk.text}`);
  over.push(...helpdesk.over);
}
for (const sentence of over) console.log(sentence);
if (over.length > 0) process.exitCode = 1;

/** Those that have a budget, or what was asked for. */
function wanted(): readonly CellKey[] {
  if (options.together) return BUDGETS.filter(({ together }) => together === true);
  if (options.rate === undefined && options.platforms === undefined) return BUDGETS;
  const platforms = (options.platforms ?? ['1', '3', '12']).map((value) => positive('platforms', value));
  if (Math.max(...platforms) > MEASURED_PLATFORMS.length)
    refuse(`There are ${MEASURED_PLATFORMS.length} platforms.`);
  const rates = (options.rate ?? ['1', '33', '1000']).map((value) => positive('rate', value));
  const gatherers = options.gatherers.map((value) => {
    if (value === '1' || value === '5') return value === '1' ? 1 : 5;
    return refuse('--gatherers must be 1 or 5.');
  });
  return rates.flatMap((perSec) =>
    platforms.flatMap((number) =>
      gatherers.map((pollers) => ({ perSec, platforms: number, gatherers: pollers, merchants: 1 }) as const),
    ),
  );
}

/** As it is deployed: with people who sign in, and alarms for them. */
function synthesizedTemplate(): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'millrace-cost-'));
  try {
    return synthesizeApp({ ephemeral: false, bundle: false, outdir }).template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function matrix(): string {
  return tableOf(cells, {
    'a second': (cell) => (cell.perSec < 1 ? `${cell.merchants} x 1/60` : cell.perSec) + kindOf(cell),
    platforms: ({ platforms }) => String(platforms),
    pollers: ({ gatherers }) => String(gatherers),
    'per million': ({ dollarsPerMillion }) => dollars(dollarsPerMillion),
    goal: (cell) => {
      const goal = budgetOf(cell)?.targetDollars;
      return goal === undefined ? '' : dollars(goal);
    },
    processing: ({ lines }) => dollars(totalDollars(lines, 'processing')),
    'data out': ({ lines }) => dollars(totalDollars(lines, 'data out')),
    'kept 90 days': ({ lines }) => dollars(totalDollars(lines, 'kept for 90 days')),
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
