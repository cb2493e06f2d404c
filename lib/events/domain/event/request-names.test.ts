import { expect, it } from 'vitest';
import { requestNames, sendingSpanOf, traceIdOf } from './request-names.ts';

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7' };
const traceparent = `00-${TRACE.traceId}-${TRACE.parentId}-01`;
const UUID = '4B1C7A52-9c6e-4b07-8a8e-3d3f6f5f0d11';

it.each([
  [{}, undefined],
  [{ 'x-request-id': 'order-1' }, undefined],
  [{ 'x-request-id': '+441632960961' }, undefined],
  [{ traceparent: 'jane@example.com' }, undefined],
  [{ 'x-request-id': UUID }, { id: UUID.toLowerCase() }],
  [{ traceparent, 'x-request-id': 'mine' }, { trace: TRACE }],
  [{ traceparent, 'x-request-id': UUID }, { trace: TRACE }],
])('of %j keeps %j', (headers: Readonly<Record<string, string>>, names) => {
  expect(requestNames(headers)).toEqual(names);
});

it('gives every event a trace, the same each time', () => {
  const ingestId = '0190a1b2-0000-7000-8000-000000000001';
  expect(traceIdOf({ ingestId, request: { trace: TRACE } })).toBe(TRACE.traceId);
  expect(traceIdOf({ ingestId })).toMatch(/^[0-9a-f]{32}$/);
  expect(traceIdOf({ ingestId })).toBe(traceIdOf({ ingestId, request: { id: UUID } }));
  expect(sendingSpanOf({ ingestId }, 'webhook')).toMatch(/^[0-9a-f]{16}$/);
  expect(sendingSpanOf({ ingestId }, 'webhook')).not.toBe(sendingSpanOf({ ingestId }, 'webhook:2'));
});
