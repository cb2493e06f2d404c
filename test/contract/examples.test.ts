// Every example of the documentation is what its route takes or answers.
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { Route } from '../../lib/core/http/route.ts';
import { ROUTES } from '../../lib/events/routes/every-route.ts';

const EXAMPLES = (ROUTES as readonly Route[]).flatMap(({ id, body, replies, examples = {} }) => {
  const requests = Object.entries(examples.request ?? {});
  const answers = Object.entries(examples.replies ?? {}).flatMap(([status, byName]) =>
    Object.entries(byName).map(([name, example]) => [`${status} ${name}`, replies[Number(status)], example]),
  );
  return [...requests.map(([name, example]) => [`request ${name}`, body, example]), ...answers].map(
    ([what, schema, example]) => [`${id} ${what}`, schema as z.ZodType | undefined, example] as const,
  );
});

it.each(EXAMPLES)('%s', (_what, schema, example) => {
  expect(schema?.safeParse(example).error?.issues ?? []).toEqual([]);
  expect(schema).toBeDefined();
});

it('finds them', () => {
  expect(EXAMPLES.length).toBeGreaterThan(4);
});
