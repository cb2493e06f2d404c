// `npm run cost -- --events 1e6 --platforms 3`: what a number of events costs on AWS, part by part. A minute of traffic goes
// through the real pipeline on the embedded emulators, every call is counted and priced, and the result is scaled. Exits
// with 1 when a million events cost more than the budget. `--rate` is in events a second; `--run` bounds the counted events.
import { parseArgs } from 'node:util';
import type { Template } from '../cdk/synthesize.ts';
import {
  ASSUMED,
  dataOut,
  type Line,
  modelOf,
  PRICES,
  totalDollars,
} from '../test/performance/cost-model.ts';
import { runMinute } from '../test/performance/cost-run.ts';
import { MEASURED_PLATFORMS } from '../test/performance/measured-platforms.ts';
import { openMeteredPipeline } from '../test/performance/metered-pipeline.ts';
import {
  type Cost,
  eventWriteUnits,
  readUnits,
  STAGES,
  type Stage,
  sqsRequests,
} from '../test/performance/metered-usage.ts';
import {
  onDemandDollars,
  provisionedDollars,
  USED,
  unitsByTable,
} from '../test/performance/provisioned-cost.ts';

const BUDGET_DOLLARS = 5;
const MINUTES_PER_MONTH = 43_800;
/** Receives that find nothing: five pollers for each queue, each asking every 20 seconds (AWS, "Lambda with Amazon SQS"). */
const IDLE_RECEIVES_PER_MINUTE = 15;
/** A million rows with their indexes, GB. */
const MILLION_ROWS_GB = 1.5;

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1e6' },
    platforms: { type: 'string', default: '3' },
    rate: { type: 'string', default: '33' },
    run: { type: 'string', default: '2000' },
  },
});
const events = positive('events');
const rate = positive('rate');
const runEvents = Math.min(positive('run'), Math.max(1, Math.floor(rate * 60)));
const connected = MEASURED_PLATFORMS.slice(0, positive('platforms'));
if (connected.length < positive('platforms')) {
  console.error(`There are ${MEASURED_PLATFORMS.length} platforms.`);
  process.exit(1);
}

const pipeline = await openMeteredPipeline({
  connected,
  // Vendors do not answer in step: these are apart by more than a write takes.
  answerAfterMs: (slug) => 10 + 30 * connected.indexOf(slug),
});
try {
  const startedMs = performance.now();
  const { events: cost, idleSweep } = await runMinute(pipeline, { events: runEvents, perSec: rate });
  const memory = memoryOf(pipeline.template);
  const lines = modelOf(cost, runEvents, rate, memory);
  const perMillion = totalDollars(lines);
  console.log(
    `${runEvents} events at ${rate} a second to ${connected.join(', ')}: counted in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s\n`,
  );
  console.log(stageTable(cost));
  console.log(`\n${costTable(lines, events)}`);
  console.log(`\n${capacityTable(cost)}`);
  console.log(`\n${standing(pipeline.template, idleSweep)}`);
  console.log(`\n${assumptions()}`);
  const [largest] = [...lines].sort((a, b) => b.dollars - a.dollars);
  const sentence = `$${perMillion.toFixed(2)} per million events to ${connected.length} platforms; the most is ${largest?.what} with $${largest?.dollars.toFixed(2)}.`;
  console.log(`\n${sentence}`);
  const other = dataOut(cost, runEvents);
  console.log(
    `Besides, $${other.dollars.toFixed(2)} per million for ${(other.perEvent * 1e6).toFixed(1)} GB to the platforms, beyond the 100 GB a month AWS gives.`,
  );
  if (connected.length === 3 && perMillion > BUDGET_DOLLARS) {
    console.log(`That is over the budget of $${BUDGET_DOLLARS.toFixed(2)}.`);
    process.exitCode = 1;
  }
} finally {
  await pipeline.close();
}

function positive(name: keyof typeof options): number {
  const value = Number(options[name]);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name} must be a positive number.`);
  process.exit(1);
}

/** Memory of each function, from the template. */
function memoryOf({ Resources }: Template): Record<Stage, number> {
  const sizes = Object.values(Resources).flatMap(({ Metadata, Properties }) => {
    const entry = String(Metadata?.['millrace:entry'] ?? '');
    const stage = STAGES.find((name) => entry === `services/events/${name}/handler.ts`);
    return stage === undefined ? [] : [[stage, Number(Properties?.MemorySize)] as const];
  });
  return Object.fromEntries(sizes) as Record<Stage, number>;
}

function stageTable(cost: Cost): string {
  const rows = STAGES.map((name) => {
    const { events: rows, batches, counters, config, sent, invocations } = cost.stages[name];
    return [
      name,
      each(rows.writeUnits + batches.writeUnits),
      each(counters.writeUnits),
      each(rows.readUnits + batches.readUnits + counters.readUnits + config.readUnits),
      each(sent.requests),
      each(invocations),
    ];
  });
  const total = [
    'all',
    each(eventWriteUnits(cost)),
    each(STAGES.reduce((sum, name) => sum + cost.stages[name].counters.writeUnits, 0)),
    each(readUnits(cost)),
    each(STAGES.reduce((sum, name) => sum + cost.stages[name].sent.requests, 0)),
    each(STAGES.reduce((sum, name) => sum + cost.stages[name].invocations, 0)),
  ];
  const head = ['per event', 'row writes', 'counter writes', 'reads', 'sends', 'invocations'];
  const requests = `SQS requests per event, receives and deletes included: ${each(sqsRequests(cost))}`;
  return `${table([head, ...rows, total])}\n${requests}`;
}

function costTable(lines: readonly Line[], count: number): string {
  const rows = lines.map(({ what, perEvent, unit, dollars }) => [
    what,
    `${perEvent.toPrecision(3)} ${unit}`,
    `$${dollars.toFixed(3)}`,
    `$${((dollars * count) / 1e6).toFixed(2)}`,
  ]);
  const total = totalDollars(lines);
  const last = ['total', '', `$${total.toFixed(2)}`, `$${((total * count) / 1e6).toFixed(2)}`];
  return table([['part', 'per event', 'per million', `for ${count.toLocaleString('en-US')}`], ...rows, last]);
}

/** What to provision for each event a second, and what that would cost. */
function capacityTable(cost: Cost): string {
  const rows = unitsByTable(cost, runEvents).map((units) => [
    units.table,
    (units.write - units.indexWrite).toFixed(3),
    units.indexWrite.toFixed(3),
    units.read.toFixed(3),
    `$${(onDemandDollars(units) * 1e6).toFixed(2)}`,
    `$${(provisionedDollars(units) * 1e6).toFixed(2)}`,
  ]);
  const provisioned = `provisioned, ${USED * 100} % used`;
  const head = [
    'units per event',
    'writes',
    'of its indexes',
    'reads',
    'on demand, per million',
    provisioned,
  ];
  return table([head, ...rows]);
}

/** What there is to pay when nothing happens. */
function standing({ Resources }: Template, idleSweep: Cost): string {
  const count = (type: string): number => Object.values(Resources).filter(({ Type }) => Type === type).length;
  const sweeps = readUnits(idleSweep) * PRICES.readUnit * MINUTES_PER_MONTH;
  const invocations = (1 + 1 / 60) * MINUTES_PER_MONTH * PRICES.lambdaRequest;
  const polls = count('AWS::Lambda::EventSourceMapping') * IDLE_RECEIVES_PER_MINUTE * MINUTES_PER_MONTH;
  const rows = [
    ['a month of nothing', ''],
    ['sweeps', `$${(sweeps + invocations).toFixed(2)}`],
    ['receives that find nothing', `$${(polls * (PRICES.sqsRequest + PRICES.sqsFairRequest)).toFixed(2)}`],
    ['KMS keys, $1 each', `$${count('AWS::KMS::Key').toFixed(2)}`],
    ['alarms, $0.10 each', `$${(count('AWS::CloudWatch::Alarm') * 0.1).toFixed(2)}`],
  ];
  const kept = MILLION_ROWS_GB * (PRICES.tableGbMonth + PRICES.backupGbMonth);
  return `${table(rows)}\nA million rows kept for a month: $${kept.toFixed(2)} (${MILLION_ROWS_GB} GB with indexes and point-in-time recovery).`;
}

function assumptions(): string {
  const { awsCallMs, platformCallMs, sdkCallCpuMs, eventCpuMs } = ASSUMED;
  return [
    'Counted: units, requests, invocations. Assumed, for the time of functions only:',
    `${awsCallMs} ms for an answer of AWS, ${platformCallMs} ms for one of a platform, ${sdkCallCpuMs} ms of CPU a call and ${eventCpuMs} ms an event and stage.`,
    'List prices of us-east-1, 2026-11-21; their sources stand in test/performance/cost-model.ts. Free tiers are ignored.',
  ].join('\n');
}

function each(count: number): string {
  return (count / runEvents).toFixed(3);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
