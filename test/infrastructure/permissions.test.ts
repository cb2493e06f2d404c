// Least privilege, spelled out: what each function may do, and nothing else. A new permission is a new line here.
import { describe, expect, it } from 'vitest';
import type { Synthesized } from '../../cdk/synthesize.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { resourcesOf, serviceOf, synthesized, target, variablesOf } from './synthesized.ts';

const CONSUME = [
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ReceiveMessage',
];
const consume = (queue: string) => CONSUME.map((action) => `sqs:${action} ${queue}`);
const LOGS = ['logs:CreateLogStream own log', 'logs:PutLogEvents own log'];
const items = (table: string, ...actions: readonly string[]) =>
  actions.map((action) => `dynamodb:${action} ${table}`);
const only = (table: string, partitions: string, ...actions: readonly string[]) =>
  items(table, ...actions).map((grant) => `${grant} where dynamodb:LeadingKeys is ${partitions}`);
const config = (partitions: string, ...actions: readonly string[]) => only('Config', partitions, ...actions);
/** What is known of orders, which lies among the counters. */
const orders = (...actions: readonly string[]) => only('Analytics', '*#order#*', ...actions);
const ORDERS = orders('GetItem', 'PutItem');
const send = (...queues: readonly string[]) => queues.map((queue) => `sqs:SendMessage ${queue}`);
const MAPPING = 'arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:event-source-mapping';
/** To see how much waits in rarely used queues, to send to them, and to switch what polls them. */
const tend = (...queues: readonly string[]) =>
  queues.flatMap((queue) => [
    `sqs:GetQueueAttributes ${queue}`,
    `sqs:SendMessage ${queue}`,
    `lambda:GetEventSourceMapping ${MAPPING}:source of ${queue}`,
    `lambda:UpdateEventSourceMapping ${MAPPING}:source of ${queue}`,
  ]);
const deliveries = PLATFORMS.map(({ slug }) => `Deliveries${slug.replace(/[^A-Za-z0-9]/g, '')}`);

const OPEN = [...config('M#*, DATAKEY#*, WRAP#*', 'GetItem'), 'kms:Decrypt VaultKey'];
const SEAL = [...OPEN, ...config('M#*, DATAKEY#*, WRAP#*', 'PutItem'), 'kms:GenerateDataKey VaultKey'];
const ROUTING = config('M#*, ROUTING#*', 'GetItem');
const BY_TIME = items('Events/index/by_time', 'Query');
const RECOUNT = [
  ...items('Events', 'BatchGetItem'),
  ...BY_TIME,
  ...items('Batches', 'BatchGetItem', 'Query'),
  's3:GetObject Pages/events/*',
  's3:ListBucket Pages',
];
const COUNTERS = items('Analytics', 'GetItem', 'Query', 'UpdateItem');

/** What it takes to tell rows that are due, and to release what was parked. */
const TELL = [
  ...items('Events/index/due', 'Query'),
  ...items('Events', 'BatchGetItem', 'UpdateItem'),
  ...items('Batches/index/due', 'Query'),
  ...items('Batches', 'BatchGetItem', 'PutItem', 'UpdateItem'),
  ...ROUTING,
  ...send('Normalized', 'DueWork', ...deliveries),
];

/** What it takes to send to platforms, and to pause a connection. */
const DELIVERING = [
  ...items('Events', 'GetItem', 'BatchGetItem', 'UpdateItem'),
  ...items('Batches', 'BatchGetItem', 'Query', 'PutItem'),
  ...ROUTING,
  ...config('M#*, ROUTING#*', 'UpdateItem'),
  ...config('DAYKEY#*', 'GetItem'),
  ...items('Rates', 'UpdateItem'),
  ...OPEN,
  ...send('CounterRefresh', 'TaskWork'),
];
/** Of operators at merchants. */
const LOOKING = [
  ...config('ROUTING#*', 'GetItem'),
  ...config('TASKS#*', 'Query'),
  'dynamodb:Scan Config where dynamodb:Attributes is pk, sk, merchant, susp, epm, epd, bpm, rpd where dynamodb:Select is SPECIFIC_ATTRIBUTES',
  ...items('Analytics', 'Query'),
  ...['Events', 'Batches', 'Analytics'].flatMap((table) => items(`${table}/index/due`, 'Query')),
  'kms:Decrypt VaultKey',
];
const DELIVERERS = ['fan-out', 'deliver'];

/** What it takes to put a replay at the head of the pipe. */
const REPLAYING = [...items('Events', 'PutItem'), ...COUNTERS, ...send('Accepted', 'Replays')];

/** What it takes to change a record of the helpdesk and to see to what follows. */
const CHANGE = [
  ...items('HelpdeskRecords', 'GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
  ...items('HelpdeskAudit', 'PutItem'),
  ...send('HelpdeskDeliveries', 'HelpdeskRunWork', 'HelpdeskMailWork', 'HelpdeskTaskWork'),
];

/** Pages of old events. */
const pages = (...actions: readonly string[]) => [
  ...actions.map((action) => `s3:${action} Pages/events/*`),
  's3:ListBucket Pages',
];
/** What it takes to write to an event that may lie there. */
const HOLD = [...pages('GetObject'), ...items('Batches', 'Query', 'UpdateItem')];
const expiry = (table: string) => items(table, 'DescribeTimeToLive', 'UpdateTimeToLive');

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  ingestion: [
    ...items('Events', 'GetItem', 'PutItem'),
    ...items('Batches', 'BatchGetItem'),
    ...COUNTERS,
    ...config('M#*', 'GetItem'),
    ...config('KEY#*', 'GetItem'),
    ...config('USED#*', 'GetItem', 'UpdateItem'),
    ...items('Rates', 'UpdateItem'),
    ...send('Accepted', 'TaskWork'),
  ],
  'browser-ingestion': [
    ...items('Events', 'GetItem', 'PutItem'),
    ...items('Batches', 'BatchGetItem'),
    ...COUNTERS,
    ...config('M#*', 'GetItem'),
    ...items('Rates', 'GetItem', 'PutItem', 'UpdateItem'),
    ...send('Accepted', 'TaskWork'),
  ],
  normalize: [
    ...consume('Accepted'),
    ...items('Events', 'GetItem', 'BatchGetItem', 'UpdateItem'),
    ...items('Batches', 'BatchGetItem', 'PutItem'),
    ...HOLD,
    ...items('Analytics', 'BatchGetItem'),
    ...COUNTERS,
    ...ORDERS,
    ...config('M#*', 'UpdateItem'),
    ...ROUTING,
    ...SEAL,
    ...config('DAYKEY#*', 'GetItem', 'PutItem'),
    ...send('Accepted', 'Normalized', 'CounterRefresh'),
  ],
  'fan-out': [
    ...consume('Normalized'),
    ...DELIVERING,
    ...HOLD,
    ...items('Analytics', 'Query'),
    ...ORDERS,
    ...send(...deliveries),
  ],
  deliver: [...deliveries.flatMap(consume), ...DELIVERING, ...HOLD, ...orders('GetItem'), ...COUNTERS],
  aggregate: [
    ...consume('CounterRefresh'),
    ...RECOUNT,
    ...COUNTERS,
    ...ROUTING,
    ...config('M#*', 'UpdateItem'),
    ...items('Events', 'UpdateItem'),
    ...items('Batches', 'PutItem'),
    ...send('Accepted', 'Normalized', 'CounterRefresh', 'TaskWork'),
  ],
  sweep: [
    ...TELL,
    ...items('Analytics/index/due', 'Query'),
    ...config('REPLAYS', 'Query'),
    ...config('HORIZON', 'GetItem', 'PutItem', 'Query'),
    ...expiry('Events'),
    ...expiry('Batches'),
    ...send('CounterRefresh'),
    ...tend('DueWork', 'Replays', 'TaskWork', 'Audit', ...deliveries),
  ],
  replay: [
    ...consume('Replays'),
    ...REPLAYING,
    ...items('Events', 'GetItem', 'BatchGetItem'),
    ...BY_TIME,
    ...items('Batches', 'BatchGetItem'),
    ...pages('GetObject'),
    ...ROUTING,
    ...config('DAYKEY#*', 'GetItem'),
    ...config('M#*', 'PutItem'),
    ...config('REPLAYS', 'GetItem', 'UpdateItem'),
    ...items('Rates', 'UpdateItem'),
    ...OPEN,
  ],
  drain: [...consume('DueWork'), ...TELL, ...items('Rates', 'UpdateItem')],
  tasks: [
    ...consume('TaskWork'),
    ...items('Events', 'BatchGetItem', 'UpdateItem'),
    ...BY_TIME,
    ...items('Batches', 'BatchGetItem'),
    ...pages('GetObject', 'PutObject'),
    ...items('Analytics', 'Query'),
    'dynamodb:DeleteItem Analytics where dynamodb:LeadingKeys is *#touch#*',
    ...ROUTING,
    ...config('DAYKEY#*', 'GetItem'),
    ...config('TASKS#*', 'GetItem', 'PutItem'),
    ...OPEN,
    ...send('TaskWork'),
  ],
  reconcile: [
    ...consume('Audit'),
    ...RECOUNT,
    ...pages('PutObject', 'DeleteObject'),
    ...items('Events', 'UpdateItem'),
    ...items('Batches', 'UpdateItem'),
    ...config('HORIZON', 'GetItem', 'PutItem'),
    ...COUNTERS,
    ...config('M#*', 'GetItem'),
    ...items('Config', 'Scan'),
    'dynamodb:BatchGetItem Analytics where dynamodb:LeadingKeys is *#touch#*, *#order#*',
    ...ORDERS,
    ...config('DAYKEY#*', 'GetItem'),
    ...OPEN,
    ...config('DAYKEY#*', 'Query', 'DeleteItem'),
    ...config('TASKS#*', 'GetItem', 'Query', 'DeleteItem'),
    ...send('TaskWork', 'CounterRefresh', 'Audit'),
  ],
  api: [
    ...REPLAYING,
    ...send('TaskWork'),
    ...config('M#*, TEAM#*, SUB#*, KEY#*', 'GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
    ...config('M#*', 'DeleteItem'),
    ...config('USED#*', 'GetItem', 'Query', 'UpdateItem'),
    ...config('DAYKEY#*', 'GetItem'),
    ...config('ROUTING#*', 'GetItem', 'PutItem', 'UpdateItem'),
    ...config('TASKS#*', 'GetItem', 'Query', 'PutItem', 'UpdateItem'),
    ...config('CUS#*', 'GetItem', 'PutItem'),
    ...config('REPLAYS', 'GetItem', 'UpdateItem'),
    ...items('Events', 'GetItem', 'BatchGetItem'),
    ...BY_TIME,
    ...items('Batches', 'BatchGetItem', 'Query'),
    ...pages('GetObject'),
    'dynamodb:BatchGetItem Analytics where dynamodb:LeadingKeys is *#touch#*, *#order#*',
    ...ORDERS,
    'dynamodb:BatchGetItem Analytics where dynamodb:LeadingKeys is *#suppressed',
    'dynamodb:DeleteItem Analytics where dynamodb:LeadingKeys is *#suppressed',
    ...items('Rates', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'),
    ...SEAL,
  ],
  'helpdesk-api': [
    ...CHANGE,
    ...items('HelpdeskRecords/index/lists', 'Query'),
    ...items('HelpdeskRecords/index/waiting', 'Query'),
    ...items('HelpdeskAudit', 'Query'),
    ...config('M#*, TEAM#*, SUB#*, KEY#*', 'GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
    ...config('M#*', 'DeleteItem'),
    ...items('Rates', 'GetItem', 'PutItem', 'UpdateItem'),
    ...config('USED#*', 'GetItem', 'Query', 'UpdateItem'),
    ...SEAL,
  ],
  'helpdesk-webhooks': [...consume('HelpdeskDeliveries'), ...CHANGE, ...OPEN],
  'helpdesk-runs': [...consume('HelpdeskRunWork'), ...CHANGE, ...items('Rates', 'GetItem', 'UpdateItem')],
  'helpdesk-tasks': [
    ...consume('HelpdeskTaskWork'),
    ...CHANGE,
    ...items('HelpdeskRecords', 'DeleteItem'),
    ...items('HelpdeskRecords/index/lists', 'Query'),
  ],
  'helpdesk-sweep': [
    ...CHANGE,
    ...items('HelpdeskRecords/index/due', 'Query'),
    ...tend('HelpdeskDeliveries', 'HelpdeskRunWork', 'HelpdeskTaskWork'),
  ],
  'operator-reader': [
    ...config('M#*', 'GetItem', 'Query', 'PutItem'),
    ...config('TEAM#*, DATAKEY#*, WRAP#*', 'GetItem'),
    ...config('KEY#*', 'BatchGetItem', 'PutItem', 'DeleteItem'),
    ...LOOKING,
  ],
  'operator-admin': [
    ...config('M#*', 'GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
    ...config('TEAM#*, DATAKEY#*, WRAP#*', 'GetItem', 'PutItem'),
    ...config('KEY#*', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'),
    ...only('HelpdeskRecords', 'W#*', 'GetItem', 'PutItem'),
    ...config('SUB#*', 'Query', 'PutItem', 'DeleteItem'),
    ...config('ROUTING#*', 'PutItem', 'UpdateItem'),
    ...config('DATAKEY#*, TASKS#*', 'DeleteItem'),
    ...config('DAYKEY#*', 'Query', 'UpdateItem', 'DeleteItem'),
    ...LOOKING,
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
    for (const service of DELIVERERS)
      expect(ofConfig(moved.get(service))).toEqual(config('ROUTING#*', 'UpdateItem'));
    for (const [service, grants] of moved)
      if (!DELIVERERS.includes(service)) expect([service, grants]).toEqual([service, before.get(service)]);
  });

  it('reach teams, their members and API keys for none but APIs, ingestion of servers and operators', () => {
    const holders = (partition: RegExp) =>
      [...permissions(app())].flatMap(([service, grants]) =>
        [...grants].some((one) => / Config$/.test(one) || partition.test(one)) ? [service] : [],
      );
    const apis = ['api', 'helpdesk-api', 'operator-admin', 'operator-reader'];
    expect(holders(/(TEAM|SUB)#/).sort()).toEqual([...apis, 'reconcile'].sort());
    expect(holders(/[ ,](KEY)#/).sort()).toEqual([...apis, 'ingestion', 'reconcile'].sort());
  });

  it('make wrapping keys for those alone that make data keys', () => {
    const holders = (grant: RegExp) =>
      [...permissions(app())].flatMap(([service, grants]) =>
        [...grants].some((one) => grant.test(one)) ? [service] : [],
      );
    const makers = ['api', 'helpdesk-api', 'normalize', 'operator-admin'];
    expect(holders(/kms:GenerateDataKey/).sort()).toEqual(makers);
    expect(holders(/PutItem Config( where .*WRAP#.*)?$/).sort()).toEqual(makers);
  });

  it('name their resource: no wildcard in action or resource', () => {
    const wide = resourcesOf(app(), 'AWS::IAM::Policy').flatMap((policy) =>
      statementsOf(policy.Properties).filter(({ Action, Resource }) =>
        // Objects of a bucket can be named by the beginning of their names alone.
        JSON.stringify([Action, Resource]).replace('"/events/*"', '').includes('*'),
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
      const variables = variablesOf(app(), serviceOf(lambda));
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

const REGION = 'arn:AWS::Partition:bedrock:AWS::Region:';
const parameter = (name: string) =>
  `ssm:GetParameters arn:AWS::Partition:ssm:AWS::Region:AWS::AccountId:parameter${name}`;
const ASK = 'bedrock:InvokeModelWithResponseStream';
const LIMITS = { AI_REQUESTS_PER_MINUTE: '10', AI_REQUESTS_PER_DAY: '1000', AI_TOKENS_PER_DAY: '5000000' };
/** The helpdesk's drafts ask the same model. */
const ASKING = ['api', 'helpdesk-runs'];

/** Of models that cost money, and of secrets; variables that go with it. What a parameter holds is in no template. */
const BY_SETTING: readonly (readonly [
  what: string,
  context: Readonly<Record<string, string>>,
  holders: readonly string[],
  grants: readonly string[],
  variables: Readonly<Record<string, string>>,
])[] = [
  ['nothing by default', {}, [], [], {}],
  [
    'one model at Bedrock',
    { aiProvider: 'bedrock', aiModel: 'amazon.nova-pro-v1:0' },
    ASKING,
    [`${ASK} ${REGION}:foundation-model/amazon.nova-pro-v1:0`],
    { AI_PROVIDER: 'bedrock', AI_MODEL: 'amazon.nova-pro-v1:0', ...LIMITS },
  ],
  [
    'an inference profile, and its one model in the regions behind it',
    { aiProvider: 'bedrock', aiModel: 'eu.amazon.nova-pro-v1:0' },
    ASKING,
    [
      `${ASK} ${REGION}AWS::AccountId:inference-profile/eu.amazon.nova-pro-v1:0`,
      `${ASK} arn:AWS::Partition:bedrock:*::foundation-model/amazon.nova-pro-v1:0`,
    ],
    { AI_PROVIDER: 'bedrock', AI_MODEL: 'eu.amazon.nova-pro-v1:0', ...LIMITS },
  ],
  [
    'the key of a provider',
    { aiProvider: 'anthropic', aiModel: 'claude-sonnet-4-5', aiApiKeyParameter: '/millrace/ai-api-key' },
    ASKING,
    [parameter('/millrace/ai-api-key')],
    {
      AI_PROVIDER: 'anthropic',
      AI_MODEL: 'claude-sonnet-4-5',
      AI_API_KEY_PARAMETER: '/millrace/ai-api-key',
      ...LIMITS,
    },
  ],
  [
    'two secrets where payments are taken',
    { stripeSecretKeyParameter: '/shop/key', stripeWebhookSecretParameter: '/shop/hook' },
    ['api'],
    [parameter('/shop/hook'), parameter('/shop/key')],
    { STRIPE_SECRET_KEY_PARAMETER: '/shop/key', STRIPE_WEBHOOK_SECRET_PARAMETER: '/shop/hook' },
  ],
];

it.each(BY_SETTING)('settings permit %s', (_what, context, holders, grants, variables) => {
  const chosen = synthesized({ ephemeral: false, context });
  const granted = [...permissions(chosen)].flatMap(([service, all]) => {
    const costly = [...all].filter((grant) => /^(?:bedrock|ssm):/.test(grant)).sort();
    return costly.length === 0 ? [] : [[service, costly]];
  });
  expect(Object.fromEntries(granted)).toEqual(
    Object.fromEntries(holders.map((service) => [service, [...grants].sort()])),
  );
  for (const service of ASKING) {
    const all = Object.entries(variablesOf(chosen, service));
    const named = all.filter(([name]) => /^(?:AI|STRIPE)_/.test(name));
    expect(Object.fromEntries(named)).toEqual(holders.includes(service) ? variables : {});
  }
});

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const statementsOf = (properties: Readonly<Record<string, unknown>>): readonly Statement[] =>
  (properties.PolicyDocument as { Statement: readonly Statement[] }).Statement;

/** Service → "action resource" of everything its role may do. */
function permissions(of: ReturnType<typeof app>): ReadonlyMap<string, ReadonlySet<string>> {
  const services = new Map(
    resourcesOf(of, 'AWS::Lambda::Function').map((lambda) => {
      const log = target((lambda.Properties.LoggingConfig as { LogGroup: unknown }).LogGroup);
      return [target(lambda.Properties.Role), { service: serviceOf(lambda), log }];
    }),
  );
  const granted = new Map<string, Set<string>>();
  for (const policy of resourcesOf(of, 'AWS::IAM::Policy')) {
    for (const role of (policy.Properties.Roles as unknown[]).map(target)) {
      const holder = services.get(role);
      if (holder === undefined) throw new Error(`${role} is the role of no function.`);
      const grants = granted.get(holder.service) ?? new Set();
      granted.set(holder.service, grants);
      for (const statement of statementsOf(policy.Properties)) {
        for (const grant of grantsOf(statement, holder.log, of)) grants.add(grant);
      }
    }
  }
  return granted;
}

function grantsOf(
  { Effect, Action, Resource, Condition }: Statement,
  log: string,
  of: Synthesized,
): readonly string[] {
  expect(Effect).toBe('Allow');
  const condition = Object.values(Condition ?? {}).flatMap((test) =>
    Object.entries(test).map(([key, values]) => ` where ${key} is ${[values].flat().join(', ')}`),
  );
  const named = (action: string, resource: unknown) =>
    `${action} ${nameOf(resource, log, of)}${condition.join('')}`;
  const actions = [Action].flat();
  return actions.flatMap((action) => [Resource].flat().map((resource) => named(action, resource)));
}

function nameOf(resource: unknown, log: string, of: Synthesized): string {
  const joined = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  if (joined !== undefined)
    return joined[1].map((part) => (typeof part === 'string' ? part : nameOf(part, log, of))).join('');
  const id = target(resource);
  if (id === log) return 'own log';
  const { Type, Properties } = of.template.Resources[id] ?? {};
  if (Type === 'AWS::Lambda::EventSourceMapping')
    return `source of ${nameOf(Properties?.EventSourceArn, log, of)}`;
  return id.replace('Tables', '').replace(/(Queue)?[0-9A-F]{8}$/, '');
}
