// Goal: no change of ours replaces what holds data, or lets go of it, without being seen. Method: the templates of this release
// beside the committed list, and templates in which one thing each is another.
import { describe, expect, it } from 'vitest';
import { synthesized } from '#test/infrastructure/synthesized.ts';
import { listOf, type StatefulList } from './stateful.ts';
import { EVERYTHING, readStatefulList, statefulList } from './stateful-list.ts';
import type { Template, TemplateResource } from './synthesize.ts';

const listed = readStatefulList();
const { stacks } = synthesized({ ephemeral: false, context: EVERYTHING });

/** The sentences about templates in which `id` of `stack` is what `change` makes of it. */
function saidOf(stack: string, id: string, change: (resource: TemplateResource) => object | undefined) {
  const template = stacks.get(stack) as Template;
  const { [id]: resource, ...others } = template.Resources;
  const other = change(resource as TemplateResource) as TemplateResource | undefined;
  const Resources = other === undefined ? others : { ...others, [id]: other };
  const changed = new Map(stacks).set(stack, { ...template, Resources });
  const said = (letGo: readonly string[]) => statefulList(listed, letGo, changed).refused;
  expect(said([id])).toEqual([]);
  return said(['another']).map(({ text }) => text);
}
const having = (properties: object) => (resource: TemplateResource) => ({
  ...resource,
  Properties: { ...resource.Properties, ...properties },
});
const idOf = (stack: string, beginning: string, type: string): string =>
  Object.entries(listed[stack] ?? {}).find(
    ([id, { Type }]) => id.startsWith(beginning) && Type === type,
  )?.[0] ?? `no ${beginning}`;
const EVENTS = idOf('MillraceEventsData', 'TablesEvents', 'AWS::DynamoDB::Table');
const eventsTable = stacks.get('MillraceEventsData')?.Resources[EVENTS]?.Properties as {
  readonly AttributeDefinitions: readonly { readonly AttributeName: string }[];
  readonly GlobalSecondaryIndexes: readonly { readonly IndexName: string; readonly KeySchema: unknown }[];
};

describe('the list of what holds data', () => {
  it('is that of the templates: npm run generate adds what is new', () => {
    const { refused, text } = statefulList(listed, [], stacks);
    expect(refused.map((one) => one.text)).toEqual([]);
    expect(listed).toEqual(JSON.parse(text));
  });

  it('has what the smallest settings deploy, under the same ids', () => {
    const smallest = synthesized({ ephemeral: false, context: { multiRegionKey: true } });
    for (const [stack, resources] of Object.entries(listOf(smallest.stacks)))
      expect(listed[stack]).toMatchObject(resources);
  });

  it('has every kind', () => {
    const types = Object.values(listed).flatMap((one) => Object.values(one).map(({ Type }) => Type));
    expect([...new Set(types)].sort()).toEqual([
      'AWS::CloudFront::Distribution',
      'AWS::Cognito::UserPool',
      'AWS::Cognito::UserPoolClient',
      'AWS::Cognito::UserPoolDomain',
      'AWS::DynamoDB::Table',
      'AWS::KMS::Key',
      'AWS::Lambda::Url',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::SES::EmailIdentity',
      'AWS::SQS::Queue',
    ]);
  });

  it('lets resources and indexes be added, and all else be changed', () => {
    const more = { ...eventsTable.GlobalSecondaryIndexes[0], IndexName: 'more' };
    const added = having({
      GlobalSecondaryIndexes: [...eventsTable.GlobalSecondaryIndexes, more],
      AttributeDefinitions: [...eventsTable.AttributeDefinitions, { AttributeName: 'm', AttributeType: 'N' }],
      DeletionProtectionEnabled: false,
    });
    expect(saidOf('MillraceEventsData', EVENTS, added)).toEqual([]);
    expect(saidOf('MillraceEventsData', 'TablesNew', () => ({ Type: 'AWS::DynamoDB::Table' }))).toEqual([]);
  });
});

describe('what is refused unless it is named', () => {
  const TABLE = `MillraceEventsData: the table ${EVENTS}`;
  it.each([
    [
      'a table under another id',
      () => undefined,
      `${TABLE} would be taken out: its items would be left behind`,
    ],
    [
      'another key',
      having({ KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }),
      `${TABLE} would be replaced by an empty one (KeySchema is another): its items would be left behind`,
    ],
    [
      'a key of another type',
      having({
        AttributeDefinitions: eventsTable.AttributeDefinitions.map((one) =>
          one.AttributeName === 'sk' ? { ...one, AttributeType: 'N' } : one,
        ),
      }),
      `${TABLE} would be replaced by an empty one (the type of sk is another): its items would be left behind`,
    ],
    [
      'a name',
      having({ TableName: 'events' }),
      `${TABLE} would be replaced by an empty one (TableName is another): its items would be left behind`,
    ],
  ])('%s', (_what, change, sentence) => {
    expect(saidOf('MillraceEventsData', EVENTS, change)).toEqual([sentence]);
  });

  it('an index that goes, or has another key', () => {
    const [first, ...others] = eventsTable.GlobalSecondaryIndexes;
    const index = `MillraceEventsData: the index ${first?.IndexName} of the table ${EVENTS} would be`;
    const read = ': the release before reads the one there is';
    const gone = having({ GlobalSecondaryIndexes: others });
    expect(saidOf('MillraceEventsData', EVENTS, gone)).toEqual([`${index} taken out${read}`]);
    const other = having({ GlobalSecondaryIndexes: [{ ...first, KeySchema: [] }, ...others] });
    expect(saidOf('MillraceEventsData', EVENTS, other)).toEqual([
      `${index} another, which CloudFormation refuses under this name${read}`,
    ]);
  });

  it.each([
    ['MillraceEventsData', 'Pages', 'AWS::S3::Bucket', 'the bucket', 'its objects would be left behind'],
    ['MillraceCore', 'VaultKey', 'AWS::KMS::Key', 'the key', 'what is encrypted under it would stay closed'],
    ['MillraceCore', 'DeadLetters', 'AWS::SQS::Queue', 'the queue', 'its messages would be deleted'],
    ['MillraceEvents', 'IngestionLogs', 'AWS::Logs::LogGroup', 'the log', 'its lines would be left behind'],
    [
      'MillraceCore',
      'DashboardUsersPool',
      'AWS::Cognito::UserPool',
      'the pool of users',
      'its people would be left behind',
    ],
  ])('%s: %s taken out', (stack, beginning, type, what, left) => {
    const id = idOf(stack, beginning, type);
    expect(saidOf(stack, id, () => undefined)).toEqual([
      `${stack}: ${what} ${id} would be taken out: ${left}`,
    ]);
  });

  it('a stack that goes with all it has', () => {
    const without = new Map([...stacks].filter(([name]) => name !== 'MillraceHelpdeskData'));
    const { refused } = statefulList(listed, [], without);
    expect(refused.map(({ id }) => id)).toEqual(
      Object.keys((listed as StatefulList).MillraceHelpdeskData ?? {}),
    );
  });
});
