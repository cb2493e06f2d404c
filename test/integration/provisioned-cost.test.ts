// The figures that docs/capacity.md draws its conclusions from.
import { describe, expect, it } from 'vitest';
import { onDemandDollars, provisionedDollars } from '../performance/provisioned-cost.ts';

const writes = { write: 1e6, read: 0 };
const reads = { write: 0, read: 1e6 };

describe('a million units', () => {
  it('cost $0.26 or $0.05 of capacity that is used to 70 %, against $0.625 or $0.125 on demand', () => {
    expect(provisionedDollars(writes)).toBeCloseTo(0.258, 3);
    expect(provisionedDollars(reads)).toBeCloseTo(0.0516, 4);
    expect(onDemandDollars(writes)).toBeCloseTo(0.625, 9);
    expect(onDemandDollars(reads)).toBeCloseTo(0.125, 9);
  });

  it('cost the same either way where 29 % of the capacity is used', () => {
    for (const units of [writes, reads])
      expect(provisionedDollars(units, 0.289) / onDemandDollars(units)).toBeCloseTo(1, 2);
  });
});
