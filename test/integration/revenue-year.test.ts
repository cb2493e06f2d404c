// Goal: one revenue figure. A year of a shop's orders, and every place that shows money says what books kept by hand say: overview,
// attribution, orders and their totals, usage and reconciliation.
import { it } from 'vitest';
import { expectYear } from '../support/year/agreement.ts';

it.each([
  ['Europe/Berlin', 'first'],
  ['America/St_Johns', 'second'],
])('of a year in %s', async (zone, seed) => {
  await expectYear({ seed, zone, orders: 220 });
});
