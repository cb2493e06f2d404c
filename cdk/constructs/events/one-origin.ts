// Both parts under one address, so that a page needs one origin and no CORS. Which function answers follows from the routes,
// as at the local host (services/local/one-origin.ts).
// Guarantees: an answer goes out as the function gave it, 403 and 404 included: no error responses of the distribution; the
// API is never cached, the pixel as its own headers say; functions hear the visitor's address from the edge only.
import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type IOrigin,
} from 'aws-cdk-lib/aws-cloudfront';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { ROUTES } from '#lib/events/routes/every-route.ts';
import type { EdgeSettings } from '../../domain-settings.ts';
import type { Settings } from '../../settings.ts';
import { functionBehavior, functionOrigin } from '../function-origin.ts';
import type { HttpFunction } from '../http-function.ts';

export interface Entrances {
  readonly Ingestion: HttpFunction;
  readonly BrowserIngestion: HttpFunction;
  readonly Api: HttpFunction;
}

type EventsRoute = (typeof ROUTES)[number];

/**
 * Path → the methods of it that belong to ingestion, where the API answers the others. So do the aliases of its routes for servers:
 * a behavior for each would take a third of what a distribution may have.
 */
function sharedPaths(): Readonly<Record<string, readonly string[]>> {
  const aliases = ROUTES.flatMap((route) =>
    'aliases' in route && route.auth !== 'public' ? route.aliases.map((path) => [path, [route.method]]) : [],
  );
  const shared = ROUTES.filter(
    ({ part, path }) =>
      part === 'ingestion' && ROUTES.some((other) => other.part === 'api' && other.path === path),
  );
  return Object.fromEntries([
    ...shared.map(({ path }) => [
      path,
      shared.filter((one) => one.path === path).map(({ method }) => method),
    ]),
    ...aliases,
  ]);
}

/** Of each function, and of all together where the deployment asks for it. */
export function publishAddresses(
  scope: Construct,
  { edge, oneOrigin }: Settings,
  entrances: Entrances,
): void {
  for (const [name, { endpoint }] of Object.entries(entrances) as [string, HttpFunction][])
    new CfnOutput(scope, `${name}Url`, { value: endpoint.url });
  // Said here, not by the stack of the pages or the domain when it is there: see CoreStack.
  for (const { endpoint } of Object.values(entrances) as HttpFunction[])
    Stack.of(scope).exportValue(endpoint.url);
  if (oneOrigin && edge !== undefined) new OneOrigin(scope, edge, entrances);
}

class OneOrigin extends Construct {
  constructor(scope: Construct, edge: EdgeSettings, entrances: Entrances) {
    super(scope, 'OneOrigin');
    const { api, ingestion } = eventBehaviors(this, edge, entrances);
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Millrace: both parts under one address',
      defaultBehavior: api,
      additionalBehaviors: ingestion,
    });
    new CfnOutput(this, 'Url', { value: `https://${distribution.distributionDomainName}` });
  }
}

/** Which function answers, for a distribution: `ingestion` by path, and `api` for all others below /v1/. */
export function eventBehaviors(
  scope: Construct,
  edge: EdgeSettings,
  { Ingestion, BrowserIngestion, Api }: Entrances,
): { readonly api: BehaviorOptions; readonly ingestion: Record<string, BehaviorOptions> } {
  const origins = {
    ingestion: originOf('ingestion', Ingestion),
    'browser-ingestion': originOf('browser-ingestion', BrowserIngestion, {
      'x-millrace-edge-secret': secretOf(scope, edge),
    }),
    api: originOf('api', Api),
  };
  const edgeFunction = new EdgeFunction(scope, 'ViewerRequest', {
    comment: 'Names the visitor, and the part that answers where both do',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(viewerRequest(edge.addressHeader)),
  });
  const behavior = (origin: IOrigin, cachePolicy = CachePolicy.CACHING_DISABLED): BehaviorOptions => ({
    ...functionBehavior(origin),
    cachePolicy,
    functionAssociations: [{ function: edgeFunction, eventType: FunctionEventType.VIEWER_REQUEST }],
  });
  const shared = sharedPaths();
  const own = ROUTES.filter(({ part, path }) => part === 'ingestion' && shared[path] === undefined);
  return {
    api: behavior(origins.api),
    ingestion: Object.fromEntries(
      own.map((route) => [patternOf(route), behavior(origins[ingestionOf(route)], cacheOf(route))]),
    ),
  };
}

/** The first of two, while one replaces the other. That of a parameter CloudFormation reads at each deployment. */
function secretOf(scope: Construct, { secret }: EdgeSettings): string {
  if (typeof secret === 'string') return secret.split(',')[0] ?? '';
  return Fn.select(0, Fn.split(',', StringParameter.valueForStringParameter(scope, secret.parameter)));
}

/** The function that answers: what takes no credential is one of its own. */
const ingestionOf = ({ auth }: EventsRoute): 'ingestion' | 'browser-ingestion' =>
  auth === 'public' ? 'browser-ingestion' : 'ingestion';

/** Other paths of what takes no credential lie beside it, with nothing of another function among them. */
function patternOf(route: EventsRoute): string {
  const isAlone = !('aliases' in route) || route.auth !== 'public';
  return route.path.replaceAll(isAlone ? /:\w+/g : /[^/]+$/g, '*');
}

/** Files are kept as long as their own headers say. */
const cacheOf = ({ method }: EventsRoute) =>
  method === 'GET' ? CachePolicy.CACHING_OPTIMIZED : CachePolicy.CACHING_DISABLED;

const originOf = (originId: string, fn: HttpFunction, customHeaders: Record<string, string> = {}): IOrigin =>
  functionOrigin(fn, { originId, customHeaders });

/** Runtime 2.0 of CloudFront Functions (read 2026-11-22). What a visitor sends under the header's name is overwritten. */
function viewerRequest(addressHeader: string): string {
  return `import cf from 'cloudfront';
const SHARED = ${JSON.stringify(sharedPaths())};
function handler(event) {
  const request = event.request;
  request.headers[${JSON.stringify(addressHeader)}] = { value: event.viewer.ip };
  const methods = SHARED[request.uri];
  if (methods !== undefined && methods.includes(request.method)) cf.selectRequestOriginById('ingestion');
  return request;
}
`;
}
