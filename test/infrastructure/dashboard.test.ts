// Goal: what serves the pages in AWS serves them as the local host does, and costs nothing while nobody looks. Method: the
// template, and the edge function out of it, run as CloudFront runs it.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { HASHED_CACHE, OTHER_CACHE, siteHeaders } from '../../cdk/dashboard-site.ts';
import { type Synthesized, synthesizeApp } from '../../cdk/synthesize.ts';
import { isApiPath } from '../../services/local/one-origin.ts';
import { MAX_SIZES, sizesOf } from '../support/dashboard/sizes.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { CACHING_DISABLED, distributionOf, resourcesOf, synthesized } from './synthesized.ts';

const app = () => synthesized({ ephemeral: false, context: { dashboard: 'true' } });
const plain = () => synthesized({ ephemeral: false });

/** Of the dashboard's stack alone. */
function dashboard(): Synthesized {
  const stack = app().stacks.get('MillraceDashboard');
  return { ...app(), template: { Resources: stack?.Resources ?? {}, Outputs: {} } };
}
const own = (type: string) => resourcesOf(dashboard(), type);

const only = (type: string): Readonly<Record<string, unknown>> => {
  const found = own(type);
  expect([type, found.length]).toEqual([type, 1]);
  return found[0]?.Properties ?? {};
};

const config = () => distributionOf(dashboard());
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

describe('the dashboard’s stack', () => {
  it('is a setting, and never part of what is ephemeral', () => {
    expect([...plain().stacks.keys()]).not.toContain('MillraceDashboard');
    expect(() => synthesized({ ephemeral: true, context: { dashboard: 'true' } })).toThrow('dashboard');
  });

  it('changes no other stack but by what it imports', () => {
    for (const [name, stack] of plain().stacks) {
      expect(app().stacks.get(name)?.Resources).toEqual(stack.Resources);
    }
    expect(app().stacks.get('MillraceCore')).toEqual(plain().stacks.get('MillraceCore'));
  });

  it('names the visitor to the API where people sign up, whatever the visitor says', () => {
    const open = synthesized({ ephemeral: false, context: { dashboard: 'true', signUp: true } });
    const functions = resourcesOf(open, 'AWS::CloudFront::Function');
    const code = functions
      .map(({ Properties }) => String(Properties?.FunctionCode))
      .find((one) => /viewer-a/.test(one));
    const request = { headers: { 'x-viewer-address': { value: '10.0.0.1' } } };
    const event = { request, viewer: { ip: '198.51.100.7' } };
    const named = runInNewContext(`${code};handler(event)`, { event }) as typeof request;
    expect(named.headers['x-viewer-address'].value).toBe('198.51.100.7');
    const behaviors = distributionOf(open).CacheBehaviors as unknown as readonly {
      PathPattern: string;
      FunctionAssociations?: unknown[];
    }[];
    expect(behaviors.find(({ PathPattern }) => PathPattern === '/v1/*')?.FunctionAssociations).toHaveLength(
      1,
    );
  });

  it('has nothing that is billed while nobody looks', () => {
    const types = new Set(
      Object.values(app().stacks.get('MillraceDashboard')?.Resources ?? {}).map(({ Type }) => Type),
    );
    expect([...types].sort()).toEqual([
      'AWS::CloudFront::Distribution',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginAccessControl',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::Function',
      'AWS::Lambda::LayerVersion',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
      'Custom::CDKBucketDeployment',
    ]);
  });

  it('keeps its files to itself: the distribution alone reads them, over TLS', () => {
    expect(only('AWS::S3::Bucket')).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    const { Statement } = only('AWS::S3::BucketPolicy').PolicyDocument as {
      Statement: readonly Readonly<Record<string, unknown>>[];
    };
    const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toEqual([
      expect.objectContaining({ Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } }),
    ]);
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('leaves what an API answers as it is: nothing kept, every method, no pages in the place of errors', () => {
    const { CacheBehaviors, CustomErrorResponses, Origins } = config();
    expect(CustomErrorResponses).toBeUndefined();
    expect(CacheBehaviors.map(({ PathPattern }) => PathPattern)).toContain('/v1/*');
    for (const behavior of CacheBehaviors) {
      expect(isApiPath(behavior.PathPattern ?? '')).toBe(true);
      expect(behavior).toMatchObject({
        CachePolicyId: CACHING_DISABLED,
        OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
      });
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.ResponseHeadersPolicyId).toBeUndefined();
      expect(behavior.FunctionAssociations).toBeUndefined();
    }
    // Signed requests to function URLs would need a digest of each body from the browser.
    expect(
      Origins.filter(({ OriginAccessControlId, S3OriginConfig }) => OriginAccessControlId && !S3OriginConfig),
    ).toEqual([]);
  });

  it('sends the headers that the local host sends', () => {
    const { ResponseHeadersPolicyConfig } = only('AWS::CloudFront::ResponseHeadersPolicy') as {
      readonly ResponseHeadersPolicyConfig: {
        readonly CustomHeadersConfig: {
          readonly Items: readonly { readonly Header: string; readonly Value: string }[];
        };
        readonly SecurityHeadersConfig: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      };
    };
    const { SecurityHeadersConfig: said, CustomHeadersConfig } = ResponseHeadersPolicyConfig;
    const local = siteHeaders(['https://issuer.example']);
    const policy = JSON.stringify(said.ContentSecurityPolicy);
    for (const part of (local['content-security-policy'] ?? '').split('; '))
      expect(policy).toContain(part.replace(' https://issuer.example', ''));
    expect(policy).toMatch(/connect-src 'self' https:\/\/cognito-idp/);
    expect(policy).not.toMatch(/unsafe|nonce|\*/);
    expect(said.StrictTransportSecurity).toMatchObject({
      AccessControlMaxAgeSec: 63_072_000,
      IncludeSubdomains: true,
    });
    expect([said.FrameOptions?.FrameOption, said.ReferrerPolicy?.ReferrerPolicy]).toEqual([
      'DENY',
      local['referrer-policy'],
    ]);
    expect(said).toHaveProperty('ContentTypeOptions');
    const custom = CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value]);
    const named = [
      'content-security-policy',
      'strict-transport-security',
      'x-frame-options',
      'referrer-policy',
      'x-content-type-options',
    ];
    expect([...named, ...custom.map(([header]) => header)].sort()).toEqual(Object.keys(local).sort());
    expect(Object.fromEntries(custom)).toMatchObject({
      'cross-origin-opener-policy': local['cross-origin-opener-policy'],
    });
  });

  it('keeps files that are named by their content for good, and asks again for the others', () => {
    const kept = own('Custom::CDKBucketDeployment').map(({ Properties }) => [
      (Properties.SystemMetadata as Readonly<Record<string, string>>)['cache-control'],
      Properties.Include ?? Properties.Exclude,
    ]);
    expect(kept).toEqual([
      [HASHED_CACHE, ['assets/*']],
      [OTHER_CACHE, ['assets/*', '.vite/*']],
    ]);
    const others = own('Custom::CDKBucketDeployment').find(({ id }) => id.startsWith('OtherFiles'));
    expect(JSON.stringify(others?.DependsOn)).toContain('HashedFiles');
  });

  it.each([
    ['/', '/index.html'],
    ['/events', '/index.html'],
    ['/event', '/index.html'],
    ['/sign-in/callback', '/index.html'],
    ['/a.b/c.js', '/index.html'],
    ['/assets/index-1a2b.js', '/assets/index-1a2b.js'],
    ['/config.json', '/config.json'],
  ])('asks the bucket, for %s, for %s', (uri, file) => {
    const code = String(only('AWS::CloudFront::Function').FunctionCode);
    const event = { request: { method: 'GET', uri, headers: {} } };
    expect((runInNewContext(`${code};handler(event)`, { event }) as { uri: string }).uri).toBe(file);
  });
});

describe('the dashboard’s files, built as a deployment builds them', () => {
  const outdir = scratchFolder('dashboard');
  let built: Synthesized;
  let folders: readonly string[];
  beforeAll(() => {
    const context = { dashboard: 'true', 'aws:cdk:bundling-stacks': ['MillraceDashboard'] };
    built = synthesizeApp({ ephemeral: false, bundle: true, outdir, context });
    folders = globSync('asset.*/index.html', { cwd: outdir }).map((path) => join(outdir, dirname(path)));
  });

  it('are one folder, which both deployments take', () => {
    expect(folders).toHaveLength(1);
    const hash = basename(folders[0] ?? '').slice('asset.'.length);
    const stack = JSON.stringify(built.stacks.get('MillraceDashboard'));
    expect(stack.split(`${hash}.zip`).length - 1).toBe(2);
    expect(stack).not.toContain('synthesized without files');
  });

  it('name each other by their content, and keep the budgets', () => {
    const [folder = ''] = folders;
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const named = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(named.filter((path) => path.startsWith('assets/')).length).toBeGreaterThan(1);
    for (const path of named) expect(existsSync(join(folder, path)), path).toBe(true);
    expect(page).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/);
    const { initial, allScripts } = sizesOf(folder);
    expect(initial).toBeLessThanOrEqual(MAX_SIZES.initial);
    expect(allScripts).toBeLessThanOrEqual(MAX_SIZES.all);
  });

  it('change nothing else of the stack', () => {
    const typesOf = (of: Synthesized): readonly string[] =>
      Object.values(of.stacks.get('MillraceDashboard')?.Resources ?? {})
        .map(({ Type }) => Type)
        .sort();
    expect(typesOf(built)).toEqual(typesOf(app()));
  });
});
