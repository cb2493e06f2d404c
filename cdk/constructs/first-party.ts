// A domain in front of the distribution: certificate and firewall, which CloudFront takes from us-east-1 alone and which are a stack
// of their own therefore; names in DNS; logs of requests.
// Guarantees: TLS 1.2 and later; without the setting none of it is there. The stack in us-east-1 is read by its outputs, without
// an export, so that neither stack holds the other: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getstackoutput.html
// (2026-11-27; not deployed to AWS here).
import { type App, CfnOutput, Duration, Fn, type IStackSynthesizer, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Certificate, CfnCertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  type Distribution,
  type DistributionProps,
  SecurityPolicyProtocol,
} from 'aws-cdk-lib/aws-cloudfront';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { DomainSettings } from '../domain-settings.ts';

const REGION = 'us-east-1';
const LOGS_KEPT = Duration.days(30);
/** Of one address in five minutes. */
const REQUESTS_MAX = 2_000;
/** Of every distribution: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-route53-recordset-aliastarget.html */
const CLOUDFRONT_ZONE = 'Z2FDTNDATAQYW2';

/** What the distribution in `stack` gets. `name`: of the stack that is made in us-east-1, where anything is. */
export function firstParty(
  app: App,
  stack: Stack,
  name: string,
  domain: DomainSettings,
  synthesizer: () => IStackSynthesizer,
): Partial<DistributionProps> {
  const { account, names, certificate, firewall, accessLogs } = domain;
  const isNeeded = certificate === undefined || firewall;
  const edge = isNeeded
    ? new Stack(app, name, {
        synthesizer: synthesizer(),
        description: 'Millrace: certificate and firewall of the domain',
        env: { account, region: REGION },
      })
    : undefined;
  if (edge !== undefined) stack.addStackDependency(edge);
  const given = (output: string): string => Fn.getStackOutput(name, output, REGION);
  if (edge !== undefined && certificate === undefined) addCertificate(edge, domain);
  if (edge !== undefined && firewall) addFirewall(edge);
  return {
    domainNames: [...names],
    certificate: Certificate.fromCertificateArn(stack, 'Certificate', certificate ?? given('CertificateArn')),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    ...(firewall ? { webAclId: given('FirewallArn') } : {}),
    ...(accessLogs ? { enableLogging: true, logBucket: logsOf(stack), logIncludesCookies: false } : {}),
  };
}

/** Where people find it. */
export function nameInDns(
  stack: Stack,
  { names, zone }: DomainSettings,
  { distributionDomainName }: Pick<Distribution, 'distributionDomainName'>,
): void {
  new CfnOutput(stack, 'DomainUrl', { value: `https://${names[0]}` });
  new CfnOutput(stack, 'DistributionName', { value: distributionDomainName });
  if (zone === undefined) return;
  for (const [at, name] of names.entries())
    for (const type of ['A', 'AAAA'])
      new CfnRecordSet(stack, `Record${type}${at}`, {
        hostedZoneId: zone,
        name,
        type,
        aliasTarget: { dnsName: distributionDomainName, hostedZoneId: CLOUDFRONT_ZONE },
      });
}

function addCertificate(stack: Stack, { names, zone = '' }: DomainSettings): void {
  const [domainName = '', ...others] = names;
  const { ref } = new CfnCertificate(stack, 'Certificate', {
    domainName,
    subjectAlternativeNames: others,
    validationMethod: 'DNS',
    domainValidationOptions: names.map((name) => ({ domainName: name, hostedZoneId: zone })),
  });
  new CfnOutput(stack, 'CertificateArn', { value: ref });
}

function addFirewall(stack: Stack): void {
  const visible = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    sampledRequestsEnabled: false,
  });
  const { attrArn } = new CfnWebACL(stack, 'Firewall', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visible('MillraceFirewall'),
    rules: [
      {
        name: 'KnownAttackers',
        priority: 0,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
        },
        visibilityConfig: visible('KnownAttackers'),
      },
      {
        name: 'RequestsOfAnAddress',
        priority: 1,
        action: { block: {} },
        statement: { rateBasedStatement: { limit: REQUESTS_MAX, aggregateKeyType: 'IP' } },
        visibilityConfig: visible('RequestsOfAnAddress'),
      },
    ],
  });
  new CfnOutput(stack, 'FirewallArn', { value: attrArn });
}

function logsOf(stack: Stack): IBucket {
  const bucket = new Bucket(stack, 'AccessLogs', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // CloudFront writes as an owner of its own, by the bucket's list of rights.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: LOGS_KEPT }],
    removalPolicy: RemovalPolicy.RETAIN,
  });
  new CfnOutput(stack, 'AccessLogsBucket', { value: bucket.bucketName });
  // The cast: the library is not written for `exactOptionalPropertyTypes`.
  return bucket as IBucket;
}
