// Goal: a run that takes more than its budget is told so, figure by figure, and nothing else is.
import { expect, it } from 'vitest';
import { BUDGETS, exceeded } from '../performance/cost-budgets.ts';

it.each(BUDGETS.map((budget) => [`${budget.perSec}/s to ${budget.platforms}`, budget] as const))(
  '%s is held to each of its limits',
  (_name, { perSec, platforms, limits }) => {
    expect(exceeded({ perSec, platforms, units: limits })).toEqual([]);
    for (const name of ['writeUnits', 'readUnits', 'sqsRequests', 'invocations', 'platformWaits'] as const) {
      const more = { ...limits, [name]: limits[name] * 1.001 };
      const [only, ...others] = exceeded({ perSec, platforms, units: more });
      expect(only).toContain(`${name} per event at ${perSec} a second to ${platforms}`);
      expect(others).toEqual([]);
    }
  },
);

it('has one budget for each of 1, 33 and 1,000 a second to 1, 3 and 12 platforms', () => {
  const cells = BUDGETS.map(({ perSec, platforms }) => `${perSec}/${platforms}`);
  const wanted = [1, 33, 1_000].flatMap((perSec) => [1, 3, 12].map((platforms) => `${perSec}/${platforms}`));
  expect([...cells].sort()).toEqual([...wanted].sort());
});

it('says nothing where there is no budget', () => {
  const units = { writeUnits: 99, readUnits: 99, sqsRequests: 99, invocations: 99, platformWaits: 99 };
  expect(exceeded({ perSec: 2, platforms: 3, units })).toEqual([]);
});
