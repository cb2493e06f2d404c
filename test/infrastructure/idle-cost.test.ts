// Goal: what docs/deploy.md says of a month without traffic is what the template comes to, and within its limit.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BATCH_DUE_SHARDS } from '../../lib/events/ports/batch-store.ts';
import { BUCKET_SHARDS } from '../../lib/events/ports/counter-store.ts';
import { DUE_SHARDS } from '../../lib/events/ports/event-store.ts';
import { type IdleLine, idleDollars, idleExceeded, idleMonth } from '../performance/idle-cost.ts';
import { resourcesOf, synthesized, target, variablesOf } from './synthesized.ts';

/** Of one sweep of events: half a unit for each shard, as `npm run cost` counts them. */
const SWEEP_READ_UNITS = (DUE_SHARDS + BATCH_DUE_SHARDS + BUCKET_SHARDS) / 2;

const deployed = (context = {}) => synthesized({ ephemeral: false, context });
const monthOf = (platforms?: number, context = {}) =>
  idleMonth(deployed(context).template, SWEEP_READ_UNITS, platforms);
const amount = (found: readonly IdleLine[]) => `$${idleDollars(found).toFixed(2)}`;
const section = /## Idle cost\n(?<text>[\s\S]*?)(?:\n## |$)/.exec(
  readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8'),
)?.groups?.text;

it('is the table of the document, line by line', () => {
  const lines = monthOf();
  const of = (what: string) => lines.filter((line) => line.what.includes(what));
  const rows = [
    ['each of 6 event sources', amount(of('receives'))],
    ['the 20 queues whose sources rest', amount(of('looks'))],
    [`for each metric: ${of('alarms')[0]?.count}`, amount(of('alarms'))],
    ['the KMS key', amount(of('KMS'))],
    ['schedules', amount([...of('sweeps'), ...of('schedules')])],
    ['**together**', `**${amount(lines)}**`],
  ];
  const shown = (section ?? '')
    .split('\n')
    .filter((line) => line.includes('$') && line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(shown.map(([, , dollars]) => dollars)).toEqual(rows.map(([, dollars]) => dollars));
  for (const [index, [words]] of rows.entries()) expect(shown[index]?.[1]).toContain(words);
  expect(idleExceeded(lines)).toEqual([]);
});

it('grows by as much as the document says with each platform, and with a dashboard', () => {
  const platform = idleDollars(monthOf(4)) - idleDollars(monthOf(3));
  expect(section).toContain(
    `Each platform more is $${platform.toFixed(2)}; without any it is ${amount(monthOf(0))}.`,
  );
  const dashboard = idleDollars(monthOf(3, { cloudwatchDashboard: true })) - idleDollars(monthOf(3));
  expect(section).toContain(`for $${dashboard.toFixed(2)}`);
});

it('is polled for by three sources alone, where no platform is in use', () => {
  const sources = resourcesOf(deployed(), 'AWS::Lambda::EventSourceMapping');
  const switched = ['sweep', 'helpdesk-sweep'].map((service) =>
    JSON.stringify(variablesOf(deployed(), service).EVENT_SOURCES),
  );
  const always = sources.filter(({ id }) => !switched.some((all) => all.includes(`"${id}"`)));
  const queues = always.map(({ Properties }) =>
    target(Properties.EventSourceArn).replace(/Queue[0-9A-F]{8}$/, ''),
  );
  expect(queues.sort()).toEqual(['Accepted', 'CounterRefresh', 'Normalized']);
  // What is said here would be repeated by a deployment that changes a source, whether it rests or not.
  for (const { Properties } of sources) expect(Properties).not.toHaveProperty('Enabled');
});

it('fits into the environment of the sweep, which Lambda keeps to 4 KB', () => {
  for (const service of ['sweep', 'helpdesk-sweep']) {
    const variables = JSON.stringify(variablesOf(deployed(), service), (_key, value: unknown) =>
      lengthened(value),
    );
    expect(variables.length).toBeLessThan(4_096);
  }
});

/** References as long as what they stand for: an id of a source, the address of a queue in the region with the longest name. */
function lengthened(value: unknown): unknown {
  const {
    Ref: id,
    'Fn::Join': joined,
    'Fn::Select': selected,
    'Fn::GetAtt': [owner, attribute] = [],
  } = (value ?? {}) as {
    Ref?: string;
    'Fn::Join'?: [string, unknown[]];
    'Fn::Select'?: [string, { 'Fn::Split': [string, unknown] }];
    'Fn::GetAtt'?: [string, string];
  };
  if (joined !== undefined)
    return joined[1].map((part) => (typeof part === 'string' ? part : lengthened(part))).join('');
  if (selected !== undefined) {
    const [separator, whole] = selected[1]['Fn::Split'];
    return String(lengthened(whole)).split(separator)[Number(selected[0])];
  }
  if (attribute === 'QueueName') return `MillraceEvents-${owner}-${'x'.repeat(12)}`;
  if (id === undefined) return value;
  if (deployed().template.Resources[id]?.Type === 'AWS::Lambda::EventSourceMapping') return 'x'.repeat(36);
  return `https://sqs.ap-southeast-2.amazonaws.com/111122223333/MillraceEvents-${id}-${'x'.repeat(12)}`;
}
