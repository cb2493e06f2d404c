// A platform that refuses a thousand events because of one: the bad ones fail alone, everybody else is delivered, and
// finding them costs few calls. A run is one batch of 1,000 events with k bad ones somewhere in it.

import type { EventKey } from '#lib/events/domain/event/row.ts';
import { packPointers } from '#lib/events/domain/pointer.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createMemoryEventVault } from '../../support/memory/event-vault.ts';
import { createMemoryLeaseStore } from '../../support/memory/lease-store.ts';
import { createMemoryOrderStore } from '../../support/memory/order-store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/memory/random.ts';
import { createSimulatedConfig, MERCHANTS, SIMULATED_VAULT } from '../merchants.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../synthetic-platforms.ts';
import { isPoison } from '../vendor.ts';
import { EPOCH_MS, type Mutation } from '../world.ts';
import { normalizedRow } from './normalized-row.ts';
import { everySeed, type Proof, violationsOf } from './proof.ts';

const EVENTS = 1_000;
const CALLS_MAX: ReadonlyMap<number, number> = new Map([
  [1, 21],
  [10, 151],
]);
const PLATFORM = 'bravo';

export const poison: Proof = {
  name: 'poison',
  properties: ['G10'],
  run: async (options) => {
    const worst = new Map<number, number>();
    const { findings } = await everySeed(options, async (seed) => {
      const problems: string[] = [];
      for (const [bad, callsMax] of CALLS_MAX) {
        const random = createSeededRandom(`poison/${seed}/${bad}`);
        const { calls, wrong } = await deliverBatch(place(bad, seed, random), random, options.mutation);
        worst.set(bad, Math.max(worst.get(bad) ?? 0, calls));
        if (wrong > 0) problems.push(`${wrong} of ${EVENTS} events ended wrongly beside ${bad} bad ones`);
        if (calls > callsMax) problems.push(`${calls} calls for ${bad} bad events`);
      }
      return { violations: violationsOf('G10', problems), figures: {} };
    });
    const sentence = [...worst].map(([bad, calls]) => `k=${bad}: ${calls} calls`).join(', ');
    return { findings, figures: { G10: `${sentence} at most; ${findings.length} events harmed` } };
  },
};

/** Spread evenly, which is the worst case, or anywhere. */
function place(bad: number, seed: number, random: SeededRandom): ReadonlySet<number> {
  const places = new Set<number>();
  for (let i = 0; places.size < bad; i++)
    places.add(seed === 1 ? Math.floor(((i + 0.5) * EVENTS) / bad) : random.below(EVENTS));
  return places;
}

async function deliverBatch(
  bad: ReadonlySet<number>,
  random: SeededRandom,
  mutation: Mutation | undefined,
): Promise<{ readonly calls: number; readonly wrong: number }> {
  const events = createMemoryEventStore();
  const keys: EventKey[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const key: EventKey = { merchantId: MERCHANTS[0], channel: 'server', eventId: `event-${i}` };
    const row = normalizedRow(
      key,
      `${bad.has(i) ? 'poison' : 'body'}-${i}`,
      random.uuidv7(EPOCH_MS),
      EPOCH_MS,
      [PLATFORM],
    );
    const { key: _key, ingestId, receivedAtMs, expiresAtMs, payloadHash } = row;
    const body = { event_id: key.eventId, event_name: 'Lead', event_time: EPOCH_MS / 1_000, user_data: {} };
    await events.claim({ key, ingestId, receivedAtMs, expiresAtMs, payloadHash, state: 'accepted', body });
    await events.normalize(row);
    keys.push(key);
  }
  let calls = 0;
  const batches = createMemoryBatchStore();
  const stage = (mutation?.stages?.createDeliver ?? createDeliverStage)({
    events,
    batches,
    pause: () => new Promise(() => undefined),
    wait: async () => undefined,
    config: await createSimulatedConfig(EPOCH_MS),
    vault: SIMULATED_VAULT,
    eventVault: createMemoryEventVault(),
    transport: {
      send: async (request) => {
        calls += 1;
        return { ...answer(request), latencyMs: 5 };
      },
    },
    counterRefresh: { send: async () => undefined },
    quotas: createMemoryLeaseStore(),
    orders: createMemoryOrderStore(),
    platforms: mutation?.platforms?.(SYNTHETIC_PLATFORMS) ?? SYNTHETIC_PLATFORMS,
    clock: { now: () => EPOCH_MS + 1_000 },
    random,
    report: (problem, error) => {
      throw new Error(problem, { cause: error });
    },
  });
  const messages = packPointers(keys, 'first').map((body) => ({
    body: { ...body, platform: PLATFORM },
    receiveCount: 1,
    sentAtMs: EPOCH_MS,
  }));
  await stage(messages);
  const ended = events.rows().filter((row, i) => {
    const state = row.state === 'normalized' ? row.deliveries[PLATFORM]?.state : undefined;
    return state === (bad.has(i) ? 'FAILED' : 'DELIVERED');
  });
  return { calls, wrong: EVENTS - ended.length };
}

function answer(request: HttpRequest): HttpResult {
  const refused = (JSON.parse(request.body) as WireEvent[]).some(({ nonce }) => isPoison(nonce));
  return refused
    ? { kind: 'response', status: 400, headers: {}, body: '{"error":"invalid"}' }
    : { kind: 'response', status: 200, headers: {}, body: '{"ok":true}' };
}
