// Least privilege, spelled out: what each function may do, and nothing else. A new permission is a new line here.
import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { resourcesOf, serviceOf, synthesized, target } from './synthesized.ts';

const CONSUME = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];
const consume = (queue: string) => CONSUME.map((action) => `${action} ${queue}`);
const LOGS = ['logs:CreateLogStream own log', 'logs:PutLogEvents own log'];
/** Of the config table, in partitions of these names. */
const config = (action: string, ...partitions: readonly string[]) =>
  `dynamodb:${action} Config where dynamodb:LeadingKeys is ${partitions.join(', ')}`;
const OPEN = [config('GetItem', 'M#*', 'DATAKEY#*'), 'kms:Decrypt VaultKey'];
const SEAL = [...OPEN, config('PutItem', 'M#*', 'DATAKEY#*'), 'kms:GenerateDataKey VaultKey'];
const ROUTING = config('GetItem', 'M#*', 'ROUTING#*');
const RECOUNT = [
  'dynamodb:BatchGetItem Events',
  'dynamodb:Query Events/index/by_time',
  'dynamodb:BatchGetItem Batches',
  'dynamodb:Query Batches',
];
const COUNTERS = ['dynamodb:GetItem Analytics', 'dynamodb:Query Analytics', 'dynamodb:UpdateItem Analytics'];

/** What it takes to tell rows that are due, and to release what was parked. */
const TELL = [
  'dynamodb:Query Events/index/due',
  'dynamodb:BatchGetItem Events',
  'dynamodb:UpdateItem Events',
  'dynamodb:Query Batches/index/due',
  'dynamodb:BatchGetItem Batches',
  'dynamodb:PutItem Batches',
  'dynamodb:UpdateItem Batches',
  ROUTING,
  'sqs:SendMessage Normalized',
  ...PLATFORMS.map(({ slug }) => `sqs:SendMessage ${deliveries(slug)}`),
  'sqs:SendMessage DueWork',
];

/** What it takes to put a replay at the head of the pipe. */
const REPLAYING = [
  'dynamodb:PutItem Events',
  ...COUNTERS,
  'sqs:SendMessage Accepted',
  'sqs:SendMessage Replays',
];

/** What it takes to change a record of the helpdesk and to see to what follows. */
const CHANGE = [
  ...['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'].map(
    (action) => `dynamodb:${action} HelpdeskRecords`,
  ),
  'dynamodb:PutItem HelpdeskAudit',
  ...['Deliveries', 'RunWork', 'MailWork', 'TaskWork'].map((queue) => `sqs:SendMessage Helpdesk${queue}`),
];

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  ingestion: [
    'dynamodb:GetItem Events',
    'dynamodb:PutItem Events',
    'dynamodb:BatchGetItem Batches',
    ...COUNTERS,
    config('GetItem', 'M#*'),
    config('GetItem', 'KEY#*'),
    config('GetItem', 'USED#*'),
    config('UpdateItem', 'USED#*'),
    'sqs:SendMessage Accepted',
  ],
  'browser-ingestion': [
    'dynamodb:GetItem Events',
    'dynamodb:PutItem Events',
    'dynamodb:BatchGetItem Batches',
    ...COUNTERS,
    config('GetItem', 'M#*'),
    'dynamodb:GetItem Rates',
    'dynamodb:PutItem Rates',
    'dynamodb:UpdateItem Rates',
    'sqs:SendMessage Accepted',
  ],
  normalize: [
    ...consume('Accepted'),
    'dynamodb:GetItem Events',
    'dynamodb:BatchGetItem Events',
    'dynamodb:UpdateItem Events',
    'dynamodb:BatchGetItem Batches',
    'dynamodb:PutItem Batches',
    'dynamodb:BatchGetItem Analytics',
    ...COUNTERS,
    config('UpdateItem', 'M#*'),
    ROUTING,
    ...SEAL,
    ...['GetItem', 'PutItem'].map((action) => config(action, 'DAYKEY#*')),
    'sqs:SendMessage Normalized',
    'sqs:SendMessage CounterRefresh',
  ],
  'fan-out': [
    ...consume('Normalized'),
    'dynamodb:BatchGetItem Events',
    'dynamodb:UpdateItem Events',
    'dynamodb:BatchGetItem Batches',
    'dynamodb:PutItem Batches',
    ...PLATFORMS.map(({ slug }) => `sqs:SendMessage ${deliveries(slug)}`),
  ],
  deliver: [
    ...PLATFORMS.flatMap(({ slug }) => consume(deliveries(slug))),
    'dynamodb:GetItem Events',
    'dynamodb:BatchGetItem Events',
    'dynamodb:UpdateItem Events',
    'dynamodb:BatchGetItem Batches',
    'dynamodb:Query Batches',
    'dynamodb:PutItem Batches',
    ROUTING,
    config('UpdateItem', 'M#*', 'ROUTING#*'),
    config('GetItem', 'DAYKEY#*'),
    ...OPEN,
    'sqs:SendMessage CounterRefresh',
    'sqs:SendMessage TaskWork',
  ],
  aggregate: [
    ...consume('CounterRefresh'),
    ...RECOUNT,
    ...COUNTERS,
    ROUTING,
    config('UpdateItem', 'M#*'),
    'dynamodb:UpdateItem Events',
    'dynamodb:PutItem Batches',
    'sqs:SendMessage Accepted',
    'sqs:SendMessage Normalized',
    'sqs:SendMessage CounterRefresh',
  ],
  sweep: [
    ...TELL,
    'dynamodb:Query Analytics/index/due',
    config('Query', 'REPLAYS'),
    'sqs:SendMessage CounterRefresh',
    'sqs:SendMessage Replays',
  ],
  replay: [
    ...consume('Replays'),
    ...REPLAYING,
    'dynamodb:GetItem Events',
    'dynamodb:BatchGetItem Events',
    'dynamodb:Query Events/index/by_time',
    'dynamodb:BatchGetItem Batches',
    ROUTING,
    config('GetItem', 'DAYKEY#*'),
    config('PutItem', 'M#*'),
    ...['GetItem', 'UpdateItem'].map((action) => config(action, 'REPLAYS')),
    'dynamodb:UpdateItem Rates',
    ...OPEN,
  ],
  drain: [...consume('DueWork'), ...TELL, 'dynamodb:UpdateItem Rates'],
  tasks: [
    ...consume('TaskWork'),
    'dynamodb:BatchGetItem Events',
    'dynamodb:UpdateItem Events',
    'dynamodb:Query Events/index/by_time',
    'dynamodb:BatchGetItem Batches',
    'dynamodb:Query Analytics',
    'dynamodb:DeleteItem Analytics where dynamodb:LeadingKeys is *#touch#*',
    ROUTING,
    config('GetItem', 'DAYKEY#*'),
    ...['GetItem', 'PutItem'].map((action) => config(action, 'TASKS#*')),
    ...OPEN,
    'sqs:SendMessage TaskWork',
  ],
  reconcile: [
    ...consume('Audit'),
    ...RECOUNT,
    ...COUNTERS,
    config('GetItem', 'M#*'),
    'dynamodb:Scan Config',
    ...['Query', 'DeleteItem'].map((action) => config(action, 'DAYKEY#*')),
    ...['GetItem', 'Query', 'DeleteItem'].map((action) => config(action, 'TASKS#*')),
    'sqs:SendMessage TaskWork',
    'sqs:SendMessage CounterRefresh',
    'sqs:SendMessage Audit',
  ],
  api: [
    ...REPLAYING,
    'sqs:SendMessage TaskWork',
    'dynamodb:GetItem Config',
    'dynamodb:BatchGetItem Config',
    'dynamodb:Query Config',
    config('DeleteItem', 'M#*'),
    'dynamodb:PutItem Config',
    'dynamodb:UpdateItem Config',
    'dynamodb:GetItem Events',
    'dynamodb:BatchGetItem Events',
    'dynamodb:Query Events/index/by_time',
    'dynamodb:BatchGetItem Batches',
    'dynamodb:Query Analytics',
    'dynamodb:GetItem Rates',
    'dynamodb:PutItem Rates',
    'dynamodb:UpdateItem Rates',
    'dynamodb:DeleteItem Rates',
    'dynamodb:UpdateItem Analytics',
    ...SEAL,
  ],
  'helpdesk-api': [
    ...CHANGE,
    'dynamodb:Query HelpdeskRecords/index/lists',
    'dynamodb:Query HelpdeskRecords/index/waiting',
    'dynamodb:Query HelpdeskAudit',
    ...['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'].map((action) =>
      config(action, 'M#*', 'TEAM#*', 'SUB#*', 'KEY#*'),
    ),
    config('DeleteItem', 'M#*'),
    ...['GetItem', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} Rates`),
    ...['GetItem', 'Query', 'UpdateItem'].map((action) => config(action, 'USED#*')),
    ...SEAL,
  ],
  'helpdesk-webhooks': [...consume('HelpdeskDeliveries'), ...CHANGE, ...OPEN],
  'helpdesk-runs': [
    ...consume('HelpdeskRunWork'),
    ...CHANGE,
    'dynamodb:GetItem Rates',
    'dynamodb:UpdateItem Rates',
  ],
  'helpdesk-tasks': [
    ...consume('HelpdeskTaskWork'),
    ...CHANGE,
    'dynamodb:DeleteItem HelpdeskRecords',
    'dynamodb:Query HelpdeskRecords/index/lists',
  ],
  'helpdesk-sweep': [...CHANGE, 'dynamodb:Query HelpdeskRecords/index/due'],
  'operator-admin': [
    ...['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((action) => config(action, 'M#*')),
    ...['GetItem', 'PutItem'].map((action) => config(action, 'TEAM#*', 'DATAKEY#*')),
    ...['BatchGetItem', 'PutItem'].map((action) => config(action, 'KEY#*')),
    ...['GetItem', 'PutItem'].map((action) => config(action, 'SUB#*')),
    'kms:Decrypt VaultKey',
    'kms:GenerateDataKey VaultKey',
    ...['AdminGetUser', 'AdminCreateUser'].map(
      (action) =>
        `cognito-idp:${action} arn:AWS::Partition:cognito-idp:AWS::Region:AWS::AccountId:userpool/DashboardUsersPool`,
    ),
  ],
};

/** The environment that goes with the permissions; the rest is settings. */
const TABLES: Readonly<Record<string, string>> = {
  Events: 'EVENTS_TABLE',
  Batches: 'BATCHES_TABLE',
  Analytics: 'ANALYTICS_TABLE',
  Config: 'CONFIG_TABLE',
  Rates: 'RATES_TABLE',
  HelpdeskRecords: 'HELPDESK_TABLE',
  HelpdeskAudit: 'HELPDESK_AUDIT_TABLE',
};

const app = () => synthesized({ ephemeral: false });

describe('permissions', () => {
  it('are exactly those listed for each function', () => {
    const actual = Object.fromEntries(
      [...permissions(app())].map(([service, granted]) => [service, [...granted].sort()]),
    );
    const expected = Object.fromEntries(
      Object.entries(EXPECTED).map(([service, granted]) => [
        service,
        [...new Set([...granted, ...LOGS])].sort(),
      ]),
    );
    expect(actual).toEqual(expected);
  });

  it('to write of a merchant are routings alone for what delivers, once nothing lies elsewhere', () => {
    const moved = permissions(synthesized({ ephemeral: false, context: { ownPartitions: true } }));
    const before = permissions(app());
    const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
    const ofConfig = (grants: ReadonlySet<string> | undefined) =>
      [...(grants ?? [])].filter((grant) => writes.some((one) => grant.startsWith(`dynamodb:${one} Config`)));
    expect(ofConfig(moved.get('deliver'))).toEqual([config('UpdateItem', 'ROUTING#*')]);
    for (const [service, grants] of moved)
      if (service !== 'deliver') expect([service, grants]).toEqual([service, before.get(service)]);
  });

  it('reach teams, their members and API keys for none but APIs, ingestion of servers and operators', () => {
    const holders = (partition: RegExp) =>
      [...permissions(app())].flatMap(([service, grants]) =>
        [...grants].some((one) => / Config$/.test(one) || partition.test(one)) ? [service] : [],
      );
    const apis = ['api', 'helpdesk-api', 'operator-admin'];
    expect(holders(/(TEAM|SUB)#/).sort()).toEqual([...apis, 'reconcile'].sort());
    expect(holders(/[ ,](KEY)#/).sort()).toEqual([...apis, 'ingestion', 'reconcile'].sort());
  });

  it('let the API read two parameters where it takes payments, and say nothing of what they hold', () => {
    const context = { stripeSecretKeyParameter: '/shop/key', stripeWebhookSecretParameter: '/shop/hook' };
    const selling = synthesized({ ephemeral: false, context });
    const statements = resourcesOf(selling, 'AWS::IAM::Policy').flatMap(({ Properties }) =>
      statementsOf(Properties).filter(({ Action }) => JSON.stringify(Action).includes('ssm:')),
    );
    const parameter = (name: string) => ({
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':ssm:',
          { Ref: 'AWS::Region' },
          ':',
          { Ref: 'AWS::AccountId' },
          `:parameter${name}`,
        ],
      ],
    });
    expect(statements).toEqual([
      { Action: 'ssm:GetParameters', Effect: 'Allow', Resource: ['/shop/hook', '/shop/key'].map(parameter) },
    ]);
    const variables = resourcesOf(selling, 'AWS::Lambda::Function')
      .filter((lambda) => JSON.stringify(lambda.Properties).includes('STRIPE_'))
      .map((lambda) => [
        serviceOf(lambda),
        (lambda.Properties.Environment as { Variables: Record<string, unknown> }).Variables,
      ]);
    expect(variables).toEqual([
      [
        'api',
        expect.objectContaining({
          STRIPE_SECRET_KEY_PARAMETER: '/shop/key',
          STRIPE_WEBHOOK_SECRET_PARAMETER: '/shop/hook',
        }),
      ],
    ]);
    expect(JSON.stringify(app().template)).not.toMatch(/STRIPE_|ssm:GetParameters/);
  });

  it('name their resource: no wildcard in action or resource', () => {
    const wide = resourcesOf(app(), 'AWS::IAM::Policy').flatMap((policy) =>
      statementsOf(policy.Properties).filter(({ Action, Resource }) =>
        JSON.stringify([Action, Resource]).includes('*'),
      ),
    );
    expect(wide).toEqual([]);
  });

  it('come from no managed policy and are held by functions only', () => {
    for (const role of resourcesOf(app(), 'AWS::IAM::Role')) {
      expect(role.Properties).not.toHaveProperty('ManagedPolicyArns');
      expect(JSON.stringify(role.Properties.AssumeRolePolicyDocument)).toContain('"lambda.amazonaws.com"');
    }
  });

  it('go with the name of the table in the environment, and the other way round', () => {
    for (const lambda of resourcesOf(app(), 'AWS::Lambda::Function')) {
      const { Variables: variables } = lambda.Properties.Environment as {
        Variables: Record<string, unknown>;
      };
      const granted = [...(permissions(app()).get(serviceOf(lambda)) ?? [])];
      for (const [table, variable] of Object.entries(TABLES)) {
        const used = granted.some((grant) => new RegExp(`^dynamodb:\\w+ ${table}\\b`).test(grant));
        expect({ service: serviceOf(lambda), table, named: variable in variables }).toEqual({
          service: serviceOf(lambda),
          table,
          named: used,
        });
      }
    }
  });
});

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

function statementsOf(properties: Readonly<Record<string, unknown>>): readonly Statement[] {
  return (properties.PolicyDocument as { Statement: readonly Statement[] }).Statement;
}

/** Service → "action resource" of everything its role may do. */
function permissions(of: ReturnType<typeof app>): ReadonlyMap<string, ReadonlySet<string>> {
  const services = new Map(
    resourcesOf(of, 'AWS::Lambda::Function').map((lambda) => [
      target(lambda.Properties.Role),
      {
        service: serviceOf(lambda),
        log: target((lambda.Properties.LoggingConfig as { LogGroup: unknown }).LogGroup),
      },
    ]),
  );
  const granted = new Map<string, Set<string>>();
  for (const policy of resourcesOf(of, 'AWS::IAM::Policy')) {
    for (const role of (policy.Properties.Roles as unknown[]).map(target)) {
      const holder = services.get(role);
      if (holder === undefined) throw new Error(`${role} is the role of no function.`);
      const grants = granted.get(holder.service) ?? new Set();
      granted.set(holder.service, grants);
      for (const statement of statementsOf(policy.Properties)) {
        for (const grant of grantsOf(statement, holder.log)) grants.add(grant);
      }
    }
  }
  return granted;
}

function grantsOf({ Effect, Action, Resource, Condition }: Statement, log: string): readonly string[] {
  expect(Effect).toBe('Allow');
  const condition = Object.values(Condition ?? {}).flatMap((test) =>
    Object.entries(test).map(([key, values]) => ` where ${key} is ${[values].flat().join(', ')}`),
  );
  return [Action]
    .flat()
    .flatMap((action) =>
      (Array.isArray(Resource) ? Resource : [Resource]).map(
        (resource) => `${action} ${nameOf(resource, log)}${condition.join('')}`,
      ),
    );
}

function nameOf(resource: unknown, log: string): string {
  const joined = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  if (joined !== undefined)
    return joined[1].map((part) => (typeof part === 'string' ? part : nameOf(part, log))).join('');
  const id = target(resource);
  if (id === log) return 'own log';
  return id.replace('Tables', '').replace(/(Queue)?[0-9A-F]{8}$/, '');
}

function deliveries(slug: string): string {
  return `Deliveries${slug.replace(/[^A-Za-z0-9]/g, '')}`;
}
