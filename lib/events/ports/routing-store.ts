// Where a merchant's events go: read by the pipeline, advanced by every change of a connection or rule.
import type { RoutingSnapshot } from '../domain/connections/connection.ts';

/** `rules` absent: nothing is written. */
export interface RulesChange<Answer> {
  readonly rules?: readonly unknown[];
  readonly answer: Answer;
}

export interface RoutingStore {
  /** Routing as it is; a version never has two contents. Version 0 with nothing connected when there is none. */
  currentRouting(merchantId: string): Promise<RoutingSnapshot>;
  /** Asks `decide` again, with the rules as they are then, where somebody else wrote meanwhile: no change is lost. */
  changeRules<Answer>(
    merchantId: string,
    decide: (current: readonly unknown[]) => RulesChange<Answer>,
  ): Promise<Answer>;
}
