// Goal: on demand unless a setting says otherwise; provisioned means that the table and each of its indexes scale; what is to
// be warm is warm. Method: templates of both modes.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTopology } from '../../services/local/stack/template.ts';
import { type Named, resourcesOf, synthesized, target } from './synthesized.ts';

const units = (min: number, max: number, target = 70) => ({ min, max, target });
const EVENTS = {
  events: { read: units(10, 1_000), write: units(20, 2_000, 60) },
  'events/by_time': { read: units(11, 1_100), write: units(21, 2_100) },
  'events/due': { read: units(12, 1_200), write: { min: 22, max: 2_200 } },
};
const context = (settings: Readonly<Record<string, unknown>>) =>
  synthesized({ ephemeral: false, context: settings });
const onDemand = () => synthesized({ ephemeral: false });
const provisioned = () => context({ capacityMode: 'provisioned', provisionedCapacity: EVENTS });

interface TableProperties {
  readonly BillingMode?: string;
  readonly ProvisionedThroughput?: unknown;
  readonly WarmThroughput?: unknown;
  readonly GlobalSecondaryIndexes?: readonly (TableProperties & { readonly IndexName: string })[];
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^TablesEvents/, 'events'],
  [/^TablesBatches/, 'batches'],
  [/^TablesAnalytics/, 'analytics'],
  [/^TablesConfig/, 'config'],
  [/^TablesRates/, 'rates'],
];

const nameOf = (id: string): string => NAMES.find(([pattern]) => pattern.test(id))?.[1] ?? id;

/** Tables and indexes by their name in settings. */
function tablesOf(app: ReturnType<typeof onDemand>): ReadonlyMap<string, TableProperties> {
  return new Map(
    resourcesOf(app, 'AWS::DynamoDB::Table').flatMap(({ id, Properties }) => {
      const table = Properties as TableProperties;
      const indexes = table.GlobalSecondaryIndexes ?? [];
      return [
        [nameOf(id), table] as const,
        ...indexes.map((index) => [`${nameOf(id)}/${index.IndexName}`, index] as const),
      ];
    }),
  );
}

/** `events/by_time write` → bounds and target of its auto scaling. */
function scalingOf(app: ReturnType<typeof onDemand>): Readonly<Record<string, unknown>> {
  const targets = new Map(
    resourcesOf(app, 'AWS::ApplicationAutoScaling::ScalableTarget').map((found) => [
      found.id,
      found.Properties,
    ]),
  );
  return Object.fromEntries(
    resourcesOf(app, 'AWS::ApplicationAutoScaling::ScalingPolicy').map(({ Properties }) => {
      const scaled = targets.get(target(Properties.ScalingTargetId));
      const policy = Properties.TargetTrackingScalingPolicyConfiguration as {
        readonly TargetValue: number;
        readonly PredefinedMetricSpecification: { readonly PredefinedMetricType: string };
      };
      const dimension = /(Read|Write)CapacityUnits$/.exec(String(scaled?.ScalableDimension))?.[1] ?? '';
      expect(policy.PredefinedMetricSpecification.PredefinedMetricType).toBe(
        `DynamoDB${dimension}CapacityUtilization`,
      );
      const isIndex = scaled?.ScalableDimension === `dynamodb:index:${dimension}CapacityUnits`;
      return [
        `${scaledName(scaled, isIndex)} ${dimension.toLowerCase()}`,
        { min: scaled?.MinCapacity, max: scaled?.MaxCapacity, target: policy.TargetValue },
      ];
    }),
  );
}

/** From `table/<Ref>` or `table/<Ref>/index/<name>`. */
function scaledName(scaled: Named['Properties'] | undefined, isIndex: boolean): string {
  const joined = scaled?.ResourceId as { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
  const [prefix, table, index] = joined['Fn::Join'][1];
  expect(prefix).toBe('table/');
  expect(index === undefined).toBe(!isIndex);
  return nameOf(target(table)) + String(index ?? '').replace('/index/', '/');
}

describe('capacity', () => {
  it('is on demand and nothing is warmed or scaled when nothing is said', () => {
    for (const [name, table] of tablesOf(onDemand())) {
      expect(table.BillingMode).toBe(name.includes('/') ? undefined : 'PAY_PER_REQUEST');
      expect(table).not.toHaveProperty('ProvisionedThroughput');
      expect(table).not.toHaveProperty('WarmThroughput');
    }
    expect(resourcesOf(onDemand()).filter(({ Type }) => Type.includes('AutoScaling'))).toEqual([]);
  });

  it('stays on demand to the letter while figures wait', () => {
    const waiting = context({ capacityMode: 'on-demand', provisionedCapacity: EVENTS });
    expect(waiting.template).toEqual(onDemand().template);
  });

  it('is provisioned for a table and each of its indexes, from the maximum on', () => {
    const tables = tablesOf(provisioned());
    for (const [name, { read, write }] of Object.entries(EVENTS)) {
      expect(tables.get(name)?.BillingMode).toBe(name === 'events' ? 'PROVISIONED' : undefined);
      expect({ name, ...Object(tables.get(name)?.ProvisionedThroughput) }).toEqual({
        name,
        ReadCapacityUnits: read.max,
        WriteCapacityUnits: write.max,
      });
    }
    for (const name of ['batches', 'analytics', 'config', 'rates'])
      expect(tables.get(name)?.BillingMode).toBe('PAY_PER_REQUEST');
    expect(tables.get('analytics/due')).not.toHaveProperty('ProvisionedThroughput');
  });

  it('scales each of them, reads and writes apart', () => {
    expect(scalingOf(provisioned())).toEqual({
      'events read': units(10, 1_000),
      'events write': units(20, 2_000, 60),
      'events/by_time read': units(11, 1_100),
      'events/by_time write': units(21, 2_100),
      'events/due read': units(12, 1_200),
      'events/due write': units(22, 2_200),
    });
  });

  it('changes nothing but tables, and adds nothing but scaling', () => {
    const [before, after] = [onDemand().template.Resources, provisioned().template.Resources];
    const changed = Object.entries(after).filter(
      ([id, resource]) => JSON.stringify(resource) !== JSON.stringify(before[id]),
    );
    expect([...new Set(changed.map(([, { Type }]) => Type))].sort()).toEqual([
      'AWS::ApplicationAutoScaling::ScalableTarget',
      'AWS::ApplicationAutoScaling::ScalingPolicy',
      'AWS::DynamoDB::Table',
    ]);
    expect(Object.keys(before).filter((id) => after[id] === undefined)).toEqual([]);
  });

  it('makes no difference to the host on a laptop', () => {
    const addresses = { sqsOrigin: 'http://sqs', endpointUrl: (service: string) => `http://${service}` };
    const local = (settings: Readonly<Record<string, unknown>>) =>
      readTopology(synthesized({ ephemeral: true, context: settings }).template, addresses);
    const settings = { capacityMode: 'provisioned', provisionedCapacity: JSON.stringify(EVENTS) };
    expect(local(settings)).toEqual(local({}));
  });

  it('is what docs/capacity.md shows', () => {
    const page = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8');
    const settings = /```json\n("capacityMode"[\s\S]*?)\n```/.exec(page)?.[1];
    const warm = /```json\n("warmThroughput"[\s\S]*?)\n```/.exec(page)?.[1];
    const shown = context({ ...JSON.parse(`{${settings}}`), ...JSON.parse(`{${warm}}`) });
    expect(Object.keys(scalingOf(shown))).toHaveLength(6);
    expect(tablesOf(shown).get('events')?.WarmThroughput).toBeDefined();
  });

  it('is warm where it is said, in either mode', () => {
    const warmThroughput = {
      events: { write: 50_000 },
      'events/by_time': { read: 20_000, write: 10_000 },
    };
    for (const mode of [{}, { capacityMode: 'provisioned', provisionedCapacity: EVENTS }]) {
      const warm = [...tablesOf(context({ ...mode, warmThroughput }))].flatMap(
        ([name, { WarmThroughput }]) => (WarmThroughput === undefined ? [] : [[name, WarmThroughput]]),
      );
      expect(Object.fromEntries(warm)).toEqual({
        events: { WriteUnitsPerSecond: 50_000 },
        'events/by_time': { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 10_000 },
      });
    }
  });
});

const { 'events/due': due, ...withoutDue } = EVENTS;

describe('capacity of what there is not', () => {
  it.each([
    [
      { capacityMode: 'provisioned', provisionedCapacity: withoutDue },
      'Setting provisionedCapacity must name events with all its indexes or not at all; events/due is missing.',
    ],
    [
      { capacityMode: 'provisioned', provisionedCapacity: { 'events/due': due } },
      'Setting provisionedCapacity must name events with all its indexes or not at all; events, events/by_time is missing.',
    ],
    [
      { capacityMode: 'provisioned', provisionedCapacity: { ...EVENTS, orders: EVENTS.events } },
      'Setting provisionedCapacity names orders; there is config, rates, events, events/by_time, events/due, batches, batches/due, analytics, analytics/due, helpdesk, helpdesk/lists, helpdesk/waiting, helpdesk/due, helpdesk-audit.',
    ],
    [
      { warmThroughput: { 'events/by_day': { write: 4_000 } } },
      'Setting warmThroughput names events/by_day; there is config, rates,',
    ],
  ])('is refused: %j', (settings, sentence) => {
    expect(() => context(settings)).toThrow(sentence);
  });
});
