// A sample of every kind of counters that are written today.
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import { T0 } from '../stores/event-rows.ts';
import { INGEST_ID, laterId, MERCHANT } from './sample-ids.ts';

export const COUNTERS: BucketCounters = {
  events: 3,
  bots: 1,
  merged: 1,
  bySource: { server: 2, browser: 1 },
  byName: { Purchase: 2, Custom: 1 },
  deliveries: { meta: { Purchase: { DELIVERED: 2 } }, ga4: { Purchase: { 'rule_excluded:r1': 1 } } },
  latency: { count: 2, sumMs: 3_046 },
  revenue: { EUR: { orders: 2, minor: '5998' }, HUF: { orders: 1, minor: '9999' } },
  issues: { 'order_id:repeated_order': 1 },
  completeness: { email: 2 },
  replays: 1,
  credits: {
    meta: { orders: 1, unlinked: 0, revenue: { EUR: { orders: 1, minor: '2999' } } },
    direct: { orders: 1, unlinked: 1, revenue: {} },
  },
  repeatedOrders: 1,
  examples: { 'order_id:repeated_order': [[T0 + 1, 'order#1001 ü']], 'missing:phone': [[T0, 'e']] },
};

const BY_CONNECTION: BucketCounters['connections'] = {
  'meta@7': { deliveries: { Purchase: { DELIVERED: 2 } } },
  'meta#2@8': { deliveries: { Purchase: { FAILED: 1 } }, later: { 'rejected:x': 1 } },
};
const { events, bots, revenue, credits = {} } = COUNTERS;
const PART = { events, bots, revenue, credits, deliveries: { all: { all: { DELIVERED: 2, FAILED: 1 } } } };

export const COUNTER_SAMPLES: Readonly<Record<string, BucketRow>> = {
  'hour-in-parts': {
    key: { merchantId: MERCHANT, grain: 'hour', startMs: Date.UTC(2026, 10, 20, 18) },
    version: 1,
    counters: COUNTERS,
    parts: { '18:00': PART, '18:30': { ...PART, refunds: { EUR: { orders: 1, minor: '10' } } } },
  },
  'day-that-is-cut': {
    key: { merchantId: MERCHANT, grain: 'day', startMs: Date.UTC(2026, 10, 20) },
    version: 1,
    counters: COUNTERS,
    cut: 'aB3-_x9Zq0kL',
  },
  'minute-with-tests': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 + 2_400_000 },
    version: 1,
    counters: { ...COUNTERS, tests: 4 },
  },
  'minute-with-server-orders': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: {
      ...COUNTERS,
      completeness: { click_id: 1 },
      serverOrders: { orders: 2, clicked: 1, gained: 1 },
    },
    foldedAtMs: T0 + 61_000,
  },
  'minute-with-joined-orders': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, serverOrders: { orders: 3, clicked: 2, gained: 1, joined: 1 } },
    foldedAtMs: T0 + 61_000,
  },
  'minute-with-page-waits': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, pageWaits: { orders: 3, sumMs: 14_080, completed: { 2: 1, 60: 1 } } },
    foldedAtMs: T0 + 61_000,
  },
  'minute-with-settled-credit': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 2,
    counters: COUNTERS,
    dueAtMs: T0 + 9_000_000,
    foldedAtMs: T0 + 61_000,
    settled: { revision: 1, credits: { [INGEST_ID]: 'tiktok google_ads', [laterId(1)]: 'direct' } },
  },
  'minute-with-later-words': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, later: { google_ads: { 'partly:x.OLD': 3, 'share:x.OLD': 999 } } },
    foldedAtMs: T0 + 61_000,
  },
  'minute-with-codes': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, codes: { meta: { 'meta.100.2804003': 2, 'invalid:user_data': 1 } } },
    foldedAtMs: T0 + 61_000,
  },
  'minute-of-one-routing': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, versions: { 7: 3 } },
    foldedAtMs: T0 + 61_000,
  },
  'hour-of-two-connections': {
    key: { merchantId: MERCHANT, grain: 'hour', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, versions: { 7: 2, 8: 1 }, connections: BY_CONNECTION },
  },
  'minute-with-replays-in-iso-digits': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: { ...COUNTERS, replays: 7 },
    dueAtMs: T0 + 90_000,
    foldedAtMs: T0 + 61_000,
  },
  'minute-due-in-32-shards-with-credits-in-iso-digits': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0 },
    version: 1,
    counters: COUNTERS,
    dueAtMs: T0 + 90_000,
    foldedAtMs: T0 + 61_000,
  },
  'minute-of-a-shard-with-credits-in-iso-digits': {
    key: { merchantId: MERCHANT, grain: 'minute', startMs: T0, shard: 40 },
    version: 1,
    counters: COUNTERS,
    foldedAtMs: T0 + 61_000,
  },
  'hour-of-many-shards-due-in-32-with-credits-in-iso-digits': {
    key: { merchantId: MERCHANT, grain: 'hour', startMs: T0 },
    version: 1,
    counters: COUNTERS,
    shards: 41,
    dueAtMs: T0 + 61_000,
  },
  'day-that-rests-with-credits-in-iso-digits': {
    key: { merchantId: MERCHANT, grain: 'day', startMs: Math.floor(T0 / 86_400_000) * 86_400_000 },
    version: 1,
    counters: COUNTERS,
    foldedAtMs: T0 + 61_000,
  },
};
