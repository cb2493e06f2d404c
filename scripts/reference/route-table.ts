// The routes as the client needs them at run time: a line each, without schemas.
import * as z from 'zod';
import type { RouteRow } from '../../lib/client/route-table.ts';
import type { Route } from '../../lib/core/http/route.ts';

/** What each letter of a row says, in the order in which they stand there. */
const LETTERS: Readonly<Record<string, readonly [meaning: string, is: (route: Route) => boolean]>> = {
  i: ['of ingestion, not of the API', ({ part }) => part === 'ingestion'],
  c: ['asks for a credential', ({ auth }) => auth !== 'public'],
  p: ['takes params', ({ params }) => params !== undefined],
  q: ['takes a query', ({ query }) => query !== undefined],
  h: ['reads headers of the request', ({ headers }) => headers !== undefined],
  b: ['takes JSON', ({ body, rawBody }) => body !== undefined && rawBody !== true],
  B: ['takes bytes', ({ rawBody }) => rawBody === true],
  r: ['changes nothing: can be repeated', ({ method, readOnly }) => method === 'GET' || readOnly === true],
  k: ['can be repeated with an Idempotency-Key', ({ idempotent }) => idempotent === true],
  s: ['answers by server-sent events', ({ stream }) => stream !== undefined],
  t: ['answers with text', (route) => route.replyType !== undefined && !answersBytes(route)],
  o: ['answers with bytes', (route) => route.replyType !== undefined && answersBytes(route)],
};

function answersBytes({ replies }: Route): boolean {
  return Object.values(replies).some((schema) => schema instanceof z.ZodCustom);
}

export function routeTable(routes: readonly Route[]): readonly RouteRow[] {
  return routes.map((route) => {
    const letters = Object.entries(LETTERS).flatMap(([letter, [, is]]) => (is(route) ? [letter] : []));
    const replyHeaders = Object.keys(route.replyHeaders ?? {}).join(' ');
    const row = [route.id, route.method, route.path, letters.join('')] as const;
    return replyHeaders === '' ? row : [...row, replyHeaders];
  });
}

/** As a module, in the spelling of the formatter. */
export function routeTableModule(routes: readonly Route[]): string {
  const legend = Object.entries(LETTERS).map(([letter, [meaning]]) => `//   ${letter}  ${meaning}`);
  return `${[
    '// Generated from the routes by `npm run generate`. A row: id, method, path, what it takes and gives, and the headers of its',
    '// replies that a caller may read. What it takes and gives is a letter each:',
    ...legend,
    '',
    'export type RouteRow = readonly [',
    '  id: string,',
    '  method: string,',
    '  path: string,',
    '  takes: string,',
    '  replyHeaders?: string,',
    '];',
    '',
    ...tableLines('ROUTE_TABLE', routes),
  ].join('\n')}\n`;
}

/** The table of another product, whose rows are written alike. */
export function productTableModule(name: string, routes: readonly Route[]): string {
  return `${[
    '// Generated from the routes by `npm run generate`: rows as route-table.ts describes them.',
    "import type { RouteRow } from './route-table.ts';",
    '',
    ...tableLines(name, routes),
  ].join('\n')}\n`;
}

function tableLines(name: string, routes: readonly Route[]): readonly string[] {
  const rows = routeTable(routes).map((row) => `  [${row.map((cell) => `'${cell}'`).join(', ')}],`);
  return [`export const ${name}: readonly RouteRow[] = [`, ...rows, '];'];
}
