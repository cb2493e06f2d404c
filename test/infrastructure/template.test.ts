// What the template promises to somebody who deploys it: data survives, queues lose nothing silently, nothing runs idle.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { type Synthesized, synthesizeApp } from '../../cdk/synthesize.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import {
  type Named,
  resourcesOf,
  serviceAt,
  serviceOf,
  synthesized,
  target,
  variablesOf,
} from './synthesized.ts';

const production = () => synthesized({ ephemeral: false });
const ephemeral = () => synthesized({ ephemeral: true, context: { sandboxUrl: 'http://127.0.0.1:4103' } });

/** Everything that may exist. None of these costs anything for being there, but storage, alarms and log lines. */
const ALLOWED_TYPES = new Set([
  'AWS::CloudWatch::Alarm',
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Url',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
]);

const properties = (resource: Named | undefined): Readonly<Record<string, unknown>> =>
  resource?.Properties ?? {};

it.each([true, false])('is as the rules of CloudFormation want it; ephemeral: %s', (ephemeral) => {
  vi.stubEnv('CDK_VALIDATION', 'true');
  const { outdir } = synthesizeApp({ ephemeral, bundle: false, outdir: scratchFolder('validated') });
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  expect(pluginReports).toEqual([]);
});

describe('cost while nothing happens', () => {
  it('has only resources that are billed by use', () => {
    const types = [production(), ephemeral()].flatMap((app) => resourcesOf(app).map(({ Type }) => Type));
    expect([...new Set(types)].filter((type) => !ALLOWED_TYPES.has(type))).toEqual([]);
  });

  it('keeps no function, poller or table capacity warm', () => {
    for (const { Properties } of resourcesOf(production(), 'AWS::DynamoDB::Table')) {
      expect(Properties).toMatchObject({ BillingMode: 'PAY_PER_REQUEST' });
    }
    for (const { Properties } of resourcesOf(production(), 'AWS::Lambda::Function')) {
      expect(Properties).not.toHaveProperty('VpcConfig');
      expect(Properties).not.toHaveProperty('SnapStart');
    }
    for (const { Properties } of resourcesOf(production(), 'AWS::Lambda::EventSourceMapping')) {
      expect(Properties).not.toHaveProperty('ProvisionedPollerConfig');
    }
  });
});

describe('functions that anybody may call', () => {
  const limits = (context: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      resourcesOf(synthesized({ ephemeral: false, context }), 'AWS::Lambda::Function').map((lambda) => [
        serviceOf(lambda),
        properties(lambda).ReservedConcurrentExecutions,
      ]),
    );

  it.each([
    ['browser-ingestion', 'browserConcurrency', 50],
    ['ingestion', 'ingestionConcurrency', 400],
    ['api', 'apiConcurrency', 50],
    ['helpdesk-api', 'helpdeskApiConcurrency', 50],
  ])('%s has a concurrency of its own: %s', (service, setting, fallback) => {
    expect(limits()[service]).toBe(fallback);
    expect(limits({ [setting]: '7' })[service]).toBe(7);
    expect(limits({ [setting]: '0' })[service]).toBeUndefined();
  });

  it('are all that reserve, and leave the stages what they may take of an account of 1,000', () => {
    const template = synthesized({ ephemeral: false });
    const urls = resourcesOf(template, 'AWS::Lambda::Url').filter(
      (url) => properties(url).AuthType === 'NONE',
    ).length;
    const reserved = Object.values(limits()).filter((limit) => limit !== undefined) as number[];
    expect(reserved).toHaveLength(urls);
    const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(
      (source) =>
        (properties(source).ScalingConfig as { readonly MaximumConcurrency: number }).MaximumConcurrency,
    );
    const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
    const schedules = resourcesOf(template, 'AWS::Events::Rule').length;
    expect(1_000 - sum(reserved)).toBeGreaterThanOrEqual(sum(sources) + schedules);
  });

  it('take the word of an edge only where one is set', () => {
    const edgeSecret = 'x'.repeat(32);
    const variables = (context: Readonly<Record<string, string>>) =>
      variablesOf(synthesized({ ephemeral: false, context }), 'browser-ingestion');
    expect(variables({})).not.toHaveProperty('EDGE_SECRET');
    expect(variables({ edgeSecret })).toMatchObject({
      EDGE_SECRET: edgeSecret,
      EDGE_ADDRESS_HEADER: 'cloudfront-viewer-address',
    });
  });
});

describe('tables', () => {
  it('are recoverable, encrypted, and survive their stack', () => {
    const tables = resourcesOf(production(), 'AWS::DynamoDB::Table');
    expect(tables).toHaveLength(7);
    for (const table of tables) {
      expect(properties(table)).toMatchObject({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        DeletionProtectionEnabled: true,
      });
      expect(table.DeletionPolicy).toBe('Retain');
    }
  });

  it('go with their stack when ephemeral', () => {
    for (const { Properties, DeletionPolicy } of resourcesOf(ephemeral(), 'AWS::DynamoDB::Table')) {
      expect(Properties).toMatchObject({ DeletionProtectionEnabled: false });
      expect(DeletionPolicy).toBe('Delete');
    }
  });

  it('have key-only indexes, and a TTL where something is kept for a time', () => {
    const shape = Object.fromEntries(
      resourcesOf(production(), 'AWS::DynamoDB::Table').map((table) => {
        const { GlobalSecondaryIndexes: indexes = [], TimeToLiveSpecification: ttl } = properties(table);
        const names = (indexes as { IndexName: string; Projection: { ProjectionType: string } }[]).map(
          ({ IndexName, Projection }) => `${IndexName} ${Projection.ProjectionType}`,
        );
        return [table.id.replace(/Tables|[0-9A-F]{8}$/g, ''), { names, ttl }];
      }),
    );
    expect(shape).toEqual({
      Events: {
        names: ['by_time KEYS_ONLY', 'due KEYS_ONLY'],
        ttl: { AttributeName: 'expires', Enabled: true },
      },
      Batches: { names: ['due KEYS_ONLY'], ttl: { AttributeName: 'expires', Enabled: true } },
      Analytics: { names: ['due KEYS_ONLY'], ttl: { AttributeName: 'expires', Enabled: true } },
      Config: { names: [], ttl: { AttributeName: 'expires', Enabled: true } },
      HelpdeskRecords: {
        names: ['lists KEYS_ONLY', 'waiting KEYS_ONLY', 'due KEYS_ONLY'],
        ttl: { AttributeName: 'ex', Enabled: true },
      },
      HelpdeskAudit: { names: [], ttl: { AttributeName: 'ex', Enabled: true } },
      Rates: { names: [], ttl: { AttributeName: 'expires', Enabled: true } },
    });
  });
});

describe('queues', () => {
  const queues = () => resourcesOf(production(), 'AWS::SQS::Queue');
  const isDlq = ({ id }: Named) => /^DeadLetters[0-9A-F]{8}$/.test(id);

  it('share a dead-letter queue that keeps messages for 14 days, and takes them from each', () => {
    const working = queues().filter((queue) => !isDlq(queue));
    const redrives = working.map((queue) => {
      const { RedrivePolicy } = properties(queue);
      const { deadLetterTargetArn, maxReceiveCount } = RedrivePolicy as Record<string, unknown>;
      const [, name] = /:([a-z-]+)"\]/.exec(JSON.stringify(deadLetterTargetArn)) ?? [];
      return `${name} ${maxReceiveCount}`;
    });
    expect(working).toHaveLength(11 + PLATFORMS.length);
    expect(new Set(redrives)).toEqual(new Set(['millrace-dead-letters 5']));
    const dlqs = queues().filter(isDlq);
    expect(dlqs).toHaveLength(1);
    for (const dlq of dlqs) {
      expect(properties(dlq)).toMatchObject({
        QueueName: 'millrace-dead-letters',
        MessageRetentionPeriod: 14 * 24 * 3600,
      });
      // By default a queue takes dead letters from any other of its account; a redrive takes them back.
      expect(properties(dlq)).not.toHaveProperty('RedriveAllowPolicy');
    }
  });

  it('are encrypted at rest and refuse plain HTTP', () => {
    const guarded = resourcesOf(production(), 'AWS::SQS::QueuePolicy').flatMap((policy) => {
      expect(JSON.stringify(properties(policy).PolicyDocument)).toContain('"aws:SecureTransport":"false"');
      return (properties(policy).Queues as unknown[]).map(target);
    });
    expect(guarded.sort()).toEqual(
      queues()
        .map(({ id }) => id)
        .sort(),
    );
    for (const queue of queues()) expect(properties(queue)).toMatchObject({ SqsManagedSseEnabled: true });
  });

  it('hide a message for six times what its function may take, and report failures per message', () => {
    const { template } = production();
    const sources = resourcesOf(production(), 'AWS::Lambda::EventSourceMapping').map(properties);
    expect(sources).toHaveLength(10 + PLATFORMS.length);
    for (const source of sources) {
      const lambda = template.Resources[target(source.FunctionName)];
      const queue = template.Resources[target(source.EventSourceArn)];
      expect(queue?.Properties?.VisibilityTimeout).toBeGreaterThanOrEqual(
        6 * Number(lambda?.Properties?.Timeout),
      );
      expect(source.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(source.ScalingConfig).toEqual({ MaximumConcurrency: expect.any(Number) });
    }
  });
});

describe('functions', () => {
  const functions = () => resourcesOf(production(), 'AWS::Lambda::Function');

  it('are Node 24 on arm64 and log JSON to a group that forgets after a month', () => {
    const { template } = production();
    for (const lambda of functions()) {
      expect(properties(lambda)).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
      });
      const { LogGroup: group } = properties(lambda).LoggingConfig as { LogGroup: unknown };
      expect(template.Resources[target(group)]?.Properties).toMatchObject({ RetentionInDays: 30 });
    }
  });

  it('leave their logs behind, under names that none has twice; ephemeral ones take them along', () => {
    const policies = (app: Synthesized) => {
      const groups = resourcesOf(app, 'AWS::Logs::LogGroup');
      expect(groups.length).toBeGreaterThanOrEqual(resourcesOf(app, 'AWS::Lambda::Function').length);
      for (const group of groups) expect(group.Properties).not.toHaveProperty('LogGroupName');
      return [...new Set(groups.flatMap((one) => [one.DeletionPolicy, one.UpdateReplacePolicy]))];
    };
    expect(policies(production())).toEqual(['RetainExceptOnCreate', 'Retain']);
    expect(policies(ephemeral())).toEqual(['Delete']);
  });

  it('work exactly one kind of queue each, answer HTTP, or follow the clock', () => {
    const service = (reference: unknown) => serviceAt(production(), reference);
    const triggers = [
      ...resourcesOf(production(), 'AWS::Lambda::EventSourceMapping').map((source) => {
        const queue = target(properties(source).EventSourceArn).replace(/Queue[0-9A-F]{8}$/, '');
        const { BatchSize: size, MaximumBatchingWindowInSeconds: window = 0 } = properties(source);
        return `${service(properties(source).FunctionName)}: ${queue} ${size} in ${window} s`;
      }),
      ...resourcesOf(production(), 'AWS::Lambda::Url').map((url) => {
        const { AuthType, InvokeMode } = properties(url);
        return `${service(properties(url).TargetFunctionArn)}: ${AuthType} ${InvokeMode}`;
      }),
      ...resourcesOf(production(), 'AWS::Events::Rule').map((rule) => {
        const [first] = properties(rule).Targets as { Arn: unknown }[];
        return `${service(first?.Arn)}: ${properties(rule).ScheduleExpression}`;
      }),
    ];
    expect(triggers.sort()).toEqual(
      [
        'operator-admin: AWS_IAM BUFFERED',
        'operator-reader: AWS_IAM BUFFERED',
        'normalize: Accepted 300 in 2 s',
        'fan-out: Normalized 10 in 0 s',
        ...PLATFORMS.map(({ slug }) => `deliver: Deliveries${slug.replace(/[^A-Za-z0-9]/g, '')} 10 in 0 s`),
        'aggregate: CounterRefresh 100 in 5 s',
        'drain: DueWork 1 in 0 s',
        'replay: Replays 1 in 0 s',
        'tasks: TaskWork 1 in 0 s',
        'ingestion: NONE BUFFERED',
        'browser-ingestion: NONE BUFFERED',
        'api: NONE RESPONSE_STREAM',
        'sweep: rate(1 minute)',
        'reconcile: rate(1 hour)',
        'reconcile: Audit 1 in 0 s',
        'helpdesk-api: NONE BUFFERED',
        'helpdesk-webhooks: HelpdeskDeliveries 10 in 0 s',
        'helpdesk-runs: HelpdeskRunWork 1 in 0 s',
        'helpdesk-tasks: HelpdeskTaskWork 1 in 0 s',
        'helpdesk-sweep: rate(1 minute)',
      ].sort(),
    );
  });

  it('work their queues as many at once as settings say', () => {
    const limits = [
      ['aggregate', 5, 'aggregateConcurrency'],
      ['deliver', 10, 'deliveryConcurrency'],
      ['drain', 50, 'drainConcurrency'],
      ['fan-out', 50, 'fanOutConcurrency'],
      ['helpdesk-runs', 5, null],
      ['helpdesk-tasks', 5, null],
      ['helpdesk-webhooks', 20, null],
      ['normalize', 50, 'normalizeConcurrency'],
      ['reconcile', 5, 'auditConcurrency'],
      ['replay', 10, 'replayConcurrency'],
      ['tasks', 10, 'tasksConcurrency'],
    ] as const;
    const atOnce = (context: Readonly<Record<string, number>>) => {
      const app = synthesized({ ephemeral: false, context });
      const pairs = resourcesOf(app, 'AWS::Lambda::EventSourceMapping').map(({ Properties }) => {
        const { MaximumConcurrency } = Properties.ScalingConfig as { MaximumConcurrency: number };
        return `${serviceAt(app, Properties.FunctionName)} ${MaximumConcurrency}`;
      });
      return [...new Set(pairs)].sort();
    };
    expect(atOnce({})).toEqual(limits.map(([service, usual]) => `${service} ${usual}`));
    const raised = limits.flatMap(([, usual, setting]) => (setting === null ? [] : [[setting, usual + 1]]));
    expect(atOnce(Object.fromEntries(raised))).toEqual(
      limits.map(([service, usual, setting]) => `${service} ${setting === null ? usual : usual + 1}`),
    );
  });

  it('stream nothing on emulators, which would hand on what carries an answer', () => {
    const modes = resourcesOf(ephemeral(), 'AWS::Lambda::Url').map(({ Properties }) => Properties.InvokeMode);
    expect(new Set(modes)).toEqual(new Set(['BUFFERED']));
  });

  it('know the sandbox only in an ephemeral deployment', () => {
    const sandboxed = (app: ReturnType<typeof production>) =>
      resourcesOf(app, 'AWS::Lambda::Function')
        .filter((lambda) => JSON.stringify(properties(lambda).Environment).includes('PLATFORM_SANDBOX_URL'))
        .map(serviceOf);
    expect(sandboxed(production())).toEqual([]);
    expect(sandboxed(ephemeral())).toEqual(['ingestion', 'api', 'fan-out', 'deliver', 'tasks']);
  });
});

describe('keys and people', () => {
  it('rotate the vault key and keep it', () => {
    const [key, ...others] = resourcesOf(production(), 'AWS::KMS::Key');
    expect(others).toEqual([]);
    expect(properties(key)).toMatchObject({ EnableKeyRotation: true });
    expect(key?.DeletionPolicy).toBe('Retain');
    expect(properties(key)).not.toHaveProperty('MultiRegion');
    const replicable = synthesized({ ephemeral: false, context: { multiRegionKey: true } });
    expect(properties(resourcesOf(replicable, 'AWS::KMS::Key')[0])).toMatchObject({ MultiRegion: true });
  });

  it('sign sessions by a user pool of invited people, or by the issuer that is given', () => {
    const [pool] = resourcesOf(production(), 'AWS::Cognito::UserPool');
    expect(properties(pool)).toMatchObject({ AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } });
    const context = {
      authIssuer: 'https://id.example',
      authAudience: 'app',
      authJwksUrl: 'https://id.example/jwks',
    };
    const given = synthesized({ ephemeral: false, context });
    expect(resourcesOf(given, 'AWS::Cognito::UserPool')).toEqual([]);
    expect(variablesOf(given, 'api')).toMatchObject({
      AUTH_ISSUER: 'https://id.example',
      AUTH_AUDIENCE: 'app',
      AUTH_JWKS_URL: 'https://id.example/jwks',
    });
  });
});

describe('signing in at Cognito', () => {
  const pages = {
    signInCallbackUrls: 'https://app.example/sign-in/callback, http://localhost:5173/sign-in/callback',
    signInLogoutUrls: 'https://app.example/',
  };
  const clientWith = (context: Readonly<Record<string, string>>) => {
    const [client, ...others] = resourcesOf(
      synthesized({ ephemeral: false, context }),
      'AWS::Cognito::UserPoolClient',
    );
    expect(others).toEqual([]);
    return properties(client);
  };

  it('is by authorization code, to the pages that are named, and by nothing else', () => {
    const client = clientWith(pages);
    expect(client).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: ['openid', 'email'],
      CallbackURLs: ['https://app.example/sign-in/callback', 'http://localhost:5173/sign-in/callback'],
      LogoutURLs: ['https://app.example/'],
      SupportedIdentityProviders: ['COGNITO'],
      PreventUserExistenceErrors: 'ENABLED',
      GenerateSecret: false,
    });
  });

  it.each([
    ['with pages', pages],
    ['without', {}],
  ])('takes a password from no program, %s', (_name, context) => {
    // Not absent: Cognito would allow SRP, and refresh tokens that do not rotate.
    expect(clientWith(context).ExplicitAuthFlows).toEqual(['ALLOW_CUSTOM_AUTH']);
    const [pool] = resourcesOf(synthesized({ ephemeral: false, context }), 'AWS::Cognito::UserPool');
    expect(properties(pool)).not.toHaveProperty('LambdaConfig');
  });

  it('replaces a refresh token at every use, and can revoke it', () => {
    expect(clientWith(pages)).toMatchObject({
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 0 },
      EnableTokenRevocation: true,
      AccessTokenValidity: 15,
      TokenValidityUnits: { AccessToken: 'minutes' },
    });
  });

  it('is nobody’s where no page is named', () => {
    const client = clientWith({});
    expect(client).toMatchObject({ AllowedOAuthFlowsUserPoolClient: false });
    for (const name of ['AllowedOAuthFlows', 'CallbackURLs', 'LogoutURLs'])
      expect(client).not.toHaveProperty(name);
  });

  it('has managed login pages, with a style that they need', () => {
    const app = synthesized({ ephemeral: false, context: { ...pages, signInDomainPrefix: 'shop-sign-in' } });
    const [domain] = resourcesOf(app, 'AWS::Cognito::UserPoolDomain');
    expect(properties(domain)).toMatchObject({ Domain: 'shop-sign-in', ManagedLoginVersion: 2 });
    const [style] = resourcesOf(app, 'AWS::Cognito::ManagedLoginBranding');
    expect(properties(style)).toMatchObject({ UseCognitoProvidedValues: true });
    const [pool] = resourcesOf(app, 'AWS::Cognito::UserPool');
    expect(properties(pool)).toMatchObject({ UserPoolTier: 'ESSENTIALS' });
    const [unnamed] = resourcesOf(production(), 'AWS::Cognito::UserPoolDomain');
    expect(JSON.stringify(properties(unnamed).Domain)).toMatch(/millrace-.*AccountId/);
  });
});

describe('web pages', () => {
  it('may call the API where they are listed, by what the function answers and nothing in front of it', () => {
    const variablesOf = (apiCorsOrigins?: string) => {
      const app = synthesized({
        ephemeral: false,
        ...(apiCorsOrigins === undefined ? {} : { context: { apiCorsOrigins } }),
      });
      for (const url of resourcesOf(app, 'AWS::Lambda::Url'))
        expect(properties(url)).not.toHaveProperty('Cors');
      return resourcesOf(app, 'AWS::Lambda::Function')
        .filter((lambda) => JSON.stringify(properties(lambda)).includes('API_CORS_ORIGINS'))
        .map((lambda) => [serviceOf(lambda), properties(lambda).Environment]);
    };
    expect(variablesOf()).toEqual([]);
    const listed = expect.objectContaining({ API_CORS_ORIGINS: 'https://app.example,https://b.example' });
    expect(variablesOf('https://app.example, https://b.example')).toEqual([
      ['api', { Variables: listed }],
      ['helpdesk-api', { Variables: listed }],
    ]);
  });
});

describe('the joined template', () => {
  it('refers to nothing outside itself', () => {
    const { template } = production();
    const missing: string[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('Fn::ImportValue' in node) missing.push(JSON.stringify(node));
      if ('Ref' in node || 'Fn::GetAtt' in node) {
        const id = target(node);
        if (!id.startsWith('AWS::') && template.Resources[id] === undefined) missing.push(id);
      }
      for (const value of Object.values(node)) visit(value);
    };
    visit(template);
    expect(missing).toEqual([]);
  });

  it('is what CloudFormation gets, stack by stack', () => {
    const { template, stacks } = production();
    expect([...stacks.keys()].sort()).toEqual([
      'MillraceCore',
      'MillraceEvents',
      'MillraceEventsData',
      'MillraceHelpdesk',
      'MillraceHelpdeskData',
      'MillraceOperator',
    ]);
    const parts = [...stacks.values()].flatMap((stack) => Object.keys(stack.Resources));
    expect(parts.sort()).toEqual(Object.keys(template.Resources).sort());
  });
});
