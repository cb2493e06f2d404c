// The contract as an OpenAPI 3.1 document. Guarantees: a fold of the routes and of nothing else, the same text every
// time; what is named in a schema's meta becomes a component once. Refuses two different schemas of one name.
import * as z from 'zod';
import { ERRORS, type ErrorCode } from './errors.ts';
import { ANY_ANSWER, failureHeaders, headersOf, IDEMPOTENCY_KEY, REPLAYED } from './openapi-headers.ts';
import { mediaTypeOf } from './request-rules.ts';
import { BODY_SIZE_MAX_BYTES, bodyTypesOf, type Route } from './route.ts';

type Json = Record<string, unknown>;
type Urls = Readonly<Partial<Record<Route['part'], string>>>;

const ERROR_REF: Json = { $ref: '#/components/schemas/Error' };

const PARTS: Readonly<Record<Route['part'], { readonly url: string; readonly description: string }>> = {
  ingestion: { url: '{ingestion_url}', description: 'Accepts events from servers and browsers.' },
  api: { url: '{api_url}', description: 'What the dashboard and integrations read and change.' },
};

/** `urls`: addresses of parts where they are known, such as that of who serves the document. */
export function openApiDocument(routes: readonly Route[], urls: Urls = {}): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    paths[path] = item;
    item[route.method.toLowerCase()] = operation(route, components, urls);
  }
  components.set('Error', errorSchema());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: '1',
      description: 'Conversion events in, deliveries to advertising platforms out. Times are UTC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server('api', urls)],
    tags: Object.entries(PARTS).map(([name, { description }]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key `evk_…` with the scope named.' },
        basicKey: {
          type: 'http',
          scheme: 'basic',
          description: 'API key `evk_…` with the scope named as user name, without a password.',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Session token of a member with at least the role named.',
        },
      },
    },
  };
}

function server(part: Route['part'], urls: Urls): Json {
  const { url, description } = PARTS[part];
  const known = urls[part];
  if (known !== undefined) return { url: known, description };
  const name = url.slice(1, -1);
  return { url, description, variables: { [name]: { default: `https://${part}.example` } } };
}

function operation(route: Route, components: Map<string, Json>, urls: Urls): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    tags: [route.part],
    servers: [server(route.part, urls)],
    security: securityOf(route),
    ...parametersOf(route, components),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, route.body, components) }),
    responses: { ...repliesOf(route, components), ...failuresOf(route, components) },
  };
}

function securityOf({ auth }: Route): Json[] {
  if (auth === 'public') return [{}];
  return [
    ...(auth.key === undefined ? [] : [{ apiKey: [auth.key] }]),
    ...(auth.key === undefined || auth.basic === undefined ? [] : [{ basicKey: [auth.key] }]),
    ...(auth.session === undefined ? [] : [{ session: [auth.session] }]),
  ];
}

function parametersOf(route: Route, components: Map<string, Json>): Json {
  const all = [
    ...parametersIn('path', route.params, components),
    ...parametersIn('query', route.query, components),
    // A handler may read the key too; it is one parameter.
    ...parametersIn('header', route.headers, components).filter(
      ({ name }) => route.idempotent !== true || name !== 'idempotency-key',
    ),
    ...(route.idempotent === true ? [IDEMPOTENCY_KEY] : []),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

function parametersIn(
  place: 'path' | 'query' | 'header',
  schema: z.ZodType | undefined,
  components: Map<string, Json>,
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
  }));
}

function bodyOf(route: Route, schema: z.ZodType, components: Map<string, Json>): Json {
  const converted = convert(schema, 'input', components);
  const sizeMaxBytes = route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES;
  const content = { schema: converted, ...examplesOf(route.examples?.request) };
  return {
    required: !schema.safeParse(undefined).success,
    description: `At most ${sizeMaxBytes} bytes, not compressed; may be sent with \`Content-Encoding: gzip\`.`,
    content: Object.fromEntries(bodyTypesOf(route).map((type) => [type, content])),
  };
}

function examplesOf(examples: Readonly<Record<string, unknown>> | undefined): Json {
  if (examples === undefined) return {};
  return {
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  };
}

function repliesOf(route: Route, components: Map<string, Json>): Json {
  const headers = { ...ANY_ANSWER, ...headersOf(route.replyHeaders ?? {}) };
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
    ...(route.stream === undefined ? {} : { 200: streamOf(route.stream.events, headers, components) }),
  };
}

function contentOf(route: Route, status: number, schema: z.ZodType, components: Map<string, Json>): Json {
  const type = mediaTypeOf(route.replyType ?? 'application/json');
  const converted = convert(schema, 'output', components);
  return { [type]: { schema: converted, ...examplesOf(route.examples?.replies?.[status]) } };
}

/** OpenAPI 3.1 has no words for the events of a stream: each is under its name in `x-events`. */
function streamOf(
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
      },
    },
  };
}

/** Every error code a route can answer: its own, and those its shape brings with it. */
export function errorCodesOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.auth !== 'public') codes.add('unauthorized').add('forbidden');
  if (route.params !== undefined) codes.add('not_found').add('invalid_request');
  if (route.query !== undefined || route.headers !== undefined || route.body !== undefined)
    codes.add('invalid_request');
  if (route.method !== 'GET') {
    codes.add('payload_too_large').add('unsupported_media_type');
    // Of JSON that is not strict, and of gzip that is none.
    codes.add('invalid_json');
  }
  if (route.idempotent === true)
    codes
      .add('invalid_request')
      .add('idempotency_key_in_use')
      .add('idempotency_key_reused')
      .add('idempotent_answer_too_large');
  codes.add('internal_error').add('unavailable');
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** What is answered at the path of a route, to a request that misses the route. */
const BESIDE: readonly ErrorCode[] = ['route_not_found', 'method_not_allowed'];

function failuresOf(route: Route, components: Map<string, Json>): Json {
  const byStatus = Map.groupBy([...BESIDE, ...errorCodesOf(route)], (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].text}`).join(' '),
        headers: { ...ANY_ANSWER, ...failureHeaders(status, codes) },
        content: { 'application/json': { schema: failureSchema(route, codes, components) } },
      },
    ]),
  );
}

/** The codes of this status at this route, each with what it says besides. */
function failureSchema(route: Route, codes: readonly ErrorCode[], components: Map<string, Json>): Json {
  const extras = codes.filter((code) => route.failureExtras?.[code] !== undefined);
  const plain = codes.filter((code) => !extras.includes(code));
  const schemas = [
    ...(plain.length === 0 ? [] : [{ allOf: [ERROR_REF, coded(plain)], unevaluatedProperties: false }]),
    ...extras.map((code) => ({
      allOf: [
        ERROR_REF,
        coded([code]),
        convert(route.failureExtras?.[code] as z.ZodType, 'input', components),
      ],
      unevaluatedProperties: false,
    })),
  ];
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { oneOf: schemas };
}

const coded = (codes: readonly ErrorCode[]): Json => ({ properties: { code: { enum: codes } } });

function errorSchema(): Json {
  const detail = {
    type: 'object',
    properties: { path: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'message'],
  };
  return {
    type: 'object',
    description: 'The body of every answer from 400 on.',
    properties: {
      error: { type: 'string', description: 'A sentence for people.' },
      code: { type: 'string', enum: Object.keys(ERRORS), description: 'A stable word for programs.' },
      details: { type: 'array', items: detail },
    },
    required: ['error', 'code'],
  };
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
