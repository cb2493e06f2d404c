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
  async identity() {
    const client = new STSClient(OPTIONS);
    try {
      const region = await client.config.region();
      const { Account: account, Arn: arn } = await client.send(new GetCallerIdentityCommand({}));
      if (account === undefined || arn === undefined) throw new Error('STS answered without an account');
      return { account, arn, region };
    } catch (error) {
      throw awsProblem(error, 'AWS was not asked who these credentials are');
    }
  },

  async bootstrapVersion() {
    try {
      const { Parameter: parameter } = await new SSMClient(OPTIONS).send(
        new GetParameterCommand({ Name: BOOTSTRAP_VERSION }),
      );
      return parameter?.Value ?? null;
    } catch (error) {
      if ((error as Error).name === 'ParameterNotFound') return null;
      throw awsProblem(error, 'whether the account is bootstrapped');
    }
  },

  async concurrency() {
    try {
      const { AccountLimit: limit } = await new LambdaClient(OPTIONS).send(new GetAccountSettingsCommand({}));
      if (limit?.ConcurrentExecutions === undefined) throw new Error('Lambda answered without a limit');
      return limit.ConcurrentExecutions;
    } catch (error) {
      throw awsProblem(error, 'how many invocations Lambda allows at once');
    }
  },
};
