// Goal: with a domain everything answers under names of the deployment's own, over TLS 1.2, and no address of a visitor is taken
// from anyone but the distribution; without one nothing of it exists or costs. Method: the templates, and the distribution's
// routing against the local rule for every route and method.
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../lib/events/routes/every-route.ts';
import { partAt } from '../../services/local/one-origin.ts';
import { idleDollars, idleMonth } from '../performance/idle-cost.ts';
import { type Behavior, distributionOf, resourcesOf, synthesized, variablesOf } from './synthesized.ts';

const DOMAIN = {
  account: '111122223333',
  region: 'eu-central-1',
  domain: 't.shop.example, t.other.example',
  domainZone: 'Z0123456789ABC',
};
const app = (context: object = {}) => synthesized({ ephemeral: false, context: { ...DOMAIN, ...context } });
const only = (of: ReturnType<typeof app>, type: string) => {
  const [found, ...others] = resourcesOf(of, type);
  if (found === undefined || others.length > 0) throw new Error(`There is not one ${type}.`);
  return found.Properties;
};

describe('a domain', () => {
  it('names the distribution, with a certificate of us-east-1 and TLS 1.2', () => {
    expect(only(app(), 'AWS::CertificateManager::Certificate')).toMatchObject({
      DomainName: 't.shop.example',
      SubjectAlternativeNames: ['t.other.example'],
      ValidationMethod: 'DNS',
      DomainValidationOptions: [
        { DomainName: 't.shop.example', HostedZoneId: 'Z0123456789ABC' },
        { DomainName: 't.other.example', HostedZoneId: 'Z0123456789ABC' },
      ],
    });
    expect(distributionOf(app())).toMatchObject({
      Aliases: ['t.shop.example', 't.other.example'],
      ViewerCertificate: {
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
        AcmCertificateArn: {
          'Fn::GetStackOutput': {
            StackName: 'MillraceEdge',
            OutputName: 'CertificateArn',
            Region: 'us-east-1',
          },
        },
      },
    });
    expect(app().stacks.get('MillraceEdge')?.Outputs).toHaveProperty('CertificateArn');
    const records = resourcesOf(app(), 'AWS::Route53::RecordSet').map(({ Properties }) => [
      Properties.Name,
      Properties.Type,
    ]);
    expect(records).toEqual([
      ['t.shop.example', 'A'],
      ['t.shop.example', 'AAAA'],
      ['t.other.example', 'A'],
      ['t.other.example', 'AAAA'],
    ]);
  });

  it('takes a certificate that is there, and then makes nothing in us-east-1 and no record', () => {
    const certificate = 'arn:aws:acm:us-east-1:111122223333:certificate/a-b';
    const own = app({ domainZone: undefined, domainCertificate: certificate });
    expect(own.stacks.has('MillraceEdge')).toBe(false);
    expect(resourcesOf(own, 'AWS::Route53::RecordSet')).toEqual([]);
    expect(distributionOf(own)).toMatchObject({ ViewerCertificate: { AcmCertificateArn: certificate } });
    expect(own.stacks.get('MillraceDashboard')?.Outputs).toHaveProperty('DistributionName');
  });

  it.each([
    ['with the pages', { dashboard: true }],
    ['without the pages', {}],
  ])('asks, %s, the function that the local host asks', (_what, context) => {
    const { CacheBehaviors, DefaultCacheBehavior } = distributionOf(app(context));
    const code = resourcesOf(app(context), 'AWS::CloudFront::Function')
      .map(({ Properties }) => String(Properties.FunctionCode))
      .find((text) => text.includes('SHARED'));
    expect(CacheBehaviors.length).toBeLessThan(25);
    const originOf = (method: string, uri: string): string => {
      const fits = ({ PathPattern = '' }: Behavior) =>
        new RegExp(`^${PathPattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(uri);
      const behavior = CacheBehaviors.find(fits) ?? DefaultCacheBehavior;
      let origin = behavior.TargetOriginId;
      const event = { viewer: { ip: '198.51.100.7' }, request: { method, uri, headers: {} } };
      const cf = {
        selectRequestOriginById: (id: string) => {
          origin = id;
        },
      };
      const source = String(code).replace("import cf from 'cloudfront';", '');
      if (behavior.FunctionAssociations !== undefined && uri.startsWith('/v1/'))
        runInNewContext(`${source};handler(event)`, { event, cf });
      return origin;
    };
    const underDomain = ROUTES.filter(({ path }) => path.startsWith('/v1/'));
    for (const { method, path, auth } of underDomain) {
      const uri = path.replaceAll(/:\w+/g, 'an-id');
      const isIngestion = partAt(ROUTES, method, uri) === 'ingestion';
      const part = auth === 'public' && isIngestion ? 'browser-ingestion' : isIngestion ? 'ingestion' : 'api';
      expect([method, uri, originOf(method, uri)]).toEqual([method, uri, part]);
    }
    expect(originOf('GET', '/api/tickets')).not.toMatch(/^(?:api|ingestion|browser-ingestion)$/);
  });

  it('keeps the secret in a parameter: in no template and no function', () => {
    expect(variablesOf(app(), 'browser-ingestion')).toMatchObject({
      EDGE_SECRET_PARAMETER: '/millrace/edge-secret',
      EDGE_ADDRESS_HEADER: 'x-viewer-address',
    });
    expect(variablesOf(app(), 'browser-ingestion')).not.toHaveProperty('EDGE_SECRET');
    const told = distributionOf(app()).Origins.flatMap(({ Id, OriginCustomHeaders = [] }) =>
      OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [Id, HeaderName, HeaderValue]),
    );
    expect(told).toEqual([
      [
        'browser-ingestion',
        'x-millrace-edge-secret',
        { 'Fn::Select': [0, { 'Fn::Split': [',', { Ref: expect.stringMatching(/^SsmParameterValue/) }] }] },
      ],
    ]);
    const named = { ...DOMAIN, environment: 'staging' };
    const staging = synthesized({ ephemeral: false, context: named });
    expect(variablesOf(staging, 'browser-ingestion')).toMatchObject({
      EDGE_SECRET_PARAMETER: '/millrace/staging/edge-secret',
    });
  });

  it('has a firewall and logs where they are asked for, and not otherwise', () => {
    const guarded = app({ firewall: true, accessLogs: true });
    expect(only(guarded, 'AWS::WAFv2::WebACL')).toMatchObject({
      Scope: 'CLOUDFRONT',
      DefaultAction: { Allow: {} },
    });
    expect(JSON.stringify(guarded.stacks.get('MillraceEdge'))).toContain(
      'AWSManagedRulesAmazonIpReputationList',
    );
    expect(distributionOf(guarded)).toMatchObject({
      WebACLId: { 'Fn::GetStackOutput': { OutputName: 'FirewallArn' } },
      Logging: { IncludeCookies: false },
    });
    const logs = resourcesOf(guarded, 'AWS::S3::Bucket').find(({ id }) => id.startsWith('AccessLogs'));
    expect(logs?.Properties).toMatchObject({
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
    });
    expect(distributionOf(app())).not.toHaveProperty('WebACLId');
    expect(distributionOf(app())).not.toHaveProperty('Logging');
  });

  it('costs nothing while nothing happens, and is not there where nobody asked for it', () => {
    const plain = synthesized({ ephemeral: false });
    expect([...plain.stacks.keys()].filter((name) => /Edge|Dashboard/.test(name))).toEqual([]);
    const month = (of: ReturnType<typeof app>) => idleDollars(idleMonth(of.template, 100, 3));
    expect(month(app())).toBe(month(plain));
    // A deployment with the pages keeps them, their address and all else under its own id when it gets a domain.
    const before = synthesized({ ephemeral: false, context: { dashboard: true } }).stacks.get(
      'MillraceDashboard',
    );
    const after = app({ dashboard: true }).stacks.get('MillraceDashboard');
    expect(Object.keys(after?.Resources ?? {})).toEqual(
      expect.arrayContaining(Object.keys(before?.Resources ?? {})),
    );
  });
});
