// What every config store must do, whichever table is behind it: condition by condition, and under races.
import { describe, expect, it } from 'vitest';
import type { ConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import type { AuditEntry } from '#lib/core/audit-log/audit-entry.ts';
import type { DataKeyStore } from '#lib/core/ports/data-keys.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { RULE_LIMITS, type Rule, ruleSizeBytes } from '#lib/events/domain/rules/rule.ts';
import { sampleRule } from '../../support/sample-rule.ts';
import { changing, draft, several } from './connection-changes.ts';
import { freshMerchant, T0 } from './event-rows.ts';
import { apiKeyOf, profileOf } from './tenants.ts';

export interface ConfigUnderTest {
  readonly config: ConfigStores;
  readonly dataKeys: DataKeyStore;
}

const RACERS = 16;

let numbers = 100;
/** Of a wrapping key that no merchant of another test has its data key under. */
const freshNumber = (): number => numbers++;

const rule = (id: string) => sampleRule({ id, match: { event_name: ['Refund'] } });

/** `open` may hand out the same table every time: tests use merchants of their own. */
export function configConformance(name: string, open: () => Promise<ConfigUnderTest>): void {
  describe(`${name}: config store`, () => {
    people(open);
    apiKeys(open);
    revocation(open);
    shardNumbers(open);
    connections(open);
    rulesOf(open);
    pausing(open);
    changing(open);
    several(open);
    routingRaces(open);
    dataKeys(open);
  });
}

type Open = () => Promise<ConfigUnderTest>;

function people(open: Open): void {
  it('keeps merchants, members and audit entries', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    expect(await config.merchant(merchantId)).toBeNull();
    const merchant = profileOf(merchantId);
    await config.putMerchant(merchant);
    await config.putMerchant({ ...merchant, name: 'Renamed' });
    expect(await config.merchant(merchantId)).toEqual({ ...merchant, name: 'Renamed' });
    for (const retentionDays of [0, 401, 1.5])
      await expect(config.putMerchant({ ...merchant, retentionDays })).rejects.toThrow(RangeError);
    await config.putMerchant({ ...merchant, retentionDays: 30 });
    expect(await config.merchant(merchantId)).toEqual({ ...merchant, retentionDays: 30 });

    await config.addServerEventName(merchantId, 'Purchase', T0 + 1);
    await config.addServerEventName(merchantId, 'Purchase', T0 + 2);
    await config.addServerEventName(merchantId, 'Lead', T0 + 3);
    await config.putMerchant(merchant);
    const serverEventNames = { Purchase: T0 + 1, Lead: T0 + 3 };
    expect(await config.merchant(merchantId)).toEqual({ ...merchant, serverEventNames });
    const nobody = freshMerchant();
    await config.addServerEventName(nobody, 'Purchase', T0);
    expect(await config.merchant(nobody)).toBeNull();

    const member = { sub: `sub-${merchantId}`, merchantId, role: 'admin' as const };
    await config.putMember(member);
    expect(await config.memberships(member.sub)).toEqual([expect.objectContaining(member)]);
    expect(await config.memberships('nobody')).toEqual([]);
    expect(await config.memberships('')).toEqual([]);
    expect(await config.memberships('x'.repeat(5_000))).toEqual([]);

    const entry = (n: number): AuditEntry => ({
      id: `a${n}`,
      merchantId,
      atMs: T0 + n,
      actor: 'user:1',
      action: 'connection.create',
      subject: `con_${n}`,
    });
    for (const n of [1, 3, 2]) await config.appendAudit(entry(n));
    expect(await config.listAudit(merchantId, 2)).toEqual([entry(3), entry(2)]);
    expect(await config.listAudit(freshMerchant(), 2)).toEqual([]);
  });
}

function apiKeys(open: Open): void {
  it('finds a key by its hash, lists it for its merchant only, and revokes it for good', async () => {
    const { config } = await open();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    const [first, second] = [apiKeyOf(mine), apiKeyOf(mine, T0 + 1)];
    await config.putApiKey(first);
    await config.putApiKey(second);
    await expect(config.putApiKey(first)).rejects.toThrow();
    expect(await config.apiKey(first.sha256)).toEqual(first);
    expect(await config.apiKey('0'.repeat(64))).toBeNull();
    expect(await config.listApiKeys(mine)).toEqual([second, first]);
    expect(await config.listApiKeys(theirs)).toEqual([]);

    expect(await config.revokeApiKey(theirs, first.keyId, T0 + 5)).toBeNull();
    expect(await config.apiKey(first.sha256)).toEqual(first);
    expect(await config.revokeApiKey(mine, first.keyId, T0 + 6)).toEqual({ by: 'this', atMs: T0 + 6 });
    expect(await config.revokeApiKey(mine, first.keyId, T0 + 9)).toEqual({
      by: 'earlier',
      atMs: T0 + 6,
    });
    expect(await config.apiKey(first.sha256)).toEqual({ ...first, revokedAtMs: T0 + 6 });
    expect(await config.listApiKeys(mine)).toEqual([second, { ...first, revokedAtMs: T0 + 6 }]);
  });
}

function shardNumbers(open: Open): void {
  const HALF_A_DAY_MS = 43_200_000;
  const shardsOf = async ({ config }: ConfigUnderTest, merchantId: string) =>
    (await config.merchant(merchantId))?.shards;

  it('raises the number of shards, never lowers it so, and keeps it beside a profile that is saved', async () => {
    const opened = await open();
    const merchantId = freshMerchant();
    await opened.config.putMerchant(profileOf(merchantId));
    expect(await opened.config.merchant(merchantId)).toEqual(profileOf(merchantId));
    await Promise.all([2, 8, 4].map((wanted) => opened.config.raiseShards(merchantId, wanted, T0)));
    expect(await shardsOf(opened, merchantId)).toBe(8);
    await opened.config.putMerchant({ ...profileOf(merchantId), shards: 3 });
    expect(await shardsOf(opened, merchantId)).toBe(8);
  });

  it('makes no merchant of a number', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    await config.raiseShards(merchantId, 2, T0);
    await config.keepShards(merchantId, T0);
    await config.halveShards(merchantId, T0);
    expect(await config.merchant(merchantId)).toBeNull();
  });

  it('halves it once a day, down to none, and not while it is needed', async () => {
    const opened = await open();
    const { config } = opened;
    const merchantId = freshMerchant();
    await config.putMerchant(profileOf(merchantId));
    await config.halveShards(merchantId, T0);
    await config.raiseShards(merchantId, 4, T0);
    await config.keepShards(merchantId, T0 + HALF_A_DAY_MS);
    await config.keepShards(merchantId, T0);
    await config.halveShards(merchantId, T0 + 2 * HALF_A_DAY_MS);
    expect(await shardsOf(opened, merchantId)).toBe(4);
    const askedAtMs = T0 + 3 * HALF_A_DAY_MS;
    await Promise.all([1, 2, 3, 4].map(() => config.halveShards(merchantId, askedAtMs)));
    expect(await shardsOf(opened, merchantId)).toBe(2);
    await config.halveShards(merchantId, askedAtMs + 2 * HALF_A_DAY_MS);
    expect(await config.merchant(merchantId)).toEqual(profileOf(merchantId));
  });
}

function revocation(open: Open): void {
  it('shows a revoked key to no read that starts after the revocation returned', async () => {
    const { config } = await open();
    const record = apiKeyOf(freshMerchant());
    await config.putApiKey(record);
    let revoked = false;
    const late: unknown[] = [];
    const racer = async () => {
      const after = revoked;
      const seen = await config.apiKey(record.sha256);
      if (after) late.push(seen?.revokedAtMs);
    };
    const revoke = async () => {
      await config.revokeApiKey(record.merchantId, record.keyId, T0);
      revoked = true;
    };
    const waves = async () => {
      for (let wave = 0; wave < 25; wave++) await Promise.all(Array.from({ length: 40 }, racer));
    };
    await Promise.all([waves(), revoke()]);
    expect(late.length).toBeGreaterThan(500);
    expect(new Set(late)).toEqual(new Set([T0]));
  });
}

function connections(open: Open): void {
  it('starts at version 0 with nothing connected', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const nothing = { merchantId, version: 0, connections: [], rules: [] };
    expect(await config.currentRouting(merchantId)).toEqual(nothing);
    expect(await config.connection(merchantId, 'meta')).toBeNull();
    expect(await config.listConnections(merchantId)).toEqual([]);
    expect(await config.deleteConnection(merchantId, 'con_x', { atMs: 5 })).toBeNull();
  });

  it('counts the versions of routing, and says since which one a connection is there', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const snapshots: unknown[] = [];
    const keep = async () => snapshots.push(await config.currentRouting(merchantId));
    const tiktok = await config.putConnection(draft(merchantId, 'tiktok'), T0);
    expect(tiktok).toMatchObject({
      created: true,
      connection: { status: 'active', createdAtMs: T0, sinceVersion: 1 },
    });
    await keep();
    const meta = await config.putConnection(draft(merchantId, 'meta'), T0 + 1);
    await keep();
    const again = await config.putConnection(draft(merchantId, 'meta', 'sealed-2'), T0 + 2);
    await keep();
    expect([meta.connection.sinceVersion, again.connection.sinceVersion]).toEqual([2, 2]);
    expect(again).toEqual({
      created: false,
      connection: { ...meta.connection, sealedCredentials: 'sealed-2', updatedAtMs: T0 + 2, revision: 2 },
    });
    expect(await config.connection(merchantId, 'meta')).toEqual(again.connection);
    await config.changeRules(merchantId, () => ({ rules: [rule('r1')], answer: null }));
    await keep();
    expect(await config.deleteConnection(freshMerchant(), tiktok.connection.id, { atMs: 5 })).toBeNull();
    expect(await config.deleteConnection(merchantId, tiktok.connection.id, { atMs: 5 })).toEqual(
      tiktok.connection,
    );
    expect(await config.deleteConnection(merchantId, tiktok.connection.id, { atMs: 5 })).toBeNull();
    expect(await config.listConnections(merchantId)).toEqual([again.connection]);
    await keep();

    const ref = ({ id, platform, sinceVersion }: Connection) => ({ id, platform, sinceVersion });
    const [m, t] = [ref(meta.connection), ref(tiktok.connection)];
    expect(snapshots).toEqual([
      { merchantId, version: 1, connections: [t], rules: [] },
      { merchantId, version: 2, connections: [m, t], rules: [] },
      { merchantId, version: 3, connections: [m, t], rules: [] },
      { merchantId, version: 4, connections: [m, t], rules: [rule('r1')] },
      { merchantId, version: 5, connections: [m], rules: [rule('r1')] },
    ]);
    const back = await config.putConnection({ ...draft(merchantId, 'tiktok'), newId: 'con_back' }, T0 + 3);
    expect(back.connection).toMatchObject({ id: 'con_back', sinceVersion: 6 });
  });
}

function rulesOf(open: Open): void {
  it('loses no change of rules, however many are made at a time', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const add = (id: string) =>
      config.changeRules(merchantId, (rules) => ({ rules: [...rules, rule(id)], answer: rules.length }));
    const ids = Array.from({ length: 6 }, (_, i) => `rul_${i}`);
    const answers = await Promise.all([...ids.map(add), config.putConnection(draft(merchantId, 'meta'), T0)]);
    const seen = answers.filter((answer) => typeof answer === 'number');
    expect(seen.sort()).toEqual([0, 1, 2, 3, 4, 5]);
    const routing = await config.currentRouting(merchantId);
    expect(routing).toMatchObject({ version: 7, connections: [{ platform: 'meta' }] });
    expect([...routing.rules].sort((a, b) => ((a as Rule).id < (b as Rule).id ? -1 : 1))).toEqual(
      ids.map(rule),
    );
  });

  it('writes nothing where nothing is to change, and keeps numbers and texts as they are', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    expect(await config.changeRules(merchantId, () => ({ answer: 'no' }))).toBe('no');
    expect((await config.currentRouting(merchantId)).version).toBe(0);
    const odd = sampleRule({
      name: 'zoë \u2028 "#" 🧪',
      match: { custom_data: [{ path: 'a', any_of: [1e300, 5e-324, 0.1, -1, 'x', true] }] },
    });
    const rules = [odd, { of: 'another release' }, null];
    await config.changeRules(merchantId, () => ({ rules, answer: null }));
    expect((await config.currentRouting(merchantId)).rules).toEqual(rules);
    await config.changeRules(merchantId, () => ({ rules: [], answer: null }));
    expect(await config.currentRouting(merchantId)).toMatchObject({ version: 2, rules: [] });
  });

  it('holds as many rules as there may be, each as long as it may be', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const full = Array.from({ length: RULE_LIMITS.rulesMax }, (_, i) => {
      const long = (chars: number) => sampleRule({ id: `rul_${i}`, name: 'é'.repeat(chars) });
      return long(Math.floor((RULE_LIMITS.ruleSizeMaxBytes - ruleSizeBytes(long(0))) / 2));
    });
    await config.changeRules(merchantId, () => ({ rules: full, answer: null }));
    const sealedCredentials = 'x'.repeat(20_000);
    for (let i = 0; i < 12; i++)
      await config.putConnection({ ...draft(merchantId, `platform_${i}`), sealedCredentials }, T0);
    expect((await config.currentRouting(merchantId)).rules).toEqual(full);
  });
}

function pausing(open: Open): void {
  it('pauses the connection that was seen and no other', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection: old } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const { connection: seen } = await config.putConnection(draft(merchantId, 'meta', 'sealed-2'), T0 + 1);
    expect(await config.pauseConnection(old, 'auth', T0 + 2)).toBe(false);
    expect(await config.pauseConnection({ ...seen, merchantId: freshMerchant() }, 'auth', T0 + 2)).toBe(
      false,
    );
    expect(await config.pauseConnection({ ...seen, platform: 'ga4' }, 'auth', T0 + 2)).toBe(false);
    expect(await config.connection(merchantId, 'meta')).toEqual(seen);
    expect(await config.pauseConnection(seen, 'auth', T0 + 3)).toBe(true);
    expect(await config.pauseConnection(seen, 'auth', T0 + 4)).toBe(false);
    const paused = { status: 'paused', pausedReason: 'auth', pausedAtMs: T0 + 3, updatedAtMs: T0 + 3 };
    expect(await config.connection(merchantId, 'meta')).toEqual({ ...seen, ...paused, revision: 3 });
    expect((await config.currentRouting(merchantId)).version).toBe(2);
    // New credentials end the pause; when it was is kept.
    const { connection: fresh } = await config.putConnection(draft(merchantId, 'meta', 'sealed-3'), T0 + 5);
    const outages = [{ cause: 'auth', fromMs: T0 + 3, toMs: T0 + 5 }];
    const asFresh = { sealedCredentials: 'sealed-3', updatedAtMs: T0 + 5, revision: 4, outages };
    expect(fresh).toEqual({ ...seen, ...asFresh });
    expect(await config.connection(merchantId, 'meta')).toEqual(fresh);
  });

  it('never undoes a pause of one connection by writing another', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const { connection } = await config.putConnection(draft(merchantId, 'meta'), T0);
    const [paused] = await Promise.all([
      config.pauseConnection(connection, 'auth', T0 + 1),
      config.putConnection(draft(merchantId, 'ga4'), T0 + 1),
      config.putConnection(draft(merchantId, 'tiktok'), T0 + 1),
    ]);
    expect(paused).toBe(true);
    expect((await config.connection(merchantId, 'meta'))?.status).toBe('paused');
  });
}

function routingRaces(open: Open): void {
  it(`serializes ${RACERS} concurrent changes: none is lost, and a version has one content`, async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const platforms = Array.from({ length: RACERS }, (_, i) => `platform-${String(i).padStart(2, '0')}`);
    const seen = new Map<number, unknown>();
    const watch = async () => {
      for (let i = 0; i < 20; i++) {
        const snapshot = await config.currentRouting(merchantId);
        expect(snapshot).toEqual(seen.get(snapshot.version) ?? snapshot);
        seen.set(snapshot.version, snapshot);
      }
    };
    await Promise.all([
      watch(),
      ...platforms.map((slug) => config.putConnection(draft(merchantId, slug), T0)),
    ]);
    const current = await config.currentRouting(merchantId);
    expect(current.connections.map(({ platform }) => platform)).toEqual(platforms);
    expect(current.version).toBe(RACERS);
  });

  it('creates a platform once when two connect it at the same time', async () => {
    const { config } = await open();
    const merchantId = freshMerchant();
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((secret) => config.putConnection(draft(merchantId, 'meta', secret), T0)),
    );
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(results.map(({ connection }) => connection.id)).size).toBe(1);
  });
}

function dataKeys(open: Open): void {
  it('keeps the first wrapped data key of a merchant, whoever comes second', async () => {
    const { dataKeys: store } = await open();
    const merchantId = freshMerchant();
    expect(await store.read(merchantId)).toBeNull();
    const answers = await Promise.all(
      [1, 2, 3].map((under) => store.create(merchantId, { under, bytes: Uint8Array.of(under, 0, 255) })),
    );
    const stored = await store.read(merchantId);
    expect(stored).not.toBeNull();
    for (const answer of answers) expect(answer).toEqual(stored);
    expect(await store.read(freshMerchant())).toBeNull();
  });

  it('keeps the first wrapping key of a number, of several at once', async () => {
    const { wrappingKeys: store } = (await open()).dataKeys;
    const number = freshNumber();
    expect(await store.read(number)).toBeNull();
    const answers = await Promise.all([1, 2, 3].map((n) => store.create(number, Uint8Array.of(n, 0, 255))));
    const stored = await store.read(number);
    expect(stored).not.toBeNull();
    for (const answer of answers) expect(answer).toEqual(stored);
    expect(await store.read(freshNumber())).toBeNull();
  });
}
