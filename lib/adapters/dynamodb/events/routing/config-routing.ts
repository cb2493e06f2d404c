// How routing changes: one write to one item, on the condition that it is still the version that was read. So changes are
// one after the other, and a version never has two contents.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { slotOf } from '#lib/events/domain/connections/slot.ts';
import { conditional } from '../../core/items/conditional.ts';
import { formatRules, ROUTING, type Routing, routingFromItem, routingKey } from './item.ts';

/** Only what is named here is written, so that a pause of another connection is never undone. */
export interface RoutingChange {
  readonly put?: Connection;
  /** Revision of the connection that `put` overwrites. */
  readonly seenRevision?: number | undefined;
  /** Its place. */
  readonly remove?: string;
  readonly rules?: readonly unknown[];
}

const TRIES_MAX = 20;

export async function readRouting(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  quarantine: ItemQuarantine,
): Promise<Routing> {
  const answer = await db.send(
    new GetCommand({ TableName: table, Key: routingKey(merchantId), ConsistentRead: true }),
  );
  return routingFromItem(merchantId, answer.Item, quarantine);
}

/** Applies what `decide` makes of the current routing (null: nothing); it is asked again when somebody else was faster. */
export async function changeRouting<Change extends RoutingChange>(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  decide: (current: Routing) => Change | null,
  quarantine: ItemQuarantine,
): Promise<Change | null> {
  const retries = { what: `routing of merchant ${merchantId}`, triesMax: TRIES_MAX };
  return await retryConflicts(retries, async () => {
    const current = await readRouting(db, table, merchantId, quarantine);
    const change = decide(current);
    if (change === null) return null;
    return (await advance(db, table, merchantId, current, change)) ? change : CONFLICT;
  });
}

async function advance(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  seen: Routing,
  change: RoutingChange,
): Promise<boolean> {
  const key = routingKey(merchantId);
  const version = seen.version + 1;
  if (seen.version === 0) {
    const c = change.put === undefined ? {} : { [slotOf(change.put)]: change.put };
    const r = formatRules(change.rules ?? []);
    const written = await conditional(
      db.send(
        new PutCommand({
          TableName: table,
          Item: { ...key, ...formatAttribute(ROUTING), v: version, c, r },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    return written !== null;
  }
  const set = ['v = :version'];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = { ':version': version, ':seen': seen.version };
  if (change.put !== undefined) {
    set.push('c.#put = :put');
    names['#put'] = slotOf(change.put);
    values[':put'] = change.put;
  }
  if (change.rules !== undefined) {
    set.push('r = :rules');
    values[':rules'] = formatRules(change.rules);
  }
  if (change.remove !== undefined) names['#remove'] = change.remove;
  if (change.seenRevision !== undefined) values[':revision'] = change.seenRevision;
  const asSeen = change.seenRevision === undefined ? '' : ' AND c.#put.revision = :revision';
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: key,
        UpdateExpression: `SET ${set.join(', ')}${change.remove === undefined ? '' : ' REMOVE c.#remove'}`,
        ConditionExpression: `v = :seen${asSeen}`,
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: values,
      }),
    ),
  );
  return written !== null;
}
