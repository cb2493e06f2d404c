// The deployment that credentials, region and endpoint of the environment name, as its stacks' outputs describe it.
import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { STACKS, stackName, stackPrefix, UNNAMED } from '../../cdk/stack-names.ts';
import { environment as variables } from '../../lib/events/domain/environment.ts';
import { reachableUrl } from '../deploy-local/endpoint.ts';
import { awsProblem } from './aws-problem.ts';

export interface Deployment {
  readonly region: string;
  /** Of a host on this machine, instead of a signature. */
  readonly token?: string;
  readonly logFile?: string;
  /** Signed requests only. */
  readonly operatorUrl: string;
  /** The same for what changes nothing. */
  readonly readerUrl: string;
  /** Null where the product is not deployed. No URL has a slash at the end. */
  readonly ingestionUrl: string | null;
  readonly apiUrl: string | null;
  readonly helpdeskUrl: string | null;
  /** Name → URL; of all products, and of what was given up. */
  readonly queueUrls: Readonly<Record<string, string>>;
  /** As settings call it; undefined: the one without a name. */
  readonly environment: string | undefined;
  /** Names of its stacks. */
  readonly stacks: readonly string[];
  /** What settings call a table → its name. */
  readonly tables: Readonly<Record<string, string>>;
  /** Null where nobody can sign in to pages of this deployment. */
  readonly dashboardUrl: string | null;
  /** Where requests to platforms go instead. Absent: to the platforms, as far as is known. */
  readonly sandboxUrl?: string;
}

/** `environment`: of several in this region. Rejects with a sentence where there is none, or which of several is not said. */
export async function findDeployment(environment?: string): Promise<Deployment> {
  const client = new CloudFormationClient({ maxAttempts: 3 });
  const found = new Map<string, Found>();
  try {
    for await (const { Stacks: stacks = [] } of paginateDescribeStacks({ client }, {}))
      for (const { StackName: stack = '', Outputs: said = [], Tags: tags = [] } of stacks) {
        const prefix = prefixOf(stack);
        if (prefix === undefined) continue;
        const one: Found = found.get(prefix) ?? { outputs: new Map(), stacks: [], tags: new Map() };
        found.set(prefix, one);
        one.stacks.push(stack);
        for (const { Key = '', Value = '' } of tags) one.tags.set(Key, Value);
        for (const { OutputKey: key, OutputValue: value } of said)
          if (key !== undefined && value !== undefined) one.outputs.set(key, value);
      }
  } catch (error) {
    throw awsProblem(error, 'the stacks of the deployment could not be read');
  }
  const region = await client.config.region();
  client.destroy();
  const { outputs, stacks, tags } = theOne(found, environment, region);
  const operatorUrl = outputs.get('OperatorAdminUrl');
  const readerUrl = outputs.get('OperatorReaderUrl');
  if (operatorUrl === undefined || readerUrl === undefined)
    throw new Error(
      outputs.size === 0
        ? `Millrace is not deployed in ${region}: npx millrace deploy, or name another region with AWS_REGION.`
        : `The deployment in ${region} has no stack ${stackName(environment, 'Operator')} of this release: deploy this release first (npx millrace deploy).`,
    );
  const sandboxUrl = outputs.get('PlatformSandboxUrl');
  const url = (name: string): string | null => {
    const value = outputs.get(name);
    return value === undefined ? null : reachableUrl(value, process.env.AWS_ENDPOINT_URL);
  };
  return {
    region,
    operatorUrl: reachableUrl(operatorUrl, process.env.AWS_ENDPOINT_URL),
    readerUrl: reachableUrl(readerUrl, process.env.AWS_ENDPOINT_URL),
    ingestionUrl: url('IngestionUrl'),
    apiUrl: url('ApiUrl'),
    helpdeskUrl: url('HelpdeskApiUrl'),
    dashboardUrl: url('DashboardUrl'),
    environment: tags.get('environment'),
    stacks,
    tables: tablesIn(outputs),
    queueUrls: queueUrlsIn(outputs),
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
  };
}

/** What is in front of one of our names: `MillraceStaging` of `MillraceStagingEventsData`. */
export const prefixOf = (stack: string): string | undefined => STACK.exec(stack)?.[1];
const STACK = new RegExp(`^(Millrace\\w*?)(?:${STACKS.join('|')})$`);

/** What the stacks of one deployment say. */
interface Found {
  readonly outputs: Map<string, string>;
  readonly stacks: string[];
  readonly tags: Map<string, string>;
}
const NOTHING: Found = { outputs: new Map(), stacks: [], tags: new Map() };

function theOne(found: ReadonlyMap<string, Found>, environment: string | undefined, region: string): Found {
  if (environment !== undefined)
    return found.get(stackPrefix(environment === UNNAMED ? undefined : environment)) ?? NOTHING;
  const [only, ...others] = [...found.values()];
  if (others.length > 0)
    throw new Error(
      `There are several deployments in ${region}, with stacks ${[...found.keys()].join('…, ')}…: say which with --environment <name>, as its settings call it, or ${UNNAMED} for Millrace… alone.`,
    );
  return only ?? NOTHING;
}

/** From outputs such as `DeadLetterQueueUrl`, and from the one that names those of all platforms. */
export function queueUrlsIn(outputs: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const named = [...outputs].flatMap(([output, url]) => {
    const name = /^(.+)QueueUrl$/.exec(output)?.[1];
    return name === undefined ? [] : [[words(name), url] as const];
  });
  const deliveries = variables.shape.DELIVERY_QUEUE_URLS.parse(outputs.get('DeliveryQueueUrls') ?? '{}');
  const ofPlatforms = Object.entries(deliveries).map(([slug, url]) => [`deliveries ${slug}`, url] as const);
  return Object.fromEntries([...named, ...ofPlatforms].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** From outputs such as `HelpdeskAuditTable`. */
export const tablesIn = (outputs: ReadonlyMap<string, string>): Deployment['tables'] =>
  Object.fromEntries(
    [...outputs].flatMap(([output, table]) => {
      const name = /^(.+)Table$/.exec(output)?.[1];
      return name === undefined ? [] : [[words(name).replaceAll(' ', '-'), table] as const];
    }),
  );

const words = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
