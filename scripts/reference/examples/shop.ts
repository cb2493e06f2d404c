// A shop on memory ports: both doors of ingestion, the pipeline behind them, and the API, all on the same stores and one clock
// that stands still unless it is moved. Platforms answer as their sandboxes do, and refuse one order.

import { createVault } from '#lib/adapters/vault/vault.ts';
import type { HttpApp } from '#lib/core/http/http-message.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { ROUTES } from '#lib/events/routes/every-route.ts';
import { loadSandboxes } from '#services/local/sandbox/platform-sandboxes.ts';
import type { HostReply } from '#test/contract/any-host.ts';
import { MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { send, testIngestion } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryConfig, createMemoryDataKeys } from '#test/support/memory/config-stores.ts';
import { PLAIN_WRAPPER } from '#test/support/memory/event-vault.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createMemoryPipeline } from '#test/support/memory-pipeline.ts';
import { withReplays } from '#test/support/replaying.ts';
import { createRecorder, type Sent } from './recorder.ts';

/** Subjects at the identity provider; a session's token is the subject. */
export const OWNER = '5b1f6c1e-3a54-4b0e-9c57-2f6f0a9d1c01';
export const COLLEAGUE = '5b1f6c1e-3a54-4b0e-9c57-2f6f0a9d1c02';
/** Its platform refuses it. */
export const REFUSED_ORDER = 'order-1002';

const REFUSAL: HttpResult = {
  kind: 'response',
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { message: 'Invalid parameter', type: 'OAuthException', code: 100 } }),
};

async function sandboxed() {
  const sandboxes = [...(await loadSandboxes()).values()];
  return (request: HttpRequest, nowMs: number): HttpResult => {
    const asked = asReceived(request);
    if (asked.body.includes(`"${REFUSED_ORDER}"`)) return REFUSAL;
    const { host } = asked;
    const sandbox = sandboxes.find(({ hosts }) => hosts.includes(host));
    if (sandbox === undefined) throw new Error(`${host} is no platform's`);
    const { answer } = sandbox.handle(asked, { nowMs, check: () => 'ok' });
    return { kind: 'response', ...answer };
  };
}

async function sendTo(app: HttpApp, { method, url, headers, body }: Sent, key: string): Promise<HostReply> {
  const reply = await send(app, {
    method,
    path: url,
    query: {},
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: Buffer.from(JSON.stringify(body)),
    clientIp: '203.0.113.7',
    requestId: 'example',
  });
  return { status: reply.status, headers: reply.headers, text: reply.body, body: reply.json };
}

export async function openShop() {
  const clock = createManualClock(NOW);
  const config = createMemoryConfig();
  const vault = createVault({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock });
  const answer = await sandboxed();
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS,
    credentials: {},
    answer: (request) => answer(request, clock.now()),
    clock,
    vault,
    config,
  });
  const { events, batches, counters, orders, eventVault, queues, slots, erasures, reconciliations } =
    pipeline;
  const replays = withReplays({ ...pipeline, clock }, PLATFORMS);
  const rules = { shops: 1, perAddress: 5, serverEventsPerDay: 10_000, browserEventsPerMinute: 60 };
  const host = await openApi(({ replaying }) => ({
    signUp: { rules, shares: createMemoryLeaseStore() },
    clock,
    config,
    vault,
    events,
    stored: { events: pipeline.storedRows, batches, orders },
    orders,
    people: pipeline.attribution,
    counters,
    eventVault,
    replaying: {
      ...replaying,
      events,
      slots,
      accepted: queues.accepted,
      plans: replays.plans,
      work: replays.work,
    },
    privacy: { erasures, work: queues.tasks },
    reconciling: { jobs: reconciliations, work: queues.tasks },
    sessions: { verify: async (token) => ([OWNER, COLLEAGUE].includes(token) ? { sub: token } : null) },
    transport: async () => ({
      send: async (request) => ({ ...answer(request, clock.now()), latencyMs: 84 }),
    }),
  }));
  await config.putMerchant({
    merchantId: MINE,
    name: 'Lamp Shop',
    email: 'owner@shop.example',
    onboardingStep: 'connect',
    onboardingCompleted: false,
    createdAtMs: NOW - 86_400_000,
    browserIngestion: { enabled: true, origins: ['https://shop.example'] },
  });
  await config.putMember({ sub: OWNER, merchantId: MINE, role: 'owner' });
  const door = testIngestion({
    events: pipeline.storedRows,
    batches,
    slots,
    clock,
    config,
    queue: queues.accepted,
  });
  let key = '';
  const ingest = (sent: Sent) => sendTo(door.app, sent, key);
  const call = ({ url, headers = {}, ...sent }: Sent): Promise<HostReply> =>
    host.call(url, { ...sent, token: OWNER, headers });
  return {
    ...createRecorder(ROUTES, (sent, { part }) => (part === 'ingestion' ? ingest(sent) : call(sent))),
    clock,
    call,
    drain: pipeline.drain,
    drainPlans: replays.drainPlans,
    /** What ingestion is called with. */
    useKey: (made: string): void => {
      key = made;
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
