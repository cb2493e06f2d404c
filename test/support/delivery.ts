// What the deliver stage stands on, in memory: rows of shops that have connected the synthetic platforms, and vendors that
// take whatever they get unless the test answers for them.

import { platformOf, targetOf } from '../../lib/events/domain/connections/target.ts';
import { PENDING } from '../../lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { createTokens } from '../../lib/events/pipeline/connections/access-tokens.ts';
import { createConnections } from '../../lib/events/pipeline/connections/open-connection.ts';
import { createPace, type Pace } from '../../lib/events/pipeline/connections/pace.ts';
import { rowId } from '../../lib/events/pipeline/read-rows.ts';
import type { HttpRequest, HttpResult, Platform } from '../../lib/events/platforms/platform.ts';
import type { CounterRefresh } from '../../services/events/aggregate/message.ts';
import { createBreaker } from '../../services/events/deliver/circuit/breaker.ts';
import { runJob } from '../../services/events/deliver/job.ts';
import type { DeliveryMessage } from '../../services/events/deliver/message.ts';
import type { DeliverPorts } from '../../services/events/deliver/ports.ts';
import type { JobContext } from '../../services/events/deliver/sending.ts';
import { type NormalizedDraft, normalizedRow, store } from '../contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { createMemoryBatchStore } from './memory/batch-store.ts';
import { createManualClock, waitBy } from './memory/clock.ts';
import { createMemoryConfig } from './memory/config-stores.ts';
import { createMemoryEventStore } from './memory/event-store.ts';
import { createMemoryEventVault } from './memory/event-vault.ts';
import { createMemoryLeaseStore } from './memory/lease-store.ts';
import { createMemoryOrderStore } from './memory/order-store.ts';
import { createMemoryQueue } from './memory/queue.ts';
import { createSeededRandom } from './memory/random.ts';

export const SHOP = 'shop';
export const RECEIVED_MS = Date.UTC(2026, 10, 21, 12);

/** An event the platform is to have; its order id is its event id, by which the vendor knows it. */
export const rowFor = (
  platform: string,
  eventId: string,
  over: Partial<NormalizedDraft> = {},
): NormalizedRow =>
  normalizedRow({
    eventId,
    merchantId: SHOP,
    receivedAtMs: RECEIVED_MS,
    verdicts: { [platform]: PENDING },
    ...over,
    event: { orderId: eventId, ...over.event },
  });

export const reply = (status: number, body: unknown, headers: Record<string, string> = {}): HttpResult => ({
  kind: 'response',
  status,
  headers,
  body: JSON.stringify(body),
});

/** What stands in a request, by the ids the vendor reads. */
export const eventIds = ({ body }: HttpRequest): readonly string[] =>
  (JSON.parse(body) as WireEvent[]).map(({ id }) => id);

/** As each of the three vendors says that it took everything. */
export function allTaken(request: HttpRequest): HttpResult {
  const events = JSON.parse(request.body) as WireEvent[];
  const results = Object.fromEntries(events.map(({ nonce }) => [nonce, 'ok']));
  return reply(200, { results, ok: true, accepted: events.length });
}

export async function createDelivery(rows: readonly NormalizedRow[]) {
  const clock = createManualClock(RECEIVED_MS + 1_000);
  const events = createMemoryEventStore();
  await store(events, ...rows);
  const config = createMemoryConfig();
  for (const merchantId of new Set(rows.map(({ key }) => key.merchantId)))
    for (const platform of SYNTHETIC_PLATFORMS.map(({ slug }) => slug))
      await config.putConnection(
        {
          merchantId,
          platform,
          newId: `${platform}-${merchantId}`,
          name: platform,
          sealedCredentials: '{"token":"t"}',
        },
        RECEIVED_MS,
      );
  const counterRefresh = createMemoryQueue<CounterRefresh>({ clock });
  const eventVault = createMemoryEventVault();
  const requests: HttpRequest[] = [];
  const problems: string[] = [];
  const vendor = { answer: allTaken as (request: HttpRequest) => HttpResult | Promise<HttpResult> };
  const ports: DeliverPorts = {
    events,
    batches: createMemoryBatchStore(),
    pause: () => new Promise(() => {}),
    wait: waitBy(clock),
    config,
    vault: { open: async (_merchant, _context, text) => text },
    eventVault,
    transport: {
      send: async (request) => {
        requests.push(request);
        return { ...(await vendor.answer(request)), latencyMs: 5 };
      },
    },
    counterRefresh,
    quotas: createMemoryLeaseStore(),
    orders: createMemoryOrderStore(),
    platforms: SYNTHETIC_PLATFORMS,
    clock,
    random: createSeededRandom('delivery'),
    report: (problem) => void problems.push(problem),
  };
  const breaker = createBreaker();
  /** One process for each store of shares. */
  const paces = new Map<unknown, Pace>();
  const paceOf = (own: DeliverPorts): Pace => {
    const pace = paces.get(own.quotas) ?? createPace(own);
    paces.set(own.quotas, pace);
    return pace;
  };
  /** The rows of one shop for one platform, as one job. Returns the ids of those that failed. */
  const run = async (
    slot: string,
    pointed: readonly NormalizedRow[],
    { first = true, ...over }: Partial<DeliverPorts> & { readonly first?: boolean } = {},
  ): Promise<readonly string[]> => {
    const own = { ...ports, ...over };
    const platform = own.platforms.find((known) => known.slug === platformOf(slot)) as Platform;
    const context: JobContext = {
      ports: own,
      breaker,
      connections: createConnections(own),
      tokens: createTokens(own),
      pace: paceOf(own),
    };
    const merchantId = pointed[0]?.key.merchantId ?? SHOP;
    const { failed } = await runJob(
      {
        merchantId,
        platform,
        target: targetOf(slot),
        rows: pointed.map(({ key }) => ({ key, first })),
        batches: [],
      },
      context,
    );
    return pointed.filter(({ key }) => failed.has(rowId(key))).map(({ key }) => key.eventId);
  };
  const deliveryOf = (slug: string, eventId: string) =>
    (events.rows().find(({ key }) => key.eventId === eventId) as NormalizedRow | undefined)?.deliveries[slug];
  return {
    run,
    ports,
    vendor,
    clock,
    events,
    config,
    eventVault,
    breaker,
    counterRefresh,
    requests,
    problems,
    deliveryOf,
  };
}

/** As fan-out sends it. */
export const pointing = (
  platform: string,
  rows: readonly NormalizedRow[],
  { first = true, receiveCount = 1 } = {},
): { readonly body: DeliveryMessage; readonly receiveCount: number; readonly sentAtMs: number } => ({
  body: {
    merchant: rows[0]?.key.merchantId ?? SHOP,
    platform,
    rows: rows.map(({ key }) => [key.channel === 'server' ? 's' : 'b', key.eventId]),
    ...(first ? { first } : {}),
  },
  receiveCount,
  sentAtMs: RECEIVED_MS,
});
