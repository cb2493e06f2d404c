// The whole system as one CDK app: the only place that says what exists and how it is wired.
// The stacks are few and depend on each other in one direction: core first, then each product, of which none knows another.
// Refuses: an account or region baked in, a resource that costs money while nothing happens unless a setting asks for it.
import { readFileSync } from 'node:fs';
import {
  App,
  type AppProps,
  CliCredentialsStackSynthesizer,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  Tags,
} from 'aws-cdk-lib';
import { checkNames } from './capacity.ts';
import { DataTable } from './constructs/data-table.ts';
import { recordOf } from './deployed-settings.ts';
import { type Product, productsOf } from './products.ts';
import { checkSettingNames } from './setting-names.ts';
import { readSettings } from './settings.ts';
import { stackName } from './stack-names.ts';
import { CoreStack } from './stacks/core.ts';
import { addFront } from './stacks/dashboard.ts';
import { ObservabilityStack } from './stacks/observability.ts';

export interface AppOptions extends Pick<AppProps, 'outdir'> {
  /** Default those of the settings. */
  readonly products?: readonly Product[];
  /** Of the settings, without ending; absent: they are of no file, and nothing of them is kept beside the deployment. */
  readonly file?: string;
}

const CDK_JSON = new URL('../cdk.json', import.meta.url);

/**
 * The app, ready to be synthesized: a deployment of these settings, by name. What the CDK itself is told (`aws:…`) may stand
 * beside them. The feature flags of cdk.json hold in every case, so that the same template comes out with and without the
 * command line.
 */
export function createApp(
  values: Readonly<Record<string, unknown>> = {},
  { products, file, ...props }: AppOptions = {},
): App {
  const entries = Object.entries(values);
  const isOfCdk = ([name]: readonly [string, unknown]) => name.startsWith('aws:');
  const chosen = Object.fromEntries(entries.filter((entry) => !isOfCdk(entry)));
  checkSettingNames(Object.keys(chosen), 'Settings');
  const settings = readSettings((name) => chosen[name]);
  const app = new App({
    ...props,
    // Where each resource was made is recorded by a stack trace of each: a quarter of the time. CDK_DEBUG=1 brings them back.
    context: { ...featureFlags(), 'aws:cdk:disable-creation-stack-traces': true },
    postCliContext: Object.fromEntries(entries.filter(isOfCdk)),
    analyticsReporting: false,
    treeMetadata: false,
  });
  // An ephemeral deployment is made by whoever asks for it. MiniStack, which enforces permissions, does not know the condition
  // `aws:ResourceAccount` under which the bootstrap roles may touch the bucket of assets.
  // The cast: the library is not written for `exactOptionalPropertyTypes`.
  const synthesizer = () =>
    (settings.ephemeral
      ? new CliCredentialsStackSynthesizer()
      : new DefaultStackSynthesizer()) as IStackSynthesizer;
  const core = new CoreStack(app, stackName(settings.environment, 'Core'), {
    settings,
    synthesizer: synthesizer(),
    ...(file === undefined || settings.ephemeral ? {} : { record: recordOf(file, chosen) }),
  });
  for (const addStacks of products ?? productsOf(settings)) addStacks(app, { settings, core, synthesizer });
  if (settings.dashboard || settings.domain !== undefined) addFront(app, { settings, core, synthesizer });
  if (settings.cloudwatchDashboard)
    new ObservabilityStack(app, stackName(settings.environment, 'Observability'), {
      settings,
      synthesizer: synthesizer(),
    });
  checkNames(settings.capacity, tableNames(app));
  Tags.of(app).add('application', 'millrace');
  if (settings.environment !== undefined) Tags.of(app).add('environment', settings.environment);
  return app;
}

function tableNames(app: App): ReadonlyMap<string, readonly string[]> {
  const tables = app.node.findAll().filter((node) => node instanceof DataTable);
  return new Map(tables.map(({ settingName, indexNames }) => [settingName, indexNames]));
}

function featureFlags(): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync(CDK_JSON, 'utf8')) as { context: Record<string, unknown> };
  return context;
}
