// A deployment as AWS has it now, asked with the operator's own credentials. What cannot be asked is said, and hides nothing else.
import { GetEventSourceMappingCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { parameterOf, SETTINGS_PARAMETER } from '#cdk/stack-names.ts';
import type { TemplateResource } from '#cdk/synthesize.ts';
import { awsAccount } from '../../deploy/aws-account.ts';
import { askedBy, orElse } from '../aws-problem.ts';
import type { Deployment } from '../deployment.ts';
import { awsRecovery } from '../restore/aws-recovery.ts';
import { alarmNow } from './alarm-now.ts';
import { type Deployed, guardsIn, restingIn, type SourceSeen, type TableSeen } from './deployed.ts';
import { stackResources } from './stack-resources.ts';

interface Resource extends TemplateResource {
  readonly id: string;
  /** As AWS calls it. */
  readonly name: string;
}

/** Null on a host of this machine, which has nothing of it. */
export async function awsDeployed(deployment: Deployment): Promise<Deployed | null> {
  const { token, stacks, environment, region } = deployment;
  if (token !== undefined) return null;
  const unseen: string[] = [];
  // What may not be asked hides nothing else.
  const orUnseen = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      unseen.push((error as Error).message);
      return undefined;
    }
  };
  const record = await orUnseen(awsAccount.parameter(parameterOf(environment, SETTINGS_PARAMETER)));
  const resources = (await Promise.all(stacks.map((stack) => orUnseen(resourcesOf(stack))))).flatMap(
    (some) => some ?? [],
  );
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const resting = restingIn(Object.fromEntries(resources.map((one) => [one.id, one])));
  const seenAll = async <T>(type: string, look: (one: Resource) => Promise<T>): Promise<readonly T[]> =>
    (await orUnseen(Promise.all(ofType(type).map(look)))) ?? [];
  const tables = await seenAll('AWS::DynamoDB::Table', tableSeen);
  const sources = await seenAll('AWS::Lambda::EventSourceMapping', (one) =>
    sourceSeen(one, resting.has(one.id)),
  );
  const alarms = (await orUnseen(alarmsSeen(ofType('AWS::CloudWatch::Alarm'), region))) ?? [];
  return { ...(record === undefined ? {} : { record }), unseen, alarms, tables, sources };
}

/** One after the other: CloudWatch takes nine such questions a second. */
async function alarmsSeen(alarms: readonly Resource[], region: string): Promise<Deployed['alarms']> {
  const seen: Deployed['alarms'][number][] = [];
  for (const { name } of alarms) seen.push({ name, now: await alarmNow(name, region) });
  return seen;
}

async function resourcesOf(stack: string): Promise<readonly Resource[]> {
  const { Resources: said } = await awsAccount.template(stack);
  return (await stackResources(stack)).flatMap(
    ({ LogicalResourceId: id = '', PhysicalResourceId: name = '' }) => {
      const resource = said[id];
      return resource === undefined ? [] : [{ ...resource, id, name }];
    },
  );
}

async function tableSeen(resource: Resource): Promise<TableSeen> {
  const { name } = resource;
  const recovery = awsRecovery(async () => undefined);
  const table = await recovery.table(name);
  const wanted = guardsIn(resource);
  if (table === null) return { name, wanted, now: null };
  const [{ expiry }, window] = await Promise.all([recovery.settings(table, name), recovery.window(name)]);
  return { name, wanted, now: { expiry, isRecoverable: window !== null, isProtected: table.isProtected } };
}

async function sourceSeen({ name: uuid }: Resource, mayRest: boolean): Promise<SourceSeen> {
  const lambda = new LambdaClient({ maxAttempts: 5 });
  return await askedBy(lambda, `the event source ${uuid} was not read`, async (client) => {
    const asking = client.send(new GetEventSourceMappingCommand({ UUID: uuid }));
    const found = await orElse(asking, 'ResourceNotFoundException', null);
    if (found === null) return { name: uuid, state: 'gone', mayRest };
    return { name: found.EventSourceArn?.split(':').at(-1) ?? uuid, state: found.State ?? '', mayRest };
  });
}
