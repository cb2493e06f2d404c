// Requests of every shape, random inside it: nothing a caller sends may end in a 5xx or leave the contract.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { NOW, openApi } from './api-host.ts';
import { normalizedRow, store } from './stored-rows.ts';

const SLUGS = PLATFORMS.map(({ slug }) => slug);
const methods = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS');
const segment = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('order-1', '%00', '%ff', '..', '%2e', ':id', '*', ';a=b', '%F0%9F%98%80'),
  fc.constantFrom('1', '50', 'server', 'value', 'asc', '24h', 'DELIVERED', '2026-11-01', '1795176000'),
);
const isDocumentation = ({ path }: { readonly path: string }): boolean =>
  path === '/openapi.json' || path.startsWith('/docs');
/** Megabytes that are the same every time: asked as often as others, they were half of what a run computes. */
const route = fc.oneof(
  { arbitrary: fc.constantFrom(...routesOf('api').filter((one) => !isDocumentation(one))), weight: 99 },
  { arbitrary: fc.constantFrom(...routesOf('api').filter(isDocumentation)), weight: 1 },
);
const known = fc
  .tuple(route, segment)
  .map(([{ method, path }, id]) => ({ method: method as string, path: path.replace(':id', id) }));
const anything = fc.record({
  method: methods,
  path: fc.array(segment, { maxLength: 5 }).map((parts) => `/v1/${parts.join('/')}`),
});
const target = fc.oneof(
  { arbitrary: known, weight: 6 },
  { arbitrary: fc.tuple(known, methods).map(([{ path }, method]) => ({ method, path })), weight: 1 },
  { arbitrary: anything, weight: 1 },
);
const names = [
  'limit',
  'offset',
  'cursor',
  'start',
  'end',
  'search',
  'status',
  'outcome',
  'orderBy',
  'range',
  'trust',
  'x',
];
const query = fc.array(fc.tuple(fc.constantFrom(...names), segment), { maxLength: 3 });
/** Events a preview takes, with anything in the places that are free. */
const previewed = fc.record(
  {
    event_id: fc.string({ minLength: 1, maxLength: 20 }),
    event_name: fc.oneof(
      fc.constantFrom('Purchase', 'PageView', 'add_to_cart'),
      fc.string({ maxLength: 20 }),
    ),
    event_time: fc.constantFrom(Math.floor(NOW / 1_000), 1_000_000_000, NOW),
    user_data: fc.dictionary(
      fc.constantFrom('email', 'phone', 'state', 'country', 'zip', 'client_ip', 'date_of_birth', 'x'),
      fc.oneof(fc.string(), fc.constant(null)),
    ),
    value: fc.constantFrom(0, 0.1, 1e15),
    currency: fc.constantFrom('EUR', 'usd'),
    custom_data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: ['event_id', 'event_name', 'event_time', 'user_data'] },
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.uint8Array({ maxLength: 200 }),
  fc.json({ maxDepth: 4 }),
  fc
    .object({ key: fc.constantFrom('platform', 'credentials', 'name', 'x', '') })
    .map((o) => JSON.stringify(o)),
  fc
    .record({ platform: fc.constantFrom(...PLATFORMS.map(({ slug }) => slug)), credentials: fc.object() })
    .map((o) => JSON.stringify(o)),
  fc.record({ platform: fc.constantFrom(...SLUGS), event: previewed }).map((o) => JSON.stringify(o)),
);
const headers = fc.record({
  'content-type': fc.constantFrom('application/json', 'text/plain', '', 'application/json; x'),
  'x-request-id': fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
});

export function apiFuzz(runs: number): void {
  describe('fuzz', () => {
    it(`0 x 5xx, and the contract kept, on ${runs} requests`, async () => {
      const host = await openApi();
      const token = host.session('owner');
      await store(host.events, normalizedRow({ eventId: 'order-1' }));
      const statuses = new Map<number, number>();
      let slowestMs = 0;
      await fc.assert(
        fc.asyncProperty(target, query, body, headers, async ({ method, path }, params, payload, given) => {
          const search = params.map(([name, value]) => `${name}=${value}`).join('&');
          const startedMs = performance.now();
          const request = { token, method, body: payload, headers: given };
          const reply = await host.call(search === '' ? path : `${path}?${search}`, request);
          slowestMs = Math.max(slowestMs, performance.now() - startedMs);
          expect(reply.status).toBeLessThan(500);
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        }),
        { numRuns: runs },
      );
      // It reached past the door: everything the API can say was said.
      // Whether a replay was begun, or as many as there may be, is chance.
      const answered = [...statuses.keys()].filter((status) => status !== 202 && status !== 409).sort();
      expect(answered).toEqual([200, 204, 400, 404, 405, 415]);
      expect(host.reports).toEqual([]);
      console.log(
        JSON.stringify({
          fuzzed: runs,
          statuses: Object.fromEntries(statuses),
          slowestMs: Math.round(slowestMs),
        }),
      );
    });
  });
}
