// What a ticket's life may cost, counted and not priced, by its kind, and what reading may. Counted to the unit: the same each
// time. When a change makes a life cheaper, tighten the limit in the same commit.
import type { LifeKind, StepCost } from './helpdesk-cost.ts';

export type HelpdeskUnits = Pick<StepCost, 'writeUnits' | 'readUnits' | 'sqsRequests' | 'invocations'>;

/** Opened by a new customer, answered, written to, answered, closed; drafts on, no language model. */
export const LIFE_BUDGETS: Readonly<Record<LifeKind, HelpdeskUnits>> = {
  alone: { writeUnits: 99, readUnits: 26, sqsRequests: 6, invocations: 7 },
  'with a webhook': { writeUnits: 171, readUnits: 48, sqsRequests: 28, invocations: 12 },
  'by e-mail': { writeUnits: 117, readUnits: 49, sqsRequests: 12, invocations: 9 },
};

/** A sentence for each limit that is exceeded. */
export function lifeExceeded(kind: LifeKind, units: HelpdeskUnits): readonly string[] {
  return Object.entries(LIFE_BUDGETS[kind]).flatMap(([name, limit]) => {
    const value = units[name as keyof HelpdeskUnits];
    return value <= limit ? [] : [`${value} ${name} for a ticket’s life ${kind}: the limit is ${limit}`];
  });
}
