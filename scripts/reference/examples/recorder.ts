// Keeps requests and what a real API answered to them, by operation. Guarantees: what is kept was answered with success and is
// what the route's own schemas take and give; secrets that were answered are kept as dummies. Refuses an operation kept twice with one status.
import type { z } from 'zod';
import type { Success } from '#lib/core/http/handler.ts';
import type { Route, RouteExamples } from '#lib/core/http/route.ts';
import type { HostReply } from '#test/contract/any-host.ts';

/** Pretty-printed; an answer that is longer has to be cut. */
const LINES_MAX = 110;

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Lists of the answer are cut to so many entries, and the example is named `shortened`. */
  readonly entries?: number;
  /** Objects of the answer that are lists by name, to be cut with them. */
  readonly maps?: readonly string[];
}

export interface Sent extends Pick<Asked, 'body' | 'headers'> {
  readonly method: string;
  /** With its query. */
  readonly url: string;
}

type RouteOf<Routes extends readonly Route[], Id> = Extract<Routes[number], { readonly id: Id }>;
type Body<Routes extends readonly Route[], Id> = Success<RouteOf<Routes, Id>>['body'];

export function createRecorder<const Routes extends readonly Route[]>(
  routes: Routes,
  send: (sent: Sent, route: Route) => Promise<HostReply>,
) {
  const kept = new Map<string, RouteExamples>();
  const dummies = new Map<string, string>();
  return {
    /** Asks, keeps both, and gives what was answered. */
    async keep<Id extends Routes[number]['id']>(id: Id, asked: Asked = {}): Promise<Body<Routes, Id>> {
      const route = routes.find((one) => one.id === id);
      if (route === undefined) throw new Error(`${id} is no operation`);
      const { headers = {}, body } = asked;
      const reply = await send({ method: route.method, url: urlOf(route, asked), headers, body }, route);
      if (reply.status >= 400) throw new Error(`${id} was answered ${reply.status}: ${reply.text}`);
      const before = kept.get(id);
      if (before?.replies?.[reply.status] !== undefined) throw new Error(`${id} is kept already`);
      const example = exampleOf(route, asked, reply);
      kept.set(id, { ...example, ...before, replies: { ...before?.replies, ...example.replies } });
      return reply.body as Body<Routes, Id>;
    },
    /** Stands for the secret wherever it was kept. */
    hide: (secret: string, dummy: string): void => void dummies.set(secret, dummy),
    /** In the order of the routes. */
    examples: (): Readonly<Record<string, RouteExamples>> => {
      const all = routes.flatMap(({ id }) => (kept.has(id) ? [[id, kept.get(id)]] : []));
      let text = JSON.stringify(Object.fromEntries(all));
      for (const [secret, dummy] of dummies) text = text.replaceAll(secret, dummy);
      return JSON.parse(text) as Readonly<Record<string, RouteExamples>>;
    },
  };
}

function urlOf({ id, path }: Route, { params = {}, query }: Asked): string {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${id} needs ${name}`);
    return encodeURIComponent(value);
  });
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`;
}

function exampleOf(route: Route, asked: Asked, { status, text, ...reply }: HostReply): RouteExamples {
  // A page or a file is its text.
  const body = reply.body ?? (text === '' ? undefined : text);
  const { params, query, entries } = asked;
  refuseUnknown(route.id, 'query', route.query, query);
  refuseUnknown(route.id, 'body', route.body, asked.body);
  const shown = entries === undefined ? body : shortened(body, entries, asked.maps);
  refuseUnknown(route.id, 'answer', route.replies[status] ?? undefined, shown);
  const lines = JSON.stringify(shown, null, 2)?.split('\n').length ?? 0;
  if (lines > LINES_MAX)
    throw new Error(`${route.id} is answered in ${lines} lines: ask for less, or cut it`);
  const name = entries === undefined ? 'recorded' : 'shortened';
  return {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(asked.body === undefined ? {} : { request: { recorded: asked.body } }),
    ...(body === undefined ? {} : { replies: { [status]: { [name]: shown } } }),
  };
}

function refuseUnknown(id: string, what: string, schema: z.ZodType | undefined, value: unknown): void {
  if (value === undefined) return;
  const problem = schema === undefined ? 'is not part of it' : schema.safeParse(value).error?.message;
  if (problem !== undefined) throw new Error(`${what} of ${id}: ${problem}`);
}

function shortened(value: unknown, max: number, maps: readonly string[] = [], name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, max).map((one) => shortened(one, max, maps));
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.entries(value);
  const some = maps.includes(name) ? all.slice(0, max) : all;
  return Object.fromEntries(some.map(([key, one]) => [key, shortened(one, max, maps, key)]));
}
