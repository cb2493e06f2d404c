// Goal: a list that leaves out what counters and manifests rule out shows the same events as one that reads every row, and
// finds what is rare without reading what lies between.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  TERMINAL_STATES,
} from '#lib/events/domain/deliveries/delivery.ts';
import { OUTCOMES } from '#lib/events/domain/deliveries/outcome.ts';
import { PENDING, targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { bucketStartOf, SPARSE_BUCKET_MS, SPARSE_SHARD, shardOf } from '#lib/events/domain/shard.ts';
import { createJoinedEventStore } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { listEvents, STATUSES } from '#lib/events/routes/events.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { countAt, storeTogether } from '#test/contract/counted-rows.ts';
import { acceptedRow, connectionOf, deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createMemoryOrderStore } from '#test/support/memory/order-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Long over, over in its day, over in its hour, and not over. */
const AGES_MS = [
  50 * HOUR_MS,
  49 * HOUR_MS,
  26 * HOUR_MS,
  5 * HOUR_MS,
  20 * MINUTE_MS,
  7 * MINUTE_MS,
  30_000,
];
const word = fc.constantFrom(PENDING, PENDING, PENDING, 'unmapped:Lead', 'server_copy', undefined);
/** Some are the beginning of another, one is too long to be counted, and of some none is known. */
const code = (slug: string) =>
  fc.constantFrom(
    undefined,
    `${slug}.190`,
    `${slug}.190.4`,
    'invalid:user_data',
    `${slug}.${'9'.repeat(80)}`,
  );
const kind = fc.record({
  ageMs: fc.constantFrom(...AGES_MS),
  shard: fc.constantFrom(0, 0, 3, SPARSE_SHARD),
  name: fc.constantFrom('Purchase' as const, 'Lead' as const, 'Custom' as const),
  source: fc.constantFrom('server', 'app', 'other'),
  is: fc.constantFrom('plain', 'plain', 'plain', 'plain', 'accepted', 'bot', 'replay', 'copy'),
  verdicts: fc.record({ meta: word, 'meta#2': word, ga4: word }),
  fates: fc.record({
    meta: fc.constantFrom(...DELIVERY_STATES),
    'meta#2': fc.constantFrom(...DELIVERY_STATES),
    ga4: fc.constantFrom(...DELIVERY_STATES),
  }),
  codes: fc.record({ meta: code('meta'), 'meta#2': code('meta'), ga4: code('ga4') }),
  /** So many of a minute make their manifests worth reading. */
  rows: fc.constantFrom(1, 1, 2, 120),
});
type Kind = ReturnType<typeof kind.generate>['value'];

function openStores({ config, clock, platforms }: ApiHost['ports']) {
  const counters = createMemoryCounterStore();
  return {
    events: createMemoryEventStore(),
    batches: createMemoryBatchStore(),
    orders: createMemoryOrderStore(),
    ...{ counters, clock, platforms, config },
  };
}
type Stores = ReturnType<typeof openStores>;

function rowsOf(kinds: readonly Kind[]) {
  return kinds.flatMap((drawn, group) =>
    Array.from({ length: drawn.rows }, (_, i) => {
      const { ageMs, shard, name, source, is } = drawn;
      const place = { eventId: `e${group}-${i}`, receivedAtMs: NOW - ageMs + i, shard };
      const decided = Object.entries(drawn.verdicts).filter(([, one]) => one !== undefined);
      const verdicts = Object.fromEntries(decided.map(([at, one]) => [at, is === 'bot' ? 'bot' : one]));
      const event = {
        ...{ name, source, actionSource: 'website' as const },
        ...(is === 'bot' ? { bot: true as const } : {}),
        ...(is === 'replay' ? { replay: true as const } : {}),
      };
      if (is === 'accepted')
        return { drawn, row: acceptedRow({ ...place, body: { event_name: name, source } }) };
      const row = normalizedRow({ ...place, event, verdicts: verdicts as Record<string, string> });
      const deliveries = Object.fromEntries(
        targetsOf(row)
          .filter((target) => drawn.fates[target as 'meta'] !== 'QUEUED')
          .map((target) => {
            const reason = drawn.codes[target as 'meta'];
            const state = drawn.fates[target as 'meta'] as 'FAILED';
            return [target, deliveryIn(state, reason === undefined ? {} : { reason })];
          }),
      );
      return { drawn, row: { ...row, deliveries } };
    }),
  );
}

/** Rows of plain servers lie in batches, as the pipeline leaves them. */
async function fill(host: Stores, kinds: readonly Kind[]): Promise<void> {
  const all = rowsOf(kinds);
  const together = Map.groupBy(all, ({ drawn, row }) =>
    drawn.is === 'plain' && row.state === 'normalized' && targetsOf(row).length > 0 && drawn.rows > 1
      ? `${bucketStartOf(row.receivedAtMs, drawn.shard)} ${drawn.shard} ${kinds.indexOf(drawn)}`
      : '',
  );
  let batches = 0;
  for (const [name, group] of together) {
    for (let at = 0; at < group.length; at += 100) {
      const chunk = group.slice(at, at + 100).map(({ row }) => row);
      const [first] = chunk;
      if (name === '' || first === undefined) await store(host.events, ...chunk);
      else await storeTogether(host, chunk as NormalizedRow[], `batch-${String(batches++).padStart(2, '0')}`);
    }
  }
  for (const { drawn, row } of all)
    if (drawn.is === 'copy') {
      const { shard, receivedAtMs } = { shard: shardOf(row), receivedAtMs: row.receivedAtMs };
      await store(
        host.events,
        normalizedRow({
          ...{ eventId: row.key.eventId, channel: 'browser', receivedAtMs, shard },
          event: { name: 'InitiateCheckout', source: 'browser' },
          deliveries: { ga4: deliveryIn('FAILED') },
        }),
      );
    }
}

async function openBoth(kinds: readonly Kind[]) {
  let stores: Stores | undefined;
  const host = await openApi((ports) => {
    stores = openStores(ports);
    return { ...seenBy(stores), counters: stores.counters };
  });
  if (stores === undefined) throw new Error('there are no stores');
  // What waits for ga4 reads as withdrawn: it was disconnected.
  await connectionOf(host, 'meta');
  await fill(stores, kinds);
  const slots = new Map(
    kinds.map(({ ageMs, shard }) => [
      `${bucketStartOf(NOW - ageMs, shard)} ${shard}`,
      [NOW - ageMs, shard] as const,
    ]),
  );
  for (const [atMs, shard] of slots.values()) await countAt(atMs, shard, stores);
  const { counters, config } = stores;
  const own = seenBy(stores);
  const unknowing = await openApi(() => ({
    ...own,
    config,
    counters: { ...counters, range: async () => [] },
  }));
  return { host, unknowing };
}

const seenBy = ({ events, batches, orders }: Stores) => ({
  events: createJoinedEventStore(events, batches),
  stored: { events, batches, orders },
});

const queries = fc.record(
  {
    platform: fc.constantFrom('meta', 'ga4', 'x'),
    status: fc.constantFrom(...STATUSES),
    outcome: fc.constantFrom(...OUTCOMES),
    code: fc.constantFrom(
      ...['190', 'meta.190', 'ga4.190.4', 'invalid', 'invalid:user_data', 'unmapped', 'unmapped:Lead'],
      ...['not_connected', 'bot', 'server_copy', 'connection_paused', '9'.repeat(80), 'Ünknown ☃'],
    ),
    event_name: fc.constantFrom('Purchase', 'lead', 'Custom', 'anything', 'InitiateCheckout'),
    source: fc.constantFrom('server', 'app', 'other', 'none', 'browser'),
    orderDirection: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);

type Query = Readonly<Record<string, string>>;
async function idsOf(host: ApiHost, query: Query) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const given = new URLSearchParams({ ...query, limit: '40', ...(cursor === null ? {} : { cursor }) });
    const page = bodyOf(
      listEvents,
      await host.call(`/v1/events?${given}`, { token: host.session('member') }),
    );
    ids.push(...page.events.map(({ event_id, trust }) => `${trust} ${event_id}`));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

const AT_ALL = { meta: PENDING, 'meta#2': PENDING, ga4: PENDING } as const;
const SENT = { meta: 'DELIVERED', 'meta#2': 'DELIVERED', ga4: 'DELIVERED' } as const;
const OLD: Kind = {
  ...{ ageMs: 50 * HOUR_MS, shard: 0, name: 'Purchase', source: 'server', is: 'plain', rows: 1 },
  ...{ verdicts: AT_ALL, fates: SENT, codes: { meta: undefined, 'meta#2': undefined, ga4: undefined } },
};
/** What counters and manifests know least of. */
const HIDDEN: readonly (readonly [Kind, readonly Query[]])[] = [
  // Crawlers stand in no figure of platforms, and nothing is connected for them either.
  [{ ...OLD, rows: 1, is: 'bot' }, [{ status: 'not_connected' }, { status: 'bot' }]],
  [{ ...OLD, is: 'copy' }, [{ event_name: 'InitiateCheckout' }, { source: 'browser' }, { status: 'FAILED' }]],
  [{ ...OLD, is: 'replay' }, [{ event_name: 'Purchase' }, { status: 'DELIVERED' }, { platform: 'ga4' }]],
  [{ ...OLD, is: 'bot' }, [{ status: 'bot' }, { outcome: 'withheld' }, { event_name: 'Purchase' }]],
  [{ ...OLD, is: 'accepted' }, [{ status: 'processing' }, { outcome: 'waiting' }, { platform: 'meta' }]],
  [{ ...OLD, source: 'other' }, [{ source: 'other' }, { source: 'none' }]],
  [
    { ...OLD, fates: { ...SENT, ga4: 'QUEUED' } },
    [{ status: 'SKIPPED' }, { status: 'skipped' }, { outcome: 'withheld' }, { status: 'QUEUED' }],
  ],
  [
    { ...OLD, rows: 120, verdicts: { ...AT_ALL, ga4: 'unmapped:Lead' } },
    [
      { status: 'unmapped' },
      { outcome: 'withheld', platform: 'ga4' },
      { status: 'unmapped', platform: 'meta' },
    ],
  ],
  [
    { ...OLD, rows: 120, fates: { ...SENT, ga4: 'FAILED' }, codes: { ...OLD.codes, ga4: 'ga4.190' } },
    [
      { code: '190' },
      { code: 'ga4.190', platform: 'meta' },
      { code: '19' },
      { code: '190', status: 'ERROR' },
    ],
  ],
  [{ ...OLD, fates: { ...SENT, ga4: 'FAILED' } }, [{ code: '190', status: 'FAILED' }, { status: 'FAILED' }]],
  [
    { ...OLD, rows: 120, verdicts: { ...AT_ALL, ga4: 'unmapped:Lead' } },
    [
      { code: 'unmapped' },
      { code: 'unmapped:Lead', platform: 'ga4' },
      { code: 'unmapped', outcome: 'failed' },
    ],
  ],
  [
    { ...OLD, rows: 120, fates: { ...SENT, 'meta#2': 'FAILED' } },
    [{ status: 'FAILED' }, { status: 'DELIVERED', platform: 'meta' }, { outcome: 'failed' }],
  ],
];

it.each(HIDDEN)('shows what a list shows that reads every row, of %j', async (drawn, asked) => {
  const { host, unknowing } = await openBoth([drawn]);
  for (const query of asked)
    expect([query, await idsOf(host, query)]).toEqual([query, await idsOf(unknowing, query)]);
});

/** The second place is not connected: while what waits there has not been told, the platform counts as waiting, and reads as the first. */
const isToldOfRemoval = ({ fates }: Kind): boolean => isOpen(fates.meta) || !isOpen(fates['meta#2']);
const isOpen = (state: DeliveryState): boolean => !TERMINAL_STATES.has(state);

it('shows what a list shows that reads every row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(kind.filter(isToldOfRemoval), { minLength: 1, maxLength: 8 }),
      fc.array(queries, { minLength: 8, maxLength: 8 }),
      async (kinds, asked) => {
        const { host, unknowing } = await openBoth(kinds);
        for (const query of asked)
          expect([query, await idsOf(host, query)]).toEqual([query, await idsOf(unknowing, query)]);
      },
    ),
    { numRuns: 40 },
  );
});

it.each([
  ['of an event a minute', 10, 100],
  ['of an event in ten', 1, 10],
])('asks for many small slots together: of a merchant %s', async (_, perBucket, countersMax) => {
  const days = 3;
  const asked: { readonly fromMs: number; readonly toMs: number }[] = [];
  let ranges = 0;
  const host = await openApi(({ events, counters }) => ({
    counters: {
      ...counters,
      range: async (...args) => {
        ranges += 1;
        return await counters.range(...args);
      },
    },
    events: {
      ...events,
      received: async (query) => {
        asked.push(query);
        return await events.received(query);
      },
    },
  }));
  const none = sumCounters([]);
  // A copy in every other bucket: it stands in no figure, and may be what is looked for.
  const bucket = (i: number) => ({
    ...{ ...none, events: perBucket, byName: { Lead: perBucket } },
    merged: i % 2,
  });
  const fromMs = NOW - (NOW % DAY_MS) - days * DAY_MS;
  const lengths = { minute: SPARSE_BUCKET_MS, hour: HOUR_MS, day: DAY_MS } as const;
  for (const [grain, lengthMs] of Object.entries(lengths)) {
    const parts = lengthMs / SPARSE_BUCKET_MS;
    for (let at = 0; at < (days * DAY_MS) / lengthMs; at++) {
      const counters = sumCounters(Array.from({ length: parts }, (_, i) => bucket(at * parts + i)));
      const startMs = fromMs + at * lengthMs;
      const place = { merchantId: MINE, grain: grain as keyof typeof lengths, startMs };
      const key = grain === 'minute' ? { ...place, shard: SPARSE_SHARD } : place;
      await host.counters.write({ key, version: 1, counters, foldedAtMs: startMs + lengthMs });
    }
  }
  const start = new Date(fromMs).toISOString();
  const end = new Date(fromMs + days * DAY_MS).toISOString();
  expect(await idsOf(host, { event_name: 'Purchase', start, end })).toEqual([]);
  const rows = days * 144 * (perBucket + 0.5);
  expect(asked.length).toBeGreaterThan(rows / 500 - 1);
  expect(asked.length).toBeLessThan(rows / 250 + 1);
  expect(ranges).toBeLessThan(countersMax);
});
