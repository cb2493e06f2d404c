// A merchant's routing in the config table: one item, so that what decides where events go changes in one write.
//   pk M#<merchant>   sk ROUTING   v version   c connections by place   r rules, JSON text each
import type { Connection, RoutingSnapshot } from '../../../events/domain/connection.ts';
import { type ItemKey, merchantKey } from '../core/config-item.ts';

export const routingKey = (merchantId: string): ItemKey => merchantKey(merchantId, 'ROUTING');

/** Current routing with everything the API shows and delivery needs; `version` 0 = nothing was ever configured. */
export interface Routing {
  readonly version: number;
  readonly connections: Readonly<Record<string, Connection>>;
  /** As they were written; whether one can be followed is found out by whoever follows it. */
  readonly rules: readonly unknown[];
}

export function routingFromItem(item: Readonly<Record<string, unknown>> | undefined): Routing {
  if (item === undefined) return { version: 0, connections: {}, rules: [] };
  return {
    version: Number(item.v),
    connections: item.c as Record<string, Connection>,
    rules: Array.isArray(item.r) ? item.r.map(parseRule) : [],
  };
}

/** Text: what a merchant may compare with does not have to be a number that DynamoDB takes. */
export const formatRules = (rules: readonly unknown[]): string[] => rules.map((rule) => JSON.stringify(rule));

/** What is no such text is handed on as it is: readers skip it. */
function parseRule(stored: unknown): unknown {
  try {
    return typeof stored === 'string' ? JSON.parse(stored) : stored;
  } catch {
    return stored;
  }
}

/** What decides where events go, without credentials and pauses; in the order of places. */
export function snapshotOf(merchantId: string, routing: Routing): RoutingSnapshot {
  const slots = Object.keys(routing.connections).sort();
  return {
    merchantId,
    version: routing.version,
    connections: slots.flatMap((slot) => {
      const connection = routing.connections[slot];
      if (connection === undefined) return [];
      const { id, platform, slot: own } = connection;
      return [{ id, platform, ...(own === undefined ? {} : { slot: own }) }];
    }),
    rules: routing.rules,
  };
}
