// Manifests and outcomes to write into a store under test: every field a real stage writes, and what hostile callers send.

import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import {
  BATCH_ROWS_MAX,
  type BatchKey,
  type BatchOutcomes,
  type Manifest,
} from '#lib/events/domain/deliveries/batch.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { bucketMsOf } from '#lib/events/domain/shard.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { T0 } from './event-rows.ts';

const random = createSeededRandom('batch-items');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const batchId = (): string =>
  Array.from({ length: 8 }, () => LETTERS[random.below(LETTERS.length)]).join('');

export const batchOf = (merchantId: string, differences: Partial<BatchKey> = {}): BatchKey => ({
  merchantId,
  minuteMs: T0,
  shard: 0,
  id: batchId(),
  ...differences,
});

/** Two kinds of rows, some of which say which order they are. */
export function manifestOf(
  batch: BatchKey,
  eventIds: readonly string[] = ['order-1', 'order-2', 'cart-1'],
): Manifest {
  return {
    batch,
    routingVersion: 7,
    rows: eventIds.map((eventId, i) => ({
      channel: i % 2 === 0 ? 'server' : 'browser',
      eventId,
      ingestId: random.uuidv7(batch.minuteMs + ((i * 599_999) % bucketMsOf(batch.shard))),
      name: i % 3 === 0 ? 'Purchase' : 'AddToCart',
      targets: i % 2 === 0 ? ['meta', 'ga4', 'tiktok'] : ['meta'],
      ...(i % 3 === 0 ? { order: `digest-${i}` } : {}),
    })),
    counters: {
      ...EMPTY_COUNTERS,
      events: eventIds.length,
      bySource: { server: eventIds.length },
      byName: { Purchase: 1, AddToCart: eventIds.length - 1 },
      deliveries: { x: { Purchase: { 'rule_excluded:r1': 1 } } },
      revenue: { EUR: { orders: 1, minor: '2999' } },
      issues: { 'zip:zip_plus_four': 1 },
      completeness: { email: eventIds.length },
    },
  };
}

export function outcomesOf(
  batch: BatchKey,
  groups: BatchOutcomes['groups'],
  differences: Partial<BatchOutcomes> = {},
): BatchOutcomes {
  return { batch, platform: 'meta', version: 1, groups, sweeps: 0, ...differences };
}

/** Ids that tables, URLs and texts are tempted to read as something else. */
export const HOSTILE_TEXTS: readonly string[] = [
  '#',
  '0720#abcdefgh#meta',
  '~',
  '__proto__',
  '","e":["',
  '\u0000\u0001\u001f\u007f\u0085',
  '\ud83d\ude00 \u202e \ufeff',
  '\ud800',
  ' blank ',
  'ü'.normalize('NFD'),
];

/** As many rows as a batch takes, under ids that hardly compress, as long as ids may be. */
export function largestManifest(batch: BatchKey): Manifest {
  const ids = Array.from({ length: BATCH_ROWS_MAX }, () =>
    Array.from({ length: 256 }, () => String.fromCharCode(0x800 + random.below(0xcfff))).join(''),
  );
  return manifestOf(batch, ids);
}

/** Every position with a fate of its own, and five attempts whose messages hardly compress. */
export function largestOutcomes(batch: BatchKey): BatchOutcomes {
  const message = (): string =>
    Array.from({ length: 300 }, () => String.fromCharCode(0x800 + random.below(0xcfff))).join('');
  const groups = Array.from({ length: BATCH_ROWS_MAX }, (_, position) => ({
    positions: [position],
    delivery: {
      state: 'RETRY',
      attempts: 5,
      unknowns: 5,
      updatedAtMs: batch.minuteMs + position,
      nextAttemptAtMs: batch.minuteMs + 86_400_000 + position,
      reason: 'meta.100.2804003',
      history: Array.from({ length: 5 }, (_, i) => ({
        atMs: batch.minuteMs + position * i,
        latencyMs: 30_000,
        status: 500,
        outcome: 'retry',
        code: 'meta.100.2804003',
        message: message(),
        batchSize: 100,
      })),
    } satisfies Delivery,
  }));
  return outcomesOf(batch, groups, { dueAtMs: batch.minuteMs + 86_400_000 });
}
