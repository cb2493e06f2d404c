// What the requests of one merchant may consume of the database in a UTC day, whichever of its keys and people ask. It is not known
// before what a request consumes, so it is spent afterwards: a process exceeds a budget by what it has under way and by its own
// free share. Guarantees: while units are left, and where nothing is known of them, requests are let through.
import { createLeasedWindow, type LeaseStore } from '../work/leased-window.ts';
import { DAY_MS } from '../work/time-slot.ts';

/** As DynamoDB counts them: a read unit is 4 KiB, half of one where the newest write need not be seen; a write unit 1 KiB. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

export interface UnitMeter {
  /** Runs `work`; what it consumes is added up, until it resolves. */
  measured<T>(work: () => Promise<T>, consumed: (units: Units) => Promise<void>): Promise<T>;
  /** Of the work that this is called in; nothing where it is in none. */
  add(kind: keyof Units, units: number): void;
  /** So far, of the work that this is called in. */
  consumed(): Units;
}

export interface UnitBudget {
  /** Seconds until the merchant may go on; null while it may. No I/O. */
  waitSec(merchantId: string, nowMs: number): number | null;
  spend(merchantId: string, units: Units, nowMs: number): Promise<void>;
}

/** The shares that a process leases of a day, and what it spends without one. */
const SHARE = 50;
const FREE = 500;

export function createUnitBudget(store: LeaseStore, limits: Units): UnitBudget {
  const window = createLeasedWindow(store, {
    windowMs: DAY_MS,
    free: (limit) => Math.floor(limit / FREE),
    share: (limit) => Math.ceil(limit / SHARE),
  });
  const kinds = ['read', 'write'] as const;
  const idOf = (merchantId: string, kind: keyof Units) => JSON.stringify([merchantId, 'units', kind]);
  return {
    waitSec: (merchantId, nowMs) =>
      kinds.some((kind) => window.isExhausted(idOf(merchantId, kind), nowMs))
        ? Math.max(1, Math.ceil(window.retryAfterSec(nowMs)))
        : null,
    async spend(merchantId, units, nowMs) {
      for (const kind of kinds)
        if (units[kind] > 0)
          await window.take(idOf(merchantId, kind), Math.ceil(units[kind]), limits[kind], nowMs);
    },
  };
}
