// Goal: an operator sees every merchant once, and what is wrong with it; a look costs what is said, and the merchant can read who
// looked. Method: the function's own answers over emulated tables.
import { beforeEach, describe, expect, it } from 'vitest';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { foundIncident } from '#lib/events/domain/connections/incident.ts';
import { createDynamoMeter } from '#test/support/metering/dynamodb-metering.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';
import type { MerchantView } from './look.ts';

const SHOP = { name: 'Café Übersee', owner: 'owner@shop.example', keys: ['send', 'helpdesk'] };

interface Listed {
  readonly merchants: readonly MerchantView[];
  readonly next_cursor: string | null;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}
interface Shown {
  readonly merchant: MerchantView;
  readonly details: Listed['details'];
}

let operator: Awaited<ReturnType<typeof openOperator>>['operator'];
let tables: OperatorTables;
beforeEach(async () => {
  ({ operator, tables } = await openOperator());
  return () => tables.close();
});

const idOf = async (asked: object) => {
  const { body } = await operator().ask<{ readonly merchant: { readonly id: string } }>(asked);
  return body.merchant.id;
};

async function listed(ask: ReturnType<typeof operator>['ask'], asked: object = {}) {
  const all: MerchantView[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await ask<Listed>(
      { ...asked, ...(cursor === undefined ? {} : { cursor }) },
      { path: 'merchants/list' },
    );
    all.push(...body.merchants);
    cursor = body.next_cursor;
  }
  return all;
}

describe('a merchant is shown', () => {
  it('with its owner, keys, plan, platforms, trouble and use of the month', async () => {
    const id = await idOf(SHOP);
    const { db, table, analytics } = tables;
    const connections = createConnectionStore(db, table);
    for (const platform of ['meta', 'ga4', 'tiktok'])
      await connections.createConnection(
        { merchantId: id, platform, newId: `con_${platform}`, name: platform, sealedCredentials: 'x' },
        OPERATED_MS,
      );
    const [ga4, meta] = await connections.listConnections(id);
    if (ga4 === undefined || meta === undefined) throw new Error('not connected');
    await connections.pauseConnection(ga4, 'auth', OPERATED_MS);
    const circuit = { openedAtMs: OPERATED_MS, probes: 0, nextProbeAtMs: OPERATED_MS };
    await connections.setCircuit(meta, circuit, OPERATED_MS);
    const found = {
      merchantId: id,
      kind: 'failing',
      subject: 'meta',
      sinceMs: OPERATED_MS,
      facts: {},
    } as const;
    await createIncidentStore(db, table).writeIncident(foundIncident(null, found, OPERATED_MS), 0);
    const startMs = floorTo(OPERATED_MS, DAY_MS) - DAY_MS;
    const counters = { ...EMPTY_COUNTERS, events: 41, replays: 1 };
    const key = { merchantId: id, grain: 'day', startMs } as const;
    await createCounterStore(db, analytics).write({ key, version: 1, counters });

    const { ask, audit } = operator();
    const { status, body } = await ask<Shown>({ merchant: id.toUpperCase() }, { path: 'merchants/show' });
    const since = new Date(OPERATED_MS).toISOString();
    expect([status, body.merchant]).toEqual([
      200,
      {
        id,
        name: 'Café Übersee',
        state: 'active',
        suspended: null,
        environments: ['live'],
        owners: ['owner@shop.example'],
        created_at: since,
        made_by: 'operator',
        plan: 'free',
        limits: {
          server_events_per_minute: { value: 1_200_000, set_for: 'deployment' },
          server_events_per_day: { value: 5_000_000, set_for: 'deployment' },
          browser_events_per_minute: { value: 12_000, set_for: 'deployment' },
          replays_per_day: { value: 1_000_000, set_for: 'deployment' },
        },
        platforms: [
          { platform: 'ga4', connection: 'con_ga4', state: 'paused', reason: 'auth', since },
          { platform: 'meta', connection: 'con_meta', state: 'failing', reason: null, since },
          { platform: 'tiktok', connection: 'con_tiktok', state: 'active', reason: null, since: null },
        ],
        incidents: [{ kind: 'failing', subject: 'meta', since }],
        usage: {
          since: `${since.slice(0, 7)}-01T00:00:00.000Z`,
          events: 41,
          replayed_events: 1,
          delivered: 0,
          undelivered: 0,
        },
      },
    ]);
    const looks = (await audit.listAudit(id, 10)).filter(({ action }) => action === 'merchant.show');
    expect(looks.map(({ actor, subject }) => [actor, subject])).toEqual([['operator:anna', id]]);
  });

  it('for fourteen calls of DynamoDB, one of which writes', async () => {
    const id = await idOf(SHOP);
    const meter = createDynamoMeter();
    meter.attach(tables.db, 'look');
    await operator().ask<Shown>({ merchant: id }, { path: 'merchants/show' });
    const { calls, writeUnits } = meter.usage();
    expect([calls, writeUnits]).toEqual([{ GetItem: 5, Query: 6, BatchGetItem: 2, PutItem: 1 }, 1]);
  });

  it('with a stored row of it, by who may only look too, and its log says which', async () => {
    const id = await idOf(SHOP);
    const { ask, audit } = operator();
    const row = { merchant: id, row: 'event-id order-1' };
    const rules = { path: 'merchants/row', mayChange: false };
    expect(await ask(row, rules)).toMatchObject({ status: 200, body: { noted: true } });
    const looks = (await audit.listAudit(id, 10)).filter(({ action }) => action === 'merchant.row');
    expect(looks.map(({ actor, subject }) => [actor, subject])).toEqual([['operator:anna', row.row]]);
    const none = { ...row, merchant: '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11' };
    expect((await ask(none, rules)).status).toBe(404);
    expect(await audit.listAudit(none.merchant, 10)).toEqual([]);
  });

  it('as missing where there is none of this id', async () => {
    const { ask } = operator();
    const id = '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11';
    const { status, body } = await ask<Shown>({ merchant: id }, { path: 'merchants/show' });
    expect([status, body.details[0]?.path]).toEqual([404, 'merchant']);
    expect(await tables.keys()).toEqual([]);
  });
});

describe('merchants are listed', () => {
  const NAMES = Array.from({ length: 60 }, (_, i) => `Shop ${i % 30}`);
  const put = async () => {
    const store = createMerchantStore(tables.db, tables.table);
    await Promise.all(
      NAMES.map((name, i) =>
        store.putMerchant({
          merchantId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
          name,
          email: 'x@shop.example',
          onboardingStep: 'connect',
          onboardingCompleted: false,
          createdAtMs: OPERATED_MS,
          browserIngestion: { enabled: true, origins: [] },
        }),
      ),
    );
  };

  it('each once over all pages, and each look is in the log of its merchant, once', async () => {
    await put();
    const { ask, audit } = operator();
    const all = await listed(ask);
    expect(all.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
    for (const { id } of [all[0], all.at(-1)].filter((one) => one !== undefined)) {
      const entries = await audit.listAudit(id, 10);
      expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
        'operator:anna merchant.list',
      ]);
    }
  });

  it('by name alone where one is asked for, whatever its case, and no other is looked at', async () => {
    await put();
    const { ask, audit } = operator();
    const all = await listed(ask, { name: 'sHOP 7' });
    expect(all.map(({ name }) => name)).toEqual(['Shop 7', 'Shop 7']);
    expect(await audit.listAudit('00000000-0000-4000-8000-000000000008', 10)).toEqual([]);
  });

  it.each(['x', 'W10', 'WzEsMl0'])('not from a cursor that is none: %s', async (cursor) => {
    const { status, body } = await operator().ask<Listed>({ cursor }, { path: 'merchants/list' });
    expect([status, body.details[0]?.path]).toEqual([400, 'cursor']);
  });
});
