// One sample of every kind of item that is written today. A new kind gets a line here, and `npm run golden` its file.

import type { BatchOutcomes, Manifest } from '#lib/events/domain/deliveries/batch.ts';
import type { Delivery, OutcomeKind } from '#lib/events/domain/deliveries/delivery.ts';
import { PENDING_TEST } from '#lib/events/domain/deliveries/progress.ts';
import { withoutPerson as erased } from '#lib/events/domain/erasure/erased-row.ts';
import { KNOWN_FIELDS } from '#lib/events/domain/event/known-fields.ts';
import type { PersonalPart } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { TEST_ORIGIN, testIdOf } from '#lib/events/domain/event/test-mode.ts';
import { SAMPLE_APP } from '#test/support/sample-app.ts';
import { sampleEvent, sha256 } from '#test/support/sample-event.ts';
import { delivered, leased, normalizedRow, retrying, T0 } from '../stores/event-rows.ts';
import { COUNTERS } from './counter-samples.ts';
import { INGEST_ID, laterId, MERCHANT } from './sample-ids.ts';

export const ACCEPTED: AcceptedRow = {
  key: { merchantId: MERCHANT, channel: 'server', eventId: 'order#1001 ü' },
  ingestId: INGEST_ID,
  receivedAtMs: T0,
  expiresAtMs: T0 + 86_400_000,
  payloadHash: 'dc2f38b9773808ffad08076925f1a029',
  state: 'accepted',
  body: {
    event_id: 'order#1001 ü',
    event_name: 'Purchase',
    event_time: T0 / 1_000 - 60,
    event_source_url: 'https://www.shop.example/thank-you?order=1001',
    user_data: {
      email: 'Zoë@Example.com',
      phone: '+1 650 555 1212',
      first_name: 'Zoë',
      country: 'US',
      external_ids: ['a'],
      client_ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36',
      browser_ids: { fbp: 'fb.1.1795000000000.1098115397' },
    },
    value: 29.99,
    currency: 'EUR',
    order_id: '1001',
    items: [{ id: 'sku-1', quantity: 2, price: 1e-7 }],
    consent: { ad_user_data: 'granted' },
    custom_data: { nested: { deep: [1, 'two', null, { three: true }] }, '': '\u0001 mark' },
  },
};

const NORMALIZED = normalizedRow(ACCEPTED);
const { sealed: _, ...withoutPerson } = NORMALIZED.event;
const nobody = { ...withoutPerson, known: [] };

const OUTCOMES: readonly OutcomeKind[] = [
  'delivered',
  'duplicate',
  'retry',
  'rate_limited',
  'auth',
  'permanent',
  'batch_refused',
];

const ended = (state: 'FAILED' | 'ERROR' | 'SKIPPED', reason: string): Delivery => ({
  state,
  attempts: 1,
  unknowns: 0,
  updatedAtMs: T0 + 5_000,
  reason,
  history: [],
});

const EVERY_STATE: Readonly<Record<string, Delivery>> = {
  meta: delivered(T0 + 40_000),
  ga4: leased(T0 + 1_000),
  tiktok: retrying(T0 + 31_000),
  snapchat: ended('FAILED', 'snapchat.invalid;%,'),
  pinterest: ended('ERROR', 'window_over'),
  x: ended('SKIPPED', 'not_connected'),
  reddit: {
    ...retrying(T0 + 60_000),
    attempts: OUTCOMES.length,
    history: OUTCOMES.map((outcome, i) => ({
      atMs: T0 + i * 1_000,
      latencyMs: i,
      outcome,
      batchSize: i + 1,
      ...(i % 2 === 0 ? { status: 200 + i, code: `c;${i}`, message: '50 %, über' } : {}),
    })),
  },
};

const browser = { ...NORMALIZED.key, channel: 'browser' } as const;

const BATCH = { merchantId: MERCHANT, minuteMs: T0, shard: 0, id: 'aB3-_x9Z' } as const;

/** `deliveries` and `dueAtMs` lie in the batch's items. */
export const IN_BATCH: NormalizedRow = { ...NORMALIZED, place: { batch: BATCH, position: 37 } };

const PARKED: Delivery = {
  state: 'RETRY',
  reason: 'connection_paused',
  attempts: 0,
  unknowns: 0,
  updatedAtMs: T0 + 1_500,
  nextAttemptAtMs: T0 + 86_100_000,
  history: [],
};

export const EVENT_SAMPLES: Readonly<Record<string, EventRow>> = {
  accepted: ACCEPTED,
  'accepted-again': { ...ACCEPTED, earlierMs: [T0 - 90_000_000, T0 - 180_000_000] },
  'accepted-in-a-shard': { ...ACCEPTED, shard: 40 },
  'accepted-with-request-id': { ...ACCEPTED, request: { id: '4b1c7a52-9c6e-4b07-8a8e-3d3f6f5f0d11' } },
  normalized: NORMALIZED,
  'normalized-with-trace': {
    ...NORMALIZED,
    request: { trace: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7' } },
  },
  'normalized-without-person': { ...NORMALIZED, event: nobody },
  'normalized-every-known-field': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, known: KNOWN_FIELDS.filter((field) => field !== 'click_id') },
  },
  'normalized-completed-from-page': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, known: KNOWN_FIELDS, fromPage: ['fbc', 'client_ip', 'event_source_url'] },
  },
  'normalized-after-a-wait': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, fromPage: ['fbc'], pageWait: { endMs: 2_040, pageMs: 2_000 } },
  },
  'normalized-completed-from-earlier': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, fromEarlier: ['fbc', 'gclid'] },
  },
  'normalized-replay': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, dedupId: 'original', customName: 'Größer', name: 'Custom' },
  },
  'normalized-changed-by-rules': {
    ...NORMALIZED,
    event: {
      ...NORMALIZED.event,
      rewrites: [
        {
          rule: 'rul_1',
          changes: [
            { op: 'rename_event', name: 'Größer' },
            { op: 'override_value', value: 0.1, currency: 'EUR' },
            { op: 'set_field', field: 'custom_data.a.b', value: true },
            { op: 'drop_field', field: 'user_data.email' },
          ],
        },
        { rule: 'rul_2', changes: [{ op: 'drop_field', field: 'items' }], platforms: ['meta', 'x'] },
      ],
    },
  },
  'accepted-replay': {
    ...ACCEPTED,
    body: {
      event_id: ACCEPTED.key.eventId,
      event_name: 'Purchase',
      event_time: T0 / 1_000,
      user_data: {},
      internal: { replay: true, dedup_id: 'original', only_platforms: ['meta', 'ga4'] },
    },
    replayOf: {
      eventId: 'original',
      ingestId: INGEST_ID,
      event: { ...NORMALIZED.event, originalReceivedAtMs: T0 - 90_000_000 },
      takesOver: true,
    },
  },
  'normalized-replay-of-a-day': {
    ...NORMALIZED,
    event: {
      ...NORMALIZED.event,
      dedupId: 'original',
      replay: true,
      onlyPlatforms: ['meta'],
      originalReceivedAtMs: T0 - 90_000_000,
    },
  },
  'deliveries-every-state-due-by-group': {
    ...NORMALIZED,
    deliveries: EVERY_STATE,
    dueAtMs: T0 + 41_000,
    sweeps: 2,
    revision: 1,
  },
  'held-browser-due-by-group': {
    ...NORMALIZED,
    key: browser,
    event: { ...NORMALIZED.event, channel: 'browser', source: 'browser' },
    heldUntilMs: T0 + 600_000,
    dueAtMs: T0 + 600_000,
  },
  parked: {
    ...NORMALIZED,
    deliveries: { meta: PARKED, tiktok: PARKED },
    dueAtMs: T0 + 86_100_000,
    parkedFor: 'meta+tiktok',
  },
  'normalized-refund': {
    ...NORMALIZED,
    event: {
      ...NORMALIZED.event,
      name: 'Refund',
      refund: {
        ...{ touch: 'google_ads', currency: 'EUR', minor: '1000' },
        purchase: {
          ...{ value: '49.90', dedupId: 'order#1001 ü', noOrderDedup: true },
          ...{ eventTimeSec: T0 / 1_000, actionSource: 'website' },
        },
      },
    },
    verdicts: { google_ads: 'pending', meta: 'not_taken_back:no_way' },
  },
  'normalized-credited-order': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, credit: { touch: 'google_ads', repeat: true, unlinked: true } },
  },
  'normalized-in-batch': IN_BATCH,
  'normalized-in-shard': {
    ...NORMALIZED,
    shard: 40,
    place: { batch: { ...BATCH, shard: 40 }, position: 0 },
  },
  'accepted-erased': erased(ACCEPTED, laterId(600_000)),
  'normalized-erased': erased(NORMALIZED, laterId(600_000)),
  'accepted-of-a-test-key': {
    ...ACCEPTED,
    key: { ...ACCEPTED.key, eventId: testIdOf(ACCEPTED.key.eventId) },
    body: { ...ACCEPTED.body, internal: TEST_ORIGIN },
  },
  'normalized-of-a-test-key': {
    ...NORMALIZED,
    event: { ...NORMALIZED.event, test: true, replay: true },
    verdicts: { meta: 'test_mode', pinterest: PENDING_TEST },
    deliveries: { pinterest: delivered(T0 + 1_500) },
  },
  archived: {
    ...NORMALIZED,
    key: { ...NORMALIZED.key, archivedAs: INGEST_ID },
    deliveries: { meta: delivered(T0 + 1_500) },
  } satisfies NormalizedRow,
  'archived-sent-to-a-version-of-the-api': {
    ...NORMALIZED,
    key: { ...NORMALIZED.key, archivedAs: INGEST_ID },
    deliveries: {
      meta: {
        ...delivered(T0 + 1_500),
        history: delivered(T0 + 1_500).history.map((attempt) => ({ ...attempt, version: 'v25.0;,%' })),
      },
    },
  } satisfies NormalizedRow,
  'archived-that-waits-for-a-confirmation': {
    ...NORMALIZED,
    key: { ...NORMALIZED.key, archivedAs: INGEST_ID },
    deliveries: {
      meta: {
        ...delivered(T0 + 1_500),
        confirmation: { word: 'waiting', request: 'a-1,b', askAtMs: T0 + 1_801_500 },
      },
      ga4: {
        ...delivered(T0 + 1_500),
        confirmation: { word: 'partly', request: 'c', rejected: 2, of: 9, reason: 'x;y' },
      },
    },
    dueAtMs: T0 + 1_801_500,
  } satisfies NormalizedRow,
};

const { eventSourceUrl = '', referrerUrl = '', hashed, raw: known, plaintext } = sampleEvent();
/** As it was before clicks of networks were kept. */
const { irclickid: _network, ...browserIds } = known.browserIds ?? {};
const raw = { ...known, browserIds };

export const MANIFEST_SAMPLES: Readonly<Record<string, Manifest>> = {
  'manifest-with-credits-in-iso-digits': {
    batch: BATCH,
    routingVersion: 3,
    rows: [
      {
        channel: 'server',
        eventId: NORMALIZED.key.eventId,
        ingestId: INGEST_ID,
        name: 'Purchase',
        targets: ['meta', 'ga4'],
        order: 'digest of an order',
      },
      {
        channel: 'browser',
        eventId: 'ü#"~',
        ingestId: laterId(59_999),
        name: 'Lead',
        targets: ['x'],
      },
    ],
    counters: COUNTERS,
  },
  'manifest-of-two-connections': {
    batch: BATCH,
    routingVersion: 7,
    rows: [
      {
        channel: 'server',
        eventId: NORMALIZED.key.eventId,
        ingestId: INGEST_ID,
        name: 'Purchase',
        targets: ['meta', 'meta#2'],
      },
    ],
    counters: { ...COUNTERS, connections: { 'ga4@7': { deliveries: { Purchase: { unmapped: 1 } } } } },
  },
};

export const OUTCOME_SAMPLES: Readonly<Record<string, BatchOutcomes>> = {
  'outcomes-every-state': {
    batch: { ...BATCH, shard: 40 },
    platform: 'google_ads',
    version: 5,
    groups: Object.values(EVERY_STATE).map((delivery, i) => ({ positions: [i, 99 - i], delivery })),
    dueAtMs: T0 + 41_000,
    sweeps: 2,
  },
  'outcomes-parked': {
    batch: BATCH,
    platform: 'google_ads',
    version: 1,
    groups: [{ positions: [0, 1], delivery: PARKED }],
    dueAtMs: T0 + 86_100_000,
    sweeps: 0,
  },
  'outcomes-over': {
    batch: BATCH,
    platform: 'meta',
    version: 1,
    groups: [{ positions: Array.from({ length: 100 }, (_, i) => i), delivery: delivered(T0 + 1_500) }],
    sweeps: 0,
  },
};

export const PERSONAL_SAMPLES: Readonly<Record<string, PersonalPart>> = {
  whole: {
    eventSourceUrl,
    referrerUrl,
    customData: { coupon: 'Ä', deep: [1, null] },
    hashed,
    raw,
    plaintext,
  },
  'every-digest-another': {
    hashed: {
      ...Object.fromEntries(Object.keys(hashed).map((name) => [name, sha256(name)])),
      externalIds: [sha256('1'), sha256('2')],
      externalIdsCased: [sha256('3'), sha256('2')],
    },
    raw,
    plaintext: {},
  },
  'of-an-app': { hashed: {}, raw, plaintext: {}, app: SAMPLE_APP },
  'of-clicks-of-networks': {
    hashed: {},
    raw: {
      browserIds: {
        oppref: 'p',
        tblci: 't',
        ob_click_id: 'o',
        awc: 'a',
        irclickid: 'i',
        crto_mapped_user_id: 'c',
      },
    },
    plaintext: {},
  },
  least: { hashed: {}, raw: {}, plaintext: {} },
};
