// What every store of connections must do when one is changed, and when a platform has several.

import { expect, it } from 'vitest';
import {
  type Connection,
  REMOVED_MAX,
  type RemovedConnection,
} from '#lib/events/domain/connections/connection.ts';
import { TARGETS_MAX } from '#lib/events/domain/connections/target.ts';
import type { ConnectionDraft, ConnectionStore } from '#lib/events/ports/connection-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

type Open = () => Promise<{ readonly config: ConnectionStore & RoutingStore }>;

const RACERS = 16;

export const draft = (merchantId: string, platform: string, secret = 'sealed-1'): ConnectionDraft => ({
  merchantId,
  platform,
  newId: `con_${platform}_${secret}`,
  name: `My ${platform}`,
  sealedCredentials: secret,
});

export function changing(open: Open): void {
  const CIRCUIT = {
    openedAtMs: T0,
    probes: 1,
    nextProbeAtMs: T0 + 30_000,
    failedCall: { atMs: T0 - 1, status: 503, code: 'meta.503' },
  };

  it('changes what is named of the connection that was seen, and moves no version of routing', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: first } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const { connection: other } = await config.putConnection(draft(merchantId, 'ga4'), T0);
    expect(first.revision).toBe(1);
    const renamed = await config.changeConnection(first, { name: 'Zoë’s #1 “pixel”' }, T0 + 1);
    expect(renamed).toEqual({ ...first, name: 'Zoë’s #1 “pixel”', revision: 2, updatedAtMs: T0 + 1 });
    const paused = await config.changeConnection(renamed as Connection, { pause: 'manual' }, T0 + 2);
    const pause = { status: 'paused', pausedReason: 'manual', pausedAtMs: T0 + 2 };
    expect(paused).toEqual({ ...renamed, ...pause, revision: 3, updatedAtMs: T0 + 2 });
    const rotated = { sealedCredentials: 'sealed-2' };
    const both = await config.changeConnection(paused as Connection, rotated, T0 + 3);
    expect(both).toEqual({ ...paused, ...rotated, revision: 4, updatedAtMs: T0 + 3 });
    const resumed = await config.changeConnection(both as Connection, { pause: null }, T0 + 4);
    expect(resumed).toEqual({ ...renamed, ...rotated, revision: 5, updatedAtMs: T0 + 4 });
    expect(await config.listConnections(merchantId)).toEqual([other, resumed]);
    expect((await config.currentRouting(merchantId)).version).toBe(2);
  });

  it('keeps the version of an API and what is said of its end, until there is another version', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: seen } = await config.putConnection(draft(merchantId, 'meta'), T0);
    expect(await config.noteDeprecation(seen, 'sunset: soon', T0 + 1)).toBe(true);
    const deprecation = { said: 'sunset: soon', atMs: T0 + 1 };
    expect(await config.connection(merchantId, 'meta')).toEqual({ ...seen, deprecation });
    expect(await config.noteDeprecation(seen, 'another', T0 + 2)).toBe(false);
    expect(await config.noteDeprecation({ ...seen, id: 'con_other', deprecation }, 'x', T0 + 2)).toBe(false);
    const moved = await config.changeConnection(seen, { apiVersion: 'v1' }, T0 + 3);
    expect(moved).toEqual({ ...seen, apiVersion: 'v1', revision: 2, updatedAtMs: T0 + 3 });
    expect(await config.noteDeprecation(seen, 'of the version before', T0 + 4)).toBe(false);
    const { connection: put } = await config.putConnection(draft(merchantId, 'meta', 'sealed-2'), T0 + 5);
    expect(put.apiVersion).toBe('v1');
    expect(await config.noteDeprecation(put, 'sunset: later', T0 + 6)).toBe(true);
    const back = await config.changeConnection(put, { apiVersion: null }, T0 + 7);
    expect(back).toEqual({ ...seen, sealedCredentials: 'sealed-2', revision: 4, updatedAtMs: T0 + 7 });
    await config.deleteConnection(merchantId, seen.id, { atMs: T0 + 8 });
    expect(await config.noteDeprecation(put, 'gone', T0 + 8)).toBe(false);
  });

  it('changes nothing of a connection that was changed, replaced or removed since', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: seen } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const change = { name: 'Late', pause: null } as const;
    const isRefused = async () => expect(await config.changeConnection(seen, change, T0 + 9)).toBeNull();
    await config.pauseConnection(seen, 'auth', T0 + 1);
    await isRefused();
    await config.putConnection(draft(merchantId, 'meta', 'sealed-2'), T0 + 2);
    await isRefused();
    expect(await config.connection(merchantId, 'meta')).toMatchObject({ name: 'My meta', revision: 3 });
    await config.deleteConnection(merchantId, seen.id, { atMs: 5 });
    await isRefused();
    await config.putConnection({ ...draft(merchantId, 'meta'), newId: 'con_anew' }, T0 + 3);
    await isRefused();
    expect(await config.changeConnection({ ...seen, merchantId: freshMerchant() }, change, T0)).toBeNull();
  });

  it('leaves a circuit that moved meanwhile alone, and closes it with new credentials', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: seen } = await config.putConnection(draft(merchantId, 'meta'), T0);
    await config.setCircuit(seen, CIRCUIT, T0);
    const renamed = await config.changeConnection(seen, { name: 'Other' }, T0 + 1);
    expect(renamed).toEqual({ ...seen, name: 'Other', circuit: CIRCUIT, revision: 2, updatedAtMs: T0 + 1 });
    const rotated = await config.changeConnection(
      renamed as Connection,
      { sealedCredentials: 'new' },
      T0 + 2,
    );
    expect(rotated).not.toHaveProperty('circuit');
  });

  it('lets one of several move the probe of a pause for refused credentials, and forgets it with the pause', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const stored = async () => (await config.connection(merchantId, 'meta')) as Connection;
    expect(await config.moveProbe(connection, T0 + 9)).toBe(false);
    const failedCall = { atMs: T0, status: 401, code: 'meta.190', message: 'Expired.' };
    await config.pauseConnection(connection, 'auth', T0 + 1, failedCall);
    const seen = await stored();
    expect(seen).toMatchObject({ failedCall });
    const moves = Array.from({ length: RACERS }, (_, n) => config.moveProbe(seen, T0 + 10 + n));
    expect((await Promise.all(moves)).filter((won) => won)).toHaveLength(1);
    expect(await config.moveProbe(await stored(), T0 + 100)).toBe(true);
    // It is no change of the connection: its revision stays, and what was seen before can still be changed.
    expect(await stored()).toEqual({ ...seen, probeAtMs: T0 + 100 });
    const resumed = await config.changeConnection(seen, { pause: null }, T0 + 101);
    for (const gone of ['probeAtMs', 'failedCall']) expect(resumed).not.toHaveProperty(gone);
    await config.changeConnection(resumed as Connection, { pause: 'manual' }, T0 + 102);
    expect(await config.moveProbe(await stored(), T0 + 200)).toBe(false);
    expect(await config.moveProbe({ ...seen, merchantId: freshMerchant() }, T0)).toBe(false);
  });

  it('keeps when an outage was that is over: of a circuit that closed, of credentials that were refused', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: seen } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const stored = async () => (await config.connection(merchantId, 'meta')) as Connection;
    const HOUR = 3_600_000;
    await config.setCircuit(seen, CIRCUIT, T0);
    expect(await stored()).not.toHaveProperty('outages');
    expect(await config.setCircuit(seen, null, T0 + 1)).toBe(false);
    await config.setCircuit(await stored(), null, T0 + 1_000);
    const first = { cause: 'circuit', fromMs: T0, toMs: T0 + 1_000 };
    expect(await stored()).toEqual({ ...seen, outages: [first] });
    await config.pauseConnection(await stored(), 'auth', T0 + HOUR);
    const resumed = await config.changeConnection(await stored(), { pause: null }, T0 + HOUR + 5);
    const second = { cause: 'auth', fromMs: T0 + HOUR, toMs: T0 + HOUR + 5 };
    expect(resumed?.outages).toEqual([first, second]);
    const manual = await config.changeConnection(resumed as Connection, { pause: 'manual' }, T0 + HOUR + 6);
    await config.changeConnection(manual as Connection, { pause: null, name: 'Other' }, T0 + HOUR + 7);
    expect((await stored()).outages).toEqual([first, second]);
    await config.setCircuit(await stored(), { ...CIRCUIT, openedAtMs: T0 + 2 * HOUR }, T0 + 2 * HOUR);
    const rotated = { sealedCredentials: 'new' };
    const third = { cause: 'circuit', fromMs: T0 + 2 * HOUR, toMs: T0 + 2 * HOUR + 9 };
    expect((await config.changeConnection(await stored(), rotated, T0 + 2 * HOUR + 9))?.outages).toEqual([
      first,
      second,
      third,
    ]);
    await config.pauseConnection(await stored(), 'auth', T0 + 3 * HOUR);
    await config.putConnection(draft(merchantId, 'meta', 'sealed-3'), T0 + 4 * HOUR);
    const fourth = { cause: 'auth', fromMs: T0 + 3 * HOUR, toMs: T0 + 4 * HOUR };
    expect((await stored()).outages).toEqual([first, second, third, fourth]);
    await config.deleteConnection(merchantId, seen.id, { atMs: 5 });
    await config.putConnection(draft(merchantId, 'meta'), T0 + 5 * HOUR);
    expect(await stored()).not.toHaveProperty('outages');
  });

  it(`lets one of ${RACERS} changes of one revision through, and loses no pause to it`, async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: seen } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const [paused, ...changed] = await Promise.all([
      config.pauseConnection(seen, 'auth', T0 + 1),
      ...Array.from({ length: RACERS }, (_, n) => config.changeConnection(seen, { name: `n${n}` }, T0 + 1)),
    ]);
    const won = changed.filter((connection) => connection !== null);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(paused).toBe(true);
    expect(await config.connection(merchantId, 'meta')).toMatchObject({
      status: 'paused',
      name: won[0]?.name ?? 'My meta',
      revision: 2 + won.length,
    });
  });
}

export function several(open: Open): void {
  it('keeps several connections to a platform apart, each in its place, up to a number', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: first } = await config.putConnection(draft(merchantId, 'meta', 'a'), T0);
    const second = await config.addConnection(draft(merchantId, 'meta', 'b'), T0 + 1);
    if (second === null) throw new Error('there is a place');
    expect(second).toMatchObject({ id: 'con_meta_b', slot: 'meta#2', revision: 1, sinceVersion: 2 });
    expect(first).not.toHaveProperty('slot');
    expect(await config.connection(merchantId, 'meta#2')).toEqual(second);
    expect(await config.connection(merchantId, 'meta')).toEqual(first);
    expect((await config.currentRouting(merchantId)).connections).toEqual([
      { id: first.id, platform: 'meta', sinceVersion: 1 },
      { id: second.id, platform: 'meta', slot: 'meta#2', sinceVersion: 2 },
    ]);
    const circuit = { openedAtMs: T0, probes: 0, nextProbeAtMs: T0 + 30_000 };
    expect(await config.pauseConnection(second, 'auth', T0 + 2)).toBe(true);
    expect(await config.setCircuit(second, circuit, T0)).toBe(true);
    const seen = (await config.connection(merchantId, 'meta#2')) as Connection;
    expect(await config.changeConnection(seen, { name: 'Other' }, T0 + 3)).toMatchObject({
      name: 'Other',
      status: 'paused',
      circuit,
    });
    expect(await config.connection(merchantId, 'meta')).toEqual(first);
    for (let n = 3; n <= TARGETS_MAX; n++)
      expect(await config.addConnection(draft(merchantId, 'meta', `${n}`), T0)).toMatchObject({
        slot: `meta#${n}`,
      });
    expect(await config.addConnection(draft(merchantId, 'meta', 'late'), T0)).toBeNull();
    expect(await config.addConnection(draft(merchantId, 'ga4'), T0)).not.toHaveProperty('slot');
  });

  it('replaces the first there is, and gives a place that became free to the next one, as a new connection', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: first } = await config.putConnection(draft(merchantId, 'meta', 'a'), T0);
    const second = await config.addConnection(draft(merchantId, 'meta', 'b'), T0);
    expect(await config.deleteConnection(merchantId, first.id, { atMs: 5 })).toEqual(first);
    expect(await config.listConnections(merchantId)).toEqual([second]);
    const replaced = await config.putConnection(draft(merchantId, 'meta', 'c'), T0 + 1);
    expect(replaced).toMatchObject({ created: false, connection: { id: second?.id, slot: 'meta#2' } });
    const third = await config.addConnection(draft(merchantId, 'meta', 'd'), T0 + 2);
    expect(third).toMatchObject({ id: 'con_meta_d', sinceVersion: 5 });
    expect(third).not.toHaveProperty('slot');
    expect(await config.deleteConnection(merchantId, second?.id ?? '', { atMs: 5 })).toMatchObject({
      slot: 'meta#2',
    });
    expect(await config.everyConnection(merchantId)).toEqual({
      connections: [third],
      removed: [
        { ...remainsOf(second), sinceVersion: 2, untilVersion: 6, removedAtMs: 5 },
        { ...remainsOf(first), sinceVersion: 1, untilVersion: 3, removedAtMs: 5 },
      ],
    });
  });

  it('keeps what is left of the last that were removed, and nothing of their credentials', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    for (let n = 0; n <= REMOVED_MAX; n++) {
      const { connection } = await config.putConnection(draft(merchantId, 'meta', `secret-${n}`), T0);
      await config.deleteConnection(merchantId, connection.id, { atMs: T0 + n, account: `pixel ${n}` });
    }
    const { removed } = await config.everyConnection(merchantId);
    expect(removed).toHaveLength(REMOVED_MAX);
    expect(removed[0]).toMatchObject({ account: `pixel ${REMOVED_MAX}`, removedAtMs: T0 + REMOVED_MAX });
    for (const one of removed) expect(Object.keys(one)).not.toContain('sealedCredentials');
    // What was removed is no part of what decides where events go.
    expect((await config.currentRouting(merchantId)).connections).toEqual([]);
  });

  it('keeps its own events and consent when it is put again, and takes them by null', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const own = { events: ['Purchase'], consent: { require: ['ad_storage' as const] } };
    const made = await config.createConnection({ ...draft(merchantId, 'meta', 'a'), own }, T0);
    expect(made).toMatchObject(own);
    const { connection } = await config.putConnection(draft(merchantId, 'meta', 'b'), T0 + 1);
    expect(connection).toMatchObject({ id: made?.id, ...own });
    const before = await config.currentRouting(merchantId);
    expect(before.connections).toMatchObject([own]);
    const taken = await config.changeConnection(connection, { events: null, consent: null }, T0 + 2);
    expect([taken?.events, taken?.consent]).toEqual([undefined, undefined]);
    expect((await config.currentRouting(merchantId)).version).toBe(before.version + 1);
    // One that is not the one that was seen is not changed, and makes no version.
    expect(await config.changeConnection(connection, { events: ['Lead'] }, T0 + 3)).toBeNull();
    expect((await config.currentRouting(merchantId)).version).toBe(before.version + 1);
  });

  it('makes a first connection once, and none where there is one in any place', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const made = await Promise.all(
      ['a', 'b', 'c'].map((secret) => config.createConnection(draft(merchantId, 'meta', secret), T0)),
    );
    expect(made.filter((one) => one !== null)).toEqual(await config.listConnections(merchantId));
    const first = made.find((one) => one !== null);
    await config.addConnection(draft(merchantId, 'meta', 'second'), T0);
    await config.deleteConnection(merchantId, first?.id ?? '', { atMs: 5 });
    expect(await config.createConnection(draft(merchantId, 'meta', 'd'), T0)).toBeNull();
    expect(await config.createConnection(draft(merchantId, 'ga4'), T0)).not.toHaveProperty('slot');
  });

  it('gives each of several that come at once a place of its own', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const added = await Promise.all(
      Array.from({ length: TARGETS_MAX + 2 }, (_, n) =>
        config.addConnection(draft(merchantId, 'meta', `${n}`), T0),
      ),
    );
    expect(added.filter((one) => one === null)).toHaveLength(2);
    const ids = added.flatMap((one) => one?.id ?? []);
    expect((await config.listConnections(merchantId)).map(({ id }) => id).sort()).toEqual(ids.sort());
  });
}

function remainsOf(connection: Connection | null): Partial<RemovedConnection> {
  if (connection === null) throw new Error('no connection');
  const { id, platform, slot, name, createdAtMs } = connection;
  return { id, platform, name, createdAtMs, ...(slot === undefined ? {} : { slot }) };
}
