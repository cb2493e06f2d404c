// Goal: as the quick test beside it, over thousands of histories.
import fc from 'fast-check';
import { it } from 'vitest';
import { histories, live } from '../support/settling/histories.ts';

it('credits every order as a naive model does, in thousands of histories', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(fc.asyncProperty(histories, live), { numRuns: 1_500 });
});
