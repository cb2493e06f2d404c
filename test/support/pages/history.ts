// Random histories of events in two stores: one whose old rows leave for pages while archivers die, erasures run and the table
// deletes what has expired, and one that keeps all. A reader must see the same.
import { expect } from 'vitest';
import { DAY_MS, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { batchOf } from '#lib/events/domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { nextDueMs } from '#lib/events/domain/deliveries/progress.ts';
import type { AcceptedRow, EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { inShard } from '#lib/events/domain/shard.ts';
import { putJoined } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { archiveMerchant } from '#lib/events/pipeline/pages/archive-merchant.ts';
import { noteSchedule } from '#lib/events/pipeline/pages/guard-expiry.ts';
import type { PageObjects } from '#lib/events/ports/page-store.ts';
import { acceptedRow, normalizedRow } from '#test/contract/stored-rows.ts';
import { Death, dyingAt } from '../dying-ports.ts';
import { manifestOf } from '../manifest.ts';
import { createSeededRandom, type SeededRandom } from '../memory/random.ts';
import { createPagedWorld, DAY_0, listed, PAGED_MERCHANT, type PagedWorld, seen } from './paged-world.ts';

/** What a broken release would do; each is caught by some history. */
export type Broken =
  | 'reader asks the table alone'
  | 'eraser skips pages'
  | 'expiry goes by the clock alone'
  | 'nothing is kept'
  | 'index is overwritten';

const PLATFORMS = ['meta', 'ga4'];

const delivered = (atMs: number): Delivery => ({
  ...{ state: 'DELIVERED', attempts: 1, unknowns: 0, updatedAtMs: atMs, deliveredAtMs: atMs },
  history: [{ atMs, latencyMs: 1, outcome: 'delivered', batchSize: 1, status: 200 }],
});
const failed = (atMs: number): Delivery => ({
  ...{ state: 'FAILED', attempts: 3, unknowns: 0, updatedAtMs: atMs, reason: 'gone' },
  history: [{ atMs, latencyMs: 1, outcome: 'permanent', batchSize: 1, status: 400 }],
});
const waiting = (atMs: number): Delivery => ({
  ...{
    state: 'RETRY',
    attempts: 1,
    unknowns: 0,
    updatedAtMs: atMs,
    nextAttemptAtMs: atMs + 30 * DAY_MS,
    reason: 'paused',
  },
  history: [],
});

/** One run of random things that happen to events, some of them to those that lie in pages. */
export class History {
  readonly world: PagedWorld;
  readonly random: SeededRandom;
  readonly rows: { row: NormalizedRow; open: boolean }[] = [];
  readonly erased = new Map<string, string>();
  number = 0;

  readonly broken: Broken | undefined;

  constructor(seed: number, broken?: Broken) {
    this.broken = broken;
    this.world = createPagedWorld();
    this.random = createSeededRandom(`pages ${seed}`);
  }

  /** Some events of a moment, alone or in a batch, with what became of them. */
  async send(): Promise<void> {
    const { world, random } = this;
    const receivedAtMs = world.clock.now();
    const shard = random.pick([0, 0, 0, 2]);
    const drafts = Array.from({ length: 1 + random.below(4) }, (): AcceptedRow => {
      this.number += 1;
      const channel = random.pick(['server', 'browser'] as const);
      return inShard(
        acceptedRow({
          eventId: `event-${this.number}`,
          merchantId: PAGED_MERCHANT,
          channel,
          receivedAtMs,
          shard,
        }),
        shard,
      );
    });
    for (const draft of drafts) await this.claim(draft);
    const stay = random.chance(0.05) ? drafts.splice(0, 1) : [];
    void stay;
    await this.normalize(drafts);
  }

  async claim(row: AcceptedRow): Promise<void> {
    this.world.openShard(row);
    await this.world.events.claim(row);
    await this.world.reference.events.claim(row);
  }

  async normalize(drafts: readonly AcceptedRow[]): Promise<void> {
    const { world, random } = this;
    const [first] = drafts;
    if (first === undefined) return;
    const isBatch = drafts.length > 1;
    const batch = batchOf(first, random.uuidv7(0).slice(0, 8));
    const rows = drafts.map((draft, position): NormalizedRow => {
      const { ingestId, payloadHash } = draft;
      const { channel, eventId } = draft.key;
      const made = normalizedRow({
        ...{ eventId, channel, merchantId: PAGED_MERCHANT, receivedAtMs: draft.receivedAtMs },
        connected: PLATFORMS,
        verdicts: { meta: 'pending', ga4: 'pending' },
      });
      const row = {
        ...made,
        ingestId,
        payloadHash,
        ...(draft.shard === undefined ? {} : { shard: draft.shard }),
        ...(draft.earlierMs === undefined ? {} : { earlierMs: draft.earlierMs }),
      };
      return isBatch ? { ...row, place: { batch, position } } : row;
    });
    for (const side of [world, world.reference]) {
      if (isBatch) await side.batches.putManifest(manifestOf(batch, rows));
      for (const row of rows) await side.events.normalize(row);
    }
    const fates = rows.map(() =>
      PLATFORMS.map(() => random.pick([delivered, delivered, failed, waiting])(world.clock.now() + 5)),
    );
    for (const [at, platform] of PLATFORMS.entries()) {
      const changes = new Map(
        rows.flatMap((_, position) =>
          random.chance(0.02) ? [] : [[position, fates[position]?.[at] as Delivery] as const],
        ),
      );
      for (const side of [world, world.reference])
        if (isBatch)
          await side.batches.writeOutcomes(nextOutcomes(emptyOutcomes(batch, platform), changes), 0);
        else
          for (const [position, delivery] of changes) {
            const stored = (await side.events.read((rows[position] as NormalizedRow).key)) as NormalizedRow;
            const after = { ...stored, deliveries: { ...stored.deliveries, [platform]: delivery } };
            await side.events.putDelivery(stored, { platform, delivery, dueAtMs: nextDueMs(after) });
          }
    }
    for (const row of rows) this.rows.push({ row, open: false });
  }

  /** A retry by hand ends what failed; a paused connection is repaired. */
  async write(): Promise<void> {
    const { world, random } = this;
    if (this.rows.length === 0) return;
    const { row } = random.pick(this.rows);
    const platform = random.pick(PLATFORMS);
    const { updatedAtMs: _, ...next } = random.pick([failed, delivered])(world.clock.now());
    const delivery = {
      ...next,
      state: 'SKIPPED' as const,
      reason: 'retried:x',
      updatedAtMs: world.clock.now(),
    };
    const write = async (
      events: ReturnType<PagedWorld['reader']>,
      batches: PagedWorld['batches'],
    ): Promise<void> => {
      for (const key of [row.key, { ...row.key, archivedAs: row.ingestId }]) {
        const stored = await events.read(key);
        if (stored?.ingestId !== row.ingestId || stored.state !== 'normalized') continue;
        const before = stored.deliveries[platform];
        if (before === undefined || before.state === 'DELIVERED' || before.state === 'SKIPPED') return;
        const { deliveredAtMs: _d, ...ended } = delivery;
        const after = { ...stored, deliveries: { ...stored.deliveries, [platform]: ended } };
        const written = await putJoined(
          stored,
          { platform, delivery: ended, dueAtMs: nextDueMs(after) },
          { events, batches },
        );
        if (written === null) throw new Error('a write was lost');
        return;
      }
      throw new Error(`row ${row.ingestId} was not found`);
    };
    await write(world.reader(), world.batches);
    await write(world.reference.joined, world.reference.batches);
  }

  /** The id of a finished row is taken again, a day later. */
  async takeAgain(): Promise<void> {
    const { world, random } = this;
    if (this.rows.length === 0) return;
    const { row } = random.pick(this.rows);
    const live = await world.reference.joined.read(row.key);
    if (live === null || live.state === 'accepted' || world.clock.now() < live.expiresAtMs) return;
    if (live.dueAtMs !== undefined || PLATFORMS.some((platform) => live.deliveries[platform] === undefined))
      return;
    const next = inShard(acceptedRow({ ...row.key, receivedAtMs: world.clock.now() }), row.shard ?? 0);
    world.openShard(next);
    for (const { events } of [world, world.reference]) {
      const stored = await events.read(row.key);
      if (stored === null) await events.claim(next);
      else {
        await events.archive(stored);
        if (!(await events.replace(next, stored.ingestId))) throw new Error('not replaced');
      }
    }
    await this.normalize([next]);
  }

  async erase(): Promise<void> {
    const { world, random } = this;
    if (this.rows.length === 0) return;
    const { row } = random.pick(this.rows);
    if (this.erased.has(row.ingestId)) return;
    const id = `erasure-${this.erased.size}`;
    this.erased.set(row.ingestId, id);
    const own = this.broken === 'eraser skips pages' ? world.skipping() : world.eraser();
    for (const eraser of [own, world.reference.events])
      for (const key of [row.key, { ...row.key, archivedAs: row.ingestId }])
        for (const stored of (await eraser.readMany([key])).rows)
          if (stored.ingestId === row.ingestId) await eraser.erase(stored, id);
  }

  /** It may die at any of its calls, and others may come in between. */
  async archive(): Promise<void> {
    const { world, random } = this;
    const between = random.chance(0.3) ? 1 + random.below(40) : 0;
    const { dying, seen: calls } = dyingAt(
      random.chance(0.4) ? 1 + random.below(60) : 0,
      random.pick(['before', 'after']),
    );
    let made = 0;
    const through = <Port extends object>(port: Port): Port =>
      dying(
        new Proxy(port, {
          get: (target, name) => {
            const method = target[name as keyof Port];
            if (typeof method !== 'function') return method;
            return async (...args: unknown[]) => {
              made += 1;
              if (made === between)
                await random.pick([() => this.erase(), () => this.write(), () => this.archive()])();
              return await (method as (...given: unknown[]) => Promise<unknown>).apply(target, args);
            };
          },
        }),
      );
    const { ports } = world;
    const mortal = {
      ...ports,
      events: through({ received: ports.events.received, readMany: ports.events.readMany }),
      kept: through(this.broken === 'nothing is kept' ? NOTHING_KEPT : ports.kept),
      objects: through(this.broken === 'index is overwritten' ? overwriting(ports.objects) : ports.objects),
      horizons: through(ports.horizons),
    };
    const stopAfter = random.below(6);
    let looks = 0;
    try {
      await archiveMerchant(PAGED_MERCHANT, () => ++looks > stopAfter, mortal);
    } catch (error) {
      if (!(error instanceof Death) || calls.deaths === 0) throw error;
    }
  }

  async check(): Promise<void> {
    const { world, random } = this;
    for (const shard of [0, 2]) {
      const range = {
        ...{ shard, limit: random.pick([1, 3, 7, 100]), order: random.pick(['asc', 'desc'] as const) },
        ...{
          fromMs: DAY_0 + random.below(3) * 13 * HOUR_MS,
          toMs: world.clock.now() + 1 - random.below(2) * 5 * DAY_MS,
        },
      };
      const reader = this.broken === 'reader asks the table alone' ? world.inTable : world.reader();
      const rows = await listed(reader, range);
      const wanted = await listed(world.reference.joined, range);
      expect(rows.map(seen)).toEqual(unique(wanted).map(seen));
    }
    if (this.rows.length === 0) return;
    const { row } = random.pick(this.rows);
    const near = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
    const found = await world.reader().read(row.key, near);
    const live = await world.reference.joined.read(row.key);
    expect(found === null ? null : seen(found)).toEqual(live === null ? null : seen(live));
  }

  async run(steps: number): Promise<void> {
    const { world, random } = this;
    for (let step = 0; step < steps; step++) {
      world.clock.advance(random.below(14) * HOUR_MS + random.below(HOUR_MS));
      const work = random.below(10);
      if (work < 4) await this.send();
      else if (work === 4) await this.write();
      else if (work === 5) await this.takeAgain();
      else if (work === 6) await this.erase();
      // An hour apart, as it is scheduled.
      const runs = this.broken === 'expiry goes by the clock alone' && step % 40 > 3 ? 0 : random.below(4);
      for (let run = 0; run < runs; run++) {
        await noteSchedule(world);
        await this.archive();
        world.clock.advance(HOUR_MS);
      }
      await world.guard();
      // DynamoDB deletes days after an item has expired.
      const deletes = world.expiry.isOn || this.broken === 'expiry goes by the clock alone';
      if (deletes && random.chance(0.2)) await world.expire();
      await this.check();
    }
  }
}

const NOTHING_KEPT = { keep: async () => true, restore: async () => {}, keepMinute: async () => {} };

const overwriting = (objects: PageObjects): PageObjects => ({
  ...objects,
  write: async (name, bytes, seen) =>
    await objects.write(
      name,
      bytes,
      name.endsWith('/index') ? ((await objects.read(name))?.tag ?? null) : seen,
    ),
});

/** In a table that keeps all, a row on its way into the archive is there twice. */
const unique = (rows: readonly EventRow[]): readonly EventRow[] => [
  ...new Map(rows.map((row) => [row.ingestId, row])).values(),
];
