import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENTS_DIALECT, eventsDocument } from '../../events/routes/document.ts';
import { EVENTS_ERRORS } from '../../events/routes/errors.ts';
import { ROUTES } from '../../events/routes/every-route.ts';
import { errorOf } from './errors.ts';
import { errorCodesOf, openApiDocument } from './openapi.ts';

type Json = Record<string, unknown>;
const document = eventsDocument();
const paths = document.paths as Record<string, Record<string, Json>>;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object in the document, with the way to it. */
function* objects(value: unknown, way = '#'): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [way, value as Json];
  for (const [key, member] of Object.entries(value)) yield* objects(member, `${way}/${key}`);
}

function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
}

describe('openApiDocument', () => {
  it('has exactly one operation for each route', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      ROUTES.map(({ id }) => id).sort(),
    );
    for (const { id, method, path } of ROUTES) {
      expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.operationId).toBe(id);
    }
  });

  it('is the same every time, and plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(eventsDocument());
  });

  it('refers to nothing that is not there, and has nothing nobody refers to', () => {
    const used = new Set<string>();
    for (const [way, object] of objects(document)) {
      const reference = object.$ref;
      if (typeof reference !== 'string') continue;
      expect(reference, way).toMatch(/^#\/components\/schemas\//);
      expect(resolve(reference), `${way} → ${reference}`).toBeDefined();
      used.add(reference.split('/').at(-1) ?? '');
    }
    const { schemas } = document.components as { schemas: Json };
    expect([...used].sort()).toEqual(Object.keys(schemas));
  });

  it('declares each path parameter once, as required', () => {
    for (const { path, operation } of operations) {
      const parameters = (operation.parameters ?? []) as { name: string; in: string; required: boolean }[];
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    }
  });

  it('gives each operation what tools need', () => {
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      const responses = operation.responses as Record<string, Json>;
      expect(Object.keys(responses).some((status) => /^[23]/.test(status))).toBe(true);
      for (const response of Object.values(responses)) expect(response.description).toBeTruthy();
      for (const requirement of operation.security as Json[]) {
        for (const name of Object.keys(requirement))
          expect(resolve(`#/components/securitySchemes/${name}`)).toBeDefined();
      }
    }
  });

  it('shows no schema that says nothing where the contract says something', () => {
    for (const { operation } of operations) {
      for (const [way, object] of objects(operation, String(operation.operationId))) {
        if (way.endsWith('/schema')) expect(Object.keys(object), way).not.toEqual([]);
      }
    }
  });

  it('lists each error under its own status', () => {
    for (const route of ROUTES) {
      const { operation } = operations.find((entry) => entry.operation.operationId === route.id) ?? {};
      const responses = (operation?.responses ?? {}) as Record<string, { description: string }>;
      for (const code of errorCodesOf(route, EVENTS_ERRORS)) {
        expect(responses[String(errorOf(EVENTS_ERRORS, code).status)]?.description).toContain(`\`${code}\``);
      }
    }
  });

  it('says of a body whose bytes are read as text that it is text, and of no header what its type is', () => {
    const [route] = ROUTES;
    const file = {
      ...route,
      rawBody: true,
      body: z.object({ rows: z.array(z.string()) }),
      bodyTypes: ['application/json', 'text/csv'],
      headers: z.object({ 'content-type': z.string().optional(), 'x-part': z.string().optional() }),
    } as const;
    const document = eventsDocument([file]) as { paths: Record<string, Record<string, Json>> };
    const operation = Object.values(Object.values(document.paths)[0] ?? {})[0] as unknown as {
      requestBody: { content: Record<string, { schema: Json }> };
      parameters: readonly { name: string }[];
    };
    expect(operation.requestBody.content['text/csv']).toEqual({ schema: { type: 'string' } });
    expect(operation.requestBody.content['application/json']?.schema).toHaveProperty('properties.rows');
    const names = operation.parameters.map(({ name }) => name);
    expect([names.includes('x-part'), names.includes('content-type')]).toEqual([true, false]);
  });

  it('says what an operation does, and of a parameter what it was once, as its type', () => {
    const [route] = ROUTES;
    const told = {
      ...route,
      method: 'GET',
      path: '/v1/notes/:id',
      description: 'Reads notes.',
      params: z.object({ id: z.string() }),
      query: z.object({ limit: z.string().meta({ type: 'integer' }), page: z.string().optional() }),
      examples: { params: { id: '7' }, query: { limit: '2' } },
    } as const;
    const { paths } = openApiDocument([told], EVENTS_DIALECT) as { paths: Record<string, Json> };
    expect(paths['/v1/notes/{id}']).toMatchObject({
      get: {
        description: 'Reads notes.',
        parameters: [
          { name: 'id', example: '7' },
          { name: 'limit', example: 2 },
          expect.not.objectContaining({ example: expect.anything() }),
        ],
      },
    });
  });

  it('refuses two schemas of one name', () => {
    const [route] = ROUTES;
    const clash = { ...route, id: 'other', replies: { 202: z.object({}).meta({ id: 'EventAccepted' }) } };
    expect(() => eventsDocument([route, clash])).toThrow('EventAccepted');
  });
});
