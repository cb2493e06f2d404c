// The ingestion application is written without a framework: what it answers is held against OpenAPI.
import { describe, expect, it } from 'vitest';
import { functionUrlHandler } from '../../lib/adapters/lambda/function-url.ts';
import { eventsDocument } from '../../lib/events/routes/document.ts';
import { INGESTION_ROUTES } from '../../lib/events/routes/ingestion.ts';
import { API_KEY, BROWSER, MERCHANT, purchase, testIngestion } from '../support/ingestion.ts';
import { answerOf, eventOf } from './fronts.ts';

describe('ingestion and OpenAPI', () => {
  const { paths } = eventsDocument(INGESTION_ROUTES) as {
    paths: Record<string, Record<string, { security: unknown[]; responses: Record<string, unknown> }>>;
  };
  const bodies: readonly (string | Uint8Array)[] = [
    JSON.stringify(purchase({ merchant_id: MERCHANT })),
    JSON.stringify(purchase({ merchant_id: MERCHANT })),
    JSON.stringify({ merchant_id: MERCHANT, events: [purchase()] }),
    '{',
    '{}',
    '',
    'x'.repeat(2_100_000),
    JSON.stringify(purchase({ merchant_id: '8f14e45f-ceea-467f-a111-000000000099' })),
  ];

  it.each(Object.keys(paths))(
    '%s answers the methods, credentials and statuses that are documented',
    async (path) => {
      const operations = paths[path] ?? {};
      const answer = functionUrlHandler(testIngestion().app);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const operation = operations[method.toLowerCase()];
        const seen = new Set<number>();
        for (const headers of [{}, { authorization: `Bearer ${API_KEY}` }])
          for (const type of ['application/json', 'text/xml'])
            for (const body of bodies)
              seen.add(
                answerOf(
                  await answer(
                    eventOf(
                      {
                        method,
                        path,
                        headers: { ...headers, 'content-type': type, 'user-agent': BROWSER },
                        body: method === 'GET' ? '' : body,
                      },
                      path,
                    ),
                  ),
                ).status,
              );
        if (operation === undefined) {
          expect([...seen]).toEqual([405]);
          continue;
        }
        const documented = Object.keys(operation.responses).map(Number);
        expect(documented).toEqual(expect.arrayContaining([...seen]));
        const isPublic = operation.security.some((way) => Object.keys(way as object).length === 0);
        expect(seen.has(401)).toBe(!isPublic);
        if (method === 'POST') expect([...seen]).toEqual(expect.arrayContaining([202, 400, 413, 415]));
      }
    },
  );

  it('has nothing that is not documented', async () => {
    const answer = functionUrlHandler(testIngestion().app);
    for (const path of ['/', '/v1', '/v1/pixel', '/v1/ingests', '/v1/events/x', '/health'])
      expect(answerOf(await answer(eventOf({ method: 'GET', path }, path))).status).toBe(404);
  });
});
