// Every kind of item in the config table, in every shape that none of our releases wrote: what lies beside it is served, no
// answer is 500, no other merchant notices, and once the item is right again everything is as it was.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuditIntents } from '../../lib/adapters/dynamodb/core/audit-log.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '../../lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createKeyRotationStore } from '../../lib/adapters/dynamodb/core/keys/key-rotation.ts';
import { createBillingStore } from '../../lib/adapters/dynamodb/events/billing-store.ts';
import { createMerchantStore, merchantIds } from '../../lib/adapters/dynamodb/events/merchants.ts';
import { createHorizonStore } from '../../lib/adapters/dynamodb/events/pages/horizons.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createErasureStore } from '../../lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createIncidentStore } from '../../lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { createReconciliationStore } from '../../lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { createReplayStore } from '../../lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { EVERY_KIND } from '../../lib/adapters/dynamodb/every-kind.ts';
import { createEventVault } from '../../lib/adapters/vault/event-vault.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { SealedDataKey } from '../../lib/core/ports/data-keys.ts';
import { kindsOfItem } from '../../lib/core/record/key-template.ts';
import type { UnreadableItem } from '../../lib/core/record/unreadable-item.ts';
import { API_ROUTES } from '../../lib/events/routes/every-route.ts';
import { listMerchants } from '../../services/events/reconcile/list-merchants.ts';
import { recountMessageSchema } from '../../services/events/reconcile/message.ts';
import type { ReconcilePorts } from '../../services/events/reconcile/ports.ts';
import { createReconcileStage } from '../../services/events/reconcile/stage.ts';
import { type ConfigTable, EMULATOR_ENV, openModelledConfig } from '../conformance/stores/config-table.ts';
import { type ApiHost, MINE, NOW, openApi, THEIRS } from '../contract/api-host.ts';
import { normalizedRow, store } from '../contract/stored-rows.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { PLAIN_WRAPPER } from '../support/memory/event-vault.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { heldIn, SPOILED } from '../support/spoiled-items.ts';
import { itemsOfTable, SHAPES, type StoredItem, withItem } from './unreadable-items.ts';
import { putIncidents, putJobs } from './unreadable-jobs.ts';

const DAY_MS = 86_400_000;
const OWNERS = [
  [MINE, 'mine'],
  [THEIRS, 'theirs'],
] as const;

/** Kind by sort key (or partition) → the attributes that hold it, and the lists that go on without it. */
const KINDS: readonly {
  readonly name: string;
  readonly is: (item: StoredItem) => boolean;
  readonly held: readonly string[];
  /** Answers 200 whatever becomes of one such item, and names these all the same. */
  readonly lists: Readonly<Record<string, string>>;
}[] = [
  {
    name: 'profile',
    is: sk('PROFILE'),
    held: ['merchant'],
    lists: { '/v1/platforms': 'tiktok', '/v1/events': 'kept' },
  },
  { name: 'team', is: isTeam, held: ['team', 'v'], lists: {} },
  {
    name: 'former place of a team',
    is: (item) => item.sk === 'TEAM' && item.pk.startsWith('M#'),
    held: ['moved'],
    lists: { '/v1/members': 'mine-owner' },
  },
  {
    name: 'former place of a routing',
    is: (item) => item.sk === 'ROUTING' && item.pk.startsWith('M#'),
    held: ['moved'],
    lists: { '/v1/platforms': 'tiktok' },
  },
  {
    name: 'routing',
    is: (item) => item.pk.startsWith('ROUTING#'),
    held: ['c'],
    lists: { '/v1/audit-log': 'second', '/v1/replays': '-8000-' },
  },
  { name: 'audit entry', is: sk('AUDIT#'), held: ['entry'], lists: { '/v1/audit-log': 'second' } },
  {
    name: 'API key',
    is: (item) => item.pk.startsWith('KEY#') && !/#\d+$/.test(item.pk),
    held: ['record'],
    lists: { '/v1/api-keys': 'key_2', '/v1/account': MINE },
  },
  {
    name: 'copy of an API key',
    is: (item) => /^KEY#.*#1$/.test(item.pk),
    held: ['record'],
    lists: { '/v1/api-keys': 'key_1' },
  },
  { name: 'pointer to an API key', is: sk('KEY#'), held: ['sha256'], lists: { '/v1/api-keys': 'key_2' } },
  {
    name: 'membership',
    is: (item) => item.sk === 'MEMBER' && !item.pk.endsWith('owner'),
    held: ['merchantId'],
    lists: { '/v1/members': 'mine-owner' },
  },
  {
    name: 'further membership',
    is: (item) => item.sk === 'MEMBER#1',
    held: ['merchantId'],
    lists: { '/v1/members': 'mine-owner' },
  },
  { name: 'erasure', is: sk('ERASURE#'), held: ['job'], lists: { '/v1/privacy/erasures': idOf(2) } },
  { name: 'horizon of a merchant', is: ({ pk }) => pk === 'HORIZON', held: ['day'], lists: {} },
  { name: 'incident', is: sk('INCIDENT#'), held: ['job'], lists: { '/v1/incidents': 'limit-server_events' } },
  {
    name: 'reconciliation',
    is: sk('RECONCILIATION#'),
    held: ['job'],
    lists: { '/v1/reconciliations': idOf(2) },
  },
  { name: 'replay plan', is: sk('REPLAY#'), held: ['plan'], lists: { '/v1/replays': idOf(2) } },
  { name: 'subscription', is: sk('BILLING'), held: ['billing'], lists: { '/v1/platforms': 'tiktok' } },
  {
    name: 'day key',
    is: (item) => item.pk.startsWith('DAYKEY#'),
    held: ['wrapped'],
    lists: { '/v1/events/kept': 'unreadable', '/v1/events': 'kept' },
  },
  {
    name: 'data key',
    is: (item) => item.pk.startsWith('DATAKEY#') && item.sk === 'DATAKEY',
    held: ['wrapped'],
    lists: { '/v1/platforms': 'tiktok' },
  },
  {
    // Asked for where the data key does not open something.
    name: 'former data keys',
    is: (item) => item.pk.startsWith('DATAKEY#') && item.sk === 'ROTATION',
    held: ['keys'],
    lists: { '/v1/platforms': 'tiktok', '/v1/events/kept': 'kept' },
  },
  {
    // The one that mine shares with others; theirs has another.
    name: 'wrapping key',
    is: (item) => item.pk.startsWith('WRAP#'),
    held: ['wrapped'],
    lists: { '/v1/events/kept': 'unreadable', '/v1/platforms': 'tiktok' },
  },
  {
    name: 'use of an API key',
    is: (item) => item.pk.startsWith('USED#'),
    held: ['at'],
    lists: { '/v1/api-keys': 'key_2' },
  },
  { name: 'customer', is: sk('MERCHANT'), held: ['merchantId'], lists: { '/v1/platforms': 'tiktok' } },
  {
    name: 'places of replay plans',
    is: ({ pk }) => pk === 'REPLAYS',
    held: ['p'],
    lists: { '/v1/replays': idOf(2) },
  },
  {
    name: 'piece of an upload of orders',
    is: sk('ORDERS#'),
    held: ['d'],
    lists: { '/v1/reconciliations': idOf(2) },
  },
  {
    name: 'exchange rates of a currency',
    is: sk('RATES#'),
    held: ['rates'],
    lists: { '/v1/account/rates': 'USD', '/v1/platforms': 'tiktok' },
  },
  { name: 'open audit entry', is: sk('AUDITING#'), held: ['entry'], lists: { '/v1/audit-log': 'second' } },
  {
    name: 'open audit entry of the helpdesk',
    is: sk('DESK_AUDITING#'),
    held: ['entry'],
    lists: { '/v1/audit-log': 'second' },
  },
];

function isTeam({ pk }: StoredItem): boolean {
  return pk.startsWith('TEAM#');
}
function sk(begins: string): (item: StoredItem) => boolean {
  return (item) => item.sk.startsWith(begins);
}
function idOf(n: number): string {
  return `0197aaaa-0000-7000-8000-00000000000${n}`;
}
/** What a caller of one merchant reads without an id. */
const GETS: readonly string[] = API_ROUTES.filter(
  ({ method, path, auth }) => method === 'GET' && !path.includes(':') && auth !== 'public',
)
  .map(({ path }): string => (path.startsWith('/v1/people') ? `${path}?email=jane%40example.com` : path))
  .concat('/v1/events/kept');

const THEIR_GETS = ['/v1/platforms', '/v1/account', '/v1/events/kept'];

let opened: ConfigTable;
let before: Awaited<ReturnType<typeof answersOf>>;
let theirs: typeof before;
let host: ApiHost;
const setAside: UnreadableItem[] = [];
const quarantine = (found: UnreadableItem) => void setAside.push(found);

beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openModelledConfig();
  const { db, table } = opened;
  const clock = createManualClock(NOW);
  const config = createConfigStores(db, table, createSeededRandom('copies'), quarantine);
  // Nothing is remembered of keys: each answer reads them.
  const vaultOf = () => createVault({ wrapper: PLAIN_WRAPPER, keys: createDataKeyStore(db, table), clock });
  const vaults = { vault: vaultOf(), dayKeys: createDayKeyStore(db, table), clock };
  const erasures = createErasureStore(db, table, quarantine);
  const jobs = createReconciliationStore(db, table, quarantine);
  const incidents = createIncidentStore(db, table, quarantine);
  const plans = createReplayStore(db, table, quarantine);
  const billing = createBillingStore(db, table);
  const sealing = createEventVault(vaults);
  const eventVault = {
    ...sealing,
    open: (...args: Parameters<typeof sealing.open>) =>
      createEventVault({ ...vaults, vault: vaultOf() }).open(...args),
  };
  host = await openApi((ports) => ({
    config,
    billing,
    vault: { seal: (...args) => vaultOf().seal(...args), open: (...args) => vaultOf().open(...args) },
    eventVault,
    privacy: { ...ports.privacy, erasures },
    reconciling: { ...ports.reconciling, jobs },
    replaying: { ...ports.replaying, plans },
    incidents,
  }));
  for (const [merchantId, owner] of OWNERS) {
    await config.putMerchant({
      merchantId,
      name: owner,
      email: `${owner}@example.com`,
      onboardingStep: 'done',
      onboardingCompleted: true,
      createdAtMs: NOW - DAY_MS,
      browserIngestion: { enabled: true, origins: [] },
      reportingCurrency: 'EUR',
    });
    for (const currency of ['JPY', 'USD'])
      await config.changeExchangeRates(merchantId, 'EUR', currency, { '2026-03-01': '0.9' });
    for (const role of ['member', 'admin', 'owner'] as const)
      await config.putMember({ sub: `${owner}-${role}`, merchantId, role });
    await config.putMember({ sub: 'mine-and-theirs', merchantId, role: 'member' });
    const sealedCredentials = await vaults.vault.seal(merchantId, 'credentials/meta', '{}');
    for (const [i, platform] of ['meta', 'tiktok'].entries())
      await config.putConnection(
        { merchantId, platform, newId: `con_${owner}_${i}`, name: platform, sealedCredentials },
        NOW,
      );
    for (const n of [1, 2]) {
      const prefix = 'evk_live_abcd';
      await config.putApiKey({
        sha256: `${owner}${n}`,
        keyId: `key_${n}`,
        merchantId,
        name: `k${n}`,
        prefix,
        scopes: ['admin'],
        createdAtMs: NOW + n,
      });
      await config.noteKeyUse(merchantId, `key_${n}`, NOW);
      await config.appendAudit({
        id: `e${n}`,
        merchantId,
        atMs: NOW + n,
        actor: 'user:a',
        action: 'api_key.create',
        subject: n === 2 ? 'second' : 'first',
      });
      await putJobs(merchantId, idOf(n), { erasures, jobs, plans });
    }
    await putIncidents(merchantId, incidents);
    const over = { former: [], switchedAtMs: NOW, resealedAtMs: NOW };
    await createKeyRotationStore(db, table).putKeyRotation(merchantId, null, over);
    await createHorizonStore(db, table).moveHorizon(null, { merchantId, dayMs: NOW - (NOW % 86_400_000) });
    await plans.takePlace(merchantId, idOf(1), 3);
    await billing.putCustomer(`cus_${owner}`, merchantId);
    await jobs.putPart({ merchantId, id: idOf(1), part: 0, version: 1 }, ['v1.sealed']);
    const by = { actor: 'user:a', action: 'api_key.create' };
    const open = { ...by, id: 'open', merchantId, atMs: NOW, subject: 'x' };
    await config.beginAudit(open);
    await createAuditIntents(db, table, 'DESK_AUDITING#').beginAudit(open);
    await billing.writeBilling({
      merchantId,
      version: 1,
      customerId: `cus_${owner}`,
      subscription: null,
      checkoutId: null,
      updatedAtMs: NOW,
    });
    const row = normalizedRow({ merchantId, eventId: 'kept', receivedAtMs: NOW - 60_000 });
    const sealed = await eventVault.seal(row, { hashed: {}, raw: {}, plaintext: {} });
    await store(host.events, { ...row, event: { ...row.event, sealed } });
  }
  [before, theirs] = [await answersOf('mine'), await answersOf('theirs', THEIR_GETS)];
  for (const { status } of [...Object.values(before), ...Object.values(theirs)]) expect(status).toBe(200);
});
afterAll(async () => {
  await host.app.close();
  await opened.close();
});

const answersOf = async (owner: 'mine' | 'theirs', paths = GETS) => {
  const token = host.session('owner', owner);
  const answers = await Promise.all(
    paths.map(async (path) => [path, await host.call(path, { token })] as const),
  );
  return Object.fromEntries(
    answers.map(([path, { status, text, headers }]) => [
      path,
      { status, text, retryAfter: headers['retry-after'] },
    ]),
  );
};
const mineOf = async (is: (item: StoredItem) => boolean): Promise<StoredItem> => {
  const items = await itemsOfTable(opened.db, opened.table);
  const [wraps, wrapsTheirs] = [MINE, THEIRS].map((merchantId) => {
    const dataKey = items.find(({ pk }) => pk === `DATAKEY#${merchantId}`)?.wrapped as SealedDataKey;
    return `WRAP#${dataKey.under}`;
  });
  expect(wraps).not.toBe(wrapsTheirs);
  const isMine = ({ pk, sk: range }: StoredItem) =>
    pk.includes(MINE) || pk === wraps || /^(KEY#|SUB#|CUS#cus_)mine/.test(pk) || range.includes(MINE);
  const found = items
    .filter((item) => is(item) && isMine(item))
    .sort((a, b) => (a.pk + a.sk < b.pk + b.sk ? -1 : 1));
  const [first] = found;
  if (first === undefined) throw new Error('there is no such item');
  return first;
};

it('knows every kind of item there is', async () => {
  // Of no merchant: deliveries of all wait for the first (paused-platforms.test.ts), new data keys for the second (wrapping-keys.test.ts).
  const ofAll = ['paused platforms', 'rotation of wrapping keys'];
  const declared = EVERY_KIND.filter(({ what }) => !ofAll.includes(what))
    .filter((kind) => kind.table === 'config')
    .map(({ what }) => what);
  expect(KINDS.map(({ name }) => name).sort()).toEqual(declared.sort());
  const items = await itemsOfTable(opened.db, opened.table);
  const unknown = items.filter(
    (item) =>
      !KINDS.some(({ is }) => is(item)) &&
      !item.pk.startsWith('SUB#') &&
      !/^KEY#.*#\d+$/.test(item.pk) &&
      item.sk !== 'DATAKEY',
  );
  expect(unknown).toEqual([]);
});

type Spoil = (item: StoredItem, held: readonly string[], kindHeld: readonly string[]) => object;
/** `held`: as the table above says; `kindHeld`: as the declared kind says. */
const WAYS: readonly (readonly [string, Spoil])[] = [
  ...Object.entries(SHAPES).map(
    ([name, spoil]) => [name, (item, held) => spoil(item, held)] as [string, Spoil],
  ),
  ...Object.entries(SPOILED).map(
    ([name, spoil]) => [name, (item, _, held) => spoil({ ...item }, held)] as [string, Spoil],
  ),
];

describe.each(KINDS)('a $name', ({ name, is, held, lists }) => {
  it.each(WAYS)('%s spoils nothing else: the others are served', async (way, spoil) => {
    const { db, table } = opened;
    const item = await mineOf(is);
    const [kind] = kindsOfItem(EVERY_KIND, 'config', item).filter(({ what }) => what === name);
    if (kind === undefined) throw new Error(`no kind is called ${name}`);
    const spoiled = { ...spoil(item, held, heldIn(kind, { ...item })) };
    await withItem(db, table, item, spoiled, async () => {
      host.reports.length = 0;
      setAside.length = 0;
      const during = await answersOf('mine');
      for (const [path, { status, text, retryAfter }] of Object.entries(during)) {
        const why = `${path}: ${text} ${host.reports.map(({ error }) => String(error)).join()}`;
        expect([200, 503], why).toContain(status);
        if (status === 503) expect(retryAfter).toBe('60');
      }
      if (way === 'with a later field') expect(during).toEqual(before);
      else
        for (const [path, text] of Object.entries(lists)) {
          expect([path, during[path]?.status]).toEqual([path, 200]);
          expect(during[path]?.text).toContain(text);
        }
      expect(await answersOf('theirs', THEIR_GETS)).toEqual(theirs);
      const { plans } = await createReplayStore(db, table).activePlans();
      expect(plans).toContainEqual({ merchantId: THEIRS, planId: idOf(1) });
    });
  });
});

it('everything is as it was once the items are right again', async () => {
  expect(await answersOf('mine')).toEqual(before);
});

it('one member and one invitation that cannot be read leave the others in the team, and stay in it', async () => {
  const { db, table } = opened;
  const item = await mineOf(isTeam);
  const { members } = item.team as { members: readonly { readonly sub: string }[] };
  // A role of a later release.
  const later = { ...members.find(({ sub }) => sub === 'mine-admin'), role: 'auditor' };
  const others = members.filter(({ sub }) => sub !== 'mine-admin');
  const spoiled = { ...item, team: { members: [7, later, ...others], invitations: [{}], policy: 'x' } };
  await withItem(db, table, item, spoiled, async () => {
    const token = host.session('owner');
    const listed = await host.call('/v1/members', { token });
    expect(listed.status, listed.text).toBe(200);
    expect(listed.text).toContain('mine-member');
    const changed = await host.call('/v1/members/mine-member', {
      method: 'PATCH',
      token,
      body: { role: 'admin' },
    });
    expect(changed.status, changed.text).toBe(200);
    const written = await mineOf(isTeam);
    expect(written.team).toMatchObject({ invitations: [{}], policy: 'x' });
    expect((written.team as { members: unknown[] }).members).toEqual(expect.arrayContaining([7, later]));
    expect((await host.call('/v1/platforms', { token: host.session('admin') })).status).toBe(403);
  });
});

it('a key that cannot be read can be revoked, and takes a place until then', async () => {
  const { db, table } = opened;
  const store = createConfigStores(db, table, { next: () => 0 });
  const item = await mineOf((one) => one.pk === 'KEY#mine1');
  await withItem(
    db,
    table,
    item,
    { ...item, record: { ...(item.record as object), scopes: 7 } },
    async () => {
      await expect(store.apiKey('mine1')).rejects.toThrow('cannot be read');
      expect(await store.revokeApiKey(MINE, 'key_1', NOW)).toEqual({ by: 'this', atMs: NOW });
      expect((await itemsOfTable(db, table)).find(({ pk }) => pk === item.pk)?.record).toMatchObject({
        revokedAtMs: NOW,
        scopes: 7,
      });
    },
  );
});

describe.each(Object.keys(SHAPES))('the hourly audit, beside a profile that is %s', (shape) => {
  it('lists every merchant, erases what the others keep no longer, and nothing of that one', async () => {
    const { db, table } = opened;
    const days = createDayKeyStore(db, table);
    const old = '2026-01-02';
    for (const [merchantId] of OWNERS) await days.create(merchantId, old, 'wrapped');
    const item = await mineOf(sk('PROFILE'));
    setAside.length = 0;
    await withItem(db, table, item, SHAPES[shape]?.(item, ['merchant']) ?? {}, async () => {
      const sent: unknown[] = [];
      const problems: unknown[] = [];
      const ports = {
        merchantIds: (after?: string) => merchantIds(db, table, quarantine, after),
        merchant: createMerchantStore(db, table).merchant,
        dayKeys: days,
        erasures: createErasureStore(db, table, quarantine),
        reconciliations: createReconciliationStore(db, table, quarantine),
        incidents: createIncidentStore(db, table, quarantine),
        taskWork: { send: async () => undefined },
        recounts: {
          send: async (messages: readonly { body: unknown }[]) =>
            void sent.push(...messages.map(({ body }) => body)),
        },
        clock: createManualClock(NOW),
        report: (_problem: string, error: unknown) => void problems.push(error),
        counters: host.counters,
        events: host.events,
        batches: host.batches,
        counterRefresh: { send: async () => undefined },
        platforms: [],
      } as unknown as ReconcilePorts;
      const hour = Math.floor(NOW / 3_600_000) * 3_600_000 - 7_200_000;
      await listMerchants({ hour, list: 'merchants' }, ports);
      const [message] = sent.map((body) => recountMessageSchema.parse(body));
      expect(message).toMatchObject({ merchants: expect.arrayContaining([MINE, THEIRS]) });
      expect(setAside.map(({ what, key }) => [what, key])).toEqual([
        ['profile', { pk: `M#${MINE}`, sk: 'PROFILE' }],
      ]);
      // A name that is none, which a release before this one would have sent.
      const body = { hour, merchants: [null, MINE, THEIRS] };
      await createReconcileStage(ports, () => {})([{ body, receiveCount: 1, sentAtMs: 0 }]);
      expect([await days.read(THEIRS, old), await days.read(MINE, old)]).toEqual([null, 'wrapped']);
      expect(problems).toContainEqual(expect.objectContaining({ name: 'UnreadableItem' }));
    });
  });
});
