// A merchant's routing in the config table: one item, so that what decides where events go changes in one write.
//   pk M#<merchant>   sk ROUTING   v version   c connections by place   r rules
import type { Connection, RoutingSnapshot, Rule } from '../../../events/domain/connection.ts';
import { type ItemKey, merchantKey } from '../core/config-item.ts';

export const routingKey = (merchantId: string): ItemKey => merchantKey(merchantId, 'ROUTING');

/** Current routing with everything the API shows and delivery needs; `version` 0 = nothing was ever configured. */
export interface Routing {
  readonly version: number;
  readonly connections: Readonly<Record<string, Connection>>;
  readonly rules: readonly Rule[];
}

export function routingFromItem(item: Readonly<Record<string, unknown>> | undefined): Routing {
  if (item === undefined) return { version: 0, connections: {}, rules: [] };
  return {
    version: Number(item.v),
    connections: item.c as Record<string, Connection>,
    rules: item.r as readonly Rule[],
  };
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
