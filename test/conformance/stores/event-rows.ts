// Event rows to write into a store under test: every field a real stage writes, in the shapes stages write them.
import { hash } from 'node:crypto';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { AcceptedRow, EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { DueEntry, DueGroup, DueIndex } from '#lib/events/ports/due-index.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import { createSeededRandom } from '../../support/memory/random.ts';

export const T0 = Date.UTC(2026, 10, 20, 12, 0, 0);
const DAY_MS = 86_400_000;
const random = createSeededRandom('event-rows');

let merchants = 0;
/** A merchant no other test has used, so that tests share one table. */
export function freshMerchant(): string {
  merchants += 1;
  return random.uuidv7(T0 - merchants);
}

export function acceptedRow(key: EventKey, receivedAtMs: number = T0): AcceptedRow {
  return {
    key,
    ingestId: random.uuidv7(receivedAtMs),
    receivedAtMs,
    expiresAtMs: receivedAtMs + DAY_MS,
    payloadHash: hash('sha256', key.eventId, 'hex'),
    state: 'accepted',
    body: {
      event_id: key.eventId,
      event_name: 'Purchase',
      event_time: Math.floor(receivedAtMs / 1000),
      user_data: { email: 'Zoë@Example.com', external_ids: ['a'] },
      value: 29.99,
      currency: 'EUR',
      items: [{ id: 'sku', quantity: 2, price: 1e-7 }],
      custom_data: { nested: { deep: [1, 'two', null, { three: true }] }, '': '\u0001 mark' },
    },
  };
}

export function normalizedRow(row: AcceptedRow): NormalizedRow {
  const { body: _, state: _state, ...base } = row;
  return {
    ...base,
    state: 'normalized',
    event: {
      ...row.key,
      dedupId: row.key.eventId,
      name: 'Purchase',
      sentName: 'Order Completed',
      eventTimeSec: Math.floor(row.receivedAtMs / 1000),
      receivedAtMs: row.receivedAtMs,
      source: 'server',
      actionSource: 'website',
      value: '29.99',
      currency: 'EUR',
      items: [
        {
          id: 'sku',
          quantity: '2',
          price: '0.0000001',
          name: 'Größe',
          brand: 'B',
          category: 'C',
          variant: 'V',
        },
      ],
      consent: { ad_storage: 'granted' },
      issues: [{ field: 'external_ids', code: 'empty' }],
      known: ['email', 'country', 'fbc'],
      sealed: Buffer.from('ciphertext of what is personal').toString('base64'),
    },
    routingVersion: 3,
    verdicts: { meta: 'pending', ga4: 'rule_excluded:r1', tiktok: 'consent_denied:ad_user_data' },
    sweeps: 0,
    deliveries: {},
    revision: 0,
  };
}

export function leased(atMs: number): Delivery {
  return {
    state: 'SENDING',
    attempts: 0,
    unknowns: 0,
    updatedAtMs: atMs,
    leaseUntilMs: atMs + 120_000,
    history: [],
  };
}

export function retrying(atMs: number): Delivery {
  return {
    state: 'RETRY',
    attempts: 1,
    unknowns: 1,
    updatedAtMs: atMs,
    nextAttemptAtMs: atMs + 10_000,
    reason: 'timeout',
    history: [{ atMs: atMs - 30_000, latencyMs: 30_000, outcome: 'retry', code: 'timeout', batchSize: 7 }],
  };
}

export function delivered(atMs: number): Delivery {
  return {
    state: 'DELIVERED',
    attempts: 2,
    unknowns: 1,
    updatedAtMs: atMs,
    deliveredAtMs: atMs,
    history: [
      { atMs: atMs - 30_000, latencyMs: 30_000, outcome: 'retry', code: 'timeout', batchSize: 7 },
      { atMs, latencyMs: 80, status: 200, outcome: 'delivered', message: 'ok', batchSize: 1 },
    ],
  };
}

/** What the due index holds of one merchant, shard by shard in its order, read in pages of `limit` that may cut groups. */
export function dueEntries(
  store: EventStore,
  merchantId: string,
  limit = 1_000,
): Promise<readonly (readonly DueEntry<EventKey>[])[]> {
  return entriesOf(store, (key) => key.merchantId, merchantId, limit);
}

/** As above, of any table. */
export async function entriesOf<Key>(
  store: DueIndex<Key>,
  merchantOf: (key: Key) => string,
  merchantId: string,
  limit = 1_000,
): Promise<readonly (readonly DueEntry<Key>[])[]> {
  const shards = Array.from({ length: store.dueShards }, async (_, shard) => {
    const found: DueEntry<Key>[] = [];
    let past: DueGroup | undefined;
    for (;;) {
      const { entries, isCut } = await store.dueGroups(shard, past, limit);
      const last = entries.at(-1);
      found.push(...entries);
      if (!isCut || last === undefined) break;
      past = { merchantId: merchantOf(last.key), parkedFor: last.parkedFor };
    }
    return found.filter(({ key }) => merchantOf(key) === merchantId);
  });
  return await Promise.all(shards);
}

/** Ids of one merchant's rows that are due before a moment. */
export async function dueIds(store: EventStore, merchantId: string, beforeMs: number): Promise<string[]> {
  const entries = (await dueEntries(store, merchantId)).flat();
  return entries.filter(({ dueAtMs }) => dueAtMs < beforeMs).map(({ key }) => key.eventId);
}
