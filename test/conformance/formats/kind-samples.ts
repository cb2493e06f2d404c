// One sample of every kind of item in the tables of configuration, limits and attribution, by the name of its kind. A new kind
// gets a line here, and `npm run golden` its file.

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createAuditIntents } from '#lib/adapters/dynamodb/core/audit-log.ts';
import { createIdempotencyStore } from '#lib/adapters/dynamodb/core/idempotency-store.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createKeyRotationStore } from '#lib/adapters/dynamodb/core/keys/key-rotation.ts';
import { createWrappingKeyStore } from '#lib/adapters/dynamodb/core/keys/wrapping-keys.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createCallLimiter } from '#lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { createDailyBudget } from '#lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { createLimitRecord } from '#lib/adapters/dynamodb/core/limits/limit-record.ts';
import { createRateLimiter } from '#lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { createOneTimeStore } from '#lib/adapters/dynamodb/core/one-time-store.ts';
import { createRunLeases } from '#lib/adapters/dynamodb/core/run-leases.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { createHorizonStore } from '#lib/adapters/dynamodb/events/pages/horizons.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { createConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { EVERY_KIND } from '#lib/adapters/dynamodb/every-kind.ts';
import type { TableName } from '#lib/core/record/define-kind.ts';
import { kindsOfItem } from '#lib/core/record/key-template.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { NO_COUNTS } from '#lib/events/domain/erasure/erasure.ts';
import { writeRecent } from '#lib/events/domain/people/recent-clicks.ts';
import { NO_RECONCILIATION_COUNTS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import { NO_PROGRESS } from '#lib/events/domain/replays/plan.ts';
import type { ClicksWrite } from '#lib/events/ports/attribution-store.ts';
import type { Golden } from './golden-files.ts';

const M = '8f14e45f-ceea-467f-a111-00000000f0f0';
const AT = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const ID = '019aa2f4-6a10-7000-8000-000000000001';
const KEY = {
  sha256: 'a'.repeat(64),
  keyId: 'key_1',
  merchantId: M,
  name: 'Shop',
  prefix: 'evk_live_abcd',
  scopes: ['admin'],
  createdAtMs: AT,
  createdBy: 'user:ada',
};
const ENTRY = {
  id: ID,
  merchantId: M,
  atMs: AT,
  actor: 'user:ada',
  action: 'api_key.create',
  subject: 'key_1',
  request: { id: 'request-1', ip: '203.0.113.7', userAgent: 'curl/8', callerName: 'Ada' },
};
const JOB = {
  merchantId: M,
  id: ID,
  createdAtMs: AT,
  updatedAtMs: AT,
  expiresAtMs: AT + DAY_MS,
  version: 1,
  notBeforeMs: AT,
};
const REPORT = {
  eventId: 'e1',
  ingestId: ID,
  channel: 'server',
  receivedAtMs: AT,
  conversionId: 'e1',
  byEventId: false,
} as const;
const ORDER = {
  counted: REPORT,
  sent: { ...REPORT, eventId: 'e2', amount: 'EUR 59.98', atMs: AT, targets: ['meta', 'ga4#2'] },
  others: [{ ...REPORT, eventId: 'e2', channel: 'browser', byEventId: true, kept: ['meta'] }],
  ...{ amount: 'EUR 59.9', touch: 'tiktok' },
  refunds: [{ eventId: 'r1', ingestId: ID, minor: '5990', state: 'reduced' }],
} as const;
const EARLY = { eventId: 'r0', ingestId: ID, minor: '0', state: 'refused', early: 'USD 1' } as const;
const CURSOR = { receivedAtMs: AT, ingestId: ID };

interface Sample {
  readonly table: TableName;
  readonly write: (db: DynamoDBDocumentClient, table: string) => Promise<unknown>;
  /** Writes that find their condition not met, before the one that counts. */
  readonly refused?: number;
  /** The kind, where a sample is named after something else. */
  readonly of?: string;
}

const clicksOf = (more: Pick<ClicksWrite, 'recent'>): Sample => ({
  table: 'analytics',
  write: (db, table) =>
    createAttributionStore(db, table).writeClicks(
      M,
      'key',
      { sealed: 'c2VhbGVk', writtenAtMs: AT },
      { seen: undefined, touch: { platform: 'meta', atMs: AT }, nowMs: AT, ...more },
    ),
  of: 'person by identifier',
});

const config = (write: (stores: ReturnType<typeof createConfigStores>) => Promise<unknown>): Sample => ({
  table: 'config',
  write: (db, table) => write(createConfigStores(db, table, { next: () => 0 })),
});
const at = (table: TableName, write: Sample['write'], refused = 0): Sample => ({ table, write, refused });

/** Sample of a kind that has another sample as well. */
const of = (kind: string, write: Sample['write']): Sample => ({ table: 'config', of: kind, write });

const writeTeam = (db: DynamoDBDocumentClient, table: string) =>
  createMemberStore(db, table).changeTeam(M, () => ({
    team: {
      members: [{ sub: 'ada', role: 'owner', joinedAtMs: AT, sealedEmail: 'v1.sealed' }],
      invitations: [
        {
          id: ID,
          role: 'admin',
          sealedEmail: 'v1.sealed',
          tokenSha256: 'b'.repeat(64),
          invitedBy: 'ada',
          createdAtMs: AT,
          expiresAtMs: AT + DAY_MS,
        },
      ],
    },
    result: undefined,
  }));
const writeRouting = (db: DynamoDBDocumentClient, table: string) =>
  createConnectionStore(db, table).putConnection(
    { merchantId: M, platform: 'meta', newId: 'con_1', name: 'Meta', sealedCredentials: 'v1.sealed' },
    AT,
  );

/** One with its own rules, and what is left of one that was removed. */
async function writeOwnRules(db: DynamoDBDocumentClient, table: string) {
  const store = createConnectionStore(db, table);
  const draft = { merchantId: M, platform: 'meta', name: 'Meta', sealedCredentials: 'v1.sealed' };
  await store.createConnection({ ...draft, newId: 'con_1' }, AT);
  const own = { events: ['Purchase'], consent: { require: ['ad_storage' as const], countries: ['DE'] } };
  await store.addConnection({ ...draft, newId: 'con_2', own }, AT);
  await store.deleteConnection(M, 'con_1', { atMs: AT, account: '1234567890' });
}

/** Every query finds these items. */
const listing = (db: DynamoDBDocumentClient, Items: readonly object[]): DynamoDBDocumentClient =>
  ({
    send: (command: never) => ((command as object) instanceof QueryCommand ? { Items } : db.send(command)),
  }) as unknown as DynamoDBDocumentClient;

/** Every read finds this item. */
const holding = (db: DynamoDBDocumentClient, Item: object): DynamoDBDocumentClient =>
  ({
    send: (command: never) => ((command as object) instanceof GetCommand ? { Item } : db.send(command)),
  }) as unknown as DynamoDBDocumentClient;

const SAMPLES: Readonly<Record<string, Sample>> = {
  profile: config(({ putMerchant }) =>
    putMerchant({
      merchantId: M,
      name: 'Ada',
      email: 'ada@example.com',
      storePlatform: 'shopify',
      storeUrl: 'https://shop.example',
      onboardingStep: 'done',
      onboardingCompleted: true,
      createdAtMs: AT,
      browserIngestion: { enabled: true, origins: ['https://shop.example'], serverCopyWaitSec: 5 },
      retentionDays: 90,
    }),
  ),
  'team in its own partition': of('team', (db, table) => writeTeam(db, table)),
  'former place of a team': at('config', (db, table) => writeTeam(db, table)),
  'exchange rates of a currency': config(({ changeExchangeRates }) =>
    changeExchangeRates(M, 'EUR', 'USD', { '2026-11-20': '0.9213' }),
  ),
  membership: config(({ putMember }) => putMember({ sub: 'auth0|ada', merchantId: M, role: 'owner' })),
  'further membership': at('config', (db, table) => {
    const first = { pk: 'SUB#auth0|ada', sk: 'MEMBER', merchantId: 'another one', claimedAtMs: AT };
    return createMemberStore(listing(db, [first]), table).claimSubject('auth0|ada', M, AT);
  }),
  'API key': config(({ putApiKey }) => putApiKey(KEY)),
  'API key of a suspended merchant': of('API key', (db, table) =>
    createConfigStores(db, table, { next: () => 0 }).putApiKey({
      ...KEY,
      suspendedAtMs: AT,
      eventsPerMinute: 600,
    }),
  ),
  'API key of a merchant with a limit of a day': of('API key', (db, table) =>
    createConfigStores(db, table, { next: () => 0 }).putApiKey({ ...KEY, eventsPerDay: 70_000 }),
  ),
  'copy of an API key': config(({ putApiKey }) => putApiKey(KEY)),
  'pointer to an API key': config(({ putApiKey }) => putApiKey(KEY)),
  'use of an API key': config(({ noteKeyUse }) => noteKeyUse(M, 'key_1', AT)),
  'data key': at('config', (db, table) => createDataKeyStore(db, table).create(M, new Uint8Array([1, 2, 3]))),
  'data key in its own partition': of('data key', (db, table) =>
    createDataKeyStore(holding(db, { pk: `M#${M}`, wrapped: new Uint8Array([1, 2, 3]) }), table).copy(M),
  ),
  'data key under a wrapping key': of('data key', (db, table) =>
    createDataKeyStore(db, table).create(M, { under: 7, bytes: new Uint8Array([1, 2, 3]) }),
  ),
  'former data keys': at('config', (db, table) =>
    createKeyRotationStore(db, table).putKeyRotation(M, null, {
      former: [{ under: 3, bytes: new Uint8Array([1, 2, 3]) }, new Uint8Array([4, 5])],
      ...{ switchedAtMs: AT, resealedAtMs: null },
    }),
  ),
  'rotation of wrapping keys': at('config', (db, table) =>
    createKeyRotationStore(db, table).beginRotation(AT),
  ),
  'wrapping key': at('config', (db, table) =>
    createWrappingKeyStore(db, table).create(7, new Uint8Array([1, 2, 3])),
  ),
  'day key': at('config', (db, table) => createDayKeyStore(db, table).create(M, '2026-11-20', 'wrapped')),
  'audit entry': config(({ appendAudit }) => appendAudit(ENTRY)),
  'open audit entry': config(({ beginAudit }) => beginAudit({ ...ENTRY, outcome: 'unknown' })),
  'open audit entry of the helpdesk': at('config', (db, table) =>
    createAuditIntents(db, table, 'DESK_AUDITING#').beginAudit(ENTRY),
  ),
  'routing in its own partition': of('routing', (db, table) => writeRouting(db, table)),
  'routing with rules of a connection': of('routing', writeOwnRules),
  'former place of a routing': at('config', (db, table) => writeRouting(db, table)),
  'replay plan': at('config', (db, table) =>
    createReplayStore(db, table).createPlan({
      merchantId: M,
      id: ID,
      createdAtMs: AT,
      updatedAtMs: AT,
      state: 'done',
      version: 1,
      step: 1,
      filter: { fromMs: AT - DAY_MS, toMs: AT, eventName: 'Purchase' },
      only: 'undelivered',
      dedupe: 'original',
      dryRun: false,
      rate: 50,
      progress: { ...NO_PROGRESS, cursor: CURSOR },
    }),
  ),
  'places of replay plans': at('config', (db, table) => createReplayStore(db, table).takePlace(M, ID, 3)),
  erasure: at('config', (db, table) =>
    createErasureStore(db, table).createErasure({
      ...JOB,
      state: 'running',
      subjectDigest: 'digest',
      sealedSubject: 'v1.sealed',
      pass: 1,
      fromMs: AT - DAY_MS,
      cursor: CURSOR,
      counts: NO_COUNTS,
    }),
  ),
  'erasure passed on': {
    table: 'config',
    write: (db, table) =>
      createErasureStore(db, table).createErasure({
        ...JOB,
        state: 'running',
        subjectDigest: 'digest',
        sealedPerson: 'v1.sealed',
        passing: [
          {
            connectionId: ID,
            slot: 'klaviyo',
            platform: 'klaviyo',
            name: 'Klaviyo',
            state: 'refused',
            taken: 1,
            atMs: AT,
            nextAtMs: AT,
            status: 403,
            code: 'klaviyo.permission_denied',
            message: 'No rights',
          },
        ],
        passingSinceMs: AT,
        ownDoneAtMs: AT,
        pass: 2,
        fromMs: AT - DAY_MS,
        toMs: AT,
        counts: NO_COUNTS,
      }),
    of: 'erasure',
  },
  'paused platforms': config(({ pausePlatform }) =>
    pausePlatform({ platform: 'meta', atMs: AT, by: 'operator:ada', reason: 'loses events' }),
  ),
  'horizon of a merchant': at('config', (db, table) =>
    createHorizonStore(db, table).moveHorizon(null, { merchantId: 'm', dayMs: Date.UTC(2026, 10, 21) }),
  ),
  incident: at('config', (db, table) =>
    createIncidentStore(db, table).writeIncident(
      {
        ...JOB,
        id: 'failing.meta',
        kind: 'failing',
        subject: 'meta',
        name: 'con_1-failing-l',
        connectionId: 'con_1',
        state: 'running',
        sinceMs: AT,
        seenAtMs: AT,
        toldAtMs: AT,
        isTold: true,
        lastError: { atMs: AT, status: 400, code: 'meta.100', message: 'Invalid parameter' },
        unsent: [{ id: 'msg_1', place: 'webhook', body: '{}', attempts: 1, dueMs: AT }],
        past: [{ name: 'con_1-failing-k', sinceMs: AT - DAY_MS, untilMs: AT - DAY_MS }],
      },
      0,
    ),
  ),
  reconciliation: at('config', (db, table) =>
    createReconciliationStore(db, table).createReconciliation({
      ...JOB,
      state: 'done',
      fromMs: AT - DAY_MS,
      toMs: AT,
      places: [{ slot: 'meta', platform: 'meta', sinceVersion: 1, byOrder: true }],
      upload: { orders: 1, repeated: 0, withValue: 1, withCurrency: 1, withTime: 0 },
      parts: [{ version: 1, pieces: 1 }],
      counts: NO_RECONCILIATION_COUNTS,
    }),
  ),
  'piece of an upload of orders': at('config', (db, table) =>
    createReconciliationStore(db, table).putPart({ merchantId: M, id: ID, part: 1, version: 1 }, [
      'v1.sealed',
    ]),
  ),
  subscription: at('config', (db, table) =>
    createBillingStore(db, table).writeBilling({
      merchantId: M,
      version: 1,
      customerId: 'cus_1',
      subscription: null,
      checkoutId: null,
      updatedAtMs: AT,
    }),
  ),
  customer: at('config', (db, table) => createBillingStore(db, table).putCustomer('cus_1', M)),
  'text that can be had once': at('rates', (db, table) => createOneTimeStore(db, table).put('1', 'v1.s', AT)),
  'idempotency key': at('rates', (db, table) =>
    createIdempotencyStore(db, table).begin(
      '1',
      { digest: 'd', holder: 'h', leaseEndMs: AT + 60_000, untilMs: AT + DAY_MS },
      AT,
    ),
  ),
  'spending of a day': at('rates', (db, table) =>
    createDailyBudget(db, table).begin(M, '2026-11-20', { requests: 10, tokens: 10 }),
  ),
  'lease of a run': at('rates', (db, table) =>
    createRunLeases(db, table).take('run', { holder: 'h', hop: 0 }, AT, AT + 60_000),
  ),
  'share of a limit that is kept for a day': {
    ...at('rates', (db, table) => createLeaseStore(db, table).lease(M, AT, 10, 100)),
    of: 'share of a limit',
  },
  'calls of a minute': at('rates', (db, table) => createCallLimiter(db, table).take(M, 10, AT), 1),
  'time a limit was reached': at('rates', (db, table) => createLimitRecord(db, table).reached(M, AT)),
  'last grants of a caller': at('rates', (db, table) =>
    createRateLimiter(db, table, { events: 30, windowSec: 60 }, async () => undefined).take(
      { merchantId: M, clientIp: '203.0.113.7' },
      1,
      AT,
    ),
  ),
  'first click': {
    table: 'analytics',
    write: (db, table) =>
      createAttributionStore(db, table).addTouch(M, 'key', { platform: 'meta', atMs: AT }, AT),
    of: 'person by identifier',
  },
  'clicks of a person': clicksOf({}),
  'newest clicks of a person': clicksOf({
    recent: { seen: undefined, next: writeRecent([{ platform: 'meta', atMs: AT, digest: 'abcde' }]) },
  }),
  'orders of a person': {
    table: 'analytics',
    write: (db, table) =>
      createAttributionStore(db, table).writeOrders(
        M,
        'key',
        { sealed: 'c2VhbGVk', newestAtMs: AT },
        { version: 0, nowMs: AT },
      ),
    of: 'person by identifier',
  },
  'suppressed person': at('analytics', (db, table) =>
    createAttributionStore(db, table).suppress(M, ['digest'], AT),
  ),
  'order kept with its events': {
    table: 'analytics',
    write: (db, table) => createOrderStore(db, table).write(M, 'order', ORDER, 1),
    of: 'claim of an order',
  },
  'order that a platform would count again': {
    table: 'analytics',
    write: (db, table) => {
      const sent = { ...ORDER.sent, countedAgain: ['ga4#2'] };
      return createOrderStore(db, table).write(M, 'order', { ...ORDER, sent }, 1);
    },
    of: 'claim of an order',
  },
  'order with a refund from before it': {
    table: 'analytics',
    write: (db, table) =>
      createOrderStore(db, table).write(M, 'order', { ...ORDER, refunds: [EARLY, ...ORDER.refunds] }, 1),
    of: 'claim of an order',
  },
  'refunds of an order that has not come': {
    table: 'analytics',
    write: (db, table) =>
      createOrderStore(db, table).writeWaiting(M, 'order', [{ ...EARLY, receivedAtMs: AT }], -1),
    of: 'claim of an order',
  },
  'order with another last click': {
    table: 'analytics',
    write: (db, table) => createOrderStore(db, table).write(M, 'order', { ...ORDER, last: 'meta' }, 1),
    of: 'claim of an order',
  },
  'refusals of a day': at('analytics', (db, table) =>
    createRefusalStore(db, table).add(M, AT - (AT % DAY_MS), 3, new Map([['invalid_request', 2]])),
  ),
  'parts of a day': at('analytics', async (db, table) => {
    const key = { merchantId: M, grain: 'day', startMs: AT - (AT % DAY_MS) } as const;
    const part = { events: 2, bots: 0, deliveries: {}, revenue: { EUR: { orders: 1, minor: '2999' } } };
    const row = {
      key,
      version: 1,
      counters: EMPTY_COUNTERS,
      parts: { 7: part, '18:30': part },
      cut: 'aB3-_x9Zq0kL',
    };
    await createCounterStore(db, table).write(row);
  }),
  'shard with rows': at('analytics', (db, table) =>
    createCounterStore(db, table).openShard(M, AT - (AT % DAY_MS), 1),
  ),
};

export async function writtenKinds(
  about: string,
): Promise<readonly (Golden & { readonly table: TableName })[]> {
  const golden = [];
  for (const [what, sample] of Object.entries(SAMPLES)) {
    const { table } = sample;
    const written = await writes(sample);
    const kindIn = (item: object) => kindsOfItem(EVERY_KIND, table, { ...item })[0];
    const item = written.find((one) => kindIn(one)?.what === (sample.of ?? what));
    if (item === undefined) throw new Error(`the sample of "${what}" writes none`);
    const name = what.toLowerCase().replaceAll(' ', '-');
    golden.push({ name, about, table, item, reads: kindIn(item)?.read(item) });
  }
  return golden;
}

/** What the writes of a store leave in an empty table. */
async function writes({ write, table, refused = 0 }: Sample): Promise<readonly Record<string, unknown>[]> {
  const written: Record<string, unknown>[] = [];
  let refusals = refused;
  const send = async (command: unknown): Promise<object> => {
    if (!(command instanceof PutCommand || command instanceof UpdateCommand)) return {};
    if (refusals-- > 0) throw new ConditionalCheckFailedException({ $metadata: {}, message: 'refused' });
    written.push(command instanceof PutCommand ? { ...command.input.Item } : updated(command.input));
    return {};
  };
  await write({ send } as unknown as DynamoDBDocumentClient, table);
  return written;
}

function updated(input: UpdateCommand['input']): Record<string, unknown> {
  const { Key, UpdateExpression: expression = '' } = input;
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = input;
  const set = [...expression.matchAll(/(#?\w+) (?:= )?(:\w+)/g)];
  const changed = set.map(([, name = '', value = '']) => [names[name] ?? name, values[value]]);
  return { ...Key, ...Object.fromEntries(changed) };
}
