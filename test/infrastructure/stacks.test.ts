// Goal: each product can be deployed without the other, and its functions without its tables. Method: the app is synthesized
// with core alone, with a made-up product on it, and with the real ones; what stands in which stack, and what one stack
// imports of another, is compared.
import { type App, Duration, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { Alarms } from '../../cdk/constructs/alarms.ts';
import { QueueWithDlq } from '../../cdk/constructs/queue-with-dlq.ts';
import { sessions } from '../../cdk/constructs/setting-accesses.ts';
import { StageFunction } from '../../cdk/constructs/stage-function.ts';
import type { Ground } from '../../cdk/products.ts';
import type { Synthesized, Template } from '../../cdk/synthesize.ts';
import { synthesized, variablesOf } from './synthesized.ts';

/** Uses everything that core offers, as a second product would. */
function dummy(app: App, { settings, core, synthesizer }: Ground): void {
  const stack = new Stack(app, 'MillraceDummy', { synthesizer: synthesizer() });
  const alarms = new Alarms(stack, 'Alarms', core.alarmTopic, settings);
  const timeout = Duration.seconds(30);
  new QueueWithDlq(stack, 'Tickets', { consumerTimeout: timeout, httpsOnly: true });
  const answer = new StageFunction(stack, 'Answer', {
    service: 'dummy/answer',
    description: 'Answers tickets',
    timeout,
    memorySizeMb: 512,
    ephemeral: settings.ephemeral,
    accesses: [
      core.config.items('GetItem'),
      core.rates.items('UpdateItem'),
      ...core.vault('seal'),
      core.dayKeys('make'),
      sessions(core.sessionIssuer),
    ],
  });
  alarms.watchSilence('Answer', answer, Duration.minutes(5));
}

const alone = () => synthesized({ ephemeral: false, products: [] });
const withDummy = () => synthesized({ ephemeral: false, products: [dummy] });
const whole = () => synthesized({ ephemeral: false });

function stackOf({ stacks }: Synthesized, name: string): Template {
  const stack = stacks.get(name);
  if (stack === undefined) throw new Error(`There is no stack ${name}.`);
  return stack;
}

const idsOf = (template: Template, type: RegExp): string[] =>
  Object.entries(template.Resources)
    .filter(([, { Type }]) => type.test(Type))
    .map(([id]) => id.replace(/[0-9A-F]{8}$/, ''))
    .sort();

/** `stack: what` for all that a stack imports, without the hashes. */
function importsOf(app: Synthesized, name: string): string[] {
  const found = JSON.stringify(stackOf(app, name)).matchAll(/"Fn::ImportValue":"(\w+):([^"]+)"/g);
  const named = [...found].map(
    ([, stack, what]) =>
      `${stack}: ${String(what)
        .replace(/^ExportsOutput/, '')
        .replaceAll(/[0-9A-F]{8}/g, '')}`,
  );
  return [...new Set(named)].sort();
}

describe('core', () => {
  it('holds what both products stand on, and nothing of events', () => {
    const core = stackOf(whole(), 'MillraceCore');
    expect(idsOf(core, /^AWS::DynamoDB/)).toEqual(['TablesConfig', 'TablesRates']);
    expect(idsOf(core, /^AWS::SQS::Queue$/)).toEqual(['DeadLetters']);
    expect(idsOf(core, /^AWS::(?:Lambda|Events|ApplicationAutoScaling)::/)).toEqual([]);
    expect(JSON.stringify(core)).not.toMatch(
      /EventsData|MillraceEvents|TablesEvents|TablesBatches|TablesAnalytics/,
    );
  });

  it('is the same template whatever stands on it, and imports nothing', () => {
    const core = stackOf(whole(), 'MillraceCore');
    expect(stackOf(alone(), 'MillraceCore')).toEqual(core);
    expect(stackOf(withDummy(), 'MillraceCore')).toEqual(core);
    expect(importsOf(whole(), 'MillraceCore')).toEqual([]);
  });

  it('stands alone', () => {
    expect([...alone().stacks.keys()].sort()).toEqual(['MillraceCore']);
  });
});

const OF_CORE = [
  'MillraceCore: FnGetAttTablesConfigArn',
  'MillraceCore: FnGetAttTablesRatesArn',
  'MillraceCore: FnGetAttVaultKeyArn',
  'MillraceCore: RefAlarms',
  'MillraceCore: RefDashboardUsersClient',
  'MillraceCore: RefDashboardUsersPool',
  'MillraceCore: RefTablesConfig',
  'MillraceCore: RefTablesRates',
];

describe('an environment', () => {
  const named = () =>
    synthesized({
      ephemeral: false,
      context: { environment: 'eu-test', cloudwatchDashboard: true, dashboard: true },
    });

  it('stands in every name that an account and region have once', () => {
    const texts = JSON.stringify([...named().stacks]).matchAll(/"[^"]*illrace[^"]*"/g);
    const shared = new Set([...texts].map(([text]) => text).filter((text) => !/EuTest|eu-test/.test(text)));
    expect([...shared].filter((text) => !text.startsWith('"Millrace: ')).sort()).toEqual([
      // Any of them: `millrace` asks which environments there are.
      '":stack/Millrace*"',
      '"May look at merchants of Millrace and change nothing"',
      '"May make merchants of Millrace and look after them"',
      '"Millrace alarms"',
      '"millrace"',
      '"millrace:entry"',
    ]);
    expect(variablesOf(named(), 'deliver')).toMatchObject({ METRIC_NAMESPACE: 'Millrace/eu-test' });
  });

  it('that is not named has the names of before', () => {
    expect([...whole().stacks.keys()].sort()).toEqual([
      'MillraceCore',
      'MillraceEvents',
      'MillraceEventsData',
      'MillraceHelpdesk',
      'MillraceHelpdeskData',
      'MillraceOperator',
    ]);
    expect(variablesOf(whole(), 'deliver')).not.toHaveProperty('METRIC_NAMESPACE');
    expect(JSON.stringify([...whole().stacks])).toContain('"QueueName":"millrace-dead-letters"');
  });

  it('may have one product, and some platforms', () => {
    const few = synthesized({
      ephemeral: false,
      context: { products: 'events', platforms: ['ga4', 'meta'] },
    });
    expect([...few.stacks.keys()].filter((name) => /Helpdesk/.test(name))).toEqual([]);
    const queues = idsOf(stackOf(few, 'MillraceEvents'), /^AWS::SQS::Queue$/).filter((id) =>
      /^Deliveries/.test(id),
    );
    expect(queues).toEqual(['Deliveriesga4Queue', 'DeliveriesmetaQueue']);
    for (const service of ['api', 'normalize', 'fan-out', 'deliver', 'drain', 'sweep'])
      expect(variablesOf(few, service)).toMatchObject({ PLATFORMS: 'ga4,meta' });
    const answering = synthesized({ ephemeral: false, context: { products: 'helpdesk' } });
    expect([...answering.stacks.keys()].sort()).toEqual([
      'MillraceCore',
      'MillraceHelpdesk',
      'MillraceHelpdeskData',
      'MillraceOperator',
    ]);
  });
});

describe('a product', () => {
  it('needs core and nothing else', () => {
    expect([...withDummy().stacks.keys()].sort()).toEqual(['MillraceCore', 'MillraceDummy']);
    expect(importsOf(withDummy(), 'MillraceDummy')).toEqual(OF_CORE);
  });

  it('brings its own tables: those of events are apart from its queues and functions', () => {
    const data = stackOf(whole(), 'MillraceEventsData');
    const stages = stackOf(whole(), 'MillraceEvents');
    expect(idsOf(data, /./)).toEqual([
      'Pages',
      'PagesPolicy',
      'TablesAnalytics',
      'TablesBatches',
      'TablesEvents',
    ]);
    expect(idsOf(stages, /^AWS::DynamoDB/)).toEqual([]);
    expect(idsOf(stages, /^AWS::Lambda::Function$/)).not.toEqual([]);
    expect(importsOf(whole(), 'MillraceEventsData')).toEqual([]);
  });

  it('imports few values, and all of them point the same way', () => {
    expect(importsOf(whole(), 'MillraceEvents')).toEqual([
      ...OF_CORE,
      'MillraceEventsData: FnGetAttPagesArn',
      'MillraceEventsData: FnGetAttTablesAnalyticsArn',
      'MillraceEventsData: FnGetAttTablesBatchesArn',
      'MillraceEventsData: FnGetAttTablesEventsArn',
      'MillraceEventsData: RefPages',
      'MillraceEventsData: RefTablesAnalytics',
      'MillraceEventsData: RefTablesBatches',
      'MillraceEventsData: RefTablesEvents',
    ]);
  });

  it('is shown on a dashboard of CloudWatch where a setting asks for it, which refers to nothing', () => {
    const watched = synthesized({ ephemeral: false, context: { cloudwatchDashboard: true } });
    expect(idsOf(stackOf(watched, 'MillraceObservability'), /./)).toEqual(['Pipeline']);
    expect(importsOf(watched, 'MillraceObservability')).toEqual([]);
    const shown = JSON.stringify(stackOf(watched, 'MillraceObservability').Resources);
    // Lambda counts both by function, so each URL has a line of its own.
    for (const metric of ['Url5xxCount', 'Throttles'])
      expect(shown).toMatch(new RegExp(`\\{AWS/Lambda,FunctionName\\} MetricName=.{1,9}${metric}`));
    expect([...whole().stacks.keys()]).not.toContain('MillraceObservability');
  });
});
