// The account behind the credentials of the environment.
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { awsProblem } from '../millrace/aws-problem.ts';
import type { Account } from './preflight.ts';

/** Written by `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';
const OPTIONS = { maxAttempts: 2 } as const;

export const awsAccount: Account = {
  identity: () =>
    asked('AWS was not asked who these credentials are', async () => {
      const client = new STSClient(OPTIONS);
      const region = await client.config.region();
      const { Account: account, Arn: arn } = await client.send(new GetCallerIdentityCommand({}));
      if (account === undefined || arn === undefined) throw new Error('STS answered without an account');
      return { account, arn, region };
    }),

  bootstrapVersion: () =>
    asked('whether the account is bootstrapped', async () => {
      const asking = new SSMClient(OPTIONS).send(new GetParameterCommand({ Name: BOOTSTRAP_VERSION }));
      const { Parameter: parameter } = await asking.catch((error: Error) => {
        if (error.name === 'ParameterNotFound') return { Parameter: undefined };
        throw error;
      });
      return parameter?.Value ?? null;
    }),

  concurrency: () =>
    asked('how many invocations Lambda allows at once', async () => {
      const { AccountLimit: limit } = await new LambdaClient(OPTIONS).send(new GetAccountSettingsCommand({}));
      if (limit?.ConcurrentExecutions === undefined) throw new Error('Lambda answered without a limit');
      return limit.ConcurrentExecutions;
    }),
};

async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw awsProblem(error, what);
  }
}
