// Where a merchant's events go: read by the pipeline, advanced by every change of a connection or rule.
import type { RoutingSnapshot, Rule } from '../domain/connection.ts';

export interface RoutingStore {
  /** Routing as it is; a version never has two contents. Version 0 with nothing connected when there is none. */
  currentRouting(merchantId: string): Promise<RoutingSnapshot>;
  putRules(merchantId: string, rules: readonly Rule[]): Promise<void>;
}
