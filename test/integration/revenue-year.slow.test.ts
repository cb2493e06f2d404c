// Goal: as revenue-year.test.ts, of more years and zones.
import { it } from 'vitest';
import { expectYear } from '../support/year/agreement.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Auckland',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Cairo',
] as const;

it.each(ZONES.flatMap((zone) => [1, 2].map((seed) => [zone, seed] as const)))(
  'of a year in %s, %i',
  async (zone, seed) => {
    await expectYear({ seed: `${zone} ${seed}`, zone, orders: 600 });
  },
);
