// Every example of the documentation is what its route takes or answers.
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { documentedRoutes } from '../../lib/core/http/openapi.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { EVENT_EXAMPLES, eventsDocument } from '../../lib/events/routes/document.ts';
import { ROUTES } from '../../lib/events/routes/every-route.ts';
import { HELPDESK_EXAMPLES } from '../../lib/helpdesk/routes/document.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';

interface Documented {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly responses: {
          readonly 200: {
            readonly content: {
              readonly 'text/event-stream': { readonly examples: Record<string, { readonly value: string }> };
            };
          };
        };
      }
    >
  >;
}

const recorded = [
  ...documentedRoutes(ROUTES, { descriptions: {}, recorded: EVENT_EXAMPLES }),
  ...documentedRoutes(HELPDESK_ROUTES, { descriptions: {}, recorded: HELPDESK_EXAMPLES }),
];

const EXAMPLES = recorded.flatMap(({ part, id, params, query, body, replies, stream, examples = {} }) => {
  const requests = Object.entries(examples.request ?? {});
  const answers = Object.entries(examples.replies ?? {}).flatMap(([status, byName]) =>
    Object.entries(byName).map(([name, example]) => [`${status} ${name}`, replies[Number(status)], example]),
  );
  const streamed = Object.entries(examples.streams ?? {}).flatMap(([name, events]) =>
    events.map(({ event, data }) => [`stream ${name}: ${event}`, stream?.events[event], data]),
  );
  const asked = requests.map(([name, example]) => [`request ${name}`, body, example]);
  const addressed = [
    ...(examples.params === undefined ? [] : [['params', params, examples.params]]),
    ...(examples.query === undefined ? [] : [['query', query, examples.query]]),
  ];
  return [...addressed, ...asked, ...answers, ...streamed].map(
    ([what, schema, example]) => [`${part} ${id} ${what}`, schema as z.ZodType | undefined, example] as const,
  );
});

it.each(EXAMPLES)('%s', (_what, schema, example) => {
  expect(schema?.safeParse(example).error?.issues ?? []).toEqual([]);
  expect(schema).toBeDefined();
});

it('of streams stand in the document as they go out, and end as streams do', () => {
  const document = eventsDocument() as unknown as Documented;
  const streaming = (ROUTES as readonly Route[]).filter(({ stream }) => stream !== undefined);
  expect(streaming.length).toBeGreaterThan(0);
  for (const { id, method, path, examples } of streaming) {
    const content = document.paths[path]?.[method.toLowerCase()]?.responses[200].content;
    const shown = content?.['text/event-stream'].examples ?? {};
    const said = Object.entries(examples?.streams ?? {});
    expect(said.length, id).toBeGreaterThan(0);
    expect(Object.keys(shown)).toEqual(said.map(([name]) => name));
    for (const [name, events] of said) {
      const text = shown[name]?.value ?? '';
      expect(text.split('\n\n').slice(0, -1)).toEqual(
        events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}`),
      );
      expect(['done', 'error']).toContain(events.at(-1)?.event);
    }
  }
});

it('finds them', () => {
  expect(EXAMPLES.length).toBeGreaterThan(250);
});
