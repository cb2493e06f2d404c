// Both parts and the pages under one address, as a CDN gives them in AWS: a page needs one origin then, and no CORS. Which
// function answers is a matter of the routes; what it answers, 403 and 404 included, goes out as it is.
import { API_PATHS } from '../../cdk/dashboard-site.ts';
import { type Route, routesAt } from '../../lib/core/http/route.ts';

/**
 * Who answers at this path: the part whose route takes the method, else the one that says which methods there are. Where
 * no route is, it is the API that says so.
 */
export function partAt(routes: readonly Route[], method: string, path: string): Route['part'] {
  const there = routesAt(routes, path);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route =
    there.find((one) => one.method === wanted) ??
    (method === 'OPTIONS' ? there.find(({ cors }) => cors !== undefined) : undefined) ??
    there.find(({ part }) => part === 'api') ??
    there[0] ??
    routes.find(
      ({ aliases, auth, method: own }) =>
        (own === wanted || auth === 'public') && aliases?.includes(path.split('?', 1)[0] ?? path),
    );
  return route?.part ?? 'api';
}

/** Every other path is the dashboard's. */
export const isApiPath = (path: string): boolean =>
  Object.values(API_PATHS).some((start) => path.startsWith(start));
