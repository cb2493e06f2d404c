// Goal: the request that brought an event, its normalization and its deliveries are one trace, begun by a caller or here; spans are as few as
// lines.
import { expect, it } from 'vitest';
import { sendingSpanOf, traceIdOf, traceOfEvent } from '../../events/domain/event/request-names.ts';
import { createCallLines } from '../logger/call-lines.ts';
import { createLogger } from '../logger/logger.ts';
import { createRequestLines } from '../logger/request-lines.ts';
import { createEventSpans } from './event-spans.ts';
import type { Span } from './exporter.ts';

const INGEST_ID = '0190a1b2-0000-7000-8000-000000000001';
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7' };

/** What is said of one event, from its request to its delivery, `times` over. */
function spansOf(request: { readonly trace: typeof CALLER } | undefined, times = 1) {
  const spans: Span[] = [];
  const now = () => 1_795_000_000_000;
  const { normalized, ...shown } = createEventSpans({
    linesPerMinute: 2,
    add: (one) => spans.push(one),
    now,
  });
  const options = { linesPerMinute: 2, metrics: 'none', now, ...shown } as const;
  const logger = createLogger({ level: 'error', destination: { write: () => undefined } });
  const [answered, called] = [createRequestLines(logger, options), createCallLines(logger, options)];
  const row = { ingestId: INGEST_ID, ...(request === undefined ? {} : { request }) };
  for (let i = 0; i < times; i++) {
    answered({
      ...{
        requestId: `r${i}`,
        trace: traceIdOf(row),
        parent: request?.trace.parentId,
        method: 'jane@example.com',
      },
      ...{ route: '/v1/events', status: 202, ms: 20, bytesIn: 1, merchant: 'm' },
    });
    normalized([traceOfEvent(row)], 3, now() - 100);
    called(
      { merchantId: 'm', id: 'con_1', platform: 'meta' },
      {
        outcomes: [{ kind: 'permanent', code: 'invalid_parameter', name: 'Lead', ageMs: 1 }],
        calls: [{ status: 400, latencyMs: 150, bytes: 1 }],
        traces: [{ ...traceOfEvent(row), spanId: sendingSpanOf(row, 'meta') }],
      },
    );
  }
  return spans;
}

it('are one trace below the request, where the caller named none', () => {
  const [request, normalize, call] = spansOf(undefined);
  expect(request).toMatchObject({
    name: 'other /v1/events',
    kind: 'server',
    parentId: undefined,
    isError: false,
  });
  expect(request).toMatchObject({ startMs: 1_794_999_999_980, endMs: 1_795_000_000_000 });
  for (const span of [normalize, call])
    expect([span?.traceId, span?.parentId]).toEqual([request?.traceId, request?.spanId]);
  expect(call).toMatchObject({
    ...{ name: 'deliver meta', kind: 'client', isError: true, startMs: 1_794_999_999_850 },
    attributes: { 'error.type': 'invalid_parameter', 'http.response.status_code': 400 },
  });
});

it('are all below the span of a caller that named one', () => {
  const spans = spansOf({ trace: CALLER });
  expect(spans).toHaveLength(3);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
  for (const { traceId, parentId } of spans) expect({ traceId, parentId }).toEqual(CALLER);
});

it('are as few as lines', () => {
  const names = spansOf(undefined, 200).map(({ name }) => name);
  const count = (name: string) => names.filter((one) => one === name).length;
  // A request that a platform refuses has up to 60.
  expect([count('other /v1/events'), count('normalize'), count('deliver meta')]).toEqual([2, 2, 60]);
});
