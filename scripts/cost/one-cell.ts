// The cost of events at one rate to one number of platforms, part by part, with all that was assumed.
import type { Template } from '../../cdk/synthesize.ts';
import type { Cell } from '../../test/performance/cost-cell.ts';
import { ASSUMED, dataOut, PRICES } from '../../test/performance/cost-model.ts';
import {
  type Cost,
  eventWriteUnits,
  readUnits,
  STAGES,
  sqsRequests,
} from '../../test/performance/metered-usage.ts';
import {
  onDemandDollars,
  provisionedDollars,
  USED,
  unitsByTable,
} from '../../test/performance/provisioned-cost.ts';
import { textTable } from './text-table.ts';

const MINUTES_PER_MONTH = 43_800;
/** Receives that find nothing: five pollers for each queue, each asking every 20 seconds (AWS, "Lambda with Amazon SQS"). */
const IDLE_RECEIVES_PER_MINUTE = 15;
/** A million rows with their indexes, GB. */
const MILLION_ROWS_GB = 1.5;

/** `count`: for how many events the dollars are shown besides. */
export function printCell(cell: Cell, count: number): void {
  const { events, perSec, connected, tookSec, cost, lines, dollarsPerMillion } = cell;
  const [largest] = [...lines].sort((a, b) => b.dollars - a.dollars);
  const out = dataOut(cost, events);
  console.log(
    [
      `${events} events at ${perSec} a second to ${connected.join(', ')}: counted in ${tookSec.toFixed(0)} s`,
      stageTable(cell),
      costTable(cell, count),
      capacityTable(cell),
      standing(cell.template, cell.idleSweep),
      assumptions(),
      `$${dollarsPerMillion.toFixed(2)} per million events to ${connected.length} platforms; the most is ${largest?.what} with $${largest?.dollars.toFixed(2)}.`,
      `Besides, $${out.dollars.toFixed(2)} per million for ${(out.perEvent * 1e6).toFixed(1)} GB to the platforms, beyond the 100 GB a month AWS gives.`,
    ].join('\n\n'),
  );
}

function stageTable({ cost, events }: Cell): string {
  const each = (count: number): string => (count / events).toFixed(3);
  const rows = STAGES.map((name) => {
    const { events: rows, counters, config, sent, invocations } = cost.stages[name];
    return [
      name,
      each(rows.writeUnits),
      each(counters.writeUnits),
      each(rows.readUnits + counters.readUnits + config.readUnits),
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
  return `${textTable([head, ...rows, total])}\n${requests}`;
}

function costTable({ lines, dollarsPerMillion: total }: Cell, count: number): string {
  const forAll = (dollars: number): string => `$${((dollars * count) / 1e6).toFixed(2)}`;
  const rows = lines.map(({ what, perEvent, unit, dollars }) => [
    what,
    `${perEvent.toPrecision(3)} ${unit}`,
    `$${dollars.toFixed(3)}`,
    forAll(dollars),
  ]);
  const last = ['total', '', `$${total.toFixed(2)}`, forAll(total)];
  return textTable([
    ['part', 'per event', 'per million', `for ${count.toLocaleString('en-US')}`],
    ...rows,
    last,
  ]);
}

/** What to provision for each event a second, and what that would cost. */
function capacityTable({ cost, events }: Cell): string {
  const rows = unitsByTable(cost, events).map((units) => [
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
  return textTable([head, ...rows]);
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
  return `${textTable(rows)}\nA million rows kept for a month: $${kept.toFixed(2)} (${MILLION_ROWS_GB} GB with indexes and point-in-time recovery).`;
}

function assumptions(): string {
  const { awsCallMs, platformCallMs, sdkCallCpuMs, eventCpuMs } = ASSUMED;
  return [
    'Counted: units, requests, invocations. Assumed, for the time of functions only:',
    `${awsCallMs} ms for an answer of AWS, ${platformCallMs} ms for one of a platform, ${sdkCallCpuMs} ms of CPU a call and ${eventCpuMs} ms an event and stage.`,
    'List prices of us-east-1, 2026-11-21; their sources stand in test/performance/cost-model.ts. Free tiers are ignored.',
  ].join('\n');
}
