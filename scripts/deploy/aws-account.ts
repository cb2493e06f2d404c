// The account behind the credentials of the environment.
import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateDescribeStacks,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import {
  DeleteParameterCommand,
  GetParameterCommand,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { asked, orElse } from '../millrace/aws-problem.ts';
import type { Account } from './account.ts';

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

  concurrency: () =>
    asked('how many invocations Lambda allows at once', async () => {
      const { AccountLimit: limit } = await new LambdaClient(OPTIONS).send(new GetAccountSettingsCommand({}));
      if (limit?.ConcurrentExecutions === undefined) throw new Error('Lambda answered without a limit');
      return limit.ConcurrentExecutions;
    }),

  sendsToAnyone: () =>
    asked('whether SES sends to any address', async () => {
      const found = await new SESv2Client(OPTIONS).send(new GetAccountCommand({}));
      return found.ProductionAccessEnabled === true;
    }),

  parameter: (name, region) =>
    asked(`the parameter ${name}`, async () => {
      const client = new SSMClient({ ...OPTIONS, ...(region === undefined ? {} : { region }) });
      const asking = client.send(new GetParameterCommand({ Name: name }));
      const found = await orElse(asking, 'ParameterNotFound', null);
      return found?.Parameter?.Value ?? null;
    }),

  putParameter: (name, value, { replace }) =>
    asked(`the parameter ${name} was not written`, async () => {
      const putting = new SSMClient(OPTIONS).send(
        new PutParameterCommand({ Name: name, Value: value, Type: 'String', Overwrite: replace }),
      );
      return (await orElse(putting, 'ParameterAlreadyExists', null)) !== null;
    }),

  deleteParameter: (name) =>
    asked(`the parameter ${name} was not deleted`, async () => {
      await new SSMClient(OPTIONS).send(new DeleteParameterCommand({ Name: name }));
    }),

  stacks: () =>
    asked('the stacks of the account could not be listed', async () => {
      const client = new CloudFormationClient(OPTIONS);
      const found: { name: string; status: string }[] = [];
      for await (const { Stacks: page = [] } of paginateDescribeStacks({ client }, {}))
        for (const { StackName: name = '', StackStatus: status = '' } of page) found.push({ name, status });
      return found;
    }),

  template: (stack) =>
    asked(`the deployed template of ${stack}`, async () => {
      const client = new CloudFormationClient(OPTIONS);
      const { TemplateBody: body } = await client.send(new GetTemplateCommand({ StackName: stack }));
      return JSON.parse(body ?? '') as Awaited<ReturnType<Account['template']>>;
    }),
};
