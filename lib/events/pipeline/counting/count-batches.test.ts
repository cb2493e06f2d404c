// Goal: a batch counts for what its rows count for, in any state, and each row once.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { manifestOf } from '#test/support/manifest.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import type { OrderCredit } from '../../domain/analytics/attribution.ts';
import type { BatchKey, BatchPlace } from '../../domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '../../domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { PENDING, targetsOf } from '../../domain/deliveries/progress.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import { shardOf } from '../../domain/shard.ts';
import type { Platform } from '../../platforms/platform.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import { hasEnded } from './count-batches.ts';
import { recount } from './recount.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const merchantId = 'm';
/** Some rows lie in another shard than 0. */
const SHARD = 7;
/** Meta has two connections. */
const SLOTS = ['meta', 'meta#2', 'ga4', 'tiktok'] as const;

const ENDED = ['DELIVERED', 'FAILED', 'ERROR', 'SKIPPED'] as const;
const fates = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ENDED) },
  { weight: 1, arbitrary: fc.constantFrom('SENDING' as const, 'RETRY' as const, 'QUEUED' as const) },
);
const events = fc.record({
  channel: fc.constantFrom('server' as const, 'server' as const, 'server' as const, 'browser' as const),
  name: fc.constantFrom('Purchase' as const, 'Lead' as const),
  source: fc.constantFrom('server', 'app'),
  orderId: fc.constantFrom(undefined, '1', '2', ' odd ☃'),
  value: fc.constantFrom('10', '0.01', '1234567'),
  currency: fc.constantFrom('EUR', 'JPY'),
  issues: fc.constantFrom([], [{ field: 'zip', code: 'zip_plus_four' as const }]),
  credit: fc.constantFrom<(OrderCredit | undefined)[]>(
    undefined,
    { touch: 'meta' },
    { touch: 'constructor', unlinked: true },
    { touch: 'direct', repeat: true },
  ),
  replay: fc.constantFrom(undefined, undefined, true as const),
  /** A server's event has the id of this browser event. */
  copied: fc.constantFrom(false, false, false, true),
  second: fc.integer({ min: 0, max: 59 }),
  shard: fc.constantFrom(0, 0, SHARD),
  verdicts: fc.record({
    meta: fc.constantFrom(PENDING, 'unmapped:Lead', undefined),
    'meta#2': fc.constantFrom(undefined, undefined, PENDING, 'not_selected'),
    ga4: fc.constantFrom(PENDING, PENDING, undefined),
    tiktok: fc.constantFrom(PENDING, 'rule_excluded:r1', undefined),
  }),
  fates: fc.record({ meta: fates, 'meta#2': fates, ga4: fates, tiktok: fates }),
  latencyMs: fc.integer({ min: 0, max: 5_000 }),
});
type Drawn = ReturnType<typeof events.generate>['value'];
const NOWHERE = { meta: undefined, 'meta#2': undefined, ga4: undefined, tiktok: undefined };
const ALL_QUEUED = { meta: 'QUEUED', 'meta#2': 'QUEUED', ga4: 'QUEUED', tiktok: 'QUEUED' } as const;
const MONEY = { value: '10', currency: 'EUR', orderId: undefined, credit: undefined } as const;
const AT = { channel: 'server', source: 'server', second: 1, shard: 0, replay: undefined } as const;
const FATE = { copied: false, verdicts: NOWHERE, fates: ALL_QUEUED, latencyMs: 5 };
const PLAIN: Drawn = { ...AT, ...MONEY, ...FATE, name: 'Lead', issues: [] };
/** How many rows each batch takes, and of which shard; the rest stand alone. */
const worlds = fc.record({
  rows: fc.array(events, { maxLength: 18 }),
  sizes: fc.array(fc.tuple(fc.integer({ min: 2, max: 5 }), fc.constantFrom(0, SHARD)), { maxLength: 6 }),
  // A platform that was removed, and ones that did not exist when the rows were normalized.
  platforms: fc.subarray(['meta', 'ga4', 'tiktok', 'klaviyo', 'x']),
});

function rowOf(drawn: Drawn, index: number): NormalizedRow {
  const { verdicts: words, second, shard, channel, copied: _c, fates: _f, latencyMs: _l, ...rest } = drawn;
  const { orderId, credit, replay, ...event } = rest;
  const given = {
    ...event,
    ...(orderId === undefined ? {} : { orderId }),
    ...(credit === undefined || event.name !== 'Purchase' ? {} : { credit }),
    ...(replay === undefined ? {} : { replay }),
  };
  const decided = Object.entries(words).flatMap(([slug, word]) => (word === undefined ? [] : [[slug, word]]));
  const place = { merchantId, channel, eventId: `e${index}`, receivedAtMs: START_MS + second * 1_000, shard };
  return normalizedRow({ ...place, event: given as never, verdicts: Object.fromEntries(decided) });
}

function fateOf(
  state: Drawn['fates']['meta'],
  slot: string,
  { receivedAtMs }: NormalizedRow,
  latencyMs: number,
) {
  if (state === 'QUEUED') return undefined;
  const updatedAtMs = receivedAtMs + latencyMs;
  return deliveryIn(state, {
    updatedAtMs,
    ...(state === 'DELIVERED' || latencyMs % 3 === 0 ? {} : { reason: `${slot}.${latencyMs % 3}` }),
    ...(state === 'DELIVERED' ? { deliveredAtMs: updatedAtMs } : {}),
    ...(state === 'RETRY' ? { nextAttemptAtMs: updatedAtMs + 10_000 } : {}),
    ...(state === 'SENDING' ? { leaseUntilMs: updatedAtMs + 120_000 } : {}),
  });
}

const isTogether = (row: NormalizedRow): boolean => targetsOf(row).length > 0;

type World = { readonly rows: readonly Drawn[]; readonly sizes: readonly [number, number][] };
async function build(world: World) {
  const memory = createMemoryEventStore();
  const batches = createMemoryBatchStore();
  const plain = createMemoryEventStore();
  const drawnOf = new Map<string, Drawn>();
  const all = world.rows.map((drawn, index) => {
    const row = rowOf(drawn, index);
    drawnOf.set(row.ingestId, drawn);
    return row;
  });
  const deliveriesOf = (row: NormalizedRow): Record<string, Delivery> => {
    const drawn = drawnOf.get(row.ingestId);
    const entries = targetsOf(row).map((slug) => [
      slug,
      fateOf(drawn?.fates[slug as 'meta'] ?? 'QUEUED', slug, row, drawn?.latencyMs ?? 0),
    ]);
    return Object.fromEntries(entries.filter(([, fate]) => fate !== undefined));
  };
  const rest = new Map<string, NormalizedRow[]>();
  // Replays form batches of their own.
  const restOf = (channel: string, shard: number, replay: boolean): NormalizedRow[] => {
    const group = `${channel}${shard}${replay}`;
    const rows = rest.get(group) ?? [];
    rest.set(group, rows);
    return rows;
  };
  for (const row of all) {
    if (row.key.channel === 'browser' && drawnOf.get(row.ingestId)?.copied === true)
      for (const events of [plain, memory]) await store(events, serverCopyOf(row));
    await store(plain, { ...row, deliveries: deliveriesOf(row) });
    if (isTogether(row)) restOf(row.key.channel, shardOf(row), row.event.replay === true).push(row);
    else await store(memory, row);
  }
  for (const [i, [size, shard]] of world.sizes.entries()) {
    const group = restOf(i % 3 === 2 ? 'browser' : 'server', shard, i % 2 === 1).splice(0, size);
    if (group.length === 0) continue;
    const batch: BatchKey = { merchantId, minuteMs: START_MS, shard, id: `batch-0${i}` };
    await batches.putManifest(manifestOf(batch, group));
    for (const [position, row] of group.entries()) {
      const place: BatchPlace = { batch, position };
      await store(memory, { ...row, place });
    }
    await writeFates(batches, batch, group.map(deliveriesOf));
  }
  for (const row of [...rest.values()].flat()) await store(memory, { ...row, deliveries: deliveriesOf(row) });
  return { memory, batches, plain };
}

/** Received in another minute. */
const serverCopyOf = ({ key, receivedAtMs }: NormalizedRow): NormalizedRow =>
  normalizedRow({
    merchantId,
    eventId: key.eventId,
    receivedAtMs: receivedAtMs + 10 * MINUTE_MS,
    verdicts: {},
  });

async function writeFates(
  batches: BatchStore,
  batch: BatchKey,
  deliveries: readonly Readonly<Record<string, Delivery>>[],
): Promise<void> {
  for (const slug of SLOTS) {
    const changes = new Map(
      deliveries.flatMap((each, position) => (each[slug] ? [[position, each[slug]] as const] : [])),
    );
    if (changes.size > 0) await batches.writeOutcomes(nextOutcomes(emptyOutcomes(batch, slug), changes), 0);
  }
}

const platformsOf = (slugs: readonly string[]): readonly Platform[] =>
  PLATFORMS.filter(({ slug }) => slugs.includes(slug));
type Events = ReturnType<typeof createMemoryEventStore>;
const countOf = (events: Events, batches: BatchStore, slugs: string[]) => {
  const ports = { events, batches, orders: NO_ORDERS_KNOWN, platforms: platformsOf(slugs) };
  const by = (everyRow: boolean, shard = 0) =>
    recount(merchantId, START_MS, START_MS + MINUTE_MS, ports, { everyRow, shard });
  return { by };
};
const shown = ({ counters, open }: Awaited<ReturnType<typeof recount>>) =>
  JSON.parse(JSON.stringify({ counters: sorted(counters), open }));
const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, member]) => [key, sorted(member)] as const)
          // A name without a word, and a platform without a name, say nothing.
          .filter(([, member]) => typeof member !== 'object' || Object.keys(member as object).length > 0),
      );

it('counts the same from manifests, from joined rows, and from rows that keep their deliveries', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { memory, batches, plain } = await build(world);
      for (const shard of [0, SHARD]) {
        const alone = countOf(plain, createMemoryBatchStore(), world.platforms);
        const expected = shown(await alone.by(true, shard));
        for (const everyRow of [true, false]) {
          const counted = await countOf(memory, batches, world.platforms).by(everyRow, shard);
          expect(shown(counted)).toEqual(expected);
        }
      }
    }),
    { numRuns: 300 },
  );
});

it('reads no row of a batch that has ended, and every row of one that has not', async () => {
  const drawn: Drawn = {
    ...PLAIN,
    name: 'Purchase',
    orderId: '1',
    shard: SHARD,
    verdicts: { ...NOWHERE, meta: PENDING },
    fates: { ...ALL_QUEUED, meta: 'DELIVERED' },
  };
  const open: Drawn = { ...drawn, fates: { ...drawn.fates, meta: 'RETRY' } };
  const sizes = [2, 2].map((size): [number, number] => [size, SHARD]);
  const { memory, batches } = await build({ rows: [drawn, drawn, drawn, open], sizes });
  const read: string[] = [];
  const readMany: typeof memory.readMany = (keys, consistency) => {
    read.push(...keys.map(({ eventId }) => eventId));
    return memory.readMany(keys, consistency);
  };
  const fold = await countOf({ ...memory, readMany }, batches, ['meta']).by(false, SHARD);
  expect(new Set(read)).toEqual(new Set(['e2', 'e3']));
  expect(fold.counters).toMatchObject({
    events: 4,
    deliveries: { meta: { Purchase: { DELIVERED: 3, RETRY: 1 } } },
  });
  expect(fold.open).toBe(1);
});

it('reads rows of browsers only where a server event has the id of one of their batch', async () => {
  const drawn: Drawn = { ...PLAIN, channel: 'browser', verdicts: { ...NOWHERE, meta: PENDING } };
  const ended: Drawn = { ...drawn, fates: { ...drawn.fates, meta: 'DELIVERED' } };
  // The third batch is of browser rows; the others take none.
  const sizes = [1, 1, 2, 1, 1, 2].map((size): [number, number] => [size, 0]);
  const { memory, batches } = await build({ rows: [ended, ended, ended, { ...ended, copied: true }], sizes });
  const read: string[] = [];
  const readMany: typeof memory.readMany = (keys, consistency) => {
    read.push(...keys.filter(({ channel }) => channel === 'browser').map(({ eventId }) => eventId));
    return memory.readMany(keys, consistency);
  };
  const { counters } = await countOf({ ...memory, readMany }, batches, ['meta']).by(false);
  expect(read.sort()).toEqual(['e2', 'e3']);
  expect(counters).toMatchObject({ events: 3, merged: 1, deliveries: { meta: { Lead: { DELIVERED: 3 } } } });
});

it('counts an event once for a platform with several connections: as what is not over, then as what ended worst', async () => {
  const drawn = (meta: Drawn['fates']['meta'], second: Drawn['fates']['meta']): Drawn => ({
    ...PLAIN,
    verdicts: { ...NOWHERE, meta: PENDING, 'meta#2': PENDING },
    fates: { ...ALL_QUEUED, meta, 'meta#2': second },
  });
  const rows = [
    drawn('DELIVERED', 'DELIVERED'),
    drawn('DELIVERED', 'FAILED'),
    drawn('SKIPPED', 'DELIVERED'),
    drawn('FAILED', 'RETRY'),
    drawn('QUEUED', 'DELIVERED'),
  ];
  for (const sizes of [[], [[5, 0]], [[3, 0]]] as [number, number][][]) {
    const { memory, batches } = await build({ rows, sizes });
    const { counters, open } = await countOf(memory, batches, ['meta']).by(false);
    const states = { DELIVERED: 1, FAILED: 1, SKIPPED: 1, RETRY: 1, QUEUED: 1 };
    expect(counters.deliveries).toEqual({ meta: { Lead: states } });
    expect([counters.latency.count, open]).toEqual([1, 2]);
  }
});

it('is not over before every row ended everywhere, whatever other batches hold', () => {
  const batch: BatchKey = { merchantId, minuteMs: START_MS, shard: 0, id: 'batch-00' };
  const rows = [0, 1].map((index) =>
    normalizedRow({ merchantId, eventId: `e${index}`, receivedAtMs: START_MS, verdicts: { meta: PENDING } }),
  );
  const manifest = manifestOf(batch, rows);
  const ended = deliveryIn('FAILED', { updatedAtMs: START_MS });
  const one = nextOutcomes(emptyOutcomes(batch, 'meta'), new Map([[0, ended]]));
  const both = nextOutcomes(one, new Map([[1, ended]]));
  expect(hasEnded(manifest, [])).toBe(false);
  expect(hasEnded(manifest, [one])).toBe(false);
  expect(hasEnded(manifest, [{ ...both, platform: 'ga4' }])).toBe(false);
  expect(hasEnded(manifest, [both])).toBe(true);
});
