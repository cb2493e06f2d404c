// What a number of events costs under a plan. Pure; whole minor units.
import type { Plan } from './plans.ts';

export interface Bill {
  /** Events over what the plan includes. */
  readonly overageEvents: number;
  readonly baseMinor: number;
  readonly overageMinor: number;
  readonly totalMinor: number;
}

export function billOf(plan: Plan, events: number): Bill {
  const overageEvents = Math.max(0, events - plan.includedEvents);
  const overageMinor = Math.ceil(overageEvents / 1_000) * plan.overageMinorPerThousand;
  return {
    overageEvents,
    baseMinor: plan.priceMinor,
    overageMinor,
    totalMinor: plan.priceMinor + overageMinor,
  };
}
