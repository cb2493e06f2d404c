// Two merchants, every route that takes an id, every id of the other one: answered byte for byte like an id that nobody has, with
// nothing of the other merchant read or changed. And no store is ever asked without the merchant who asks.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Route } from '../../lib/core/http/route.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import type { ApiPorts } from '../../services/events/api/ports.ts';
import { type ApiHost, MINE, openApi, THEIRS } from './api-host.ts';
import { BODIES, IDS_IN_BODIES, IDS_IN_PATHS, LISTS } from './foreign-ids.ts';

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const upToId = ({ path }: Route): string => /^.*?\/:\w+/.exec(path)?.[0] ?? '';
const takesId = ({ path }: Route): boolean => path.includes('/:');

/** `external_id`: what a shop calls a person; it names nothing here. */
const NOT_OURS: ReadonlySet<string> = new Set(['merchant_id', 'external_id']);

/** Properties of a body that name something: `event_id`, `connection_ids`. */
function idProperties(route: Route): readonly string[] {
  if (route.body === undefined) return [];
  const schema = z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' });
  return Object.keys(schema.properties ?? {}).filter((name) => /_ids?$/.test(name) && !NOT_OURS.has(name));
}

interface Request {
  readonly url: string;
  readonly body?: unknown;
}

/** The same id with another end: one that fits whatever the route demands of ids. */
const missing = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;

async function open() {
  const asked: Asked = [];
  const host = await openApi((ports) => watched(ports, asked));
  return { host, asked };
}

/** These find out who asks, or have no merchant: everything else must be told whose. */
const WITHOUT_MERCHANT = [
  'config.apiKey',
  'config.memberships',
  'billing.merchantOfCustomer',
  'config.platformPauses',
];
const NO_STORES = [
  'clock',
  'random',
  'sessions',
  'report',
  'lookups',
  'transport',
  'assistant',
  'origins',
  'platforms',
  'payments',
  'namesPayments',
];

type Asked = { port: string; args: string }[];

function watched(ports: ApiPorts, asked: Asked): Partial<ApiPorts> {
  const stores = Object.entries(ports).filter(([name, port]) => port !== null && !NO_STORES.includes(name));
  return Object.fromEntries(stores.map(([name, port]) => [name, watchedPort(name, port as object, asked)]));
}

/** With the ports that are in it. */
function watchedPort(name: string, port: object, asked: Asked): object {
  return new Proxy(port, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (NO_STORES.includes(String(property))) return value;
      const path = `${name}.${String(property)}`;
      if (typeof value === 'function')
        return (...args: unknown[]) => {
          asked.push({ port: path, args: inspect(args, { depth: 9, maxArrayLength: null }) });
          return (value as (...given: unknown[]) => unknown).apply(target, args);
        };
      const isOfPorts = typeof value === 'object' && value?.constructor === Object;
      return isOfPorts ? watchedPort(path, value, asked) : value;
    },
  });
}

async function ask(host: ApiHost, route: Route, { url, body }: Request, token: string) {
  const answer = await host.app.inject({
    method: route.method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      'x-request-id': 'same',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const { date: _date, 'server-timing': _timing, ...headers } = answer.headers;
  return { status: answer.statusCode, text: answer.payload, headers };
}

/** All that the other merchant can see. */
async function theirView(host: ApiHost): Promise<readonly string[]> {
  const lists = routesOf('api').filter((route) => route.method === 'GET' && !takesId(route));
  const views = [];
  for (const route of lists) {
    const { text } = await ask(host, route, { url: route.path }, host.session('owner', 'theirs'));
    views.push(`${route.path} ${text}`);
  }
  return views;
}

async function hold(
  route: Route,
  make: (host: ApiHost) => Promise<string>,
  toRequest: (id: string) => Request,
) {
  const { host, asked } = await open();
  const theirs = await make(host);
  const before = await theirView(host);
  asked.length = 0;
  for (const token of [host.session('owner'), (await host.keyFor(['admin'])).key]) {
    const foreign = await ask(host, route, toRequest(theirs), token);
    const unknown = await ask(host, route, toRequest(missing(theirs)), token);
    // A key on a route for people only.
    if (foreign.status === 403 && token !== host.session('owner')) continue;
    expect(foreign.status, `${nameOf(route)} with a foreign id: ${foreign.text}`).toBe(404);
    expect(foreign).toEqual(unknown);
  }
  const calls = asked.filter(({ port }) => !WITHOUT_MERCHANT.includes(port));
  expect(calls.filter(({ args }) => args.includes(THEIRS))).toEqual([]);
  expect(calls.filter(({ args }) => !args.includes(MINE))).toEqual([]);
  expect(await theirView(host)).toEqual(before);
  const own = await ask(host, route, toRequest(theirs), host.session('owner', 'theirs'));
  expect(own.status, `${nameOf(route)} with an id of its own: ${own.text}`).not.toBe(404);
}

const routes = routesOf('api');

describe.each(routes.filter(takesId).map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  it('answers a foreign id like one that nobody has', async () => {
    const make = IDS_IN_PATHS[upToId(route)];
    if (make === undefined)
      throw new Error(
        `${name} takes an id: say in test/contract/foreign-ids.ts how another merchant comes to have one.`,
      );
    const body = BODIES[name];
    if (route.body !== undefined && body === undefined)
      throw new Error(
        `${name} takes a body besides its id: give a good one in test/contract/foreign-ids.ts.`,
      );
    await hold(route, make, (id) => ({
      url: route.path.replace(/:\w+/, encodeURIComponent(id)),
      ...(body === undefined ? {} : { body }),
    }));
  });
});

const inBodies = routes.flatMap((route) =>
  idProperties(route).map((property) => [nameOf(route), property, route] as const),
);

describe.each(inBodies)('%s with %s', (name, property, route) => {
  it('answers a foreign id like one that nobody has', async () => {
    const known = IDS_IN_BODIES[name]?.[property];
    if (known === undefined)
      throw new Error(
        `${name} takes ${property}: say in test/contract/foreign-ids.ts how another merchant comes to have one.`,
      );
    await hold(route, known.maker, (id) => ({ url: route.path, body: known.body(id) }));
  });
});

const lists = routes.filter(
  ({ query }) =>
    query !== undefined &&
    JSON.stringify(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties).includes(
      '"cursor"',
    ),
);

describe.each(lists.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  it('shows nothing of another merchant to who has its cursor', async () => {
    const rows = LISTS[name];
    if (rows === undefined)
      throw new Error(
        `${name} gives cursors: say in test/contract/foreign-ids.ts how another merchant comes to have two of them.`,
      );
    const { host, asked } = await open();
    const made = await rows.make(host);
    const path = typeof made === 'string' ? route.path.replace(':id', made) : route.path;
    const first = await ask(
      host,
      route,
      { url: `${path}?limit=1${rows.query ?? ''}` },
      host.session('owner', 'theirs'),
    );
    const { next_cursor: cursor } = JSON.parse(first.text) as { next_cursor: string };
    expect(cursor, first.text).toEqual(expect.any(String));
    const url = `${path}?limit=1${rows.query ?? ''}&cursor=${encodeURIComponent(cursor)}`;
    const theirs = await ask(host, route, { url }, host.session('owner', 'theirs'));
    asked.length = 0;
    const mine = await ask(host, route, { url }, host.session('owner'));
    const calls = asked.filter(({ port }) => !WITHOUT_MERCHANT.includes(port));
    expect(calls.filter(({ args }) => args.includes(THEIRS) || !args.includes(MINE))).toEqual([]);
    expect(theirs.text).toContain(rows.shown);
    expect(mine.text).not.toContain(rows.shown);
  });
});

describe('stores', () => {
  it('are told whose, whatever is asked', async () => {
    const { host, asked } = await open();
    for (const route of routes) {
      const body = BODIES[nameOf(route)] ?? (route.body === undefined ? undefined : {});
      const url = route.path.replaceAll(/:\w+/g, 'nothing');
      await ask(host, route, { url, ...(body === undefined ? {} : { body }) }, host.session('owner'));
    }
    const calls = asked.filter(({ port }) => !WITHOUT_MERCHANT.includes(port));
    expect(calls.length).toBeGreaterThan(routes.length / 2);
    expect(calls.filter(({ args }) => !args.includes(MINE))).toEqual([]);
  });

  it('are watched: a call that names nobody is seen', async () => {
    const asked: Asked = [];
    const { ports } = await openApi();
    const { config, replaying } = watched(ports, asked) as Pick<ApiPorts, 'config' | 'replaying'>;
    await config.listConnections(THEIRS);
    await replaying.plans.plan(THEIRS, 'p');
    expect(asked).toEqual([
      { port: 'config.listConnections', args: `[ '${THEIRS}' ]` },
      { port: 'replaying.plans.plan', args: `[ '${THEIRS}', 'p' ]` },
    ]);
  });

  it('find ids in paths and in bodies', () => {
    expect(routes.filter(takesId).length).toBeGreaterThanOrEqual(4);
    expect(inBodies.map(([name, property]) => `${name} ${property}`)).toEqual(
      expect.arrayContaining([
        'POST /v1/platforms/preview event_id',
        'POST /v1/platforms/preview connection_id',
      ]),
    );
  });
});
