// Where the CPU of one accepted request goes, part by part, without HTTP around it: what any service must do that reads JSON,
// and what accepting an event adds to it. The whole is the application on ports that do nothing.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { REPLY_HEADERS } from '#lib/core/http/request-rules.ts';
import { parseStrictJson } from '#lib/core/http/strict-json.ts';
import { hashApiKey, isWellFormedApiKey } from '#lib/core/tenancy/api-key.ts';
import { checkEvent } from '#lib/events/domain/event/check.ts';
import { eventSchema } from '#lib/events/domain/event/event.ts';
import { acceptEvent } from '#services/events/ingestion/accept.ts';
import { readEvent } from '#services/events/ingestion/read-event.ts';
import { NOOP_API_KEY, NOOP_MERCHANT, noopAcceptPorts, noopIngestion } from '../noop-ingestion.ts';
import { figure, report } from '../result.ts';
import { inRounds, type Work } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

const nowMs = systemClock.now();
const body = Buffer.from(JSON.stringify(standardEvent(1, Math.floor(nowMs / 1_000) - 60)));
const text = body.toString();
const value = JSON.parse(text) as unknown;
const read = readEvent(value, nowMs);
if (!read.ok) throw new Error('the event is refused');
const input = {
  key: { merchantId: NOOP_MERCHANT, channel: 'server', eventId: read.body.event_id },
  body: read.body,
  payloadHash: read.payloadHash,
} as const;
const request = {
  method: 'POST',
  path: '/v1/events',
  query: {},
  headers: { 'content-type': 'application/json', authorization: `Bearer ${NOOP_API_KEY}` },
  body,
  clientIp: '203.0.113.7',
  requestId: 'request-1',
};
const app = noopIngestion();
const compiled = z.compile(eventSchema);

const times =
  (work: () => unknown): Work =>
  (count) => {
    for (let i = 0; i < count; i++) work();
  };
const awaited =
  (work: () => Promise<unknown>): Work =>
  async (count) => {
    for (let i = 0; i < count; i++) await work();
  };

const figures = await inRounds({
  parse: times(() => JSON.parse(body.toString())),
  strict: times(() => parseStrictJson(body)),
  validate: times(() => compiled.safeParse(value)),
  check: times(() => checkEvent(value, nowMs)),
  digest: times(() => hash('sha256', JSON.stringify(value), 'hex')),
  read: times(() => readEvent(value, nowMs)),
  key: times(() => isWellFormedApiKey(NOOP_API_KEY, 'evk') && hashApiKey(NOOP_API_KEY)),
  accept: awaited(() => acceptEvent(input, noopAcceptPorts)),
  answer: times(() => ({
    headers: { ...REPLY_HEADERS, 'x-request-id': request.requestId },
    body: JSON.stringify({ success: true, event_id: input.key.eventId }),
  })),
  whole: awaited(() => app(request)),
});

const { parse, strict, validate, check, digest, read: reading, key, accept, answer, whole } = figures;
const named = strict.cpuUs + reading.cpuUs + key.cpuUs + accept.cpuUs + answer.cpuUs;
report({
  benchmark: 'parts of ingestion',
  rows: [
    figure('JSON.parse, which bare Fastify does too', parse.cpuUs, 'us'),
    figure('strict JSON beyond it', strict.cpuUs - parse.cpuUs, 'us'),
    figure('the schema, compiled', validate.cpuUs, 'us'),
    figure('rules beyond the schema', check.cpuUs - validate.cpuUs, 'us'),
    figure('digest of the payload', reading.cpuUs - check.cpuUs, 'us'),
    figure('of which JSON.stringify and SHA-256', digest.cpuUs, 'us'),
    figure("the key's checksum and SHA-256", key.cpuUs, 'us'),
    figure('claim, announcement and pointer, on ports that do nothing', accept.cpuUs, 'us'),
    figure('body and headers of the answer', answer.cpuUs, 'us'),
    figure('routing, and the steps between', whole.cpuUs - named, 'us'),
    figure('the whole', whole.cpuUs, 'us'),
  ],
});
