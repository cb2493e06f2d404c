// The ingestion application on memory ports, for tests.

import type { HttpApp, IncomingRequest, Reply } from '../../lib/core/http/http-message.ts';
import { type ApiKeyRecord, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { slideWindow } from '../../lib/core/work/sliding-window.ts';
import type { Merchant } from '../../lib/events/domain/merchant.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { createBrowserIngestion } from '../../services/events/browser-ingestion/app.ts';
import { createBrowserWindows, RATE_LIMIT } from '../../services/events/ingestion/browser-limits.ts';
import type { BrowserPorts, ServerPorts } from '../../services/events/ingestion/ports.ts';
import { createServerIngestion } from '../../services/events/ingestion/server-app.ts';
import { createServerLimit } from '../../services/events/ingestion/server-limit.ts';
import { ONE_SHARD } from '../../services/events/ingestion/shard-picker.ts';
import type { AcceptedMessage } from '../../services/events/normalize/message.ts';
import { documentedAnswers } from './documented-answers.ts';
import { createIngestionApp } from './ingestion-app.ts';
import { createMemoryBatchStore } from './memory/batch-store.ts';
import { createManualClock } from './memory/clock.ts';
import { createMemoryCounterStore } from './memory/counter-store.ts';
import { createMemoryEventStore } from './memory/event-store.ts';
import { createMemoryLeaseStore } from './memory/lease-store.ts';
import { createSeededRandom } from './memory/random.ts';
import { createMemoryRefusalStore } from './memory/refusal-store.ts';

export const MERCHANT = '8f14e45f-ceea-467f-a111-000000000001';
export const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
export const API_KEY = formatApiKey('evk_live', new Uint8Array(32).fill(7));
export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export function testMerchant(overrides: Partial<Merchant['browserIngestion']> = {}): Merchant {
  return {
    merchantId: MERCHANT,
    name: 'Shop',
    email: 'owner@example.com',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: NOW_MS,
    browserIngestion: { enabled: true, origins: [], ...overrides },
  };
}

type IngestionPorts = ServerPorts & BrowserPorts;

const PARTS = { server: createServerIngestion, browser: createBrowserIngestion, all: createIngestionApp };

export function testIngestion(overrides: Partial<IngestionPorts> = {}, part: keyof typeof PARTS = 'all') {
  const events = createMemoryEventStore();
  const batches = createMemoryBatchStore();
  const counters = createMemoryCounterStore();
  const refusals = createMemoryRefusalStore();
  const clock = createManualClock(NOW_MS);
  const sent: AcceptedMessage[] = [];
  const counted: string[] = [];
  const rings = new Map<string, readonly number[]>();
  const leases = createMemoryLeaseStore();
  const keys = new Map<string, ApiKeyRecord>();
  const addKey = (key: string, scopes: ApiKeyRecord['scopes'], revokedAtMs?: number): void => {
    const sha256 = hashApiKey(key);
    keys.set(sha256, {
      sha256,
      keyId: sha256.slice(0, 8),
      merchantId: MERCHANT,
      name: 'test',
      prefix: key.slice(0, 13),
      scopes,
      createdAtMs: NOW_MS,
      ...(revokedAtMs === undefined ? {} : { revokedAtMs }),
    });
  };
  addKey(API_KEY, ['events:write']);
  const ports: IngestionPorts = {
    events,
    batches,
    clock,
    random: createSeededRandom(1),
    slots: createBucketMarker(counters, clock),
    shards: ONE_SHARD,
    queue: { send: async (messages) => void sent.push(...messages.map((m) => m.body)) },
    config: {
      apiKey: async (sha256) => keys.get(sha256) ?? null,
      merchant: async (id) => (id === MERCHANT ? testMerchant() : null),
    },
    rates: {
      take: async ({ merchantId, clientIp }, wanted, nowMs) => {
        const id = `${merchantId}/${clientIp}`;
        const step = slideWindow(rings.get(id) ?? [], wanted, nowMs, RATE_LIMIT);
        rings.set(id, step.ring);
        return step;
      },
    },
    windows: createBrowserWindows(leases, { reached: async (id) => void counted.push(`reached ${id}`) }),
    limit: createServerLimit(leases, { eventsPerMinute: 1_000_000, eventsPerDay: 100_000_000 }),
    refusals,
    isBot: (agent) => agent === undefined || agent.includes('Headless'),
    pixel: { javascript: 'pixel()', etag: '"abc"' },
    count: (metric) => void counted.push(metric),
    pause: async () => {},
    report: (problem) => void counted.push(problem),
    ...overrides,
  };
  return {
    app: PARTS[part](ports),
    events,
    counters,
    refusals,
    clock,
    sent,
    counted,
    leases,
    rings,
    addKey,
  };
}

export function purchase(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event_id: 'order-1',
    event_name: 'Purchase',
    event_time: NOW_MS / 1000 - 5,
    user_data: { email: 'jane@example.com' },
    value: 29.99,
    currency: 'USD',
    ...overrides,
  };
}

export function request(path: string, body: unknown, headers: Record<string, string> = {}): IncomingRequest {
  return {
    method: 'POST',
    path,
    query: {},
    headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}`, ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    clientIp: '203.0.113.7',
    requestId: 'req-1',
  };
}

/** Every answer of every test is held against the document that callers get. */
const isDocumented = documentedAnswers(routesOf('ingestion'));

export async function send(
  app: HttpApp,
  message: IncomingRequest,
): Promise<Reply & { json: Record<string, unknown> }> {
  const reply = await app(message);
  const { method, path } = message;
  const problems = isDocumented({ method, path, ...reply, text: reply.body });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { ...reply, json: reply.body === '' ? {} : JSON.parse(reply.body) };
}
