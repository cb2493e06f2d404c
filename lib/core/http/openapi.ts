// The contract as an OpenAPI 3.1 document. Guarantees: a fold of the routes and of nothing else, the same text every
// time; what is named in a schema's meta becomes a component once. Refuses two different schemas of one name.
import * as z from 'zod';
import { ERRORS, type ErrorCode } from './errors.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const PARTS: Readonly<Record<Route['part'], { readonly url: string; readonly description: string }>> = {
  ingestion: { url: '{ingestion_url}', description: 'Accepts events from servers and browsers.' },
  api: { url: '{api_url}', description: 'What the dashboard and integrations read and change.' },
};

export function openApiDocument(routes: readonly Route[]): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    paths[path] = item;
    item[route.method.toLowerCase()] = operation(route, components);
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
    servers: [server('api')],
    tags: Object.entries(PARTS).map(([name, { description }]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key `evk_…` with the scope named.' },
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

function server(part: Route['part']): Json {
  const { url, description } = PARTS[part];
  const name = url.slice(1, -1);
  return { url, description, variables: { [name]: { default: `https://${part}.example` } } };
}

function operation(route: Route, components: Map<string, Json>): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    tags: [route.part],
    servers: [server(route.part)],
    security: securityOf(route),
    ...parametersOf(route, components),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, route.body, components) }),
    responses: { ...repliesOf(route, components), ...failuresOf(route) },
  };
}

function securityOf({ auth }: Route): Json[] {
  if (auth === 'public') return [{}];
  return [
    ...(auth.key === undefined ? [] : [{ apiKey: [auth.key] }]),
    ...(auth.session === undefined ? [] : [{ session: [auth.session] }]),
  ];
}

function parametersOf(route: Route, components: Map<string, Json>): Json {
  const all = [
    ...parametersIn('path', route.params, components),
    ...parametersIn('query', route.query, components),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

function parametersIn(
  place: 'path' | 'query',
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
  const types = route.bodyTypes ?? ['application/json'];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: converted }])) };
}

const HEADERS: Json = {
  'X-Request-Id': { description: 'Names this request in our logs.', schema: { type: 'string' } },
};

function repliesOf(route: Route, components: Map<string, Json>): Json {
  const type = route.replyType ?? 'application/json';
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, schema]) => [
      status,
      {
        description: status === '304' ? 'Not modified.' : 'Done.',
        headers: HEADERS,
        ...(schema === null
          ? {}
          : { content: { [type]: { schema: convert(schema, 'output', components) } } }),
      },
    ]),
  );
}

/** Every error code a route can answer: its own, and those its shape brings with it. */
export function errorCodesOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.auth !== 'public') codes.add('unauthorized').add('forbidden');
  if (route.query !== undefined || route.body !== undefined) codes.add('invalid_request');
  if (route.body !== undefined)
    codes.add('invalid_json').add('payload_too_large').add('unsupported_media_type');
  codes.add('internal_error').add('unavailable');
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

function failuresOf(route: Route): Json {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].text}`).join(' '),
        headers: HEADERS,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

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
