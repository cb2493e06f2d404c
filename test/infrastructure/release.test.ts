// Goal: with `release` a new version gets a tenth of the work first, and an alarm takes it back: nothing goes past the alias.
// Method: the templates; every place that names a function is found, whatever it is a property of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { StageFunction } from '#cdk/constructs/stage-function.ts';
import { type Synthesized, synthesizeApp, type Template, type TemplateResource } from '#cdk/synthesize.ts';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { type Named, resourcesOf, synthesized, target } from './synthesized.ts';

const CONTEXT = { mailDomain: 'help.shop.example', dashboard: true, cloudwatchDashboard: true };
const released = (release: string, ephemeral = false) =>
  synthesized({ ephemeral, context: { ...(ephemeral ? {} : CONTEXT), release } });
const gradual = () => released('gradual');
const short = (id: string): string => id.replace(/[0-9A-F]{8}$/, '');
const idsOf = (app: Synthesized, type: string) => resourcesOf(app, type).map(({ id }) => id);

/** `type property` of all that names one of these resources. */
function placesOf(app: Synthesized, ids: readonly string[]): readonly string[] {
  const places = new Set<string>();
  for (const { Type, Properties } of resourcesOf(app))
    for (const [name, value] of Object.entries(Properties)) {
      const text = JSON.stringify(value);
      if (ids.some((id) => text.includes(`"Ref":"${id}"`) || text.includes(`"Fn::GetAtt":["${id}"`)))
        places.add(`${Type} ${name}`);
    }
  return [...places].sort();
}

/** Resources that a resource refers to, or waits for. */
function needsOf(resource: TemplateResource, all: Template['Resources']): readonly string[] {
  const { Metadata: _, DependsOn = [], ...rest } = resource;
  const named = [...JSON.stringify(rest).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(
    ([, id = '']) => id,
  );
  return [...named, ...[DependsOn].flat()].filter((id) => id in all);
}

/** What `Fn::Join` makes, references by name. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null && 'Fn::Join' in value
      ? (value['Fn::Join'] as [string, unknown[]])[1].map(textOf).join('')
      : target(value);

describe('all at once', () => {
  it('is what holds where nothing is said, and has no alias and no version', () => {
    const { stacks } = synthesized({ ephemeral: false, context: CONTEXT });
    expect([...released('all-at-once').stacks]).toEqual([...stacks]);
    expect(JSON.stringify([...stacks])).not.toMatch(/AWS::Lambda::(?:Alias|Version)|CodeDeploy/);
  });
});

describe.each(['gradual', 'alias'])('behind an alias: %s', (release) => {
  const app = () => released(release);
  const functions = () => idsOf(app(), 'AWS::Lambda::Function').filter((id) => !/^Custom/.test(id));
  const aliases = () => resourcesOf(app(), 'AWS::Lambda::Alias');

  it('each function has one, at a version of its own', () => {
    const versions = resourcesOf(app(), 'AWS::Lambda::Version');
    const named = (all: readonly Named[]) => all.map(({ Properties }) => target(Properties.FunctionName));
    expect(named(versions).sort()).toEqual([...functions()].sort());
    expect(named(aliases()).sort()).toEqual([...functions()].sort());
    for (const { Properties } of aliases()) {
      const version = app().template.Resources[target(Properties.FunctionVersion)];
      expect(version?.Properties?.FunctionName).toEqual(Properties.FunctionName);
      expect(Properties.Name).toBe('live');
    }
  });

  it('is what queues, schedules, addresses and rights name, and never the function', () => {
    expect(placesOf(app(), functions())).toEqual([
      'AWS::CloudWatch::Alarm Dimensions',
      ...(release === 'gradual' ? ['AWS::IAM::Role Policies'] : []),
      'AWS::Lambda::Alias FunctionName',
      'AWS::Lambda::Url TargetFunctionArn',
      'AWS::Lambda::Version FunctionName',
    ]);
    expect(
      placesOf(
        app(),
        aliases().map(({ id }) => id),
      ),
    ).toEqual([
      'AWS::Events::Rule Targets',
      'AWS::IAM::ManagedPolicy PolicyDocument',
      'AWS::Lambda::EventSourceMapping FunctionName',
      'AWS::Lambda::Permission FunctionName',
    ]);
    for (const { Properties } of resourcesOf(app(), 'AWS::Lambda::Url'))
      expect(Properties.Qualifier).toBe('live');
    // Over all versions, as Lambda counts what names the function alone.
    for (const { Properties } of resourcesOf(app(), 'AWS::CloudWatch::Alarm'))
      if (Properties.Namespace === 'AWS/Lambda' && Properties.Dimensions !== undefined)
        expect(Properties.Dimensions).toMatchObject([{ Name: 'FunctionName' }]);
  });

  it('keeps sources and addresses what they are in the template, so that the sweep switches the same ones', () => {
    const plain = synthesized({ ephemeral: false, context: CONTEXT });
    for (const type of ['AWS::Lambda::EventSourceMapping', 'AWS::Lambda::Url', 'AWS::Lambda::Function'])
      expect(idsOf(app(), type)).toEqual(idsOf(plain, type));
    const ofSweep = (of: Synthesized) =>
      resourcesOf(of, 'AWS::IAM::Policy').filter(({ id }) => /^SweepRole/.test(id));
    expect(ofSweep(app())).toEqual(ofSweep(plain));
  });

  it('can be made in some order, what an update of an alias asks of CodeDeploy included', () => {
    for (const { Resources } of app().stacks.values()) {
      const open = new Map(
        Object.entries(Resources).map(([id, resource]) => [id, needsOf(resource, Resources)]),
      );
      for (let before = -1; before !== open.size; ) {
        before = open.size;
        for (const [id, needs] of open)
          if (!needs.some((one) => one !== id && open.has(one))) open.delete(id);
      }
      expect([...open.keys()]).toEqual([]);
    }
  });

  it('fits into stacks, as CloudFormation wants them', () => {
    vi.stubEnv('CDK_VALIDATION', 'true');
    const context = { ...CONTEXT, release };
    const outdir = scratchFolder('validated');
    synthesizeApp({ ephemeral: false, bundle: false, outdir, context });
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    expect(pluginReports).toEqual([]);
    vi.unstubAllEnvs();
    for (const { Resources } of app().stacks.values())
      expect(Object.keys(Resources).length).toBeLessThan(400);
  });
});

describe('a version', () => {
  const versionOf = (app: Synthesized, name: string) =>
    idsOf(app, 'AWS::Lambda::Version').find((id) => id.startsWith(`${name}CurrentVersion`));

  it('is another one where the variables are others, and only there', () => {
    const debug = synthesized({
      ephemeral: false,
      context: { ...CONTEXT, release: 'gradual', browserEventsPerMinuteMax: 7_000 },
    });
    expect(versionOf(debug, 'BrowserIngestion')).not.toBe(versionOf(gradual(), 'BrowserIngestion'));
    expect(versionOf(debug, 'Sweep')).toBe(versionOf(gradual(), 'Sweep'));
  });

  it('is another one where the code is another', () => {
    const versionWith = (code: string): string | undefined => {
      const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
      const stack = new Stack(app, 'Stack');
      const props = {
        service: 'dummy/one',
        description: 'One',
        timeout: Duration.seconds(1),
        memorySizeMb: 512,
      };
      const one = new StageFunction(stack, 'One', {
        ...props,
        accesses: [],
        ephemeral: true,
        behindAlias: true,
      });
      (one.node.defaultChild as CfnFunction).code = { zipFile: code };
      const { Resources } = app.synth().getStackArtifact('Stack').template as Template;
      return Object.keys(Resources).find((id) => /CurrentVersion/.test(id));
    };
    expect(versionWith('1')).toBe(versionWith('1'));
    expect(versionWith('1')).not.toBe(versionWith('2'));
  });
});

describe('gradually', () => {
  const groups = () => resourcesOf(gradual(), 'AWS::CodeDeploy::DeploymentGroup');

  it('moves each alias by a group of its own, a tenth for a quarter of an hour', () => {
    const groupOf = ({ UpdatePolicy }: Named & { readonly UpdatePolicy?: unknown }) =>
      target(
        (UpdatePolicy as Record<string, Record<string, unknown>>).CodeDeployLambdaAliasUpdate
          ?.DeploymentGroupName,
      );
    const moving = resourcesOf(gradual(), 'AWS::Lambda::Alias').map(groupOf);
    expect(new Set(moving).size).toBe(
      resourcesOf(gradual(), 'AWS::Lambda::Function').filter(({ id }) => !/^Custom/.test(id)).length,
    );
    expect([...moving].sort()).toEqual(
      groups()
        .map(({ id }) => id)
        .sort(),
    );
    for (const { Properties } of groups())
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
  });

  it('is taken back by alarms that there are', () => {
    const alarms = resourcesOf(gradual(), 'AWS::CloudWatch::Alarm');
    const alarmOf = (name: unknown) =>
      typeof name === 'string'
        ? alarms.find(({ Properties }) => Properties.AlarmName === name)?.id
        : alarms.find(({ id }) => id === target(name))?.id;
    const SHARED = [
      'SharedAlarmsErrors',
      'SharedAlarmsAnswers5xx',
      'SharedAlarmsWaiting',
      'SharedAlarmsDeadLetters',
    ];
    for (const { id, Properties } of groups()) {
      const { Alarms, Enabled } = Properties.AlarmConfiguration as {
        Alarms: { Name: unknown }[];
        Enabled: boolean;
      };
      const own = /^(?:Helpdesk|Operator)/.test(id) ? [] : ['AlarmsDeliverySlow'];
      expect(Alarms.map(({ Name }) => short(alarmOf(Name) ?? ''))).toEqual([...SHARED, ...own]);
      expect(Enabled).toBe(true);
    }
    expect(resourcesOf(released('alias'), 'AWS::CloudWatch::Alarm')).toEqual(alarms);
  });

  it('names no alarm that a setting takes away, and is of its environment', () => {
    const context = { release: 'gradual', metrics: 'none', environment: 'eu-test' };
    const app = synthesized({ ephemeral: false, context });
    const named = resourcesOf(app, 'AWS::CodeDeploy::DeploymentGroup').map(({ Properties }) =>
      (Properties.AlarmConfiguration as { Alarms: { Name: unknown }[] }).Alarms.map(({ Name }) => Name),
    );
    for (const names of named)
      expect(names).toEqual(
        ['Errors', 'Answers5xx', 'Waiting', 'DeadLetters'].map((one) => `millrace-eu-test-${one}`),
      );
  });

  it('lets CodeDeploy move these aliases and read alarms of the account, and nothing else', () => {
    const roles = resourcesOf(gradual(), 'AWS::IAM::Role').filter(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('"codedeploy.amazonaws.com"'),
    );
    expect(roles).toHaveLength(groups().length);
    for (const { Properties } of roles) {
      const [policy, ...others] = Properties.Policies as {
        PolicyDocument: { Statement: { Action: unknown; Resource: unknown }[] };
      }[];
      expect([others, Properties.ManagedPolicyArns]).toEqual([[], undefined]);
      const { Statement = [] } = policy?.PolicyDocument ?? {};
      expect(Statement.map(({ Action }) => Action)).toEqual([
        'cloudwatch:DescribeAlarms',
        ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
      ]);
      expect(textOf(Statement[0]?.Resource)).toMatch(/^arn:.*:cloudwatch:.*:alarm:\*$/);
      expect(JSON.stringify(Statement[1])).not.toContain('*');
    }
  });

  it('costs nothing while nothing is deployed', () => {
    const kinds = (app: Synthesized) => new Set(resourcesOf(app).map(({ Type }) => Type));
    const plain = synthesized({ ephemeral: false, context: CONTEXT });
    expect([...kinds(gradual())].filter((type) => !kinds(plain).has(type)).sort()).toEqual([
      'AWS::CodeDeploy::Application',
      'AWS::CodeDeploy::DeploymentGroup',
      'AWS::Lambda::Alias',
      'AWS::Lambda::Version',
    ]);
    expect(idsOf(gradual(), 'AWS::CloudWatch::Alarm')).toEqual(idsOf(plain, 'AWS::CloudWatch::Alarm'));
  });

  it('is an alias alone where there are no alarms', () => {
    expect([...released('gradual', true).stacks]).toEqual([...released('alias', true).stacks]);
    expect(JSON.stringify([...released('gradual', true).stacks])).not.toContain('CodeDeploy');
  });
});

it('takes no other word', () => {
  expect(() => released('slowly')).toThrow('Setting release must be one of all-at-once, alias, gradual.');
});
