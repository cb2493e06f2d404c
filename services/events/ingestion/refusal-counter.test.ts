import { describe, expect, it } from 'vitest';
import type { RefusalCounts } from '#lib/events/ports/refusal-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { createMemoryRefusalStore } from '#test/support/memory/refusal-store.ts';
import {
  createRefusalCounter,
  NAMED_MERCHANTS_MAX,
  REFUSAL_WRITES_PER_MINUTE,
  REFUSALS_EVERY_MS,
  REFUSING_MERCHANTS_MAX,
  type RefusalCounterPorts,
} from './refusal-counter.ts';

const DAY_MS = 86_400_000;
const DAY = Date.UTC(2026, 10, 21);
const NOW = DAY + DAY_MS / 2;
/** By then gathered counts are due, with any spread. */
const LATER = 90_000;
const known = (merchantId: string) => ({ merchantId, isKnown: true });
const named = (merchantId: string) => ({ merchantId, isKnown: false });
const settle = () => new Promise((resolve) => setImmediate(resolve));
const never = () => new Promise<void>(() => {});

function open(changes: Partial<RefusalCounterPorts> = {}, seed = 1) {
  const store = createMemoryRefusalStore();
  const clock = createManualClock(NOW);
  const counted: string[] = [];
  const read: string[] = [];
  const counter = createRefusalCounter({
    refusals: store,
    config: {
      merchant: async (id) => {
        read.push(id);
        return id.startsWith('made-up') ? null : ({ merchantId: id } as never);
      },
    },
    clock,
    random: createSeededRandom(seed),
    count: (metric) => void counted.push(metric),
    pause: never,
    ...changes,
  });
  const total = async (merchantId: string, dayMs = DAY) => await store.sum(merchantId, dayMs, dayMs + 1);
  return { store, clock, counted, read, counter, total };
}

describe('what a process writes', () => {
  it('is the first refusal at once, and all that follow with one write a minute', async () => {
    const { counter, store, clock, total, read } = open();
    await counter.note(known('m'), ['duplicate_event']);
    expect(store.additions).toHaveLength(1);
    for (let i = 0; i < 10_000; i++) {
      await counter.note(known('m'), ['duplicate_event', '.event_time']);
      counter.writeDue();
    }
    clock.advanceTo(NOW + REFUSALS_EVERY_MS - 1);
    counter.writeDue();
    await counter.note(known('m'), ['rate_limited']);
    expect(store.additions).toHaveLength(1);
    clock.advanceTo(NOW + LATER);
    counter.writeDue();
    counter.writeDue();
    await settle();
    expect(store.additions).toHaveLength(2);
    const all = { duplicate_event: 10_001, '.event_time': 10_000, rate_limited: 1 };
    expect(Object.fromEntries(await total('m'))).toEqual(all);
    expect(read).toEqual([]);
  });

  it('is never more than one a minute and merchant, through an hour of refusals', async () => {
    const { counter, store, clock, total } = open();
    const atMs: number[] = [];
    for (let second = 0; second < 3_600; second++) {
      clock.advanceTo(NOW + second * 1_000);
      counter.writeDue();
      await counter.note(known('m'), ['rate_limited']);
      while (atMs.length < store.additions.length) atMs.push(second * 1_000);
    }
    expect(atMs.length).toBeLessThanOrEqual(60);
    expect(atMs.length).toBeGreaterThanOrEqual(39);
    for (const [i, at] of atMs.slice(1).entries())
      expect(at - (atMs[i] ?? 0)).toBeGreaterThanOrEqual(REFUSALS_EVERY_MS);
    clock.advanceTo(NOW + 3_600_000 + LATER);
    counter.writeDue();
    expect((await total('m')).get('rate_limited')).toBe(3_600);
  });

  it('is nothing where nothing was refused, and nothing more once all is written', async () => {
    const { counter, store, clock } = open();
    counter.writeDue();
    await counter.note(known('m'), ['rate_limited']);
    clock.advanceTo(NOW + DAY_MS);
    counter.writeDue();
    expect(store.additions).toHaveLength(1);
  });

  it('stands on the day of its refusals, also of those that midnight finds gathered', async () => {
    const { counter, clock, total } = open();
    clock.advanceTo(DAY + DAY_MS - 1_000);
    await counter.note(known('m'), ['rate_limited']);
    await counter.note(known('m'), ['rate_limited']);
    clock.advanceTo(DAY + DAY_MS);
    await counter.note(known('m'), ['duplicate_event']);
    clock.advanceTo(DAY + DAY_MS + LATER);
    counter.writeDue();
    await settle();
    expect(await total('m', DAY)).toEqual(new Map([['rate_limited', 2]]));
    expect(await total('m', DAY + DAY_MS)).toEqual(new Map([['duplicate_event', 1]]));
  });
});

describe('a store that fails or hangs', () => {
  it('fails no request, is asked again a minute later and not before, and nothing is lost', async () => {
    let fails = true;
    const asked: RefusalCounts[] = [];
    const add: RefusalCounterPorts['refusals']['add'] = async (_merchant, _day, _shard, counts) => {
      asked.push(new Map(counts));
      if (fails) throw new Error('throttled');
    };
    const { counter, clock, counted } = open({ refusals: { add } });
    for (let i = 0; i < 5; i++) await counter.note(known('m'), ['rate_limited']);
    expect(asked).toHaveLength(1);
    expect(counted).toEqual(['refusals_not_written']);
    fails = false;
    clock.advanceTo(NOW + LATER);
    counter.writeDue();
    await settle();
    expect(asked.slice(1)).toEqual([new Map([['rate_limited', 5]])]);
  });

  it('keeps an answer for no longer than the pause', async () => {
    const pauses: number[] = [];
    const { counter } = open({ refusals: { add: never }, pause: async (ms) => void pauses.push(ms) });
    await counter.note(known('m'), ['rate_limited']);
    await counter.note(known('m'), ['rate_limited']);
    expect(pauses).toEqual([100]);
  });
});

describe('a merchant that somebody merely named', () => {
  it('is written for if it exists, and not if it was made up: one read a minute', async () => {
    const { counter, store, clock, read } = open();
    for (let i = 0; i < 100; i++) {
      await counter.note(named('made-up'), ['.event_time']);
      await counter.note(named('real'), ['.event_time']);
    }
    clock.advanceTo(NOW + LATER);
    counter.writeDue();
    await settle();
    expect(read).toEqual(['made-up', 'real', 'made-up']);
    const additions = store.additions.map((one) => `${one.merchantId} ${one.counts.get('.event_time')}`);
    expect(additions).toEqual(['real 1', 'real 99']);
  });

  it('leaves room for those that are known; all of them together are bounded, and so are their writes', async () => {
    const { counter, store, clock, read } = open();
    for (let i = 0; i < 5_000; i++) await counter.note(named(`made-up-${i}`), ['.event_time']);
    expect(read).toHaveLength(REFUSAL_WRITES_PER_MINUTE);
    for (let i = 0; i < 5_000; i++) await counter.note(known(`m-${i}`), ['rate_limited']);
    expect(store.additions).toEqual([]);
    let before = read.length;
    for (let minute = 1; minute <= 20; minute++) {
      clock.advanceTo(NOW + minute * REFUSALS_EVERY_MS);
      for (let i = 0; i < 100; i++) counter.writeDue();
      await settle();
      const now = store.additions.length + read.length;
      expect(now - before).toBeLessThanOrEqual(REFUSAL_WRITES_PER_MINUTE);
      before = now;
    }
    expect(read).toHaveLength(NAMED_MERCHANTS_MAX);
    const written = new Set(store.additions.map(({ merchantId }) => merchantId));
    expect(written.size).toBe(REFUSING_MERCHANTS_MAX - NAMED_MERCHANTS_MAX);
    // Nothing is gathered any more, so there is room again.
    await counter.note(known('one more'), ['rate_limited']);
    expect(store.additions.at(-1)?.merchantId).toBe('one more');
  });
});

describe('3,000 processes and one merchant', () => {
  /** Write units that the busiest partition takes in any one second: an addition is one. */
  async function busiestSecond(arrivals: readonly number[], fromMs = 0): Promise<number> {
    const units = new Map<string, number>();
    for (let process = 0; process < 3_000; process++) {
      const clock = createManualClock(NOW);
      const add: RefusalCounterPorts['refusals']['add'] = async (_merchant, dayMs, shard) => {
        if (clock.now() < NOW + fromMs) return;
        const key = `${dayMs}/${shard}/${Math.floor(clock.now() / 1_000)}`;
        units.set(key, (units.get(key) ?? 0) + 1);
      };
      const { counter } = open({ clock, refusals: { add } }, process);
      for (const atMs of arrivals) {
        clock.advanceTo(NOW + atMs);
        counter.writeDue();
        await counter.note(known('hot'), ['rate_limited']);
      }
    }
    return Math.max(...units.values());
  }

  it('stay below 1,000 writes a second of one partition where all begin in the same second', async () => {
    const busiest = await busiestSecond([0]);
    expect(busiest).toBeGreaterThan(700);
    expect(busiest).toBeLessThan(1_000);
  });

  it('also where all go on in the same second after a silence, with what they had gathered', async () => {
    expect(await busiestSecond([0, 10, 600_000])).toBeLessThan(1_000);
  });

  it('and some 25 a second where they go on refusing: their later writes do not come together', async () => {
    const everySecond = Array.from({ length: 180 }, (_, second) => second * 1_000);
    const later = await busiestSecond(everySecond, 1_000);
    expect(later).toBeGreaterThan(20);
    expect(later).toBeLessThan(60);
  });
});
