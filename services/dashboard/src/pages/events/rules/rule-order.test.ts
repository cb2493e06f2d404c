// Goal: a rule moves up by one and nothing else moves, and no step on the way changes what runs first. Method: every move in
// random lists, each step of it applied as the API would.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrder, type Placed, stepsUp } from './rule-order.ts';

const at = (...priorities: number[]): Placed[] =>
  priorities.map((priority, i) => ({ id: `rul_${i}`, priority }));
const ids = (rules: readonly Placed[]) => rules.map(({ id }) => id);

function follow(rules: readonly Placed[], steps: readonly Placed[]): (readonly Placed[])[] {
  let now = rules;
  return steps.map((step) => {
    now = inOrder(now.map((rule) => (rule.id === step.id ? step : rule)));
    return now;
  });
}

describe('a move up', () => {
  it.each([
    ['between two that are far apart', at(10, 20, 30), 1],
    ['to the first place', at(100, 100), 1],
    ['at the end of equals', at(100, 100, 100), 2],
    ['from the last place', at(5, 50, 90), 2],
  ])('is one change: %s', (_name, rules, index) => {
    expect(stepsUp(rules, index)).toHaveLength(1);
  });

  it('puts the rule before the one above, whatever the priorities are', () => {
    const lists = fc
      .array(fc.oneof(fc.constant(100), fc.integer({ min: 0, max: 6 })), { minLength: 2, maxLength: 12 })
      .map((priorities) => inOrder(at(...priorities)));
    fc.assert(
      fc.property(lists, fc.nat(), (rules, some) => {
        const index = 1 + (some % (rules.length - 1));
        const steps = stepsUp(rules, index);
        const wanted = ids(rules);
        wanted.splice(
          index - 1,
          2,
          ...ids(rules)
            .slice(index - 1, index + 1)
            .toReversed(),
        );
        const seen = follow(rules, steps ?? []).map(ids);
        expect(seen.at(-1)).toEqual(wanted);
        for (const order of seen.slice(0, -1)) expect(order).toEqual(ids(rules));
      }),
    );
  });

  it('is none where there is nothing above, and none where no priority is left', () => {
    expect(stepsUp(at(1, 2), 0)).toBeNull();
    expect(stepsUp(at(...Array<number>(4).fill(1_000_000)), 2)).toBeNull();
  });
});
