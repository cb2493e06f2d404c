import { describe, expect, it } from 'vitest';
import { createNote, health, listNotes, PLAIN_ROUTES, readNote } from '#test/support/plain-routes.ts';
import { eventsDocument } from '../../events/routes/document.ts';
import { plainOpenApiDocument } from './openapi-plain.ts';
import type { Route } from './route.ts';

interface Operation {
  readonly security: unknown;
  readonly servers: unknown;
  readonly parameters: readonly {
    readonly name: string;
    readonly schema: unknown;
    readonly required: boolean;
  }[];
  readonly requestBody: { readonly required: boolean };
  readonly responses: Readonly<
    Record<string, { description: string; headers: Record<string, unknown>; content: unknown }>
  >;
}

const about = {
  title: 'Notes',
  version: '1.0.0',
  description: 'For tests.',
  parts: { helpdesk: 'Notes.' },
  part: 'helpdesk',
};
const document = plainOpenApiDocument(PLAIN_ROUTES, about, 'https://desk.example');
const operation = ({ path, method }: Route): Operation =>
  (document.paths as Record<string, Record<string, Operation>>)[path.replaceAll(/:(\w+)/g, '{$1}')]?.[
    method.toLowerCase()
  ] as Operation;

describe('the document of a product with plain failures', () => {
  it('names what it is and where', () => {
    expect(document.info).toMatchObject({ title: 'Notes', version: '1.0.0' });
    expect(document.servers).toMatchObject([{ url: 'https://desk.example' }]);
    expect(document.tags).toMatchObject([{ name: 'helpdesk' }]);
    expect(operation(listNotes).servers).toEqual(document.servers);
  });

  it('has the schemes of the contract, with scopes', () => {
    const { securitySchemes } = document.components as { securitySchemes: Record<string, object> };
    expect(securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-API-Key' });
    expect(securitySchemes.bearerAuth).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(operation(readNote).security).toEqual([{ apiKey: ['read:notes'] }]);
    expect(operation(createNote).security).toEqual([
      { apiKey: ['write:notes'] },
      { bearerAuth: ['write:notes'] },
    ]);
    expect(operation(health).security).toEqual([{}]);
  });

  it('says each failure in the words of the answer, with one schema', () => {
    const { responses } = operation(readNote);
    expect(responses['401']?.description).toBe('Missing or invalid API key.');
    expect(responses['403']?.description).toMatch(/^Missing required scope: read:notes\. .+ has suspended /);
    expect(responses['404']?.description).toBe('Not found. Note not found.');
    for (const [status, { content }] of Object.entries(responses))
      if (Number(status) >= 400)
        expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    const { schemas } = document.components as { schemas: { Error: object } };
    expect(schemas.Error).toMatchObject({ required: ['error'], additionalProperties: false });
    expect(operation(createNote).responses['409']?.description).toContain('Note already exists.');
  });

  it('shows the limit of calls where there is one', () => {
    const { responses } = operation(listNotes);
    const limited = Object.keys(responses).filter(
      (status) => responses[status]?.headers['X-RateLimit-Remaining'] !== undefined,
    );
    expect(limited).toEqual(expect.arrayContaining(['200', '400', '429', '500']));
    expect(limited).not.toContain('401');
    expect(responses['429']?.headers['Retry-After']).toBeDefined();
    expect(responses['429']?.headers['RateLimit-Limit']).toBeUndefined();
    expect(operation(readNote).responses['429']).toBeUndefined();
  });

  it('shows what a list may be asked for', () => {
    const { parameters } = operation(listNotes);
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['limit', false],
      ['offset', false],
      ['search', false],
      ['state', false],
    ]);
    expect(parameters[0]).toMatchObject({
      description: 'Entries of a page; 20 where absent.',
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    });
    expect(operation(createNote).requestBody.required).toBe(true);
  });

  it('leaves the words of other products alone', () => {
    const coded = eventsDocument(PLAIN_ROUTES);
    expect((coded.components as { schemas: { Error: object } }).schemas.Error).toHaveProperty(
      'properties.code',
    );
  });
});
