// Any answer whatever means exactly one thing for every event, and only the platform's own success means delivered.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { HttpResult } from '#lib/events/platforms/platform.ts';
import { MESSAGE_MAX_CHARS } from '#lib/events/platforms/redact.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { loadPlatformModules } from './platform-modules.ts';

const modules = await loadPlatformModules();
const KINDS = ['delivered', 'duplicate', 'retry', 'rate_limited', 'auth', 'permanent', 'batch_refused'];
const RUNS = { numRuns: 500, seed: 7 };

const events = (count: number) => Array.from({ length: count }, (_, i) => sampleEvent({ dedupId: `e-${i}` }));
const response = (status: number, body: string, headers: Record<string, string> = {}): HttpResult => ({
  kind: 'response',
  status,
  headers,
  body,
});

const arbitraryBody = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom(
    '',
    '{}',
    '[]',
    'null',
    '0',
    'true',
    '"x"',
    '<html></html>',
    '{"a":',
    '[[[[',
    '{"error":null}',
  ),
  fc
    .record(
      {
        error: fc.oneof(
          fc.jsonValue(),
          fc.record({ code: fc.jsonValue(), error_subcode: fc.jsonValue(), message: fc.jsonValue() }),
        ),
        code: fc.oneof(
          fc.integer({ min: 0, max: 70_000 }),
          fc.constantFrom(0, 20001, 40002, 40050, 40100),
          fc.jsonValue(),
        ),
        data: fc.jsonValue(),
        events_received: fc.oneof(fc.integer({ min: -1, max: 5 }), fc.jsonValue()),
        messages: fc.jsonValue(),
        validationMessages: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);

const arbitraryResult: fc.Arbitrary<HttpResult> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.constant('response' as const),
        status: fc.oneof(
          fc.integer({ min: 100, max: 599 }),
          fc.constantFrom(200, 204, 400, 401, 403, 429, 500),
        ),
        headers: fc.dictionary(fc.constantFrom('retry-after', 'date', 'x'), fc.string()),
        body: arbitraryBody,
        truncated: fc.constant(true as const),
      },
      { requiredKeys: ['kind', 'status', 'headers', 'body'] },
    ) as fc.Arbitrary<HttpResult>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('failure' as const),
      code: fc.constantFrom(
        'timeout' as const,
        'reset' as const,
        'dns' as const,
        'blocked' as const,
        'other' as const,
      ),
      maybeDelivered: fc.boolean(),
      message: fc.string(),
    }),
  },
);

/** What frameworks and gateways say in JSON, which looks like the words of one vendor or another. */
const GATEWAYS: readonly ((status: number) => object)[] = [
  // Spring Boot.
  (status) => ({
    ...{ timestamp: '2026-11-28T00:00:00.000+00:00', status, error: 'Forbidden' },
    ...{ message: 'Access Denied', path: '/x' },
  }),
  (code) => ({ code, message: 'Forbidden' }),
  (code) => ({ error: { code, message: 'Forbidden' } }),
  // Cloudflare's own interface.
  () => ({
    ...{ success: false, errors: [{ code: 10_000, message: 'Authentication error' }] },
    ...{ messages: [], result: null },
  }),
  () => ({ code: 'FORBIDDEN', message: 'Forbidden' }),
  () => ({ status: 'ERROR' }),
  // RFC 9457.
  (status) => ({ type: 'about:blank', title: 'Forbidden', status }),
  () => ({ errors: [{ code: 'forbidden' }] }),
];

function expectWellFormed(outcomes: readonly Outcome[], count: number): void {
  expect(outcomes).toHaveLength(count);
  for (const outcome of outcomes) {
    expect(KINDS).toContain(outcome.kind);
    if (outcome.kind !== 'delivered') expect(outcome.code).toMatch(/^[A-Za-z0-9_.-]{1,80}$/);
    if (outcome.message !== undefined) expect(outcome.message.length).toBeLessThanOrEqual(MESSAGE_MAX_CHARS);
    if (outcome.retryAfterSec !== undefined) expect(outcome.retryAfterSec).toBeGreaterThanOrEqual(0);
  }
}

describe.each(modules)('an answer of $slug', ({ platform, sandbox }) => {
  const kinds = (result: HttpResult, count = 1): readonly string[] => [
    ...new Set(platform.readResponse(result, events(count)).map(({ kind }) => kind)),
  ];

  it('means exactly one thing for each event, whatever it is', () => {
    fc.assert(
      fc.property(arbitraryResult, fc.integer({ min: 1, max: 5 }), (result, count) => {
        expectWellFormed(platform.readResponse(result, events(count)), count);
      }),
      RUNS,
    );
  });

  it('asks for splitting only where there is something to split', () => {
    fc.assert(
      fc.property(arbitraryResult, (result) => {
        expect(kinds(result)).not.toContain('batch_refused');
      }),
      RUNS,
    );
  });

  it('is never delivered unless the platform said so', () => {
    const bodies = [
      '<html>welcome to the hotel wifi</html>',
      '{"hello":"world"}',
      '[]',
      'null',
      '{"a":',
      '"ok"',
      '0',
    ];
    const byStatus = sandbox.acknowledgesByStatus === true;
    for (const body of bodies) {
      const isSaid = byStatus && !body.startsWith('<');
      expect(kinds(response(200, body), 3)).toEqual([isSaid ? 'delivered' : 'retry']);
      expect(platform.readResponse(response(200, body), events(1))[0]?.maybeDelivered === true).toBe(!isSaid);
    }
    for (const status of [
      100, 301, 302, 307, 400, 401, 403, 404, 408, 413, 422, 425, 429, 500, 502, 503, 504,
    ])
      for (const body of ['', ...bodies]) expect(kinds(response(status, body), 3)).not.toContain('delivered');
    const truncated: HttpResult = {
      kind: 'response',
      status: 200,
      headers: {},
      body: '{"code":0}',
      truncated: true,
    };
    expect(kinds(truncated)).toEqual([byStatus ? 'delivered' : 'retry']);
  });

  it('tells the classes of statuses apart when the body says nothing', () => {
    for (const body of ['', '<html></html>']) {
      expect(kinds(response(429, body), 2)).toEqual(['rate_limited']);
      for (const status of [302, 408, 425, 500, 502, 503, 504, 599])
        expect(kinds(response(status, body), 2)).toEqual(['retry']);
      expect(kinds(response(400, body), 2)).toEqual(['batch_refused']);
      expect(kinds(response(413, body), 2)).toEqual(['batch_refused']);
    }
  });

  it('neither pauses a connection nor ends an event unless the platform itself says so', () => {
    const cut = (body: string, status: number): HttpResult => ({
      kind: 'response',
      status,
      headers: {},
      body,
      truncated: true,
    });
    for (const status of [400, 401, 403, 404, 405, 407, 410, 413, 415, 418, 422, 426, 451]) {
      const foreign = [
        '<html><title>403 Forbidden</title><hr>cloudflare</html>',
        '{"message":"Forbidden"}',
        '{"error":"forbidden"}',
        `{"status":${status},"error":"Forbidden","path":"/"}`,
        ...GATEWAYS.map((said) => JSON.stringify(said(status))),
        'Authorization Required',
        '',
        '{"error":{"code":19',
        '[]',
        'null',
      ].map((body) => response(status, body));
      // What is longer than is read may have been anything.
      for (const result of [...foreign, cut(sandbox.provoked.unauthorized.body, status)]) {
        const [one] = platform.readResponse(result, events(1));
        expect(one).toMatchObject({ kind: 'retry', code: `http_${status}` });
        const several = status === 401 || status === 403 ? ['retry'] : ['batch_refused', 'retry'];
        for (const kind of kinds(result, 3)) expect(several).toContain(kind);
      }
    }
  });

  it('says when to come back, in seconds or as a date', () => {
    const { headers, body, status } = sandbox.provoked.throttled;
    const comingBack = (retry: string, more: Record<string, string> = {}) =>
      platform.readResponse(
        response(status, body, { ...headers, 'retry-after': retry, ...more }),
        events(1),
      )[0];
    expect(comingBack('30')).toMatchObject({ kind: 'rate_limited', retryAfterSec: 30 });
    const date = { date: 'Sat, 21 Nov 2026 10:00:00 GMT' };
    expect(comingBack('Sat, 21 Nov 2026 10:02:00 GMT', date)).toMatchObject({ retryAfterSec: 120 });
    expect(comingBack('Sat, 21 Nov 2026 09:00:00 GMT', date)).toMatchObject({ retryAfterSec: 0 });
    expect(comingBack('soon')?.retryAfterSec).toBeUndefined();
    expect(comingBack('99999999999')).toMatchObject({ retryAfterSec: 86_400 });
  });

  it('understands its own words for throttled, unavailable and unauthorized', () => {
    const kindOf = (answer: { status: number; headers: Readonly<Record<string, string>>; body: string }) =>
      kinds({ kind: 'response', ...answer }, 2);
    expect(kindOf(sandbox.provoked.throttled)).toEqual(['rate_limited']);
    expect(kindOf(sandbox.provoked.unavailable)).toEqual(['retry']);
    // Who never refuses has no words of its own for it.
    expect(kindOf(sandbox.provoked.unauthorized)).toEqual([sandbox.silent === true ? 'retry' : 'auth']);
  });

  it('passes on whether a failed call may have arrived', () => {
    for (const maybeDelivered of [true, false]) {
      const failure: HttpResult = {
        kind: 'failure',
        code: 'timeout',
        maybeDelivered,
        message: 'no answer within 10 ms',
      };
      for (const outcome of platform.readResponse(failure, events(3)))
        expect(outcome).toMatchObject({
          kind: 'retry',
          code: 'timeout',
          ...(maybeDelivered ? { maybeDelivered } : {}),
        });
    }
  });

  it('keeps people and tokens out of messages', () => {
    const leak = `jane@example.com +16505551212 203.0.113.7 access_token=EAAB123456789 ${'a'.repeat(64)}`;
    const said = JSON.stringify({
      code: 40002,
      message: leak,
      error: { code: 100, message: leak },
      validationMessages: [{ description: leak }],
    });
    for (const status of [200, 400]) {
      const shown = JSON.stringify(platform.readResponse(response(status, said), events(1)));
      for (const secret of ['jane@', '6505551212', '203.0.113.7', 'EAAB123456789', 'a'.repeat(64)])
        expect(shown).not.toContain(secret);
    }
  });
});
