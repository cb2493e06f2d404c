// How routing changes. The snapshot of the next version is put where none is, then the current routing is moved from the
// version that was read to that one. A writer that dies in between, or loses the second write, leaves a snapshot no
// event will ever name; the next writer takes the number after it, so a version never has two contents.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection, Rule } from '../../../events/domain/connection.ts';
import { isConditionFailure } from '../core/client.ts';
import { type Routing, routingFromItem, routingKey, snapshotKey, snapshotOf } from '../core/config-item.ts';

/** Only what is named here is written, so that a pause of another connection is never undone. */
export interface RoutingChange {
  readonly put?: Connection;
  /** Platform slug. */
  readonly remove?: string;
  readonly rules?: readonly Rule[];
}

const TRIES_MAX = 20;
/** Snapshot numbers taken by attempts that lost. */
const NUMBERS_MAX = 50;

export async function readRouting(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
): Promise<Routing> {
  const answer = await db.send(
    new GetCommand({ TableName: table, Key: routingKey(merchantId), ConsistentRead: true }),
  );
  return routingFromItem(answer.Item);
}

/** Applies what `decide` makes of the current routing (null: nothing); it is asked again when somebody else was faster. */
export async function changeRouting<Change extends RoutingChange>(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  decide: (current: Routing) => Change | null,
): Promise<Change | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const current = await readRouting(db, table, merchantId);
    const change = decide(current);
    if (change === null) return null;
    const version = await putSnapshot(db, table, merchantId, applied(current, change));
    if (version === null) continue;
    if (await advance(db, table, merchantId, current, change, version)) return change;
  }
  throw new Error(`routing of merchant ${merchantId} changed ${TRIES_MAX} times meanwhile`);
}

function applied(current: Routing, change: RoutingChange): Routing {
  const connections = Object.fromEntries(
    Object.entries(current.connections).filter(([slug]) => slug !== change.remove),
  );
  if (change.put !== undefined) connections[change.put.platform] = change.put;
  return { version: current.version + 1, connections, rules: change.rules ?? current.rules };
}

/** Puts the snapshot under the first free number from its own on; null when so many others were faster. */
async function putSnapshot(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  routing: Routing,
): Promise<number | null> {
  const { connections, rules } = snapshotOf(merchantId, routing);
  for (let version = routing.version; version < routing.version + NUMBERS_MAX; version++) {
    const written = await conditional(
      db.send(
        new PutCommand({
          TableName: table,
          Item: { ...snapshotKey(merchantId, version), c: connections, r: rules },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    if (written) return version;
  }
  return null;
}

async function advance(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  seen: Routing,
  change: RoutingChange,
  version: number,
): Promise<boolean> {
  const key = routingKey(merchantId);
  if (seen.version === 0) {
    const { connections: c, rules: r } = applied(seen, change);
    return conditional(
      db.send(
        new PutCommand({
          TableName: table,
          Item: { ...key, v: version, c, r },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
  }
  const set = ['v = :version'];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = { ':version': version, ':seen': seen.version };
  if (change.put !== undefined) {
    set.push('c.#put = :put');
    names['#put'] = change.put.platform;
    values[':put'] = change.put;
  }
  if (change.rules !== undefined) {
    set.push('r = :rules');
    values[':rules'] = change.rules;
  }
  if (change.remove !== undefined) names['#remove'] = change.remove;
  return conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: key,
        UpdateExpression: `SET ${set.join(', ')}${change.remove === undefined ? '' : ' REMOVE c.#remove'}`,
        ConditionExpression: 'v = :seen',
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: values,
      }),
    ),
  );
}

async function conditional(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}
