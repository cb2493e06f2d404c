// Answers held against the OpenAPI document, as somebody who has nothing else would: status, media type, body, headers.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorOf } from '../../lib/core/http/errors.ts';
import { mediaTypeOf } from '../../lib/core/http/request-rules.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { eventsDocument } from '../../lib/events/routes/document.ts';
import { EVENTS_ERRORS } from '../../lib/events/routes/errors.ts';

interface Documented {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly 'x-events'?: Readonly<Record<string, object>> }>
  >;
}
interface Answered {
  readonly method: string;
  /** With or without query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Headers that no answer of theirs may lack. */
const NEEDED: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  500: 'retry-after',
  503: 'retry-after',
};

/** What is not as documented; empty where all is. Answers at paths that are not documented are 404 or of no route. */
export function documentedAnswers(
  routes: readonly Route[],
  made: Readonly<Record<string, unknown>> = eventsDocument(routes),
): (answer: Answered) => readonly string[] {
  const document = made as {
    paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // CommonJS under `default` for Node, the function itself for TypeScript.
  (addFormats as unknown as { default: (on: Ajv2020) => void }).default(ajv);
  ajv.addSchema({ ...document, $id: 'openapi' });
  const places = routes.map((route) => ({ route, parts: route.path.split('/') }));
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  return ({ method, path, status, headers, text }) => {
    // OPTIONS answers for the path, and HEAD as GET does without a body.
    if (method === 'OPTIONS' && status === 204) return [];
    // Resolved like the client that sends it does.
    const { pathname } = new URL(`http://api${path}`);
    const given = pathname.split('/');
    const candidates = places
      .filter(({ route, parts }) => route.aliases?.includes(pathname) || fits(parts, given))
      .map((place) => place.route);
    const asked = method === 'HEAD' ? 'GET' : method;
    const route = candidates.find((one) => one.method === asked) ?? candidates[0];
    if (route === undefined) return status === 404 || status === 400 ? [] : [`${status} at no path`];
    const url = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const { responses } = document.paths[url]?.[route.method.toLowerCase()] ?? { responses: {} };
    const documented = responses[String(status)];
    const what = `${method} ${path} ${status}`;
    if (documented === undefined) return [`${what} is not documented`];
    const needed = NEEDED[status];
    const isLasting = errorOf(EVENTS_ERRORS, codeIn(text)).isLasting === true;
    const isLacking = needed !== undefined && !isLasting && headers[needed] === undefined;
    const problems = isLacking ? [`${what} lacks ${needed}`] : [];
    if (method === 'HEAD' || documented.content === undefined)
      return text === '' ? problems : [...problems, `${what} has a body`];
    const type = mediaTypeOf(String(headers['content-type'] ?? ''));
    if (documented.content[type] === undefined) return [...problems, `${what} is ${type}`];
    const at = ['paths', url, route.method.toLowerCase(), 'responses', String(status), 'content', type];
    const judge = (parts: readonly string[], value: string, where: string): string[] => {
      const pointer = [...at, ...parts].map(
        (part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      );
      const validate = validatorOf(pointer.join(''));
      if (validate(JSON.parse(value))) return [];
      return [`${where}: ${ajv.errorsText(validate.errors, { separator: '; ' })} in ${value.slice(0, 300)}`];
    };
    if (type === 'application/json') return [...problems, ...judge(['schema'], text, what)];
    const events = documented.content[type]['x-events'];
    if (events === undefined) return problems;
    const sent = eventsOf(text);
    const afterError = sent.findIndex(({ event }) => event === 'error') + 1;
    return [
      ...problems,
      ...(afterError > 0 && afterError < sent.length ? [`${what} goes on after an error`] : []),
      ...sent.flatMap(({ event, data }) =>
        events[event] === undefined
          ? [`${what} has an event ${event}`]
          : judge(['x-events', event], data, `${what} ${event}`),
      ),
    ];
  };
}

/** As the server writes them; what it could not have written is an event without a name. */
function eventsOf(text: string): readonly { readonly event: string; readonly data: string }[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const fieldOf = (field: string): string =>
      block
        .split('\n')
        .filter((line) => line.startsWith(`${field}: `))
        .map((line) => line.slice(field.length + 2))
        .join('\n');
    return { event: fieldOf('event'), data: fieldOf('data') };
  });
}

/** Of a failure; empty for anything else. */
const codeIn = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? '';

/** The server takes nothing for an id as well. */
const fits = (parts: readonly string[], given: readonly string[]): boolean =>
  parts.length === given.length && parts.every((part, i) => part.startsWith(':') || part === given[i]);
