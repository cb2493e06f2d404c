// What Lambda says of the account and of what takes from queues. Nothing of it is there on a host of this machine.
import {
  GetAccountSettingsCommand,
  LambdaClient,
  paginateListEventSourceMappings,
} from '@aws-sdk/client-lambda';
import { askedBy } from './aws-problem.ts';
import type { Deployment } from './deployment.ts';

/** Invocations at once; null where there is no such limit. */
export async function concurrencyOf({ token }: Pick<Deployment, 'token'>): Promise<number | null> {
  if (token !== undefined) return null;
  const lambda = new LambdaClient({ maxAttempts: 3 });
  return await askedBy(lambda, 'the limits of the account were not read', async (client) => {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    return AccountLimit?.ConcurrentExecutions ?? null;
  });
}

/** Names of queues whose event sources are all disabled. */
export async function disabledSources({ token }: Pick<Deployment, 'token'>): Promise<ReadonlySet<string>> {
  if (token !== undefined) return new Set();
  const lambda = new LambdaClient({ maxAttempts: 3 });
  const disabled = new Set<string>();
  const enabled = new Set<string>();
  await askedBy(lambda, 'the event sources were not read', async (client) => {
    for await (const { EventSourceMappings: some = [] } of paginateListEventSourceMappings({ client }, {}))
      for (const { EventSourceArn: arn, State: state } of some)
        (state === 'Disabled' ? disabled : enabled).add(arn?.split(':').at(-1) ?? '');
  });
  return new Set([...disabled].filter((name) => !enabled.has(name)));
}
