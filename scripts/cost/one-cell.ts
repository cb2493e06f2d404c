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
import { dollars, tableOf, textTable } from './text-table.ts';

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
  const stages = STAGES.map((name) => {
    const { events: rows, counters, config, sent, invocations } = cost.stages[name];
    const reads = rows.readUnits + counters.readUnits + config.readUnits;
    return {
      name: String(name),
      rows: rows.writeUnits,
      counters: counters.writeUnits,
      reads,
      sends: sent.requests,
      invocations,
    };
  });
  const sum = (of: (stage: (typeof stages)[number]) => number): number =>
    stages.reduce((total, stage) => total + of(stage), 0);
  const all = {
    name: 'all',
    rows: eventWriteUnits(cost),
    counters: sum(({ counters }) => counters),
    reads: readUnits(cost),
    sends: sum(({ sends }) => sends),
    invocations: sum(({ invocations }) => invocations),
  };
  const table = tableOf([...stages, all], {
    'per event': ({ name }) => name,
    'row writes': ({ rows }) => each(rows),
    'counter writes': ({ counters }) => each(counters),
    reads: ({ reads }) => each(reads),
    sends: ({ sends }) => each(sends),
    invocations: ({ invocations }) => each(invocations),
  });
  return `${table}\nSQS requests per event, receives and deletes included: ${each(sqsRequests(cost))}`;
}

function costTable({ lines, dollarsPerMillion: total }: Cell, count: number): string {
  const forAll = (perMillion: number): string => dollars((perMillion * count) / 1e6);
  const rows = lines.map((line) => [
    line.what,
    `${line.perEvent.toPrecision(3)} ${line.unit}`,
    `$${line.dollars.toFixed(3)}`,
    forAll(line.dollars),
  ]);
  const head = ['part', 'per event', 'per million', `for ${count.toLocaleString('en-US')}`];
  return textTable([head, ...rows, ['total', '', dollars(total), forAll(total)]]);
}

/** What to provision for each event a second, and what that would cost. */
const capacityTable = ({ cost, events }: Cell): string =>
  tableOf(unitsByTable(cost, events), {
    'units per event': ({ table }) => table,
    writes: ({ write, indexWrite }) => (write - indexWrite).toFixed(3),
    'of its indexes': ({ indexWrite }) => indexWrite.toFixed(3),
    reads: ({ read }) => read.toFixed(3),
    'on demand, per million': (units) => dollars(onDemandDollars(units) * 1e6),
    [`provisioned, ${USED * 100} % used`]: (units) => dollars(provisionedDollars(units) * 1e6),
  });

/** What there is to pay when nothing happens. */
function standing({ Resources }: Template, idleSweep: Cost): string {
  const count = (type: string): number => Object.values(Resources).filter(({ Type }) => Type === type).length;
  const sweeps = readUnits(idleSweep) * PRICES.readUnit * MINUTES_PER_MONTH;
  const invocations = (1 + 1 / 60) * MINUTES_PER_MONTH * PRICES.lambdaRequest;
  const polls = count('AWS::Lambda::EventSourceMapping') * IDLE_RECEIVES_PER_MINUTE * MINUTES_PER_MONTH;
  const rows = [
    ['a month of nothing', ''],
    ['sweeps', dollars(sweeps + invocations)],
    ['receives that find nothing', dollars(polls * (PRICES.sqsRequest + PRICES.sqsFairRequest))],
    ['KMS keys, $1 each', dollars(count('AWS::KMS::Key'))],
    ['alarms, $0.10 each', dollars(count('AWS::CloudWatch::Alarm') * 0.1)],
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
