// Teams, routings and data keys while they move to partitions of their own: beside the release before, which knows one place; whatever
// is cut off in between; and back. Conformance suites run once more where everything lies in the former place.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import {
  type ConfigStores,
  createConfigStores,
} from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createRoutingStore } from '#lib/adapters/dynamodb/events/routing/store.ts';
import { movePartitions } from '#lib/adapters/dynamodb/move-partitions.ts';
import { UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import { withMember } from '#lib/core/tenancy/team.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { type EarlierRelease, earlierRelease, formerKey } from '../../support/earlier-release.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { configConformance } from './config.suite.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { draft } from './connection-changes.ts';
import { freshMerchant, T0 } from './event-rows.ts';
import { tenancyConformance } from './tenancy.suite.ts';

const CIRCUIT = { openedAtMs: T0, probes: 1, nextProbeAtMs: T0 + 30_000 };
const NOTHING = { teams: 0, routings: 0, dataKeys: 0, left: [] };
const OWN = { ROUTING: 'ROUTING', TEAM: 'TEAM', DATAKEY: 'DATAKEY' } as const;

let opened: ConfigTable;
let earlier: EarlierRelease;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
  earlier = earlierRelease(opened.db, opened.table);
});
afterAll(() => opened.close());

const stores = (db: DynamoDBDocumentClient = opened.db): ConfigStores =>
  createConfigStores(db, opened.table, createSeededRandom('keys'));
const keysOf = (db: DynamoDBDocumentClient = opened.db) => createDataKeyStore(db, opened.table);
const itemAt = async (Key: Record<string, unknown>) =>
  (await opened.db.send(new GetCommand({ TableName: opened.table, Key, ConsistentRead: true }))).Item;
const ownItem = (merchantId: string, what: keyof typeof OWN) =>
  itemAt({ pk: `${what}#${merchantId}`, sk: what });
const formerItem = (merchantId: string, what: keyof typeof OWN) => itemAt(formerKey(merchantId, what));

/** Sends through to the emulator; `before` may count, throw, or have something else done first. */
function watched(before: (command: object) => unknown): DynamoDBDocumentClient {
  const send = async (command: never) => {
    await before(command);
    return await opened.db.send(command);
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

/** The stores of today on a table in which everything is where the release before put it. */
function inFormerPlaces(): DynamoDBDocumentClient {
  const send = async (command: object) => {
    if (!(command instanceof PutCommand)) return await opened.db.send(command as never);
    const { Item: item = {} } = command.input;
    const [, kind, merchantId = ''] = /^(TEAM|ROUTING)#(.*)$/.exec(String(item.pk)) ?? [];
    if (item.moved === true) return {};
    if (kind === undefined) return await opened.db.send(command);
    const Item = { ...item, ...formerKey(merchantId, kind) };
    return await opened.db.send(new PutCommand({ ...command.input, Item }));
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

configConformance('DynamoDB, in the former places', async () => ({
  config: stores(inFormerPlaces()),
  dataKeys: keysOf(inFormerPlaces()),
}));
tenancyConformance('DynamoDB, in the former places', async () => stores(inFormerPlaces()));

/** With a team, two connections, a rule and a data key, as the release before left them. */
async function formerMerchant() {
  const merchantId = freshMerchant();
  const former = stores(inFormerPlaces());
  for (const platform of ['meta', 'ga4']) await former.putConnection(draft(merchantId, platform), T0);
  await former.changeRules(merchantId, (rules) => ({ rules: [...rules, { id: 'first' }], answer: null }));
  await former.putMember({ sub: `sub-${merchantId}`, merchantId, role: 'owner' });
  await earlier.dataKeys.create(merchantId, new Uint8Array([1, 2, 3]));
  expect(await formerItem(merchantId, 'ROUTING')).toMatchObject({ v: 3 });
  for (const what of Object.values(OWN)) expect(await ownItem(merchantId, what)).toBeUndefined();
  return merchantId;
}
const all = async (merchantId: string, db: DynamoDBDocumentClient = opened.db) => ({
  connections: await stores(db).listConnections(merchantId),
  routing: await stores(db).currentRouting(merchantId),
  team: await stores(db).team(merchantId),
  membership: (await stores(db).memberships(`sub-${merchantId}`))[0] ?? null,
  dataKey: await keysOf(db).read(merchantId),
});
const connectionOf = async (merchantId: string, slot = 'meta'): Promise<Connection> =>
  (await stores().connection(merchantId, slot)) as Connection;

describe('what the release before left', () => {
  it('is read and written where it lies, and the release before reads it on', async () => {
    const merchantId = await formerMerchant();
    expect(await all(merchantId)).toMatchObject({
      routing: { version: 3, rules: [{ id: 'first' }] },
      connections: [{ platform: 'ga4' }, { platform: 'meta' }],
      team: { members: [{ role: 'owner' }] },
      membership: { merchantId, role: 'owner' },
      dataKey: new Uint8Array([1, 2, 3]),
    });
    expect(await stores().setCircuit(await connectionOf(merchantId), CIRCUIT, T0)).toBe(true);
    expect(await stores().pauseConnection(await connectionOf(merchantId, 'ga4'), 'auth', T0)).toBe(true);
    const rename = { name: 'Renamed' };
    expect(await stores().changeConnection(await connectionOf(merchantId), rename, T0)).toMatchObject(rename);
    await stores().putMember({ sub: 'second', merchantId, role: 'member' });
    const { connections } = await earlier.routing(merchantId);
    expect(connections).toMatchObject({
      meta: { circuit: CIRCUIT, name: 'Renamed' },
      ga4: { status: 'paused', pausedReason: 'auth' },
    });
    expect((await earlier.team(merchantId)).team.members).toHaveLength(2);
    for (const what of Object.values(OWN)) expect(await ownItem(merchantId, what)).toBeUndefined();
  });

  it('is moved with all that later releases added to it, once, and then written in its own partition', async () => {
    const merchantId = await formerMerchant();
    const item = await formerItem(merchantId, 'ROUTING');
    const later = { ...item, later: new Uint8Array([7]), names: new Set(['a', 'b']) };
    await opened.db.send(new PutCommand({ TableName: opened.table, Item: later }));
    const before = await all(merchantId);
    const moved = await movePartitions(opened.db, opened.table);
    expect(Math.min(moved.routings, moved.teams, moved.dataKeys)).toBeGreaterThan(0);
    expect(await movePartitions(opened.db, opened.table)).toEqual(NOTHING);
    expect(await all(merchantId)).toEqual(before);
    expect(await ownItem(merchantId, 'ROUTING')).toEqual({ ...later, pk: `ROUTING#${merchantId}` });
    for (const what of ['ROUTING', 'TEAM'] as const)
      expect(await formerItem(merchantId, what)).toEqual({ ...formerKey(merchantId, what), moved: true });
    expect(await stores().setCircuit(await connectionOf(merchantId), CIRCUIT, T0)).toBe(true);
    await stores().putConnection(draft(merchantId, 'tiktok'), T0);
    await stores().putMember({ sub: 'second', merchantId, role: 'member' });
    expect(await ownItem(merchantId, 'ROUTING')).toMatchObject({ v: 4, c: { meta: { circuit: CIRCUIT } } });
    expect((await stores().team(merchantId)).members).toHaveLength(2);
  });

  it.each([0, 1, 2])('is found by a reader that the move overtakes after %i of its reads', async (after) => {
    for (const first of ['own', 'shared']) {
      const merchantId = await formerMerchant();
      let reads = Number.NEGATIVE_INFINITY;
      const db = watched(async () => {
        if (reads++ === after) await movePartitions(opened.db, opened.table);
      });
      const routing = createRoutingStore(db, opened.table);
      if (first === 'shared') await routing.currentRouting(await formerMerchant());
      reads = 0;
      expect(await routing.currentRouting(merchantId)).toMatchObject({
        version: 3,
        rules: [{ id: 'first' }],
      });
      await movePartitions(opened.db, opened.table);
    }
  });

  it('costs a read each, before the move and after it', async () => {
    const reads: string[] = [];
    const db = watched((command) => {
      if (command instanceof GetCommand) reads.push(String(command.input.Key?.pk));
    });
    const merchants = [await formerMerchant(), await formerMerchant(), await formerMerchant()];
    const routing = createRoutingStore(db, opened.table);
    const readAll = async () => {
      reads.length = 0;
      for (const merchantId of merchants) await routing.currentRouting(merchantId);
      return reads.length;
    };
    expect([await readAll(), await readAll()]).toEqual([merchants.length + 1, merchants.length]);
    await movePartitions(opened.db, opened.table);
    expect([await readAll(), await readAll()]).toEqual([merchants.length + 1, merchants.length]);
  });
});

it('what cannot be read is left where it is, and named', async () => {
  const merchantId = await formerMerchant();
  const { v: _, ...item } = (await formerItem(merchantId, 'TEAM')) ?? {};
  await opened.db.send(new PutCommand({ TableName: opened.table, Item: item }));
  const left = [`M#${merchantId} TEAM`];
  expect(await movePartitions(opened.db, opened.table)).toMatchObject({ left });
  expect(await movePartitions(opened.db, opened.table)).toEqual({ ...NOTHING, left });
  expect(await formerItem(merchantId, 'TEAM')).toEqual(item);
  await expect(stores().team(merchantId)).rejects.toThrow(UnreadableItem);
  await opened.db.send(new PutCommand({ TableName: opened.table, Item: { ...item, v: 1 } }));
  expect(await movePartitions(opened.db, opened.table)).toEqual({ ...NOTHING, teams: 1 });
});

describe('a move that broke off', () => {
  /** Fails at this write of it, the first being 0. */
  const failing = (at: number) => {
    let writes = 0;
    return watched((command) => {
      if (!(command instanceof GetCommand) && !command.constructor.name.startsWith('Scan') && writes++ === at)
        throw new Error('killed');
    });
  };

  it.each([0, 1, 2, 3, 4, 5, 6])('before write %i: is read as it was, written, and finished', async (at) => {
    const merchantId = await formerMerchant();
    await movePartitions(opened.db, opened.table);
    const other = await formerMerchant();
    const before = await all(other);
    await movePartitions(failing(at), opened.table).catch((error: Error) =>
      expect(error.message).toBe('killed'),
    );
    expect(await all(other)).toEqual(before);
    // What is on its way is written nowhere by who may not finish it.
    const former = Object.keys((await formerItem(other, 'ROUTING')) ?? {});
    const isMoving = former.some((name) => name.startsWith('moving:'));
    const hasArrived = (await ownItem(other, 'ROUTING')) !== undefined;
    const circuit = await stores().setCircuit(await connectionOf(other), CIRCUIT, T0);
    expect(circuit).toBe(!isMoving || hasArrived);
    await stores().changeRules(other, (rules) => ({ rules: [...rules, { id: 'second' }], answer: null }));
    await stores().putMember({ sub: 'second', merchantId: other, role: 'member' });
    const { routing, team, ...rest } = await all(other);
    expect(routing).toMatchObject({ version: 4, rules: [{ id: 'first' }, { id: 'second' }] });
    expect(team.members.map(({ sub }) => sub)).toEqual([`sub-${other}`, 'second']);
    await movePartitions(opened.db, opened.table);
    expect(await all(other)).toEqual({ routing, team, ...rest });
    expect(await movePartitions(opened.db, opened.table)).toEqual(NOTHING);
    expect(await all(merchantId)).toMatchObject({ routing: { version: 3 } });
  });

  it('is not finished twice: what was written since stays', async () => {
    const merchantId = await formerMerchant();
    const slow = watched(async (command) => {
      if (!(command instanceof PutCommand) || command.input.Item?.pk !== `ROUTING#${merchantId}`) return;
      await movePartitions(opened.db, opened.table);
      await stores().changeRules(merchantId, (rules) => ({
        rules: [...rules, { id: 'since' }],
        answer: null,
      }));
    });
    await movePartitions(slow, opened.table);
    expect(await stores().currentRouting(merchantId)).toMatchObject({
      version: 4,
      rules: [{ id: 'first' }, { id: 'since' }],
    });
  });

  it('takes along what an earlier release adds between its read and its write', async () => {
    const merchantId = await formerMerchant();
    const { r: _, ...withoutRules } = (await formerItem(merchantId, 'ROUTING')) ?? {};
    await opened.db.send(new PutCommand({ TableName: opened.table, Item: withoutRules }));
    let isFirst = true;
    const overtaken = watched(async (command) => {
      if (!(command instanceof UpdateCommand) || command.input.Key?.sk !== 'ROUTING' || !isFirst) return;
      isFirst = false;
      await earlier.setRules(merchantId, [{ id: 'added' }], await earlier.routing(merchantId));
    });
    expect(await movePartitions(overtaken, opened.table)).toMatchObject({ routings: 1, left: [] });
    expect(await ownItem(merchantId, 'ROUTING')).toMatchObject({ v: 4, r: ['{"id":"added"}'] });
  });

  it.each([0, 1])('so is the first routing whose write %i failed', async (at) => {
    const merchantId = freshMerchant();
    const cut = createConnectionStore(failing(at), opened.table);
    await expect(cut.putConnection(draft(merchantId, 'meta'), T0)).rejects.toThrow('killed');
    expect(await stores().currentRouting(merchantId)).toMatchObject({ version: 0, connections: [] });
    await stores().putConnection(draft(merchantId, 'meta'), T0);
    expect(await stores().currentRouting(merchantId)).toMatchObject({ version: 1 });
  });
});

describe('the release before, deployed again', () => {
  it('waits for what moved, or was made since, and neither takes it for none nor writes over it', async () => {
    const moved = await formerMerchant();
    await movePartitions(opened.db, opened.table);
    const made = freshMerchant();
    await stores().putConnection(draft(made, 'meta'), T0);
    await stores().putMember({ sub: `sub-${made}`, merchantId: made, role: 'owner' });
    for (const merchantId of [moved, made]) {
      const before = await all(merchantId);
      await expect(earlier.routing(merchantId)).rejects.toThrow(UnreadableItem);
      await expect(earlier.team(merchantId)).rejects.toThrow(UnreadableItem);
      const seen = { version: 0, connections: {}, unreadable: [], rules: [], removed: [] };
      for (const version of [0, 1, 3]) {
        expect(await earlier.setRules(merchantId, [], { ...seen, version })).toBe(false);
        expect(await earlier.setTeam(merchantId, { members: [], invitations: [] }, version)).toBe(false);
      }
      expect(await earlier.openCircuit(merchantId, 'meta', CIRCUIT)).toBe(false);
      expect(await all(merchantId)).toEqual(before);
    }
  });

  it('has the data key of each merchant, wherever it was made', async () => {
    const merchantId = freshMerchant();
    await keysOf().create(merchantId, new Uint8Array([4, 5]));
    expect(await earlier.dataKeys.read(merchantId)).toEqual(new Uint8Array([4, 5]));
    expect(await earlier.dataKeys.create(merchantId, new Uint8Array([6]))).toEqual(new Uint8Array([4, 5]));
    expect(await ownItem(merchantId, 'DATAKEY')).toMatchObject({ wrapped: new Uint8Array([4, 5]) });
  });
});

describe('both releases at once', () => {
  it('agree on one data key, whoever is first and whatever is cut off', async () => {
    for (let round = 0; round < 20; round++) {
      const merchantId = freshMerchant();
      const cut = keysOf(
        watched((command) => {
          if (command instanceof PutCommand && String(command.input.Item?.pk).startsWith('DATAKEY#'))
            throw new Error('killed');
        }),
      );
      const makers = [earlier.dataKeys, keysOf(), cut, earlier.dataKeys, keysOf()];
      const made = await Promise.allSettled(
        makers.map((store, i) => store.create(merchantId, new Uint8Array([round, i]))),
      );
      await keysOf().copy(merchantId);
      const agreed = await keysOf().read(merchantId);
      const got = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(got).toHaveLength(4);
      for (const key of [...got, await earlier.dataKeys.read(merchantId)]) expect(key).toEqual(agreed);
    }
  });

  it('lose no change of rules, of circuits or of the team, while it moves', async () => {
    for (let round = 0; round < 3; round++) {
      const merchantId = await formerMerchant();
      const acknowledged: string[] = [];
      const members: string[] = [];
      const add = async (id: string) => {
        await stores().changeRules(merchantId, (rules) => ({ rules: [...rules, { id }], answer: null }));
        acknowledged.push(id);
      };
      const join = async (sub: string) => {
        await createMemberStore(opened.db, opened.table).changeTeam(merchantId, (team) => ({
          team: withMember(team, sub, 'member'),
          result: undefined,
        }));
        members.push(sub);
      };
      const addEarlier = async (id: string) => {
        try {
          const seen = await earlier.routing(merchantId);
          if (await earlier.setRules(merchantId, [...seen.rules, { id }], seen)) acknowledged.push(id);
          const { version, team } = await earlier.team(merchantId);
          if (await earlier.setTeam(merchantId, withMember(team, id, 'member'), version)) members.push(id);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableItem);
        }
      };
      let circuits = 0;
      const open = async () => {
        if (await earlier.openCircuit(merchantId, 'meta', CIRCUIT)) circuits += 1;
      };
      await Promise.all([
        ...['a', 'b', 'c'].map(add),
        ...['x', 'y', 'z'].map(addEarlier),
        ...['k', 'l'].map(join),
        open(),
        movePartitions(opened.db, opened.table),
        movePartitions(opened.db, opened.table),
        ...['d', 'e'].map(add),
        ...['u', 'v'].map(addEarlier),
      ]);
      const { routing, team } = await all(merchantId);
      const ids = routing.rules.map((rule) => (rule as { id: string }).id);
      expect(ids.toSorted()).toEqual(['first', ...acknowledged].toSorted());
      expect(routing.version).toBe(3 + acknowledged.length);
      expect(team.members.map(({ sub }) => sub).toSorted()).toEqual(
        [`sub-${merchantId}`, ...members].toSorted(),
      );
      expect((await connectionOf(merchantId)).circuit).toEqual(circuits === 1 ? CIRCUIT : undefined);
    }
  });

  it('have one first routing, made by either', async () => {
    for (let round = 0; round < 20; round++) {
      const merchantId = freshMerchant();
      const nothing = { version: 0, connections: {}, unreadable: [], rules: [], removed: [] };
      const [isEarlier] = await Promise.all([
        earlier.setRules(merchantId, [{ id: 'earlier' }], nothing),
        stores().changeRules(merchantId, (rules) => ({ rules: [...rules, { id: 'now' }], answer: null })),
      ]);
      const { rules } = await stores().currentRouting(merchantId);
      expect(rules).toEqual([...(isEarlier ? [{ id: 'earlier' }] : []), { id: 'now' }]);
      expect((await ownItem(merchantId, 'ROUTING')) === undefined).toBe(isEarlier);
    }
  });
});
