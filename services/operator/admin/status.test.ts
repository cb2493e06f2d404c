// Goal: what is overdue and which merchants have trouble is seen across all of them, and what is not known exactly says so.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dueEntry } from '#lib/adapters/dynamodb/core/items/due-index.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { foundIncident } from '#lib/events/domain/connections/incident.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';

interface Due {
  readonly due: readonly {
    readonly what: string;
    readonly overdue: number;
    readonly oldest: string | null;
  }[];
}
interface Trouble {
  readonly seen: number;
  readonly merchants: readonly {
    readonly name: string;
    readonly state: string;
    readonly platforms: readonly { readonly platform: string; readonly state: string }[];
    readonly incidents: readonly { readonly kind: string }[];
  }[];
}

const iso = (ms: number) => new Date(ms).toISOString();

let opened: Awaited<ReturnType<typeof openOperator>>;
let tables: OperatorTables;
beforeEach(async () => {
  opened = await openOperator({ keys: 'any' });
  ({ tables } = opened);
  return () => tables.close();
});

/** Of a merchant that is made. */
async function idOf(ask: ReturnType<typeof opened.operator>['ask'], name: string) {
  const shop = { name, owner: `${name}@shop.example`, keys: [] };
  return (await ask<{ readonly merchant: { readonly id: string } }>(shop)).body.merchant.id;
}

/** An item of the index, due at this time. */
const put = (table: string, id: string, atMs: number, parkedFor?: string) => {
  const due = dueEntry({ merchantId: `m${id}`, parkedFor }, id, atMs, 16);
  return tables.db.send(new PutCommand({ TableName: table, Item: { pk: id, sk: '~', ...due } }));
};

describe('what is due', () => {
  it('is counted with the oldest of it, over all merchants, without what waits for its connection or its time', async () => {
    await put(tables.events, 'a', OPERATED_MS - 60_000);
    await put(tables.events, 'b', OPERATED_MS - 3_600_000);
    await put(tables.events, 'c', OPERATED_MS - 86_400_000, 'meta');
    await put(tables.events, 'd', OPERATED_MS + 1);
    await put(tables.batches, 'e', OPERATED_MS - 1_000);
    const { status, body } = await opened.operator().ask<Due>({}, { path: 'status/due' });
    expect([status, body.due]).toEqual([
      200,
      [
        { what: 'events', overdue: 2, oldest: iso(OPERATED_MS - 3_600_000), complete: true },
        { what: 'batches', overdue: 1, oldest: iso(OPERATED_MS - 1_000), complete: true },
        { what: 'counters', overdue: 0, oldest: null, complete: true },
      ],
    ]);
  });

  it('is at least so much where a shard has more than is looked at', async () => {
    const due = dueEntry({ merchantId: 'm' }, 'x', OPERATED_MS - 5, 1);
    for (let i = 0; i < 501; i++)
      await tables.db.send(
        new PutCommand({ TableName: tables.batches, Item: { pk: `x${i}`, sk: '~', ...due } }),
      );
    const { body } = await opened.operator().ask<Due>({}, { path: 'status/due' });
    expect(body.due[1]).toMatchObject({ overdue: 500, complete: false });
  });

  it('is nothing where the product of events is not deployed', async () => {
    const { ports, ask } = opened.operator();
    Object.assign(ports, { due: null });
    expect((await ask<Due>({}, { path: 'status/due' })).body.due).toEqual([]);
  });
});

describe('merchants in trouble', () => {
  it('are those that are suspended, have an open incident, or a connection that does not work', async () => {
    const { ask } = opened.operator();
    const [well, paused, failing, suspended] = [
      await idOf(ask, 'well'),
      await idOf(ask, 'paused'),
      await idOf(ask, 'failing'),
      await idOf(ask, 'suspended'),
    ];
    const connections = createConnectionStore(tables.db, tables.table);
    for (const merchantId of [well, paused])
      await connections.createConnection(
        { merchantId, platform: 'meta', newId: 'con_1', name: 'Meta', sealedCredentials: 'x' },
        OPERATED_MS,
      );
    const [connection] = await connections.listConnections(paused);
    if (connection !== undefined) await connections.pauseConnection(connection, 'auth', OPERATED_MS);
    const incidents = createIncidentStore(tables.db, tables.table);
    const found = { kind: 'window', subject: 'meta', sinceMs: OPERATED_MS, facts: {} } as const;
    await incidents.writeIncident(foundIncident(null, { ...found, merchantId: failing }, OPERATED_MS), 0);
    await ask({ merchant: suspended, reason: 'x' }, { path: 'merchants/suspend' });
    const { body } = await ask<Trouble>({}, { path: 'status/trouble' });
    expect(body.seen).toBe(4);
    const shown = body.merchants.map(({ name, state, platforms, incidents: open }) => [
      name,
      state,
      platforms.map((one) => `${one.platform} ${one.state}`).join(),
      open.map(({ kind }) => kind).join(),
    ]);
    expect(shown.sort()).toEqual([
      ['failing', 'active', '', 'window'],
      ['paused', 'active', 'meta paused', ''],
      ['suspended', 'suspended', '', ''],
    ]);
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('have an entry in their audit logs, and those that are not shown have none', async () => {
    const { ask, audit } = opened.operator();
    const [well, suspended] = [await idOf(ask, 'well'), await idOf(ask, 'suspended')];
    await ask({ merchant: suspended, reason: 'x' }, { path: 'merchants/suspend' });
    await ask<Trouble>({}, { path: 'status/trouble', mayChange: false });
    const looks = async (id: string) =>
      (await audit.listAudit(id, 10))
        .filter(({ action }) => action === 'merchant.status')
        .map(({ actor, subject }) => [actor, subject]);
    expect(await looks(suspended)).toEqual([['operator:anna', suspended]]);
    expect(await looks(well)).toEqual([]);
  });

  it('are not looked for from a cursor that is none', async () => {
    expect((await opened.operator().ask({ cursor: 'x' }, { path: 'status/trouble' })).status).toBe(400);
  });
});

describe('platforms across merchants', () => {
  const HOUR = floorTo(OPERATED_MS, HOUR_MS);
  const countersOf = (deliveries: BucketCounters['deliveries'], codes = {}) => ({
    ...{ ...EMPTY_COUNTERS, events: 1, deliveries, codes },
  });

  it('say what they took and refused in a day and the hour that runs, and with which codes', async () => {
    const { ask, tables: at } = { ...opened.operator(), tables };
    const [one, other] = [await idOf(ask, 'one'), await idOf(ask, 'other')];
    const store = createCounterStore(at.db, at.analytics);
    const count = (merchantId: string, grain: 'hour' | 'minute', startMs: number, counters: BucketCounters) =>
      store.write({ key: { merchantId, grain, startMs }, version: 1, counters });
    const refusing = countersOf({ x: { Purchase: { FAILED: 500 } } }, { x: { auth: 500 } });
    await count(one, 'hour', HOUR - 24 * HOUR_MS, refusing);
    await count(one, 'hour', HOUR - 25 * HOUR_MS, refusing);
    await count(
      other,
      'hour',
      HOUR - HOUR_MS,
      countersOf({
        x: { Purchase: { FAILED: 9, ERROR: 2 }, Lead: { FAILED: 1 } },
        meta: { Purchase: { DELIVERED: 12 } },
        snapchat: { Purchase: { not_connected: 12 } },
      }),
    );
    const running = { DELIVERED: 3, RETRY: 1, QUEUED: 2, SENDING: 1 };
    await count(one, 'minute', HOUR, countersOf({ meta: { Lead: running } }));
    const { body } = await ask<object>({}, { path: 'status/trouble' });
    expect(body).toMatchObject({
      since: iso(HOUR - 24 * HOUR_MS),
      unread: 0,
      platforms: [
        { platform: 'meta', delivered: 15, refused: 0, given_up: 0, waiting: 4, codes: {} },
        { platform: 'x', delivered: 0, refused: 510, given_up: 2, waiting: 0, codes: { auth: 500 } },
      ],
    });
  });

  it('say that counters are missing where they cannot be read', async () => {
    const { ask } = opened.operator();
    const key = { pk: `${await idOf(ask, 'one')}#hour`, sk: iso(HOUR - HOUR_MS) };
    const broken = { ...key, v: 1, c: new Uint8Array([250, 1]), fa: 0 };
    await tables.db.send(new PutCommand({ TableName: tables.analytics, Item: broken }));
    const { body } = await ask<object>({}, { path: 'status/trouble' });
    expect(body).toMatchObject({ unread: 1, platforms: [] });
  });

  it('are none where the product of events is not deployed', async () => {
    const { ask, ports } = opened.operator();
    await idOf(ask, 'one');
    Object.assign(ports, { counters: null });
    expect((await ask<object>({}, { path: 'status/trouble' })).body).toMatchObject({ platforms: [] });
  });

  it('take two reads of a merchant that sent nothing', async () => {
    const { ask, ports } = opened.operator();
    await idOf(ask, 'one');
    const { counters } = ports;
    const read = vi.fn(counters?.range);
    Object.assign(ports, { counters: { range: read } });
    await ask<object>({}, { path: 'status/trouble' });
    expect(read.mock.calls.map(([, grain, fromMs]) => [grain, fromMs])).toEqual([
      ['hour', HOUR - 24 * HOUR_MS],
      ['minute', HOUR - 24 * HOUR_MS],
    ]);
  });
});
