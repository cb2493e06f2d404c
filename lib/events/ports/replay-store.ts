// Replay plans as their users see them. Every method that writes is one conditional write to one item.
// A merchant has a place for each plan that is not over; who has one is what the sweep looks through.
import type { ReplayPlan } from '../domain/replays/plan.ts';

export interface ReplayStore {
  /** Takes a place for the plan, if the merchant has one left; a plan that has one keeps it. */
  takePlace(merchantId: string, planId: string, placesMax: number): Promise<boolean>;
  /** Gives it back; nothing where there is none. */
  leavePlace(merchantId: string, planId: string): Promise<void>;
  /** Consistent: ids of the plans that have a place. */
  places(merchantId: string): Promise<readonly string[]>;
  /** All plans with a place, of all merchants, in pages. */
  activePlans(cursor?: string): Promise<{ readonly plans: readonly PlanKey[]; readonly cursor?: string }>;
  /** False where there is one of this id. */
  createPlan(plan: ReplayPlan): Promise<boolean>;
  /** Consistent. */
  plan(merchantId: string, planId: string): Promise<ReplayPlan | null>;
  /** Newest first; behind the plan `before`. */
  listPlans(merchantId: string, limit: number, before?: string): Promise<readonly ReplayPlan[]>;
  /** Writes `next`, under `seenVersion + 1`, if the stored version is still `seenVersion`. */
  writePlan(next: ReplayPlan, seenVersion: number): Promise<boolean>;
}

export interface PlanKey {
  readonly merchantId: string;
  readonly planId: string;
}
