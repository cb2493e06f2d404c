// Connections are part of the merchant's routing item: whatever changes where events go makes a new version of it.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Circuit, Connection } from '../../../events/domain/connection.ts';
import type { ConnectionStore } from '../../../events/ports/connection-store.ts';
import { conditional } from '../core/conditional.ts';
import { changeRouting, readRouting } from './config-routing.ts';
import { routingKey } from './routing-item.ts';

export function createConnectionStore(db: DynamoDBDocumentClient, table: string): ConnectionStore {
  return {
    async connection(merchantId, platform) {
      const { connections } = await readRouting(db, table, merchantId);
      return Object.hasOwn(connections, platform) ? (connections[platform] ?? null) : null;
    },

    pauseConnection: (...args) => pauseConnection(db, table, ...args),
    setCircuit: (...args) => setCircuit(db, table, ...args),

    async listConnections(merchantId) {
      const { connections } = await readRouting(db, table, merchantId);
      return Object.values(connections).sort((a, b) => (a.platform < b.platform ? -1 : 1));
    },

    async putConnection({ merchantId, platform, newId, name, sealedCredentials }, nowMs) {
      const change = await changeRouting(db, table, merchantId, ({ version, connections }) => {
        const old = Object.hasOwn(connections, platform) ? connections[platform] : undefined;
        const put: Connection = {
          id: old?.id ?? newId,
          merchantId,
          platform,
          name,
          status: 'active',
          createdAtMs: old?.createdAtMs ?? nowMs,
          updatedAtMs: nowMs,
          // No event was decided yet under a version that is newer than this one.
          sinceVersion: old?.sinceVersion ?? version + 1,
          sealedCredentials,
        };
        return { put, created: old === undefined };
      });
      if (change === null) throw new Error('a connection is always written');
      return { connection: change.put, created: change.created };
    },

    async deleteConnection(merchantId, connectionId) {
      const change = await changeRouting(db, table, merchantId, ({ connections }) => {
        const old = Object.values(connections).find(({ id }) => id === connectionId);
        return old === undefined ? null : { remove: old.platform, old };
      });
      return change?.old ?? null;
    },
  };
}

async function pauseConnection(
  db: DynamoDBDocumentClient,
  table: string,
  seen: Connection,
  reason: string,
  nowMs: number,
): Promise<boolean> {
  const paused = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: routingKey(seen.merchantId),
        UpdateExpression:
          'SET c.#p.#status = :paused, c.#p.pausedReason = :reason, c.#p.pausedAtMs = :now, c.#p.updatedAtMs = :now',
        ConditionExpression:
          'c.#p.id = :id AND c.#p.#status = :active AND c.#p.sealedCredentials = :credentials',
        ExpressionAttributeNames: { '#p': seen.platform, '#status': 'status' },
        ExpressionAttributeValues: {
          ':paused': 'paused',
          ':active': 'active',
          ':reason': reason,
          ':now': nowMs,
          ':id': seen.id,
          ':credentials': seen.sealedCredentials,
        },
      }),
    ),
  );
  return paused !== null;
}

async function setCircuit(
  db: DynamoDBDocumentClient,
  table: string,
  { merchantId, platform, id, circuit: seen }: Connection,
  circuit: Circuit | null,
): Promise<boolean> {
  const asSeen =
    seen === undefined ? 'attribute_not_exists(c.#p.circuit)' : 'c.#p.circuit.nextProbeAtMs = :seen';
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: routingKey(merchantId),
        UpdateExpression: circuit === null ? 'REMOVE c.#p.circuit' : 'SET c.#p.circuit = :circuit',
        ConditionExpression: `c.#p.id = :id AND ${asSeen}`,
        ExpressionAttributeNames: { '#p': platform },
        ExpressionAttributeValues: {
          ':id': id,
          ...(seen === undefined ? {} : { ':seen': seen.nextProbeAtMs }),
          ...(circuit === null ? {} : { ':circuit': circuit }),
        },
      }),
    ),
  );
  return written !== null;
}
