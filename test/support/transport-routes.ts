// Routes of every kind that the product's own do not have all of yet, and an application that answers them.

import * as z from 'zod';
import { createHttpApp } from '../../lib/adapters/fastify/http-app.ts';
import { etagOf, meetsIfMatch } from '../../lib/core/http/etag.ts';
import type { AnyStreamEvent, Handlers } from '../../lib/core/http/handler.ts';
import type { AnsweredRequest } from '../../lib/core/http/http-message.ts';
import type { Vault } from '../../lib/core/ports/vault.ts';
import { defineRoute } from '../../lib/events/routes/define-route.ts';
import { EVENTS_ERRORS } from '../../lib/events/routes/errors.ts';
import { createManualClock } from './memory/clock.ts';
import { createMemoryIdempotencyStore } from './memory/idempotency-store.ts';
import { createSeededRandom } from './memory/random.ts';

const shared = { part: 'api', auth: 'public', summary: 'For tests' } as const;

export const countRoute = defineRoute({
  ...shared,
  id: 'count',
  method: 'GET',
  path: '/count/:to',
  params: z.object({ to: z.string() }),
  stream: { events: { number: z.object({ n: z.int() }) } },
  replies: {},
  errors: ['not_found'],
});
export const signedRoute = defineRoute({
  ...shared,
  id: 'signed',
  method: 'POST',
  path: '/signed',
  headers: z.object({ 'x-signature': z.string().min(3) }),
  rawBody: true,
  bodyTypes: ['application/json', 'text/csv'],
  bodySizeMaxBytes: 1_000,
  replies: { 200: z.object({ hex: z.string(), signature: z.string() }) },
  errors: [],
});
export const pageRoute = defineRoute({
  ...shared,
  id: 'page',
  method: 'GET',
  path: '/page',
  replyType: 'text/html; charset=utf-8',
  replyHeaders: { 'content-security-policy': 'What the page may load.' },
  replies: { 200: z.string(), 304: null },
  errors: [],
});
export const fileRoute = defineRoute({
  ...shared,
  id: 'file',
  method: 'GET',
  path: '/file',
  replyType: 'application/octet-stream',
  replies: { 200: z.instanceof(Uint8Array) },
  errors: [],
});
export const takenRoute = defineRoute({
  ...shared,
  id: 'taken',
  method: 'POST',
  path: '/taken',
  body: z.object({ wait: z.boolean().optional() }),
  replies: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['duplicate_event', 'rate_limited'],
  failureExtras: { duplicate_event: z.object({ accepted_at: z.string() }) },
});

export const changeRoute = defineRoute({
  ...shared,
  id: 'change',
  method: 'POST',
  path: '/changes/:id',
  auth: { session: 'see:events' },
  params: z.object({ id: z.string() }),
  headers: z.object({ 'if-match': z.string().optional() }),
  body: z.object({ value: z.string() }),
  idempotent: true,
  replies: { 201: z.object({ value: z.string(), runs: z.int() }) },
  replyHeaders: { etag: 'The version that was made.' },
  errors: ['precondition_failed', 'conflict', 'not_found', 'unavailable'],
});

export const TRANSPORT_ROUTES = [
  countRoute,
  signedRoute,
  pageRoute,
  fileRoute,
  takenRoute,
  changeRoute,
] as const;
/** Says what it sealed, and for whom: a test sees that nothing is kept in the open. */
const vault: Vault = {
  seal: async (merchantId, context, text) =>
    Buffer.from(JSON.stringify([merchantId, context, text])).toString('base64'),
  open: async (merchantId, context, sealed) => {
    const [owner, given, text] = JSON.parse(Buffer.from(sealed, 'base64').toString()) as string[];
    if (owner !== merchantId || given !== context || text === undefined)
      throw new Error('sealed for another');
    return text;
  },
};

type Routes = (typeof TRANSPORT_ROUTES)[number];

export const ANY_BYTES = Uint8Array.of(0x00, 0xff, 0xfe, 0x80, 0x0a);

/** `source` is what a count yields; `signals` are those of the calls, in their order. */
export function transportApp(
  source: (to: string, signal: AbortSignal) => AsyncIterable<AnyStreamEvent>,
  changes: Partial<Handlers<Routes>> = {},
) {
  const signals: AbortSignal[] = [];
  const reports: unknown[] = [];
  const clock = createManualClock(Date.UTC(2026, 10, 20));
  const idempotency = createMemoryIdempotencyStore();
  let runs = 0;
  const handlers: Handlers<Routes> = {
    async count({ params, signal }) {
      signals.push(signal);
      if (params.to === 'nowhere') return { failure: 'not_found' };
      return { status: 200, stream: source(params.to, signal) as AsyncIterable<never> };
    },
    async signed({ bytes, headers }) {
      return {
        status: 200,
        body: { hex: Buffer.from(bytes).toString('hex'), signature: headers['x-signature'] },
      };
    },
    async page() {
      return { status: 200, body: '<p>ü</p>', headers: { 'content-security-policy': "default-src 'self'" } };
    },
    async file() {
      return { status: 200, body: ANY_BYTES };
    },
    async taken({ body, signal }) {
      signals.push(signal);
      if (body.wait === true) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { failure: 'duplicate_event', extra: { accepted_at: '2026-01-01T00:00:00Z' } };
    },
    async change({ body, headers }) {
      runs++;
      if (!meetsIfMatch(headers['if-match'], etagOf(1))) return { failure: 'precondition_failed' };
      if (body.value === 'taken') return { failure: 'conflict' };
      if (body.value === 'outage') return { failure: 'unavailable' };
      if (body.value === 'bug') throw new TypeError('a bug');
      if (body.value === 'missing') return { failure: 'not_found' };
      return { status: 201, body: { value: body.value, runs }, headers: { etag: etagOf(runs) } };
    },
    ...changes,
  };
  const answered: AnsweredRequest[] = [];
  const app = createHttpApp<Routes>({
    routes: TRANSPORT_ROUTES,
    handlers,
    failures: { style: 'coded', errors: EVENTS_ERRORS },
    authenticate: async (authorization) => {
      const [merchantId, sub] = (authorization ?? '').split('/');
      if (merchantId === undefined || sub === undefined) return null;
      return { kind: 'session', sub, merchantId, role: 'owner', grant: { opens: ['see:events'] } };
    },
    idempotency: { store: idempotency, vault, clock, random: createSeededRandom('transport') },
    origins: [],
    report: (_problem, error) => reports.push(error),
    answered: (request) => answered.push(request),
  });
  return { app, answered, signals, reports, clock, idempotency, runs: () => runs };
}
