// How routing changes: one write to one item, on the condition that it is still the version that was read. So changes are
// one after the other, and a version never has two contents.
import { formatAttribute, type Item } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Connection, RemovedConnection } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { type Change, type Db, updateItem } from '../../core/items/commands.ts';
import { createMovedItems, type FoundItem, type MovedItems } from '../../core/items/moved-item.ts';
import { formatRules, MOVED_ROUTING, ROUTING, type Routing, routingFromItem } from './item.ts';

/** Only what is named here is written, so that a pause of another connection is never undone. */
export interface RoutingChange {
  readonly put?: Connection;
  /** Revision of the connection that `put` overwrites. */
  readonly seenRevision?: number | undefined;
  /** Its place. */
  readonly remove?: string;
  /** Those that were removed, this one among them. */
  readonly removed?: readonly RemovedConnection[];
  readonly rules?: readonly unknown[];
}

const TRIES_MAX = 20;

export interface RoutingItems extends Pick<MovedItems, 'updateWhereItIs'> {
  read(merchantId: string): Promise<Routing>;
  /** Applies what `decide` makes of the current routing (null: nothing); it is asked again when somebody else was faster. */
  change<Change extends RoutingChange>(
    merchantId: string,
    decide: (current: Routing) => Change | null,
  ): Promise<Change | null>;
}

export function createRoutingItems(db: Db, table: string, quarantine: ItemQuarantine): RoutingItems {
  const items = createMovedItems(db, table, MOVED_ROUTING);
  const advance = async (
    merchantId: string,
    found: FoundItem,
    seen: Routing,
    change: RoutingChange,
  ): Promise<boolean> => {
    if (found.item === undefined) return await items.create(merchantId, found, firstRouting(change));
    await items.finish(merchantId, found);
    return await updateItem({ db, table }, items.keyOf(merchantId, found), routingUpdate(seen, change));
  };
  return {
    updateWhereItIs: items.updateWhereItIs,
    read: async (merchantId) => routingFromItem(merchantId, (await items.find(merchantId)).item, quarantine),
    change: async (merchantId, decide) => {
      const retries = { what: `routing of merchant ${merchantId}`, triesMax: TRIES_MAX };
      return await retryConflicts(retries, async () => {
        const found = await items.find(merchantId);
        const current = routingFromItem(merchantId, found.item, quarantine);
        const change = decide(current);
        if (change === null) return null;
        return (await advance(merchantId, found, current, change)) ? change : CONFLICT;
      });
    },
  };
}

function firstRouting({ put, rules = [] }: RoutingChange): Item {
  const c = put === undefined ? {} : { [connectionTarget(put)]: put };
  return { ...formatAttribute(ROUTING), v: 1, c, r: formatRules(rules) };
}

function routingUpdate(seen: Routing, change: RoutingChange): Change {
  const set = ['v = :version'];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = { ':version': seen.version + 1, ':seen': seen.version };
  if (change.put !== undefined) {
    set.push('c.#put = :put');
    names['#put'] = connectionTarget(change.put);
    values[':put'] = change.put;
  }
  if (change.rules !== undefined) {
    set.push('r = :rules');
    values[':rules'] = formatRules(change.rules);
  }
  if (change.removed !== undefined) {
    set.push('g = :removed');
    values[':removed'] = change.removed;
  }
  if (change.remove !== undefined) names['#remove'] = change.remove;
  if (change.seenRevision !== undefined) values[':revision'] = change.seenRevision;
  const asSeen = change.seenRevision === undefined ? '' : ' AND c.#put.revision = :revision';
  return {
    update: `SET ${set.join(', ')}${change.remove === undefined ? '' : ' REMOVE c.#remove'}`,
    condition: `v = :seen${asSeen}`,
    names,
    values,
  };
}
