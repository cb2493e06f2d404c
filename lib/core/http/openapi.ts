// The contract as an OpenAPI 3.1 document. Guarantees: a fold of the routes and of nothing else, the same text every
// time; what is named in a schema's meta becomes a component once. Refuses two different schemas of one name.
import * as z from 'zod';
import { type Errors, errorOf } from './errors.ts';
import { type Dialect, ERROR_REF } from './openapi-dialect.ts';
import {
  ANY_ANSWER,
  callLimitHeaders,
  failureHeaders,
  headersOf,
  IDEMPOTENCY_KEY,
  REPLAYED,
} from './openapi-headers.ts';
import { mediaTypeOf } from './request-rules.ts';
import { BODY_SIZE_MAX_BYTES, bodyTypesOf, type Route, type RouteExamples } from './route.ts';

type Json = Record<string, unknown>;
type Urls = Readonly<Record<string, string>>;

/**
 * What only the document needs, by the id of the operation. It stands beside the routes, so that a function loads it with the first
 * request for the document and not at its start.
 */
interface Documentation {
  readonly descriptions: Readonly<Record<string, string>>;
  readonly recorded: Readonly<Record<string, RouteExamples>>;
}

/** Examples that a route states itself stay as they are. */
export const documentedRoutes = (
  routes: readonly Route[],
  { descriptions, recorded }: Documentation,
): readonly Route[] =>
  routes.map((route) => {
    const description = descriptions[route.id];
    const examples = { ...recorded[route.id], ...route.examples };
    return {
      ...route,
      ...(description === undefined ? {} : { description }),
      ...(Object.keys(examples).length === 0 ? {} : { examples }),
    };
  });

/** `urls`: addresses of parts where they are known, such as that of who serves the document. */
export function openApiDocument(routes: readonly Route[], dialect: Dialect, urls: Urls = {}): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    paths[path] = item;
    item[route.method.toLowerCase()] = operation(route, components, urls, dialect);
  }
  components.set('Error', dialect.error);
  return {
    openapi: '3.1.0',
    info: {
      title: dialect.title,
      version: dialect.version,
      description: dialect.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server(dialect.part, urls, dialect)],
    tags: Object.entries(dialect.parts)
      .filter(([name]) => routes.some(({ part }) => part === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: dialect.securitySchemes,
    },
  };
}

function server(part: string, urls: Urls, { parts }: Dialect): Json {
  const description = parts[part];
  const known = urls[part];
  if (known !== undefined) return { url: known, description };
  const name = `${part}_url`;
  return { url: `{${name}}`, description, variables: { [name]: { default: `https://${part}.example` } } };
}

function operation(route: Route, components: Map<string, Json>, urls: Urls, dialect: Dialect): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.part],
    servers: [server(route.part, urls, dialect)],
    security: route.auth === 'public' ? [{}] : dialect.securityOf(route.auth),
    ...parametersOf(route, components),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, route.body, components) }),
    responses: { ...repliesOf(route, components), ...failuresOf(route, components, dialect) },
  };
}

function parametersOf(route: Route, components: Map<string, Json>): Json {
  const all = [
    ...parametersIn('path', route.params, components, route.examples?.params),
    ...parametersIn('query', route.query, components, route.examples?.query),
    // A handler may read the key too; it is one parameter. The type of the body is said with the body.
    ...parametersIn('header', route.headers, components).filter(
      ({ name }) => name !== 'content-type' && (route.idempotent !== true || name !== 'idempotency-key'),
    ),
    ...(route.idempotent === true ? [IDEMPOTENCY_KEY] : []),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

function parametersIn(
  place: 'path' | 'query' | 'header',
  schema: z.ZodType | undefined,
  components: Map<string, Json>,
  examples: Readonly<Record<string, string>> = {},
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = convert(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...value }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: value,
    ...(examples[name] === undefined ? {} : { example: exampleOf(examples[name], value) }),
  }));
}

/** Of the type that the schema says: in an address everything is text. */
const exampleOf = (text: string, { type }: Json): unknown => (type === 'integer' ? Number(text) : text);

function bodyOf(route: Route, schema: z.ZodType, components: Map<string, Json>): Json {
  const converted = convert(schema, 'input', components);
  const sizeMaxBytes = route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES;
  const content = { schema: converted, ...examplesOf(route.examples?.request) };
  const contentOfType = (type: string): Json =>
    route.rawBody === true && type.startsWith('text/') ? { schema: { type: 'string' } } : content;
  return {
    required: !schema.safeParse(undefined).success,
    description: `At most ${sizeMaxBytes} bytes, not compressed; may be sent with \`Content-Encoding: gzip\`.`,
    content: Object.fromEntries(bodyTypesOf(route).map((type) => [type, contentOfType(type)])),
  };
}

function examplesOf(examples: Readonly<Record<string, unknown>> | undefined): Json {
  if (examples === undefined) return {};
  return {
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  };
}

function repliesOf(route: Route, components: Map<string, Json>): Json {
  const headers = { ...ANY_ANSWER, ...callLimitHeaders(route), ...headersOf(route.replyHeaders ?? {}) };
  const replayed = route.idempotent === true ? REPLAYED : {};
  const replies = Object.entries(route.replies).map(([status, schema]) => [
    status,
    {
      description: status === '304' ? 'Not modified.' : 'Done.',
      headers: { ...headers, ...replayed },
      ...(schema === null ? {} : { content: contentOf(route, Number(status), schema, components) }),
    },
  ]);
  return {
    ...Object.fromEntries(replies),
    ...(route.stream === undefined ? {} : { 200: streamOf(route, route.stream.events, headers, components) }),
  };
}

function contentOf(route: Route, status: number, schema: z.ZodType, components: Map<string, Json>): Json {
  const type = mediaTypeOf(route.replyType ?? 'application/json');
  const converted = convert(schema, 'output', components);
  return { [type]: { schema: converted, ...examplesOf(route.examples?.replies?.[status]) } };
}

/** OpenAPI 3.1 has no words for the events of a stream: each is under its name in `x-events`. */
function streamOf(
  { examples = {} }: Route,
  events: Readonly<Record<string, z.ZodType>>,
  headers: Json,
  components: Map<string, Json>,
): Json {
  const named = Object.entries(events).map(([name, schema]) => [name, convert(schema, 'output', components)]);
  return {
    description:
      'Server-sent events: `event` is a name of `x-events`, `data` JSON of its schema. A failure after the first event is the event `error`, the last one. Comments keep the connection.',
    headers,
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        'x-events': { ...Object.fromEntries(named), error: ERROR_REF },
        ...examplesOf(streamTexts(examples.streams)),
      },
    },
  };
}

/** As they go out on the wire. */
function streamTexts(streams: RouteExamples['streams']): Readonly<Record<string, string>> | undefined {
  if (streams === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(streams).map(([name, events]) => [
      name,
      events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
    ]),
  );
}

/** Where a person of several merchants has to name one. */
const choosesMerchant = ({ auth }: Route): boolean =>
  auth !== 'public' && auth.session !== undefined && auth.session !== 'anyone';

/** Every error code a route can answer: its own, and those its shape brings with it. */
export function errorCodesOf(route: Route, errors: Errors): readonly string[] {
  const codes = new Set(route.errors);
  if (route.auth !== 'public') codes.add('unauthorized').add('forbidden').add('merchant_suspended');
  if (choosesMerchant(route)) codes.add('merchant_required');
  if (route.params !== undefined) codes.add('not_found').add('invalid_request');
  if (route.query !== undefined || route.headers !== undefined || route.body !== undefined)
    codes.add('invalid_request');
  if (route.method !== 'GET') {
    codes.add('payload_too_large').add('unsupported_media_type');
    // Of JSON that is not strict, and of gzip that is none.
    codes.add('invalid_json');
  }
  if (route.rateLimit !== undefined) codes.add('rate_limited');
  if (route.idempotent === true)
    codes
      .add('invalid_request')
      .add('idempotency_key_in_use')
      .add('idempotency_key_reused')
      .add('idempotent_answer_too_large');
  codes.add('internal_error').add('unavailable');
  return Object.keys(errors).filter((code) => codes.has(code));
}

/** What is answered at the path of a route, to a request that misses the route. */
const BESIDE = ['route_not_found', 'method_not_allowed'];

function failuresOf(route: Route, components: Map<string, Json>, dialect: Dialect): Json {
  const { errors } = dialect;
  const byStatus = Map.groupBy(
    [...BESIDE, ...errorCodesOf(route, errors)],
    (code) => errorOf(errors, code).status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: [...new Set(codes.map((code) => dialect.failureText(route, code)))].join(' '),
        headers: { ...ANY_ANSWER, ...failureHeaders(status, codes, route) },
        content: {
          'application/json': {
            schema: dialect.failureSchema(route, codes, (schema) => convert(schema, 'input', components)),
          },
        },
      },
    ]),
  );
}

/** JSON Schema of a zod schema, with what it names moved to the components. */
function convert(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Json>): Json {
  const {
    $schema: _,
    $defs = {},
    ...converted
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & {
    $defs?: Record<string, Json>;
  };
  for (const [name, definition] of Object.entries($defs)) {
    const { id: _id, ...component } = withComponentRefs(definition) as Json;
    const known = components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two schemas are named ${name}`);
    }
    components.set(name, component);
  }
  const { id, ...rest } = withComponentRefs(converted) as Json & { id?: string };
  if (id === undefined) return rest;
  components.set(id, rest);
  return { $ref: `#/components/schemas/${id}` };
}

function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : withComponentRefs(member),
    ]),
  );
}
