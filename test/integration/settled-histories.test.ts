// Goal: whatever the order in which clicks, orders and refunds are normalized, and whatever is settled or erased between, every order is
// credited as a naive model of all clicks credits it, in counters, orders and recounts. Thousands of histories: the slow test beside it.
import fc from 'fast-check';
import { it } from 'vitest';
import { histories, live } from '../support/settling/histories.ts';

it('credits every order as a naive model does', async () => {
  await fc.assert(fc.asyncProperty(histories, live), { numRuns: 60 });
});
