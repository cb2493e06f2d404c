import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBlock } from './address-block.ts';
import { slideWindow } from './sliding-window.ts';

const LIMIT = { events: 30, windowSec: 60 };

describe('slideWindow', () => {
  it('grants 30, refuses the 31st and says when there is room again', () => {
    const first = slideWindow([], 30, 1_000, LIMIT);
    expect(first).toMatchObject({ granted: 30, remaining: 0, retryAfterSec: 60 });
    expect(slideWindow(first.ring, 1, 60_999, LIMIT)).toMatchObject({ granted: 0, retryAfterSec: 0.001 });
    expect(slideWindow(first.ring, 1, 61_000, LIMIT)).toMatchObject({ granted: 1, remaining: 29 });
  });

  it('grants a part of what is wanted', () => {
    const { ring } = slideWindow([], 28, 0, LIMIT);
    expect(slideWindow(ring, 5, 1, LIMIT)).toMatchObject({ granted: 2, remaining: 0 });
  });

  it('never grants more than the limit in any window, never refuses while there is room, at any clock', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -2_000, max: 20_000 }), fc.integer({ min: 1, max: 40 })), {
          maxLength: 60,
        }),
        (steps) => {
          let ring: readonly number[] = [];
          let nowMs = 1_000_000;
          const grants: number[] = [];
          for (const [passMs, wanted] of steps) {
            nowMs += passMs;
            const atMs = Math.max(nowMs, ring.at(-1) ?? 0);
            const before = grants.filter((g) => g > atMs - 60_000).length;
            const step = slideWindow(ring, wanted, nowMs, LIMIT);
            expect(step.granted).toBe(Math.min(wanted, 30 - before));
            ring = step.ring;
            for (let i = 0; i < step.granted; i++) grants.push(atMs);
          }
          for (const at of grants)
            expect(grants.filter((g) => g > at - 60_000 && g <= at).length).toBeLessThanOrEqual(30);
        },
      ),
    );
  });
});

describe('addressBlock', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is of %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});
