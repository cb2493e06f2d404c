// Promise: a reader of either document finds of every operation what it does, and a request with its answer that really was one.
import { describe, expect, it } from 'vitest';
import type { RouteExamples } from '../../lib/core/http/route.ts';
import { EVENT_EXAMPLES, eventsDocument } from '../../lib/events/routes/document.ts';
import { HELPDESK_EXAMPLES, helpdeskDocument } from '../../lib/helpdesk/routes/document.ts';
import { helpdeskExamples } from '../../scripts/reference/examples/desk-story.ts';
import { NOT_RECORDED } from '../../scripts/reference/examples/not-recorded.ts';
import { eventExamples } from '../../scripts/reference/examples/shop-story.ts';

interface Content {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly required: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}
type Examples = Readonly<Record<string, RouteExamples>>;

const DOCUMENTS = [
  ['events', eventsDocument(), EVENT_EXAMPLES, eventExamples],
  ['the helpdesk', helpdeskDocument(), HELPDESK_EXAMPLES, helpdeskExamples],
] as const satisfies readonly (readonly [string, object, Examples, () => Promise<Examples>])[];

const DESCRIPTION_MAX_CHARS = 400;
const EXAMPLES_MAX_BYTES = 100_000;
/** What keys, tokens and signing secrets look like; those of examples say that they are none. */
const SECRET = /\b(?:evk|hdk)_(?:live|test)_[\w-]{20,}|\bevi_[\w-]{20,}|\bwhsec_[\w+/=]{20,}/g;

describe.each(DOCUMENTS)('the document of %s', (_name, document, stored, record) => {
  const paths = (document as { paths: Record<string, Record<string, Operation>> }).paths;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const shown = (content: Readonly<Record<string, Content>> = {}): boolean =>
    Object.values(content).some(({ examples = {} }) => Object.keys(examples).length > 0);

  it('describes every operation in a few sentences that say more than its summary', () => {
    const lacking = operations.filter(
      ({ description = '', summary }) =>
        description.length < 25 ||
        description.length > DESCRIPTION_MAX_CHARS ||
        description.startsWith(summary) ||
        !description.endsWith('.'),
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
    const all = operations.map(({ description }) => description);
    expect(all.length).toBeGreaterThan(60);
  });

  it('shows a request and a good answer of every operation, but for those that are listed with the reason', () => {
    const lacking = operations.filter(({ parameters = [], requestBody, responses }) => {
      const isAsked = parameters.every((one) => one.in !== 'path' || one.example !== undefined);
      const good = Object.entries(responses).filter(([status, { content }]) => status < '300' && content);
      const isAnswered = good.every(([, { content }]) => shown(content));
      return !isAsked || !isAnswered || (requestBody !== undefined && !shown(requestBody.content));
    });
    const unlisted = lacking.filter(({ operationId }) => NOT_RECORDED[operationId] === undefined);
    expect(unlisted.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has examples of its own operations only, small, and without a secret', () => {
    const known = operations.map(({ operationId }) => operationId);
    expect(Object.keys(stored).filter((id) => !known.includes(id) || NOT_RECORDED[id] !== undefined)).toEqual(
      [],
    );
    const text = JSON.stringify(stored);
    expect(Buffer.byteLength(text)).toBeLessThan(EXAMPLES_MAX_BYTES);
    expect((text.match(SECRET) ?? []).filter((secret) => !secret.includes('EXAMPLE'))).toEqual([]);
  });

  it('records the same examples each time, which are those that are stored', async () => {
    expect(await record()).toEqual(stored);
  });
});

it('lists no operation that there is not', () => {
  const known = DOCUMENTS.flatMap(([, document]) =>
    Object.values((document as { paths: Record<string, Record<string, Operation>> }).paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    ),
  );
  expect(Object.keys(NOT_RECORDED).filter((id) => !known.includes(id))).toEqual([]);
});
