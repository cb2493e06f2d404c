// The pages, behind a distribution of their own: files from a private bucket, and the products' APIs at the same address, so
// that a page needs one origin and no CORS. With a domain of one's own the pixel and ingestion, too.
// Guarantees: only the distribution reads the bucket; an answer of an API goes out as its function gave it (no error responses
// of the distribution, nothing kept, functions authenticate as they always do); nothing costs anything while nobody looks.
// What only a deployment knows, config.json says: where people sign in, and as which client.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type IOrigin,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { VISITOR_HEADER } from '../../lib/events/domain/sign-up.ts';
import { builtHere } from '../constructs/bundle.ts';
import { eventBehaviors } from '../constructs/events/one-origin.ts';
import { firstParty, nameInDns } from '../constructs/first-party.ts';
import { functionBehavior, functionOrigin } from '../constructs/function-origin.ts';
import { HttpFunction } from '../constructs/http-function.ts';
import {
  API_PATHS,
  contentSecurityPolicy,
  HASHED_CACHE,
  HSTS_SEC,
  OTHER_CACHE,
  siteBuild,
} from '../dashboard-site.ts';
import type { Ground } from '../products.ts';
import type { SessionIssuer, Settings } from '../settings.ts';
import { stackName } from '../stack-names.ts';
import type { CoreStack } from './core.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'services/dashboard');

/** Behind the stacks of the products: it serves the API of each that is there. */
export function addFront(app: App, { settings, core, synthesizer }: Ground): void {
  const { environment, domain } = settings;
  const stack = new Stack(app, stackName(environment, 'Dashboard'), {
    synthesizer: synthesizer(),
    description: 'Millrace: the pages for merchants and agents',
  });
  const apis = apiBehaviors(app, stack, settings);
  const pages = settings.dashboard ? addPages(stack, core) : undefined;
  const defaultBehavior = pages ?? apis[`${API_PATHS.events}*`] ?? apis[`${API_PATHS.helpdesk}*`];
  if (defaultBehavior === undefined) throw new Error('Setting domain needs a product.');
  const distribution = new Distribution(stack, 'Distribution', {
    comment: 'Millrace: the dashboard and the APIs under one address',
    defaultBehavior,
    additionalBehaviors: apis,
    ...(domain === undefined
      ? {}
      : firstParty(app, stack, stackName(environment, 'Edge'), domain, synthesizer)),
  });
  if (settings.dashboard)
    new CfnOutput(stack, 'DashboardUrl', {
      value: `https://${domain?.names[0] ?? distribution.distributionDomainName}`,
    });
  if (domain !== undefined) nameInDns(stack, domain, distribution);
}

/** By path, the narrower first. With a domain ingestion as well. */
function apiBehaviors(
  app: App,
  stack: Stack,
  { domain, edge, signUp }: Settings,
): Record<string, BehaviorOptions> {
  const functions = app.node.findAll().filter((node) => node instanceof HttpFunction);
  const found = (service: string) => functions.find((one) => one.service === service);
  const [Api, Ingestion, BrowserIngestion, desk] = [
    'events/api',
    'events/ingestion',
    'events/browser-ingestion',
    'helpdesk/api',
  ].map(found);
  const events = (): Record<string, BehaviorOptions> => {
    if (Api === undefined) return {};
    if (
      domain === undefined ||
      edge === undefined ||
      Ingestion === undefined ||
      BrowserIngestion === undefined
    )
      return {
        [`${API_PATHS.events}*`]: {
          ...functionBehavior(functionOrigin(Api)),
          ...(signUp ? namingVisitors(stack) : {}),
        },
      };
    const behaviors = eventBehaviors(new Construct(stack, 'Events'), edge, {
      Ingestion,
      BrowserIngestion,
      Api,
    });
    return { ...behaviors.ingestion, [`${API_PATHS.events}*`]: behaviors.api };
  };
  return {
    ...events(),
    ...(desk === undefined ? {} : { [`${API_PATHS.helpdesk}*`]: functionBehavior(functionOrigin(desk)) }),
  };
}

/** For what is counted by address. What a visitor sends under the header's name is overwritten. */
function namingVisitors(stack: Stack): Pick<BehaviorOptions, 'functionAssociations'> {
  const code = `function handler(event) {
  event.request.headers['${VISITOR_HEADER}'] = { value: event.viewer.ip };
  return event.request;
}
`;
  const visitor = new EdgeFunction(stack, 'Visitor', {
    comment: 'Names the visitor',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(code),
  });
  return { functionAssociations: [{ function: visitor, eventType: FunctionEventType.VIEWER_REQUEST }] };
}

/** The files, and how they are served. */
function addPages(stack: Stack, { sessionIssuer, signInUrl }: CoreStack): BehaviorOptions {
  if (sessionIssuer === undefined) throw new Error('Setting dashboard needs an issuer where people sign in.');
  const bucket = new Bucket(stack, 'Files', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN,
    // The cast, as those below: the library is not written for `exactOptionalPropertyTypes`.
  }) as IBucket;
  deployFiles(stack, bucket, sessionIssuer);
  return pagesBehavior(stack, bucket, [sessionIssuer.issuer, signInUrl ?? sessionIssuer.issuer]);
}

function pagesBehavior(stack: Stack, bucket: IBucket, signIn: readonly string[]): BehaviorOptions {
  const edge = new EdgeFunction(stack, 'ViewerRequest', {
    comment: 'A path that is no file is a page of the app',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(readFileSync(join(FOLDER, 'edge.js'), 'utf8')),
  });
  const always = { override: true } as const;
  const responseHeadersPolicy = new ResponseHeadersPolicy(stack, 'Headers', {
    comment: 'Scripts, styles and connections of the pages own origin only',
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(signIn), ...always },
      contentTypeOptions: always,
      frameOptions: { frameOption: HeadersFrameOption.DENY, ...always },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, ...always },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(HSTS_SEC),
        includeSubdomains: true,
        ...always,
      },
    },
    customHeadersBehavior: {
      customHeaders: [{ header: 'cross-origin-opener-policy', value: 'same-origin', ...always }],
    },
  });
  return {
    origin: S3BucketOrigin.withOriginAccessControl(bucket) as IOrigin,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    // As long as each file's own header says.
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy,
    functionAssociations: [{ function: edge, eventType: FunctionEventType.VIEWER_REQUEST }],
  };
}

/** Files named by their content first: an index.html must never name one that is not there. Old ones stay for open pages. */
function deployFiles(stack: Stack, bucket: IBucket, { issuer, audience }: SessionIssuer): void {
  const site = siteSource(stack);
  const common = { destinationBucket: bucket, prune: false, memoryLimit: 256 };
  const hashed = new BucketDeployment(stack, 'HashedFiles', {
    ...common,
    sources: [site],
    exclude: ['*'],
    include: ['assets/*'],
    cacheControl: [CacheControl.fromString(HASHED_CACHE)],
  });
  const others = new BucketDeployment(stack, 'OtherFiles', {
    ...common,
    sources: [site, Source.jsonData('config.json', { issuer, client_id: audience })],
    exclude: ['assets/*', '.vite/*'],
    cacheControl: [CacheControl.fromString(OTHER_CACHE)],
  });
  others.node.addDependency(hashed);
}

/** Where the stack is synthesized without bundling the page is one sentence: such a template is for reading. */
function siteSource(stack: Stack): ISource {
  if (!stack.bundlingRequired) return Source.data('index.html', 'synthesized without files');
  return Source.asset(
    FOLDER,
    builtHere((outdir) => {
      const { args, env } = siteBuild(outdir);
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env });
      if (status !== 0) throw new Error(`The dashboard could not be built: ${stderr}`);
    }),
  );
}
