import { manyMerchants } from './many-merchants.ts';
import { oneMerchant } from './one-merchant.ts';
import { outage } from './outage.ts';
import { paused } from './paused.ts';
import { purge } from './purge.ts';
import { quota } from './quota.ts';
import type { Scenario } from './scenario.ts';
import { smallMerchants } from './small-merchants.ts';

/** In the order of the report. */
export const SCENARIOS: readonly Scenario[] = [
  oneMerchant,
  manyMerchants,
  outage,
  purge,
  paused,
  quota,
  smallMerchants,
];
