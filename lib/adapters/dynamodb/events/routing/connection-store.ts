// Connections are part of the merchant's routing item: whatever changes where events go makes a new version of it.
// Guarantees: a connection that cannot be read is neither missing nor written over: asking for it throws.
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import {
  type Circuit,
  type Connection,
  type FailedCall,
  type PauseReason,
  REMOVED_MAX,
  type RemovedConnection,
} from '#lib/events/domain/connections/connection.ts';
import { outagesOver } from '#lib/events/domain/connections/outage.ts';
import { connectionTarget, freeTarget, targetAt, targetsAt } from '#lib/events/domain/connections/target.ts';
import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionStore,
} from '#lib/events/ports/connection-store.ts';
import type { Change, Db } from '../../core/items/commands.ts';
import { createRoutingItems, type RoutingItems } from './config-routing.ts';
import { type Routing, routingFromItem, unreadableAt } from './item.ts';

export function createConnectionStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): ConnectionStore {
  const routings = createRoutingItems(db, table, quarantine);
  const connectionsOf: ConnectionStore['connectionsOf'] = async (merchantId) => {
    const { connections, unreadable } = await routings.read(merchantId);
    return (slot) => {
      if (unreadable.includes(slot)) throw unreadableAt(merchantId, [slot]);
      return Object.hasOwn(connections, slot) ? (connections[slot] ?? null) : null;
    };
  };
  return {
    connectionsOf,
    connection: async (merchantId, slot) => (await connectionsOf(merchantId))(slot),

    async pauseConnection(seen, reason, nowMs, failedCall) {
      const pause = pauseOf(seen, reason, nowMs, failedCall);
      return (await routings.updateWhereItIs(seen.merchantId, pause, 'NONE')) !== null;
    },

    async setCircuit(seen, circuit, nowMs) {
      const change = circuitChange(seen, circuit, nowMs);
      return (await routings.updateWhereItIs(seen.merchantId, change, 'NONE')) !== null;
    },

    async moveProbe(seen, atMs) {
      return (await routings.updateWhereItIs(seen.merchantId, probeMove(seen, atMs), 'NONE')) !== null;
    },

    async noteDeprecation(seen, said, nowMs) {
      const note = deprecationNote(seen, { said, atMs: nowMs });
      return (await routings.updateWhereItIs(seen.merchantId, note, 'NONE')) !== null;
    },

    async changeConnection(seen, change, nowMs) {
      const { merchantId } = seen;
      const update = connectionUpdate(seen, change, nowMs);
      const updated = await routings.updateWhereItIs(merchantId, update, 'ALL_NEW');
      if (updated === null) return null;
      return routingFromItem(merchantId, updated, () => {}).connections[connectionTarget(seen)] ?? null;
    },

    async listConnections(merchantId) {
      return inOrder((await routings.read(merchantId)).connections);
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

    async everyConnection(merchantId) {
      const { connections, removed } = await routings.read(merchantId);
      return { connections: inOrder(connections), removed };
    },

    async deleteConnection(merchantId, connectionId, { atMs: removedAtMs, account }) {
      const remove = ({ version, connections, removed }: Routing) => {
        const old = Object.values(connections).find(({ id }) => id === connectionId);
        if (old === undefined) return null;
        const { id, platform, slot, name, sinceVersion, createdAtMs } = old;
        const kept: RemovedConnection = {
          ...{ id, platform, name, sinceVersion, createdAtMs, removedAtMs, untilVersion: version + 1 },
          ...withoutUndefined({ slot, account }),
        };
        return { remove: connectionTarget(old), removed: [kept, ...removed].slice(0, REMOVED_MAX), old };
      };
      return (await routings.change(merchantId, remove))?.old ?? null;
    },
  };
}

const inOrder = (connections: Routing['connections']): readonly Connection[] =>
  Object.values(connections).sort((a, b) => (connectionTarget(a) < connectionTarget(b) ? -1 : 1));

interface Place {
  readonly slot: string;
  /** Whose it is. */
  readonly old?: Connection | undefined;
}

async function putInPlace(
  routings: RoutingItems,
  { merchantId, platform, newId, name, sealedCredentials, own }: ConnectionDraft,
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
      ...(old?.apiVersion === undefined ? {} : { apiVersion: old.apiVersion }),
      createdAtMs: old?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
      // No event was decided yet under a version that is newer than this one.
      sinceVersion: old?.sinceVersion ?? version + 1,
      ...(outages === undefined ? {} : { outages }),
      sealedCredentials,
      ...(old?.events === undefined ? {} : { events: old.events }),
      ...(old?.consent === undefined ? {} : { consent: old.consent }),
      ...own,
    };
    return { put, seenRevision: old?.revision };
  };
  return await routings.change(merchantId, decide);
}

const pauseOf = (
  seen: Connection,
  reason: PauseReason,
  nowMs: number,
  failedCall: FailedCall | undefined,
): Change => ({
  update: `SET c.#p.#status = :paused, c.#p.pausedReason = :reason, c.#p.pausedAtMs = :now, c.#p.updatedAtMs = :now, c.#p.revision = c.#p.revision + :one${
    failedCall === undefined ? '' : ', c.#p.failedCall = :call'
  }`,
  condition: 'c.#p.id = :id AND c.#p.#status = :active AND c.#p.sealedCredentials = :credentials',
  names: { '#p': connectionTarget(seen), '#status': 'status' },
  values: {
    ':paused': 'paused',
    ':active': 'active',
    ':reason': reason,
    ':now': nowMs,
    ':one': 1,
    ...(failedCall === undefined ? {} : { ':call': failedCall }),
    ':id': seen.id,
    ':credentials': seen.sealedCredentials,
  },
});

const probeMove = (seen: Connection, atMs: number): Change => ({
  update: 'SET c.#p.probeAtMs = :at',
  condition: `c.#p.id = :id AND c.#p.#status = :paused AND c.#p.pausedReason = :auth AND ${
    seen.probeAtMs === undefined ? 'attribute_not_exists(c.#p.probeAtMs)' : 'c.#p.probeAtMs = :seen'
  }`,
  names: { '#p': connectionTarget(seen), '#status': 'status' },
  values: {
    ':at': atMs,
    ':id': seen.id,
    ':paused': 'paused',
    ':auth': 'auth',
    ...(seen.probeAtMs === undefined ? {} : { ':seen': seen.probeAtMs }),
  },
});

function deprecationNote(
  connection: Connection,
  deprecation: NonNullable<Connection['deprecation']>,
): Change {
  const { id, apiVersion, deprecation: known } = connection;
  const seen = { apiVersion, 'deprecation.atMs': known?.atMs };
  const conditions = Object.entries(seen).map(([path, value], at) =>
    value === undefined ? `attribute_not_exists(c.#p.${path})` : `c.#p.${path} = :seen${at}`,
  );
  const values = Object.values(seen).flatMap((value, at) =>
    value === undefined ? [] : [[`:seen${at}`, value]],
  );
  return {
    update: 'SET c.#p.deprecation = :deprecation',
    condition: ['c.#p.id = :id', ...conditions].join(' AND '),
    names: { '#p': connectionTarget(connection) },
    values: { ':id': id, ':deprecation': deprecation, ...Object.fromEntries(values) },
  };
}

/** Only what changes is written: a circuit that moves meanwhile is no conflict, and stays. */
function connectionUpdate(
  seen: Connection,
  { name, sealedCredentials, apiVersion, pause, ...own }: ConnectionChange,
  nowMs: number,
): Change {
  const over = { circuit: sealedCredentials !== undefined, pause: pause !== undefined };
  const outages = outagesOver(seen, over, nowMs);
  const fields: Record<string, unknown> = {
    revision: seen.revision + 1,
    updatedAtMs: nowMs,
    ...withoutUndefined({ name, sealedCredentials }),
    ...(apiVersion == null ? {} : { apiVersion }),
    ...(pause === undefined ? {} : { status: pause === null ? 'active' : 'paused' }),
    ...(pause == null ? {} : { pausedReason: pause, pausedAtMs: nowMs }),
    ...(outages === seen.outages ? {} : { outages }),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)),
  };
  const gone = [
    ...Object.entries(own).flatMap(([field, value]) => (value === null ? [field] : [])),
    ...(sealedCredentials === undefined ? [] : ['circuit']),
    ...(apiVersion === undefined ? [] : ['deprecation', ...(apiVersion === null ? ['apiVersion'] : [])]),
    ...(pause === null ? ['pausedReason', 'pausedAtMs', 'probeAtMs', 'failedCall'] : []),
  ];
  const set = Object.keys(fields).map((field) => `c.#p.#${field} = :${field}`);
  const decides = Object.keys(own).length > 0;
  if (decides) set.push('v = v + :one');
  const remove = gone.map((field) => `c.#p.#${field}`);
  return {
    update: `SET ${set.join(', ')}${remove.length === 0 ? '' : ` REMOVE ${remove.join(', ')}`}`,
    condition: 'c.#p.id = :id AND c.#p.#revision = :seen',
    names: {
      '#p': connectionTarget(seen),
      ...Object.fromEntries([...Object.keys(fields), ...gone].map((field) => [`#${field}`, field])),
    },
    values: {
      ':id': seen.id,
      ':seen': seen.revision,
      ...(decides ? { ':one': 1 } : {}),
      ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [`:${field}`, value])),
    },
  };
}

function circuitChange(connection: Connection, circuit: Circuit | null, nowMs: number): Change {
  const { id, circuit: seen } = connection;
  const outages = circuit === null ? outagesOver(connection, { circuit: true }, nowMs) : undefined;
  const closes = `REMOVE c.#p.circuit${outages === undefined ? '' : ' SET c.#p.outages = :outages'}`;
  const asSeen =
    seen === undefined ? 'attribute_not_exists(c.#p.circuit)' : 'c.#p.circuit.nextProbeAtMs = :seen';
  return {
    update: circuit === null ? closes : 'SET c.#p.circuit = :circuit',
    condition: `c.#p.id = :id AND ${asSeen}`,
    names: { '#p': connectionTarget(connection) },
    values: {
      ':id': id,
      ...(seen === undefined ? {} : { ':seen': seen.nextProbeAtMs }),
      ...(circuit === null ? {} : { ':circuit': circuit }),
      ...(outages === undefined ? {} : { ':outages': outages }),
    },
  };
}
