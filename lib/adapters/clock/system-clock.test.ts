import { describe, expect, it } from 'vitest';
import { createRandom, systemClock } from './system-clock.ts';

const timeOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

describe('systemClock', () => {
  it('gives whole milliseconds between two readings of the machine', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('createRandom', () => {
  it('stays in [0, 1) and spreads over it', () => {
    const random = createRandom();
    const tenths = new Set<number>();
    for (let i = 0; i < 1_000; i++) {
      const value = random.next();
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      tenths.add(Math.floor(value * 10));
    }
    expect(tenths.size).toBe(10);
  });

  it.each([0, 1, 1_700_000_000_000, 281_474_976_710_655])(
    'writes %d ms into the time part of a version 7 id',
    (nowMs) => {
      const uuid = createRandom().uuidv7(nowMs);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOf(uuid)).toBe(nowMs);
    },
  );

  it('orders and never repeats ids of one millisecond', () => {
    const random = createRandom();
    const ids = Array.from({ length: 5_000 }, () => random.uuidv7(1_700_000_000_000));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps the time it is given when the clock steps backwards', () => {
    const random = createRandom();
    random.uuidv7(2_000);
    expect(timeOf(random.uuidv7(1_000))).toBe(1_000);
    expect(timeOf(random.uuidv7(2_000))).toBe(2_000);
  });

  it('does not repeat across instances', () => {
    const ids = Array.from({ length: 1_000 }, () => createRandom().uuidv7(5));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 281_474_976_710_656])('refuses %d ms', (nowMs) => {
    expect(() => createRandom().uuidv7(nowMs)).toThrow(RangeError);
  });
});
