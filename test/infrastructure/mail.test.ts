// Goal: e-mail exists where a domain is named and nowhere else, and nobody but SES writes what is taken for a mail.
import { describe, expect, it } from 'vitest';
import { resourcesOf, serviceAt, serviceOf, synthesized, target } from './synthesized.ts';

const DOMAIN = 'help.shop.example';
const without = () => synthesized({ ephemeral: false });
const app = () => synthesized({ ephemeral: false, context: { mailDomain: DOMAIN } });
const policiesOf = (type: string) =>
  resourcesOf(app(), type).flatMap(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: Record<string, unknown>[] }).Statement,
  );

/** And not of pages of old events, which lie in a bucket of their own. */
const isOfMails = ({ id }: { readonly id: string }): boolean => !id.startsWith('Pages');

describe('e-mail', () => {
  it('is not there where no domain is named', () => {
    expect(
      resourcesOf(without())
        .filter(({ Type }) => /^AWS::(?:SES|S3|SNS::Subscription)/.test(Type))
        .filter(isOfMails),
    ).toEqual([]);
    expect(resourcesOf(without(), 'AWS::Lambda::Function').map(serviceOf).join()).not.toContain('mail');
  });

  it('refuses what is no domain name', () => {
    for (const mailDomain of ['shop', 'https://shop.example', 'a b.example', `${'a'.repeat(64)}.example`])
      expect(() => synthesized({ ephemeral: false, context: { mailDomain } })).toThrow('mailDomain');
  });

  it('works one queue with each of its functions', () => {
    const fed = resourcesOf(app(), 'AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
      const service = serviceAt(app(), Properties.FunctionName);
      if (!service.startsWith('helpdesk-mail')) return [];
      return `${service}: ${target(Properties.EventSourceArn).replace(/Queue[0-9A-F]{8}$/, '')}`;
    });
    expect(fed.sort()).toEqual([
      'helpdesk-mail-events: HelpdeskMailEvent',
      'helpdesk-mail-in: HelpdeskInboundMail',
      'helpdesk-mail-out: HelpdeskMailWork',
    ]);
  });

  it('keeps mails in a private bucket that SES alone writes, for this account', () => {
    const [bucket, ...others] = resourcesOf(app(), 'AWS::S3::Bucket').filter(isOfMails);
    expect(others).toEqual([]);
    expect(bucket?.DeletionPolicy).toBe('Retain');
    expect(bucket?.Properties).toMatchObject({
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      BucketEncryption: expect.anything(),
      LifecycleConfiguration: { Rules: [expect.objectContaining({ ExpirationInDays: 400 })] },
    });
    const allowed = policiesOf('AWS::S3::BucketPolicy').filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: 's3:PutObject',
        Principal: { Service: 'ses.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });

  it('lets SES and S3 tell of mails for this account alone', () => {
    const told = [...policiesOf('AWS::SNS::TopicPolicy'), ...policiesOf('AWS::SQS::QueuePolicy')].filter(
      ({ Principal }) => /"(?:ses|s3)\.amazonaws/.test(JSON.stringify(Principal)),
    );
    expect(told.map(({ Action }) => Action).sort()).toEqual(['sns:Publish', 'sqs:SendMessage']);
    for (const { Condition } of told)
      expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
  });

  it('lets two functions send, replies and notices, one read and one delete', () => {
    const holders = (action: RegExp) =>
      resourcesOf(app(), 'AWS::IAM::Policy')
        .filter(({ Properties }) => action.test(JSON.stringify(Properties.PolicyDocument)))
        .map(({ id }) => id.replace(/RoleDefaultPolicy[0-9A-F]{8}$/, ''));
    expect(holders(/ses:SendEmail/)).toEqual(['Tasks', 'HelpdeskMailOut']);
    const desk = (ids: readonly string[]) => ids.filter((id) => id.startsWith('Helpdesk'));
    expect(desk(holders(/s3:GetObject/))).toEqual(['HelpdeskMailIn']);
    expect(desk(holders(/s3:DeleteObject/))).toEqual(['HelpdeskTasks']);
  });
});
