// Goal: the distribution sends each request where the local host sends it. Method: the template's behaviours and the code of
// its function, run as CloudFront runs them, against the local rule for every route and method.
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { ROUTES } from '../../lib/events/routes/every-route.ts';
import { partAt } from '../../services/local/one-origin.ts';
import {
  type Behavior,
  CACHING_DISABLED,
  distributionOf,
  resourcesOf,
  synthesized,
  variablesOf,
} from './synthesized.ts';

const SECRET = 'x'.repeat(32);
const options = {
  ephemeral: false,
  context: { oneOrigin: 'true', edgeSecret: `${SECRET},${'y'.repeat(32)}` },
};

const distribution = () => distributionOf(synthesized(options));

/** What CloudFront does with a request: the first pattern that fits, then the function. */
function sent(method: string, uri: string) {
  const { CacheBehaviors, DefaultCacheBehavior } = distribution();
  const fits = ({ PathPattern = '' }: Behavior): boolean =>
    new RegExp(`^${PathPattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(uri);
  const behavior = CacheBehaviors.find(fits) ?? DefaultCacheBehavior;
  const [fn] = resourcesOf(synthesized(options), 'AWS::CloudFront::Function');
  const code = String(fn?.Properties.FunctionCode).replace("import cf from 'cloudfront';", '');
  let origin = behavior.TargetOriginId;
  const event = {
    viewer: { ip: '198.51.100.7' },
    request: { method, uri, headers: { 'x-viewer-address': { value: '10.0.0.1' } } },
  };
  const request = runInNewContext(`${code};handler(event)`, {
    event,
    cf: {
      selectRequestOriginById: (id: string) => {
        origin = id;
      },
    },
  }) as typeof event.request;
  return { origin, behavior, address: request.headers['x-viewer-address'].value };
}

describe('the distribution', () => {
  const routes: readonly Route[] = ROUTES;
  const all = routes.flatMap(({ path, aliases = [] }) => [path, ...aliases]);
  const paths = [...new Set(all.map((path) => path.replaceAll(/:\w+/g, 'an-id')))];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

  it.each([...paths, '/', '/v1', '/v1/nothing', '/v1/events/', '/v1/browser', '/v1/events/a/b'])(
    'sends %s to the part that the local host asks',
    (path) => {
      for (const method of methods) {
        const { origin, address } = sent(method, path);
        const part = origin === 'api' ? 'api' : 'ingestion';
        expect([method, part]).toEqual([method, partAt(ROUTES, method, path)]);
        // Whatever a visitor says of himself.
        expect(address).toBe('198.51.100.7');
      }
    },
  );

  it('sends what takes no credential to the function without permissions of merchants', () => {
    for (const { auth, method, path, aliases = [] } of routes.filter(({ part }) => part === 'ingestion'))
      for (const at of [path, ...aliases])
        expect([at, sent(method, at).origin]).toEqual([
          at,
          auth === 'public' ? 'browser-ingestion' : 'ingestion',
        ]);
  });

  it('leaves every answer as it is: no error responses, every method, nothing kept but the pixel', () => {
    const { CustomErrorResponses, CacheBehaviors, DefaultCacheBehavior } = distribution();
    expect(CustomErrorResponses).toBeUndefined();
    for (const { AllowedMethods, PathPattern, CachePolicyId, FunctionAssociations } of [
      DefaultCacheBehavior,
      ...CacheBehaviors,
    ]) {
      expect([...AllowedMethods].sort()).toEqual([...methods].sort());
      expect(FunctionAssociations?.map(({ EventType }) => EventType)).toEqual(['viewer-request']);
      expect(CachePolicyId === CACHING_DISABLED).toBe(PathPattern !== '/v1/pixel.js');
    }
  });

  it('says its secret where it names addresses, and nowhere else', () => {
    const told = distribution().Origins.map(({ Id, OriginCustomHeaders }) => [Id, OriginCustomHeaders]);
    expect(Object.fromEntries(told)).toEqual({
      'browser-ingestion': [{ HeaderName: 'x-millrace-edge-secret', HeaderValue: SECRET }],
      ingestion: undefined,
      api: undefined,
    });
    expect(variablesOf(synthesized(options), 'browser-ingestion')).toMatchObject({
      EDGE_ADDRESS_HEADER: 'x-viewer-address',
    });
  });

  it('is not there where nobody asked for it', () => {
    expect(resourcesOf(synthesized({ ephemeral: false }), 'AWS::CloudFront::Distribution')).toEqual([]);
  });
});
