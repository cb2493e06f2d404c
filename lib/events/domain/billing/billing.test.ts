import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { billOf } from './bill.ts';
import { FREE_PLAN, PAID_PLAN_IDS, PLANS, paidPlan, planOfPrice } from './plans.ts';
import { chooseSubscription, currentPeriod, planOf, type Subscription } from './subscription.ts';

const T0 = Date.UTC(2026, 0, 31, 12);
const GROWTH = paidPlan('growth');
const subscription = (change: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  status: 'active',
  lookupKey: GROWTH.lookupKey,
  periodStartMs: T0,
  periodEndMs: T0 + 28 * DAY_MS,
  cancelAtMs: null,
  createdAtMs: T0,
  ...change,
});

describe('plans', () => {
  it('are told apart by id and by price, and cost whole minor units', () => {
    expect(new Set(PLANS.map(({ id }) => id)).size).toBe(PLANS.length);
    const keys = PAID_PLAN_IDS.map((id) => paidPlan(id).lookupKey);
    expect(new Set(keys).size).toBe(keys.length);
    for (const plan of PLANS) {
      for (const number of [plan.priceMinor, plan.includedEvents, plan.overageMinorPerThousand])
        expect(Number.isSafeInteger(number)).toBe(true);
      expect(planOfPrice(plan.lookupKey ?? null)?.id ?? 'free').toBe(plan.id);
    }
    for (const none of [null, '', 'nothing']) expect(planOfPrice(none)).toBeNull();
  });
});

describe('a bill', () => {
  it.each([
    [0, 0],
    [1_000_000, 0],
    [1_000_001, 4],
    [1_001_000, 4],
    [1_001_001, 8],
    [2_000_000, 4_000],
    [Number.MAX_SAFE_INTEGER - 1_000, 36_028_797_014_960],
  ])('of %i events has %i minor units of overage', (events, overageMinor) => {
    expect(billOf(GROWTH, events)).toEqual({
      overageEvents: Math.max(0, events - 1_000_000),
      baseMinor: 4_900,
      overageMinor,
      totalMinor: 4_900 + overageMinor,
    });
  });

  it('of the free plan is nothing, however many there were', () => {
    expect(billOf(FREE_PLAN, 10_000_000)).toMatchObject({ overageEvents: 9_900_000, totalMinor: 0 });
  });
});

describe('the subscription that counts', () => {
  const pick = (...all: readonly Partial<Subscription>[]) => {
    const made = all.map((change, i) => subscription({ id: `sub_${i}`, ...change }));
    const [chosen, reversed] = [chooseSubscription(made), chooseSubscription([...made].reverse())];
    expect(reversed).toEqual(chosen);
    return chosen?.id ?? null;
  };

  it('is one that gives a plan before any other, the newest of equals, whatever their order', () => {
    expect(pick()).toBeNull();
    expect(
      pick({ status: 'canceled', createdAtMs: T0 + 2 }, {}, { status: 'unpaid', createdAtMs: T0 + 3 }),
    ).toBe('sub_1');
    expect(pick({}, { createdAtMs: T0 + 1 }, { status: 'past_due' })).toBe('sub_1');
    expect(pick({ status: 'canceled', createdAtMs: T0 + 9 }, { status: 'incomplete' })).toBe('sub_1');
    expect(pick({}, {})).toBe('sub_1');
  });

  it('gives its plan, and the free one where its price is of none', () => {
    expect(planOf(null)).toBe(FREE_PLAN);
    expect(planOf(subscription())).toEqual(GROWTH);
    expect(planOf(subscription({ lookupKey: 'another' }))).toBe(FREE_PLAN);
    expect(planOf(subscription({ status: 'canceled' }))).toBe(FREE_PLAN);
  });
});

describe('the period that runs', () => {
  const ofMonth = (year: number, month: number) => ({
    startMs: Date.UTC(year, month, 1),
    endMs: Date.UTC(year, month + 1, 1),
  });

  it('is the UTC month where nothing is paid for', () => {
    for (const none of [null, subscription({ status: 'canceled' })]) {
      expect(currentPeriod(none, Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toEqual(ofMonth(2026, 11));
      expect(currentPeriod(none, Date.UTC(2028, 1, 29))).toEqual(ofMonth(2028, 1));
    }
  });

  it('is the subscription’s, and the next one where nobody has said that it was renewed', () => {
    const { periodStartMs: startMs, periodEndMs: endMs } = subscription();
    for (const nowMs of [startMs, endMs - 1])
      expect(currentPeriod(subscription(), nowMs)).toEqual({ startMs, endMs });
    expect(currentPeriod(subscription(), endMs)).toEqual({ startMs: endMs, endMs: endMs + 28 * DAY_MS });
    expect(currentPeriod(subscription(), endMs + 60 * DAY_MS).startMs).toBe(startMs + 84 * DAY_MS);
    // A clock that is behind.
    expect(currentPeriod(subscription(), startMs - 1)).toEqual({ startMs, endMs });
    // Nothing of no length.
    expect(currentPeriod(subscription({ periodEndMs: T0 }), T0 + 1)).toEqual({
      startMs: T0,
      endMs: T0 + DAY_MS,
    });
  });
});
