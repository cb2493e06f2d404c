// Goal: a process that is throttled moves on at once and alone; one that is not costs nothing and keeps to one shard.
import { expect, it } from 'vitest';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { SHARDS_MAX, SPARSE_SHARD } from '#lib/events/domain/shard.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { createShardPicker, type ShardPick } from './shard-picker.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

function setUp(seed: number | string = 1) {
  const clock = createManualClock(NOW_MS);
  let shards: number | undefined;
  let reads = 0;
  let failing = false;
  const config = {
    merchant: async () => {
      reads += 1;
      if (failing) throw new Error('away');
      return { shards } as Merchant;
    },
  };
  const picker = createShardPicker({ config, clock, random: createSeededRandom(seed) });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    picker,
    reads: () => reads,
    say: (number: number) => (shards = number),
    fail: () => (failing = true),
    /** As many rows in this minute. */
    send: async (rows: number): Promise<ShardPick> => {
      let last = picker.pick('m');
      for (let i = 1; i < rows; i++) last = picker.pick('m');
      await settle();
      return last;
    },
  };
}

it('takes the sparse shard for a merchant with few events, and leaves it while a minute has more', async () => {
  const { picker, clock, send, reads } = setUp();
  expect(await send(20)).toEqual({ shard: SPARSE_SHARD, of: 1 });
  expect(await send(1)).toEqual({ shard: 0, of: 1 });
  clock.advance(MINUTE_MS);
  expect(picker.pick('m')).toEqual({ shard: 0, of: 1 });
  clock.advance(MINUTE_MS);
  expect(picker.pick('m')).toEqual({ shard: SPARSE_SHARD, of: 1 });
  expect(picker.pick('another')).toEqual({ shard: SPARSE_SHARD, of: 1 });
  expect(reads()).toBe(0);
});

it('keeps to shard 0 and reads nothing for a merchant that sends no more than one shard takes', async () => {
  const { clock, send, reads, say } = setUp();
  say(16);
  for (let minute = 0; minute < 60; minute++) {
    expect(await send(249)).toEqual({ shard: 0, of: 1 });
    clock.advanceTo(NOW_MS + (minute + 1) * MINUTE_MS);
  }
  expect(reads()).toBe(0);
});

it('follows the profile of a merchant that sends much, asked for twice a minute', async () => {
  const { picker, clock, send, reads, say, fail } = setUp();
  say(16);
  await send(500);
  const pick = picker.pick('m');
  expect(pick.of).toBe(16);
  expect(await send(500)).toEqual(pick);
  expect(reads()).toBe(1);
  say(4);
  clock.advanceTo(NOW_MS + 31_000);
  await send(1);
  expect(picker.pick('m').of).toBe(4);
  fail();
  clock.advanceTo(NOW_MS + MINUTE_MS + 31_000);
  await send(500);
  expect(picker.pick('m').of).toBe(4);
});

it('sends processes where few are yet, and a second later spreads them evenly over all', () => {
  const atOnce = new Map<number, number>();
  const later = new Map<number, number>();
  const count = (counts: Map<number, number>, { shard }: ShardPick) =>
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  for (let i = 0; i < 2_000; i++) {
    const { picker, clock } = setUp(`process ${i}`);
    let pick = picker.pick('m');
    for (let times = 0; times < 2; times++) pick = picker.throttled('m', pick);
    clock.advance(999);
    count(atOnce, picker.pick('m'));
    clock.advance(1);
    count(later, picker.pick('m'));
  }
  expect([...atOnce.keys()].sort((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  for (const processes of atOnce.values()) expect(processes).toBeGreaterThan(200);
  expect(later.size).toBe(16);
  for (const processes of later.values()) expect(processes).toBeGreaterThan(60);
});

it('scatters when it is throttled, doubles while it is, never stays where it was, and ends at the most there are', () => {
  const { picker } = setUp();
  let pick = picker.pick('m');
  for (const shards of [8, 16, 32, SHARDS_MAX, SHARDS_MAX, SHARDS_MAX]) {
    const next = picker.throttled('m', pick);
    expect(next.of).toBe(shards);
    expect(next.shard).not.toBe(pick.shard);
    expect(next.shard).toBeLessThan(shards);
    expect(picker.pick('m')).toEqual(next);
    pick = next;
  }
});

it('moves to another shard of as many where one alone was full, for good or for a second', () => {
  const { picker, clock } = setUp();
  picker.throttled('m', picker.pick('m'));
  let stayed = 0;
  const TIMES = 40;
  for (let times = 1; times <= TIMES; times++) {
    clock.advanceTo(NOW_MS + times * 1_000);
    const pick = picker.pick('m');
    const next = picker.throttled('m', pick);
    expect(next.of).toBe(8);
    expect(next.shard).not.toBe(pick.shard);
    clock.advance(999);
    expect(picker.pick('m')).toEqual(next);
    clock.advance(1);
    expect([pick, next]).toContainEqual(picker.pick('m'));
    if (picker.pick('m').shard === next.shard) stayed += 1;
  }
  expect(stayed).toBeGreaterThan(TIMES / 4);
  expect(stayed).toBeLessThan((TIMES * 3) / 4);
  const next = picker.throttled('m', picker.pick('m'));
  clock.advance(199);
  expect(picker.throttled('m', next).of).toBe(16);
});

it('moves within what the profile says as well', async () => {
  const { picker, send, say } = setUp();
  say(16);
  await send(250);
  const pick = picker.pick('m');
  const next = picker.throttled('m', pick);
  expect(next.of).toBe(16);
  expect(next.shard).not.toBe(pick.shard);
  expect(picker.pick('m')).toEqual(next);
});

it('looks at the profile of a merchant that was throttled, however little it sends', async () => {
  const { picker, send, say, reads } = setUp();
  say(32);
  picker.throttled('m', picker.pick('m'));
  await send(1);
  expect(reads()).toBe(1);
  expect(picker.pick('m').of).toBe(32);
});

it('moves once for all that were throttled together', () => {
  const { picker } = setUp();
  const before = picker.pick('m');
  const picks = Array.from({ length: 20 }, () => picker.throttled('m', before));
  for (const pick of picks) expect(pick).toEqual(picks[0]);
  expect(picks[0]?.of).toBe(8);
  expect(picker.pick('another').of).toBe(1);
});

it('forgets what it grew to after three minutes, or when the profile says more', async () => {
  const { picker, clock, send, say } = setUp();
  picker.throttled('m', picker.pick('m'));
  clock.advanceTo(NOW_MS + 3 * MINUTE_MS - 1);
  expect(picker.pick('m').of).toBe(8);
  say(16);
  await send(250);
  expect(picker.pick('m').of).toBe(16);
  say(1);
  clock.advanceTo(NOW_MS + 4 * MINUTE_MS);
  await send(250);
  expect(picker.pick('m')).toEqual({ shard: 0, of: 1 });
});
