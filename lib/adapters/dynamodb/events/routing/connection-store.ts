// Connections are part of the merchant's routing item: whatever changes where events go makes a new version of it.
// Guarantees: a connection that cannot be read is neither missing nor written over: asking for it throws.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import type { Circuit, Connection, PauseReason } from '#lib/events/domain/connections/connection.ts';
import { outagesOver } from '#lib/events/domain/connections/outage.ts';
import { connectionTarget, freeTarget, targetAt, targetsAt } from '#lib/events/domain/connections/target.ts';
import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionStore,
} from '#lib/events/ports/connection-store.ts';
import { conditional } from '../../core/items/conditional.ts';
import type { ItemKey } from '../../core/items/config-item.ts';
import { createRoutingItems, type RoutingItems } from './config-routing.ts';
import { type Routing, routingFromItem, unreadableAt } from './item.ts';

export function createConnectionStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): ConnectionStore {
  const routings = createRoutingItems(db, table, quarantine);
  return {
    async connection(merchantId, slot) {
      const { connections, unreadable } = await routings.read(merchantId);
      if (unreadable.includes(slot)) throw unreadableAt(merchantId, [slot]);
      return Object.hasOwn(connections, slot) ? (connections[slot] ?? null) : null;
    },

    pauseConnection: (...args) => pauseConnection(db, table, routings, ...args),
    setCircuit: (...args) => setCircuit(db, table, routings, ...args),
    changeConnection: (...args) => changeConnection(db, table, routings, ...args),

    async listConnections(merchantId) {
      const { connections } = await routings.read(merchantId);
      return Object.values(connections).sort((a, b) => (connectionTarget(a) < connectionTarget(b) ? -1 : 1));
    },

    async putConnection(draft, nowMs) {
      const change = await putInPlace(routings, draft, nowMs, targetAt);
      if (change === null) throw new Error('a connection is always written');
      return { connection: change.put, created: change.seenRevision === undefined };
    },

    async createConnection(draft, nowMs) {
      // One that cannot be read has its place all the same.
      const placeFor = (platform: string, taken: Readonly<Record<string, unknown>>) =>
        targetsAt(platform, taken).length === 0 ? { slot: platform } : null;
      return (await putInPlace(routings, draft, nowMs, placeFor))?.put ?? null;
    },

    async addConnection(draft, nowMs) {
      const placeFor = (platform: string, taken: Readonly<Record<string, unknown>>) => {
        const slot = freeTarget(platform, taken);
        return slot === null ? null : { slot };
      };
      return (await putInPlace(routings, draft, nowMs, placeFor))?.put ?? null;
    },

    async deleteConnection(merchantId, connectionId) {
      const remove = ({ connections }: Routing) => {
        const old = Object.values(connections).find(({ id }) => id === connectionId);
        return old === undefined ? null : { remove: connectionTarget(old), old };
      };
      return (await routings.change(merchantId, remove))?.old ?? null;
    },
  };
}

interface Place {
  readonly slot: string;
  /** Whose it is. */
  readonly old?: Connection | undefined;
}

async function putInPlace(
  routings: RoutingItems,
  { merchantId, platform, newId, name, sealedCredentials }: ConnectionDraft,
  nowMs: number,
  placeFor: (platform: string, taken: Readonly<Record<string, Connection | undefined>>) => Place | null,
) {
  const decide = ({ version, connections, unreadable }: Routing) => {
    const taken = Object.fromEntries(unreadable.map((slot) => [slot, undefined]));
    const place = placeFor(platform, { ...taken, ...connections });
    if (place === null) return null;
    const { slot, old } = place;
    if (unreadable.includes(slot)) throw unreadableAt(merchantId, [slot]);
    const outages = old && outagesOver(old, { circuit: true, pause: true }, nowMs);
    const put: Connection = {
      id: old?.id ?? newId,
      merchantId,
      platform,
      ...(slot === platform ? {} : { slot }),
      name,
      status: 'active',
      revision: (old?.revision ?? 0) + 1,
      createdAtMs: old?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
      // No event was decided yet under a version that is newer than this one.
      sinceVersion: old?.sinceVersion ?? version + 1,
      ...(outages === undefined ? {} : { outages }),
      sealedCredentials,
    };
    return { put, seenRevision: old?.revision };
  };
  return await routings.change(merchantId, decide);
}

async function pauseConnection(
  db: DynamoDBDocumentClient,
  table: string,
  routings: RoutingItems,
  seen: Connection,
  reason: PauseReason,
  nowMs: number,
): Promise<boolean> {
  const pause = (Key: ItemKey) =>
    new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression:
        'SET c.#p.#status = :paused, c.#p.pausedReason = :reason, c.#p.pausedAtMs = :now, c.#p.updatedAtMs = :now, c.#p.revision = c.#p.revision + :one',
      ConditionExpression:
        'c.#p.id = :id AND c.#p.#status = :active AND c.#p.sealedCredentials = :credentials',
      ExpressionAttributeNames: { '#p': connectionTarget(seen), '#status': 'status' },
      ExpressionAttributeValues: {
        ':paused': 'paused',
        ':active': 'active',
        ':reason': reason,
        ':now': nowMs,
        ':one': 1,
        ':id': seen.id,
        ':credentials': seen.sealedCredentials,
      },
    });
  const write = (key: ItemKey) => conditional(db.send(pause(key)));
  return (await routings.writeInPlace(seen.merchantId, write)) !== null;
}

/** Only what changes is written: a circuit that moves meanwhile is no conflict, and stays. */
async function changeConnection(
  db: DynamoDBDocumentClient,
  table: string,
  routings: RoutingItems,
  seen: Connection,
  { name, sealedCredentials, pause }: ConnectionChange,
  nowMs: number,
): Promise<Connection | null> {
  const { merchantId, id, revision } = seen;
  const slot = connectionTarget(seen);
  const over = { circuit: sealedCredentials !== undefined, pause: pause !== undefined };
  const outages = outagesOver(seen, over, nowMs);
  const fields: Record<string, unknown> = {
    revision: revision + 1,
    updatedAtMs: nowMs,
    ...(name === undefined ? {} : { name }),
    ...(sealedCredentials === undefined ? {} : { sealedCredentials }),
    ...(pause === undefined ? {} : { status: pause === null ? 'active' : 'paused' }),
    ...(pause == null ? {} : { pausedReason: pause, pausedAtMs: nowMs }),
    ...(outages === seen.outages ? {} : { outages }),
  };
  const gone = [
    ...(sealedCredentials === undefined ? [] : ['circuit']),
    ...(pause === null ? ['pausedReason', 'pausedAtMs'] : []),
  ];
  const set = Object.keys(fields).map((field) => `c.#p.#${field} = :${field}`);
  const remove = gone.map((field) => `c.#p.#${field}`);
  const change = (Key: ItemKey) =>
    new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: `SET ${set.join(', ')}${remove.length === 0 ? '' : ` REMOVE ${remove.join(', ')}`}`,
      ConditionExpression: 'c.#p.id = :id AND c.#p.#revision = :seen',
      ExpressionAttributeNames: {
        '#p': slot,
        ...Object.fromEntries([...Object.keys(fields), ...gone].map((field) => [`#${field}`, field])),
      },
      ExpressionAttributeValues: {
        ':id': id,
        ':seen': revision,
        ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [`:${field}`, value])),
      },
      ReturnValues: 'ALL_NEW',
    });
  const written = await routings.writeInPlace(merchantId, (key) => conditional(db.send(change(key))));
  return written === null
    ? null
    : (routingFromItem(merchantId, written.Attributes, () => {}).connections[slot] ?? null);
}

async function setCircuit(
  db: DynamoDBDocumentClient,
  table: string,
  routings: RoutingItems,
  connection: Connection,
  circuit: Circuit | null,
  nowMs: number,
): Promise<boolean> {
  const { merchantId, id, circuit: seen } = connection;
  const outages = circuit === null ? outagesOver(connection, { circuit: true }, nowMs) : undefined;
  const closes = `REMOVE c.#p.circuit${outages === undefined ? '' : ' SET c.#p.outages = :outages'}`;
  const asSeen =
    seen === undefined ? 'attribute_not_exists(c.#p.circuit)' : 'c.#p.circuit.nextProbeAtMs = :seen';
  const move = (Key: ItemKey) =>
    new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: circuit === null ? closes : 'SET c.#p.circuit = :circuit',
      ConditionExpression: `c.#p.id = :id AND ${asSeen}`,
      ExpressionAttributeNames: { '#p': connectionTarget(connection) },
      ExpressionAttributeValues: {
        ':id': id,
        ...(seen === undefined ? {} : { ':seen': seen.nextProbeAtMs }),
        ...(circuit === null ? {} : { ':circuit': circuit }),
        ...(outages === undefined ? {} : { ':outages': outages }),
      },
    });
  return (await routings.writeInPlace(merchantId, (key) => conditional(db.send(move(key))))) !== null;
}
