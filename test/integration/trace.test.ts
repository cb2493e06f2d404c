// Goal: the trace and the id of a request stay with its events, through rows and queues and out to the merchant's own servers, and go
// to no advertising platform. Method: the whole pipeline in memory, and what left it.
import { expect, it } from 'vitest';
import { sendingSpanOf, traceIdOf } from '../../lib/events/domain/event/request-names.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { canaryEvent } from '../support/canaries.ts';
import { openPipeline, took } from '../support/canary-pipeline.ts';
import { request, send } from '../support/ingestion.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const REQUEST = '4b1c7a52-9c6e-4b07-8a8e-3d3f6f5f0d11';
const HEADERS = { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': REQUEST };

async function sent(headers: Record<string, string>, path: '/v1/events' | '/v1/ingest' = '/v1/events') {
  const pipeline = openPipeline(took);
  const event = canaryEvent('zq1xv', Math.floor(pipeline.clock.now() / 1_000) - 5);
  const body = path === '/v1/events' ? event : { events: [event, { ...event, event_id: 'other' }] };
  expect((await send(pipeline.app, request(path, body, headers))).status).toBe(202);
  const accepted = pipeline.storedRows.rows();
  await pipeline.drain();
  const rows = pipeline.storedRows.rows().filter((row): row is NormalizedRow => row.state === 'normalized');
  const headersOf = (isWebhook: boolean) =>
    pipeline.requests
      .filter(({ headers }) => 'webhook-id' in headers === isWebhook)
      .map(({ headers }) => headers);
  return { accepted, rows, webhooks: headersOf(true), platforms: headersOf(false), messages: pipeline.sent };
}

it.each(['/v1/events', '/v1/ingest'] as const)(
  '%s: a trace that was given goes through and out',
  async (path) => {
    const { accepted, rows, webhooks, platforms } = await sent(HEADERS, path);
    const names = { trace: { traceId: TRACE, parentId: CALLER } };
    for (const row of [...accepted, ...rows]) expect(row.request).toEqual(names);
    expect(webhooks.length).toBe(rows.length);
    const spans = rows.map((row) => sendingSpanOf(row, 'webhook'));
    expect(webhooks.map(({ traceparent }) => traceparent).sort()).toEqual(
      spans.map((span) => `00-${TRACE}-${span}-01`).sort(),
    );
    expect(platforms.length).toBeGreaterThan(5);
    for (const headers of platforms) expect(Object.keys(headers)).not.toContain('traceparent');
  },
);

it('keeps the id of a request that names no trace', async () => {
  const { rows } = await sent({ 'x-request-id': REQUEST.toUpperCase() });
  expect(rows[0]?.request).toEqual({ id: REQUEST });
});

it('makes one where none was given, and keeps nothing for it', async () => {
  const { rows, webhooks } = await sent({ 'x-request-id': 'order-of-jane', traceparent: 'jane' });
  expect(rows[0]).not.toHaveProperty('request');
  const [row] = rows as [NormalizedRow];
  expect(webhooks[0]?.traceparent).toBe(`00-${traceIdOf(row)}-${sendingSpanOf(row, 'webhook')}-01`);
});

it('is in no message: rows say it', async () => {
  const { messages } = await sent(HEADERS);
  expect(messages.length).toBeGreaterThan(2);
  expect(JSON.stringify(messages)).not.toMatch(new RegExp(`${TRACE}|${REQUEST}`));
});
