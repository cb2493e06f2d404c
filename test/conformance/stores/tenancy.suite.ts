// What every store of profiles, teams, keys and audit entries must do, whichever table is behind it, under races too.
import { describe, expect, it } from 'vitest';
import type { ConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import type { AuditEntry } from '#lib/core/audit-log/audit-entry.ts';
import { ACTIVE_KEYS_MAX, type ApiKeyRecord } from '#lib/core/tenancy/api-key.ts';
import { MERCHANTS_MAX } from '#lib/core/tenancy/member-store.ts';
import { type By, changeRole, remove } from '#lib/core/tenancy/team.ts';
import { EVENTS_ACCESS } from '#lib/events/domain/scopes.ts';
import { freshMerchant, T0 } from './event-rows.ts';
import { apiKeyOf, profileOf } from './tenants.ts';

const DAY_MS = 86_400_000;
type Open = () => Promise<ConfigStores>;

/** `open` may hand out the same table every time: tests use merchants of their own. */
export function tenancyConformance(name: string, open: Open): void {
  describe(`${name}: tenancy stores`, () => {
    profiles(open);
    teams(open);
    subjects(open);
    keyPlaces(open);
    keyUses(open);
    auditTrail(open);
  });
}

function profiles(open: Open): void {
  it('changes what is named and nothing else, whoever changes something else at the same time', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    await config.putMerchant(profileOf(merchantId));
    await config.raiseShards(merchantId, 4, T0);
    const changes = [
      { name: 'Zoë’s new shop' },
      { email: 'new@example.com' },
      { storePlatform: 'shopify' },
      { storeUrl: null },
      { onboardingStep: 'done' },
      { onboardingCompleted: true },
      { retentionDays: 30 },
      { browserIngestion: { enabled: false } },
      { browserIngestion: { origins: [] } },
      { browserIngestion: { serverCopyWaitSec: null } },
      { browserIngestion: { eventsPerMinuteMax: 60 } },
    ];
    await Promise.all([
      ...changes.map((change) => config.updateMerchant(merchantId, change)),
      config.addServerEventName(merchantId, 'Purchase', T0),
    ]);
    expect(await config.merchantNow(merchantId)).toEqual({
      merchantId,
      name: 'Zoë’s new shop',
      email: 'new@example.com',
      storePlatform: 'shopify',
      onboardingStep: 'done',
      onboardingCompleted: true,
      createdAtMs: T0,
      retentionDays: 30,
      browserIngestion: { enabled: false, origins: [], eventsPerMinuteMax: 60 },
      serverEventNames: { Purchase: T0 },
      shards: 4,
      version: changes.length,
    });
  });

  it('of changes to one version one lasts, and what is learned beside the profile makes no version', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    expect(await config.updateMerchant(merchantId, { name: 'Nobody' }, 0)).toBeNull();
    await config.putMerchant(profileOf(merchantId));
    for (const version of [0, 1]) {
      await config.addServerEventName(merchantId, `Name${version}`, T0);
      await config.putMerchant(profileOf(merchantId));
      expect(await config.updateMerchant(merchantId, { name: 'Other' }, version + 1)).toBe('conflict');
      const names = Array.from({ length: 8 }, (_, i) => `Name ${i}`);
      const answers = await Promise.all(
        names.map((name) => config.updateMerchant(merchantId, { name }, version)),
      );
      const lasting = answers.filter((answer) => answer !== 'conflict');
      expect(lasting).toEqual([await config.merchantNow(merchantId)]);
      expect(lasting[0]).toMatchObject({ version: version + 1 });
    }
    expect(await config.updateMerchant(merchantId, {}, 1)).toBe('conflict');
    expect(await config.updateMerchant(merchantId, {}, 2)).toMatchObject({ version: 2 });
  });

  it('answers with the profile after the change, and makes no merchant', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    expect(await config.updateMerchant(merchantId, { name: 'Nobody' })).toBeNull();
    expect(await config.merchantNow(merchantId)).toBeNull();
    await config.putMerchant(profileOf(merchantId));
    const renamed = { ...profileOf(merchantId), name: 'Renamed', version: 1 };
    expect(await config.updateMerchant(merchantId, { name: 'Renamed' })).toEqual(renamed);
    expect(await config.updateMerchant(merchantId, {})).toEqual(renamed);
    await expect(config.updateMerchant(merchantId, { retentionDays: 0 })).rejects.toThrow(RangeError);
    expect(await config.updateMerchant(merchantId, { retentionDays: null })).toEqual({
      ...renamed,
      version: 2,
    });
  });
}

const by = (merchantId: string, sub: string): By => ({
  caller: { kind: 'session', sub, merchantId, role: 'owner', grant: { opens: [] } },
  access: EVENTS_ACCESS,
});

function teams(open: Open): void {
  it('keeps an owner, whoever demotes or removes whom at the same time', async () => {
    const config = await open();
    for (let round = 0; round < 8; round++) {
      const merchantId = freshMerchant();
      const owners = Array.from({ length: 6 }, (_, i) => `${merchantId}-${i}`);
      for (const sub of owners) await config.putMember({ sub, merchantId, role: 'owner' });
      // Each one deals with the next: without the condition all of them could.
      const outcomes = await Promise.all(
        owners.map((sub, i) => {
          const next = owners[(i + 1) % owners.length] ?? '';
          return config.changeTeam<unknown>(merchantId, (team) =>
            i % 2 === 0
              ? changeRole(team, by(merchantId, sub), { sub: next, role: 'member' })
              : remove(team, by(merchantId, sub), next),
          );
        }),
      );
      const { members } = await config.team(merchantId);
      expect(members.filter(({ role }) => role === 'owner').length).toBeGreaterThanOrEqual(1);
      expect(outcomes.some((outcome) => outcome === 'forbidden' || outcome === 'last_owner')).toBe(true);
    }
  });

  it('of two owners who demote themselves at the same time one stays', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    const owners = ['a', 'b'].map((name) => `${merchantId}-${name}`);
    for (const sub of owners) await config.putMember({ sub, merchantId, role: 'owner' });
    const outcomes = await Promise.all(
      owners.map((sub) =>
        config.changeTeam<unknown>(merchantId, (team) =>
          changeRole(team, by(merchantId, sub), { sub, role: 'admin' }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'last_owner')).toHaveLength(1);
    const roles = (await config.team(merchantId)).members.map(({ role }) => role);
    expect(roles.sort()).toEqual(['admin', 'owner']);
  });

  it('gives a removed member no role from the next read on', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    const [owner, other] = [`${merchantId}-o`, `${merchantId}-m`];
    await config.putMember({ sub: owner, merchantId, role: 'owner' });
    await config.putMember({ sub: other, merchantId, role: 'member' });
    expect(await config.memberships(other)).toEqual([{ sub: other, merchantId, role: 'member' }]);
    await config.changeTeam<unknown>(merchantId, (team) => remove(team, by(merchantId, owner), other));
    expect(await config.memberships(other)).toEqual([]);
  });
}

function subjects(open: Open): void {
  const claims = async (config: ConfigStores, sub: string, merchants: readonly string[], nowMs = T0) =>
    await Promise.all(merchants.map((merchantId) => config.claimSubject(sub, merchantId, nowMs)));
  const fresh = (count: number) => Array.from({ length: count }, freshMerchant);
  const actsFor = async (config: ConfigStores, sub: string, wanted?: string) =>
    (await config.memberships(sub, wanted)).map(({ merchantId }) => merchantId);

  it('lets a subject act for each merchant whose team it is in, and for no other', async () => {
    const config = await open();
    const [first, second, third] = fresh(3) as [string, string, string];
    const sub = `${first}-s`;
    expect(await claims(config, sub, [first, second, third, second])).toEqual([true, true, true, true]);
    // A claim alone makes nobody a member.
    expect(await actsFor(config, sub)).toEqual([]);
    await config.putMember({ sub, merchantId: second, role: 'viewer' });
    await config.putMember({ sub, merchantId: third, role: 'owner' });
    await config.putMember({ sub: 'other', merchantId: first, role: 'owner' });
    expect((await actsFor(config, sub)).sort()).toEqual([second, third].sort());
    expect(await config.memberships(sub, third)).toEqual([{ sub, merchantId: third, role: 'owner' }]);
    for (const foreign of [first, freshMerchant(), '', '#', 'MEMBER'])
      expect(await actsFor(config, sub, foreign)).toEqual([]);
    await config.changeTeam<unknown>(third, () => ({ team: { members: [], invitations: [] }, result: null }));
    expect([await actsFor(config, sub), await actsFor(config, sub, third)]).toEqual([[second], []]);
    await config.releaseSubject(sub, second);
    expect(await actsFor(config, sub)).toEqual([]);
  });

  it('is of twenty merchants at most, and what came to nothing makes room after a minute', async () => {
    const config = await open();
    const merchants = fresh(MERCHANTS_MAX);
    const sub = `${merchants[0]}-s`;
    for (const merchantId of merchants) await config.putMember({ sub, merchantId, role: 'member' });
    const more = freshMerchant();
    expect(await config.claimSubject(sub, more, T0)).toBe(false);
    expect((await actsFor(config, sub)).length).toBe(MERCHANTS_MAX);
    const [left = ''] = merchants;
    await config.changeTeam<unknown>(left, () => ({ team: { members: [], invitations: [] }, result: null }));
    expect(await config.claimSubject(sub, more, T0)).toBe(true);
    const other = freshMerchant();
    expect(await config.claimSubject(sub, other, T0 + 59_999)).toBe(false);
    expect(await config.claimSubject(sub, other, T0 + 60_001)).toBe(true);
    await config.putMember({ sub, merchantId: other, role: 'member' });
    expect((await actsFor(config, sub)).sort()).toEqual([...merchants.slice(1), other].sort());
  });
}

function keyPlaces(open: Open): void {
  const make = async (config: ConfigStores, record: ApiKeyRecord): Promise<boolean> => {
    const isFree = await config.claimKeyPlace(record);
    if (isFree) await config.putApiKey(record);
    return isFree;
  };

  it('hands out no more keys than there are places, to however many ask at once', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    for (let i = 0; i < ACTIVE_KEYS_MAX.evk - 3; i++) await config.putApiKey(apiKeyOf(merchantId));
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => make(config, apiKeyOf(merchantId))));
    expect(outcomes.filter(Boolean).length).toBeLessThanOrEqual(3);
    while (await make(config, apiKeyOf(merchantId)));
    const keys = await config.listApiKeys(merchantId);
    expect(keys).toHaveLength(ACTIVE_KEYS_MAX.evk);
    await config.revokeApiKey(merchantId, keys[0]?.keyId ?? '', T0);
    expect(await make(config, apiKeyOf(merchantId))).toBe(true);
    expect(await make(config, apiKeyOf(merchantId))).toBe(false);
  });

  it('frees the place of a key that was never made, and lists what ended for 90 days', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    const [kept, ended, expired] = [apiKeyOf(merchantId), apiKeyOf(merchantId), apiKeyOf(merchantId)];
    await config.putApiKey(kept);
    await config.putApiKey(ended);
    await config.putApiKey({ ...expired, expiresAtMs: T0 + 1 });
    await config.revokeApiKey(merchantId, ended.keyId, T0);
    expect(await config.claimKeyPlace(apiKeyOf(merchantId))).toBe(true);
    expect(await config.listApiKeys(merchantId)).toHaveLength(3);
    expect(await config.claimKeyPlace(apiKeyOf(merchantId, T0 + 90 * DAY_MS - 1))).toBe(true);
    expect(await config.listApiKeys(merchantId)).toHaveLength(3);
    expect(await config.claimKeyPlace(apiKeyOf(merchantId, T0 + 91 * DAY_MS))).toBe(true);
    expect(await config.listApiKeys(merchantId)).toEqual([kept]);
    // What left the list stays refused.
    expect(await config.apiKey(ended.sha256)).toMatchObject({ revokedAtMs: T0 });
  });
}

function keyUses(open: Open): void {
  it('notes a use once in five minutes, of this merchant’s key', async () => {
    const config = await open();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    expect(await config.keyUses(mine)).toEqual(new Map());
    await Promise.all([1, 2, 3].map(() => config.noteKeyUse(mine, 'k', T0)));
    await config.noteKeyUse(mine, 'k', T0 + 299_999);
    expect(await config.keyUses(mine)).toEqual(new Map([['k', T0]]));
    await config.noteKeyUse(mine, 'k', T0 + 300_000);
    await config.noteKeyUse(mine, 'k', T0 + 1);
    await config.noteKeyUse(theirs, 'k', T0);
    expect(await config.keyUses(mine)).toEqual(new Map([['k', T0 + 300_000]]));
  });
}

function auditTrail(open: Open): void {
  const entryOf = (merchantId: string, n: number): AuditEntry => ({
    id: `a${n}`,
    merchantId,
    atMs: T0 + n,
    actor: 'user:1',
    action: 'connection.create',
    subject: `con_${n}`,
  });

  it('never writes over an entry', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    const entry = entryOf(merchantId, 1);
    await config.appendAudit(entry);
    await config.appendAudit({ ...entry, actor: 'user:2' });
    await config.beginAudit(entry);
    await config.endAudit(entry, [{ ...entry, outcome: 'unknown' }]);
    expect(await config.listAudit(merchantId, 10)).toEqual([entry]);
  });

  it('finds what was begun and not ended, oldest first, until it has ended', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    const [one, two, three] = [1, 2, 3].map((n) => entryOf(merchantId, n)) as [
      AuditEntry,
      AuditEntry,
      AuditEntry,
    ];
    for (const intent of [three, one, two]) await config.beginAudit(intent);
    expect(await config.listAudit(merchantId, 10)).toEqual([]);
    expect(await config.openAudits(freshMerchant(), T0 + 9, 10)).toEqual([]);
    expect(await config.openAudits(merchantId, T0 + 3, 10)).toEqual([one, two]);
    expect(await config.openAudits(merchantId, T0 + 4, 2)).toEqual([one, two]);
    await config.endAudit(one, []);
    await config.endAudit(two, [two]);
    expect(await config.openAudits(merchantId, T0 + 4, 10)).toEqual([three]);
    expect(await config.listAudit(merchantId, 10)).toEqual([two]);
  });

  it('lists between times and from an entry on, without its neighbours', async () => {
    const config = await open();
    const merchantId = freshMerchant();
    const entries = [1, 2, 2, 3, 4].map((n, i) => ({ ...entryOf(merchantId, n), id: `a${i}` }));
    for (const entry of entries) await config.appendAudit(entry);
    const ids = async (...args: [number, Parameters<ConfigStores['listAudit']>[2]?]) =>
      (await config.listAudit(merchantId, ...args)).map(({ id }) => id);
    expect(await ids(9)).toEqual(['a4', 'a3', 'a2', 'a1', 'a0']);
    expect(await ids(9, { fromMs: T0 + 2 })).toEqual(['a4', 'a3', 'a2', 'a1']);
    expect(await ids(9, { toMs: T0 + 3 })).toEqual(['a2', 'a1', 'a0']);
    expect(await ids(9, { fromMs: T0 + 2, toMs: T0 + 3 })).toEqual(['a2', 'a1']);
    expect(await ids(9, { fromMs: T0 + 3, toMs: T0 + 3 })).toEqual([]);
    const before = { atMs: T0 + 2, id: 'a2' };
    expect(await ids(9, { before })).toEqual(['a1', 'a0']);
    expect(await ids(1, { before, toMs: T0 + 9 })).toEqual(['a1']);
    expect(await ids(9, { before, fromMs: T0 + 2 })).toEqual(['a1']);
  });
}
