// The cost of events at one rate to one number of platforms, part by part, with all that was assumed.
import type { Cell } from '../../test/performance/cost-cell.ts';
import { ASSUMED } from '../../test/performance/cost-model.ts';
import { idleMonth } from '../../test/performance/idle-cost.ts';
import { readUnits, STAGES, sqsRequests } from '../../test/performance/metered-usage.ts';
import {
  onDemandDollars,
  provisionedDollars,
  USED,
  unitsByTable,
} from '../../test/performance/provisioned-cost.ts';
import { idleTable } from './idle-table.ts';
import { dollars, tableOf, textTable } from './text-table.ts';

/** `count`: for how many events the dollars are shown besides. */
export function printCell(cell: Cell, count: number): void {
  const { events, perSec, gatherers, connected, tookSec, lines, dollarsPerMillion } = cell;
  const [largest] = [...lines].sort((a, b) => b.dollars - a.dollars);
  console.log(
    [
      `${events} events at ${perSec} a second to ${connected.join(', ')}, ${gatherers} pollers of each queue: counted in ${tookSec.toFixed(0)} s`,
      stageTable(cell),
      costTable(cell, count),
      capacityTable(cell),
      idleTable(idleMonth(cell.template, readUnits(cell.idleSweep))),
      assumptions(),
      `$${dollarsPerMillion.toFixed(2)} per million events to ${connected.length} platforms; the most is ${largest?.what} with $${largest?.dollars.toFixed(2)}.`,
    ].join('\n\n'),
  );
}

/** Units by table and function; what is not there, is none. */
function stageTable({ cost, events }: Cell): string {
  const each = (count: number): string => (count === 0 ? '' : (count / events).toFixed(3));
  const stages = STAGES.map((name) => ({ name: String(name), ...cost.stages[name] }));
  const tables = ['events', 'batches', 'counters', 'config', 'rates'] as const;
  const units = Object.fromEntries(
    (['write', 'read'] as const).flatMap((kind) =>
      tables.map((table): [string, (stage: (typeof stages)[number]) => string] => [
        `${table} ${kind}`,
        (stage) => each(stage[table][`${kind}Units`]),
      ]),
    ),
  );
  const table = tableOf(stages, {
    'per event': ({ name }) => name,
    ...units,
    sends: ({ sent }) => each(sent.requests),
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

function assumptions(): string {
  const { awsCallMs, platformCallMs, sdkCallCpuMs, eventCpuMs } = ASSUMED;
  return [
    'Counted: units, requests, invocations. Assumed, for the time of functions only:',
    `${awsCallMs} ms for an answer of AWS, ${platformCallMs} ms for one of a platform, ${sdkCallCpuMs} ms of CPU a call and ${eventCpuMs} ms an event and stage.`,
    'List prices of us-east-1, 2026-11-21; their sources stand in test/performance/cost-model.ts. Free tiers are ignored.',
  ].join('\n');
}
