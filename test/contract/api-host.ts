// The API on memory ports, two merchants, and one credential of every kind. Every reply is held against the contract:
// its status, its body to the last field, its headers.
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { z } from 'zod';
import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { ErrorBody } from '../../lib/core/http/errors.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { type ApiKeyRecord, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import type { TaskWork } from '../../lib/events/domain/deliveries/task-work.ts';
import type { Pointers } from '../../lib/events/domain/pointer.ts';
import type { ReplayWork } from '../../lib/events/domain/replays/work.ts';
import type { EventScope } from '../../lib/events/domain/scopes.ts';
import { createSuspicions } from '../../lib/events/pipeline/connections/suspicions.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { EVENTS_ERRORS } from '../../lib/events/routes/errors.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { buildApi } from '../../services/events/api/app.ts';
import type { ApiPorts } from '../../services/events/api/ports.ts';
import { documentedAnswers } from '../support/documented-answers.ts';
import { createMemoryAttributionStore } from '../support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '../support/memory/batch-store.ts';
import { createMemoryBillingStore } from '../support/memory/billing-store.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { createMemoryConfig, createMemoryDataKeys } from '../support/memory/config-stores.ts';
import { createMemoryCounterStore } from '../support/memory/counter-store.ts';
import { createMemoryErasureStore } from '../support/memory/erasure-store.ts';
import { createMemoryEventStore } from '../support/memory/event-store.ts';
import { createMemoryEventVault, PLAIN_WRAPPER } from '../support/memory/event-vault.ts';
import { createMemoryIdempotencyStore } from '../support/memory/idempotency-store.ts';
import { createMemoryIncidentStore } from '../support/memory/incident-store.ts';
import { createMemoryOrderStore } from '../support/memory/order-store.ts';
import { createMemoryPayments } from '../support/memory/payments.ts';
import { createMemoryQueue } from '../support/memory/queue.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { createMemoryReconciliationStore } from '../support/memory/reconciliation-store.ts';
import { createMemoryRefusalStore } from '../support/memory/refusal-store.ts';
import { createMemoryReplayStore } from '../support/memory/replay-store.ts';
import {
  bodyOf,
  type HostReply,
  type HostRequest,
  inject,
  MINE,
  NOBODY,
  NOW,
  putMembers,
  SESSIONS,
  sessionOf,
  THEIRS,
} from './any-host.ts';

export { bodyOf, MINE, NOW, THEIRS };

/** A page that may call the API. */
export const PAGE = 'https://app.example';

/** Codes any route may answer, whatever it lists. */
const SHARED_CODES = [
  'invalid_json',
  'invalid_request',
  'unauthorized',
  'forbidden',
  'merchant_suspended',
  'merchant_required',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
  'unavailable',
] as const;

/** Every answer of every test is held against the document that callers get. */
const isDocumented = documentedAnswers(routesOf('api'));

/** And those of a route that takes Idempotency-Key. */
const IDEMPOTENT_CODES = [
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'idempotent_answer_too_large',
] as const;

export type ApiReply = HostReply;
export type ApiRequest = HostRequest;

export async function openApi(changes: (ports: ApiPorts) => Partial<ApiPorts> = () => ({})) {
  const clock = createManualClock(NOW);
  const events = createMemoryEventStore();
  const counters = createMemoryCounterStore();
  const config = createMemoryConfig();
  const eventVault = createMemoryEventVault();
  const payments = createMemoryPayments();
  const reports: { problem: string; error: unknown }[] = [];
  const accepted = createMemoryQueue<Pointers>({ clock });
  const replayWork = createMemoryQueue<ReplayWork>({ clock });
  const batches = createMemoryBatchStore();
  const orders = createMemoryOrderStore();
  const people = createMemoryAttributionStore();
  const refusals = createMemoryRefusalStore();
  const incidents = createMemoryIncidentStore();
  const taskWork = createMemoryQueue<TaskWork>({ clock });
  const ports: ApiPorts = {
    events,
    stored: { events, batches, orders },
    orders,
    people,
    counters,
    replaying: {
      events,
      slots: createBucketMarker(counters, clock),
      accepted,
      plans: createMemoryReplayStore(),
      work: replayWork,
    },
    ceilings: { retentionDays: 400, browserEventsPerMinute: 600_000 },
    // Those of its own tests apart, no test is about how often it asks.
    calls: { take: async (_id, limit) => ({ granted: true, remaining: limit - 1, resetSec: 60 }) },
    refusals,
    browserLimit: { reachedAtMs: async (merchantId) => (merchantId === MINE ? NOW - 60_000 : null) },
    config,
    signUp: null,
    incidents,
    suspicions: createSuspicions({
      taskWork,
      clock,
      report: (problem, error) => reports.push({ problem, error }),
    }),
    billing: createMemoryBillingStore(),
    payments: async () => payments,
    namesPayments: true,
    vault: createVault({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock }),
    eventVault,
    idempotency: createMemoryIdempotencyStore(),
    privacy: { erasures: createMemoryErasureStore(), work: taskWork },
    reconciling: { jobs: createMemoryReconciliationStore(), work: taskWork },
    sessions: SESSIONS,
    platforms: PLATFORMS,
    lookups: async () => ({ nationalPhone, countryCode, regionCode }),
    transport: async () => ({ send: async () => NOBODY }),
    assistant: null,
    origins: [PAGE],
    clock,
    random: createSeededRandom('api'),
    report: (problem, error) => reports.push({ problem, error }),
  };
  await putMembers(config);
  let keys = 0;
  const keyFor = async (
    scopes: readonly EventScope[],
    merchantId: string = MINE,
    more: Pick<ApiKeyRecord, 'expiresAtMs' | 'suspendedAtMs'> = {},
  ) => {
    keys++;
    const key = formatApiKey('evk_live', Buffer.alloc(32, keys));
    const keyId = `key_${keys}`;
    const record = { sha256: hashApiKey(key), keyId, merchantId, name: 'test', prefix: key.slice(0, 13) };
    await config.putApiKey({ ...record, ...more, scopes, createdAtMs: NOW });
    return { key, keyId };
  };
  const app = buildApi({ ...ports, ...changes(ports) });
  await app.ready();
  return {
    app,
    ports,
    clock,
    events,
    counters,
    batches,
    orders,
    people,
    refusals,
    config,
    eventVault,
    accepted,
    replayWork,
    taskWork,
    incidents,
    reports,
    keyFor,
    session: sessionOf,
    call: (url: string, request: ApiRequest = {}) => call(app, url, request),
  };
}

export type ApiHost = Awaited<ReturnType<typeof openApi>>;

async function call(app: FastifyInstance, url: string, request: ApiRequest): Promise<ApiReply> {
  const { method, status, headers, text } = await inject(app, url, request);
  expect(isDocumented({ method, path: url, status, headers, text })).toEqual([]);
  const kind = routeFor(method === 'HEAD' ? 'GET' : method, url);
  // A page or a file is what its type says: the document has held it against that.
  if (status < 400 && (kind?.replyType !== undefined || kind?.stream !== undefined))
    return { status, headers, text, body: text };
  expect(headers['cache-control']).toBe('no-store');
  // The answer to a preflight says all in its headers.
  if (status === 204) {
    expect([method, text]).toEqual(['OPTIONS', '']);
    return { status, headers, text, body: undefined };
  }
  expect(headers['content-type'], url).toBe('application/json; charset=utf-8');
  const reply = { status, headers, text, body: method === 'HEAD' ? undefined : JSON.parse(text) };
  if (method !== 'HEAD') keepsContract(reply, method, url);
  return reply;
}

/** The code of a failure. */
export function codeOf(reply: ApiReply): string {
  return (reply.body as ErrorBody).code;
}

/** The route of this request, if any. */
export function routeFor(method: string, url: string): Route | undefined {
  // Resolved like the client that sends it does.
  const given = new URL(`http://api${url}`).pathname.split('/');
  const fitting = routesOf('api').filter(({ path }) => {
    const parts = path.split('/');
    return (
      parts.length === given.length && parts.every((part, i) => part.startsWith(':') || part === given[i])
    );
  });
  // What is spelled out is no id.
  const spelledOut = fitting.filter(({ path }) => path === given.join('/'));
  return (spelledOut.length > 0 ? spelledOut : fitting).find((route) => route.method === method);
}

function keepsContract({ status, body }: ApiReply, method: string, url: string): void {
  const route = routeFor(method, url);
  if (status < 400) {
    const schema = route?.replies[status] as z.ZodType | undefined;
    expect(schema, `${method} ${url} answered ${status}`).toBeDefined();
    // Equality, not success: a field the contract does not name would have been dropped by parsing.
    expect(schema?.parse(body)).toEqual(body);
    return;
  }
  const { error, code, details } = body as ErrorBody;
  expect(EVENTS_ERRORS, code).toHaveProperty(code, expect.objectContaining({ status, text: error }));
  const said = ['error', 'code', 'details', ...(code === 'merchant_required' ? ['merchants'] : [])];
  expect(Object.keys(body as ErrorBody).filter((key) => !said.includes(key))).toEqual([]);
  if (details !== undefined) expect(details.length).toBeGreaterThan(0);
  const outside = ['route_not_found', 'method_not_allowed', 'invalid_request'];
  const keyed = route?.idempotent === true ? IDEMPOTENT_CODES : [];
  // An empty id, also one that `..` leaves behind, is an id that nobody has, or no path at all.
  const noId = new URL(`http://api${url}`).pathname.endsWith('/') ? outside : [];
  const limited = route?.rateLimit === undefined ? [] : ['rate_limited'];
  const allowed =
    route === undefined ? outside : [...SHARED_CODES, ...keyed, ...limited, ...route.errors, ...noId];
  expect(allowed, `${method} ${url}`).toContain(code);
}
