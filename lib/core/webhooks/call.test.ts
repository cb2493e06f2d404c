import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import type { HttpRequest } from '../ports/transport.ts';
import { traceOf } from '../record/trace.ts';
import { callWebhook } from './call.ts';

it('names one trace for every attempt at a message, and a span of each', async () => {
  const clock = createManualClock(1_795_000_000_000);
  const sent: HttpRequest[] = [];
  const transport = {
    send: async (request: HttpRequest) => {
      sent.push(request);
      return { kind: 'response', status: 200, headers: {}, body: '', latencyMs: 1 } as const;
    },
  };
  const call = { url: 'https://hooks.example/', secrets: [`whsec_${'A'.repeat(32)}`], body: '{}' };
  for (const id of ['msg_1', 'msg_1', 'msg_2']) {
    await callWebhook({ ...call, id }, { transport, clock }, 1_000);
    clock.advance(5_000);
  }
  const [first, again, other] = sent.map(({ headers }) => traceOf(headers.traceparent));
  expect(first?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(again?.traceId).toBe(first?.traceId);
  expect(again?.parentId).not.toBe(first?.parentId);
  expect(other?.traceId).not.toBe(first?.traceId);
});
