// Mails to merchants about their own account, where the deployment has a domain that SES sends from.
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ENV } from '#lib/events/domain/topology.ts';
import type { Settings } from '../../settings.ts';
import type { Access } from '../stage-function.ts';

export function notices({ mailDomain }: Pick<Settings, 'mailDomain'>): Access {
  if (mailDomain === undefined) return { environment: {}, statements: [] };
  const identity = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${mailDomain}`;
  return {
    environment: { [ENV.noticeMailDomain]: mailDomain },
    statements: [new PolicyStatement({ actions: ['ses:SendEmail'], resources: [identity] })],
  };
}
