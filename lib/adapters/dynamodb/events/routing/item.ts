// A merchant's routing in the config table: one item, so that what decides where events go changes in one write.
//   pk ROUTING#<merchant>   sk ROUTING   v version   c connections by place   r rules, JSON text each
//   g connections that were removed, the newest first
// It lies in a partition of its own, or where an earlier release put it: moved-item.ts.
// Guarantees: a routing that cannot be read is never one without connections: reading it throws, and events wait. Where one
// connection of several cannot be read the others go on; its place is known by its name, so that events are decided for it as
// well, and wait there.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, type Item } from '#lib/core/record/stored-item.ts';
import { type ItemQuarantine, UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import {
  type Connection,
  type RemovedConnection,
  type RoutingSnapshot,
  routedConnection,
  STORED_CONNECTION,
  STORED_REMOVED,
} from '#lib/events/domain/connections/connection.ts';
import { connectionTarget, platformOf } from '#lib/events/domain/connections/target.ts';
import type { ItemKey } from '../../core/items/config-item.ts';
import { givenUpKind, type MovedKind } from '../../core/items/moved-item.ts';

const routingKey = (merchantId: string): ItemKey => ({ pk: `ROUTING#${merchantId}`, sk: 'ROUTING' });
export const MOVED_ROUTING: MovedKind = {
  sk: 'ROUTING',
  own: routingKey,
  givenUp: givenUpKind('routing', 'ROUTING'),
};
export const FORMER_ROUTING = MOVED_ROUTING.givenUp;

/** Current routing with everything the API shows and delivery needs; `version` 0 = nothing was ever configured. */
export interface Routing {
  readonly version: number;
  readonly connections: Readonly<Record<string, Connection>>;
  /** Places whose connection cannot be read. Taken, but nobody knows by what. */
  readonly unreadable: readonly string[];
  /** As they were written; whether one can be followed is found out by whoever follows it. */
  readonly rules: readonly unknown[];
  readonly removed: readonly RemovedConnection[];
}

const routingSchema = z.looseObject({
  v: z.int().positive(),
  c: z.record(z.string(), z.unknown()),
  r: z.array(z.unknown()).exactOptional(),
  g: z.array(z.unknown()).exactOptional(),
});
export const ROUTING = defineKind<z.output<typeof routingSchema>>({
  what: 'routing',
  table: 'config',
  key: { pk: 'ROUTING#{merchant}', sk: 'ROUTING' },
  formerKey: { pk: 'M#{merchant}', sk: 'ROUTING' },
  attribute: null,
  schema: routingSchema,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'Events wait until it can be read. One connection of several that cannot be read waits alone.',
});
const WHAT = 'connection';

/** Throws `UnreadableItem`, also where there are connections and none can be read: that is another shape of all of them. */
export function routingFromItem(
  merchantId: string,
  item: Item | undefined,
  quarantine: ItemQuarantine,
): Routing {
  if (item === undefined) return { version: 0, connections: {}, unreadable: [], rules: [], removed: [] };
  const { v: version, c, r = [], g = [] } = decodeItem(ROUTING, item);
  const connections: Record<string, Connection> = {};
  const unreadable: string[] = [];
  for (const [slot, value] of Object.entries(c)) {
    const connection = STORED_CONNECTION.safeParse(value).data;
    const isOwn = connection?.merchantId === merchantId && connectionTarget(connection) === slot;
    if (connection !== undefined && isOwn) connections[slot] = connection;
    else unreadable.push(slot);
  }
  if (unreadable.length > 0) {
    const found = unreadableAt(merchantId, unreadable);
    if (Object.keys(connections).length === 0) throw found;
    quarantine(found);
  }
  // Only shown: one that cannot be read is one that is not known any more.
  const removed = g.flatMap((one) => STORED_REMOVED.safeParse(one).data ?? []);
  return { version, connections, unreadable: unreadable.sort(), rules: r.map(parseRule), removed };
}

/** Names of places are slugs: what else stands there is not repeated. */
export const unreadableAt = (merchantId: string, slots: readonly string[]): UnreadableItem =>
  new UnreadableItem(
    WHAT,
    routingKey(merchantId),
    `no valid c.${slots.map((slot) => (/^[a-z0-9-]{1,40}(?:#\d)?$/.test(slot) ? slot : '?')).join(', c.')}`,
  );

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
  const slots = [...Object.keys(routing.connections), ...routing.unreadable].sort();
  return {
    merchantId,
    version: routing.version,
    connections: slots.map((slot) => {
      const connection = routing.connections[slot];
      if (connection !== undefined) return routedConnection(connection);
      const platform = platformOf(slot);
      return { id: slot, platform, ...(slot === platform ? {} : { slot }) };
    }),
    rules: routing.rules,
  };
}
