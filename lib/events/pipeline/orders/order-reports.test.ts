// Goal: whatever the order in which processes read and write an order, and wherever one of them dies and begins again, one event is
// counted and one conversion goes out. Method: every interleaving of their calls, one after another.
import { expect, it } from 'vitest';
import { createMemoryOrderStore } from '#test/support/memory/order-store.ts';
import type { OrderDecision } from '../../domain/orders/order.ts';
import { REFUNDS_MAX } from '../../domain/orders/refund.ts';
import { PLATFORMS as ALL_PLATFORMS } from '../../platforms/registry.ts';
import type { OrderStore } from '../../ports/order-store.ts';
import { createOrderReports, orderDigest, purchasedOrder, SAME_ORDER, withoutKept } from './order-reports.ts';

const T0 = Date.UTC(2026, 10, 26, 12);
const PLATFORMS = ALL_PLATFORMS.filter(({ slug }) => slug === 'meta');

interface Said {
  readonly id: string;
  readonly channel?: 'server' | 'browser';
  readonly value?: string;
  /** The process dies after its n-th write, and another one begins again. */
  readonly diesAfterWrite?: boolean;
}

const reportWith = (store: OrderStore, { id, channel = 'server', value = '10' }: Said) =>
  createOrderReports({ orders: store, platforms: PLATFORMS }).report(
    { key: { merchantId: 'm', channel, eventId: id }, ingestId: `ingest of ${id}`, receivedAtMs: T0 },
    { name: 'Purchase', orderId: 'A', value, currency: 'EUR', dedupId: id },
    { meta: 'pending' },
  );

const refundWith = (store: OrderStore, id: string, value = '0.01', ingestId = id) =>
  createOrderReports({ orders: store, platforms: PLATFORMS }).refund(
    { key: { merchantId: 'm', channel: 'server', eventId: id }, ingestId, receivedAtMs: T0 },
    { name: 'Refund', orderId: 'A', value, currency: 'EUR', dedupId: id },
  );

class Death extends Error {}

/** Calls wait until they are let go, one at a time. */
function createGate(choose: (from: number) => number) {
  const waiting: (() => void)[] = [];
  let active = 0;
  const turn = () => new Promise<void>((go) => waiting.push(go));
  const written = async (write: () => Promise<boolean>, dies: boolean): Promise<boolean> => {
    await turn();
    const isWritten = await write();
    if (isWritten && dies) throw new Death();
    return isWritten;
  };
  return {
    guard: (store: OrderStore, dies: boolean): OrderStore => ({
      ...store,
      read: async (...args) => {
        await turn();
        return await store.read(...args);
      },
      create: (...args) => written(() => store.create(...args), dies),
      write: (...args) => written(() => store.write(...args), dies),
      writeWaiting: (...args) => written(() => store.writeWaiting(...args), dies),
    }),
    async all<T>(works: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
      const running = works.map(async (work) => {
        active += 1;
        try {
          return await work();
        } finally {
          active -= 1;
        }
      });
      while (active > 0) {
        while (waiting.length < active) await Promise.resolve();
        if (active > 0) waiting.splice(choose(waiting.length), 1)[0]?.();
        // What goes on until its next call, or ends.
        for (let i = 0; i < 60; i++) await Promise.resolve();
      }
      return await Promise.all(running);
    },
  };
}

/** Every run there is, by the choices that it makes. Returns how many there were. */
async function everyRun(run: (choose: (from: number) => number) => Promise<void>): Promise<number> {
  let path: number[] = [];
  for (let runs = 1; ; runs++) {
    const taken: { readonly choice: number; readonly from: number }[] = [];
    await run((from) => {
      const choice = path[taken.length] ?? 0;
      taken.push({ choice, from });
      return choice;
    });
    const last = taken.findLastIndex(({ choice, from }) => choice + 1 < from);
    if (last === -1) return runs;
    path = [...taken.slice(0, last).map(({ choice }) => choice), (taken[last]?.choice ?? 0) + 1];
  }
}

it.each<[string, Said[], number]>([
  ['a page and a server', [{ id: 'page', channel: 'browser' }, { id: 'server' }], 1],
  ['three servers', [{ id: 'a' }, { id: 'b' }, { id: 'c' }], 1],
  ['two servers of which one dies after it has written', [{ id: 'a', diesAfterWrite: true }, { id: 'b' }], 1],
  ['a page that dies, and a server', [{ id: 'p', channel: 'browser', diesAfterWrite: true }, { id: 's' }], 1],
  [
    'a page with another value, and a server',
    [{ id: 'p', channel: 'browser', value: '0.01' }, { id: 's' }],
    2,
  ],
])('%s: one is counted, in every interleaving', async (_, said, conversionsMax) => {
  const runs = await everyRun(async (choose) => {
    const store = createMemoryOrderStore();
    const gate = createGate(choose);
    const decisions = await gate.all(
      said.map((each) => async (): Promise<OrderDecision | undefined> => {
        try {
          return await reportWith(gate.guard(store, each.diesAfterWrite === true), each);
        } catch (error) {
          if (!(error instanceof Death)) throw error;
          return await reportWith(gate.guard(store, false), each);
        }
      }),
    );
    // Of servers; a page's that was first is displaced by the server's, and counted again.
    const counted = decisions.flatMap((each, i) =>
      each?.isRepeated === false && said[i]?.channel !== 'browser' ? [each] : [],
    );
    expect(counted).toHaveLength(1);
    for (const [i, { id, channel }] of said.entries())
      if (channel === 'browser' && decisions[i]?.isRepeated === false)
        expect(counted[0]?.displaced).toMatchObject([{ eventId: id }]);
    // Where a page was kept from where the server went, nothing of it goes out.
    const out = decisions.flatMap((each) => (each?.kept.includes('meta') ? [] : [each?.conversionId]));
    expect(new Set(out).size).toBeLessThanOrEqual(conversionsMax);
    // As a message that comes once more finds it.
    for (const [i, each] of said.entries()) {
      const { conversionId, kept } = (await reportWith(store, each)) as OrderDecision;
      expect(decisions[i]).toMatchObject({ conversionId, kept });
    }
  });
  expect(runs).toBeGreaterThan(1);
});

it.each<[string, (store: OrderStore) => OrderStore]>([
  [
    'writes over what it has not seen',
    (store) => ({ ...store, create: (...order) => unconditional(store)(...order, 0) }),
  ],
  ['reads and does not mark', (store) => ({ ...store, create: async () => true })],
])('would count twice, or send twice, where a process %s', async (_, broken) => {
  const twice = { counted: 0, sent: 0 };
  await everyRun(async (choose) => {
    const store = createMemoryOrderStore();
    const gate = createGate(choose);
    const decisions = await gate.all(
      ['a', 'b'].map((id) => () => reportWith(gate.guard(broken(store), false), { id })),
    );
    if (decisions.filter((each) => each?.isRepeated === false).length > 1) twice.counted += 1;
    if (new Set(decisions.map((each) => each?.conversionId)).size > 1) twice.sent += 1;
  });
  expect([twice.counted > 0, twice.sent > 0]).toEqual([true, true]);
});

const unconditional =
  (store: OrderStore): OrderStore['write'] =>
  async (merchantId, digest, order) => {
    const seen = await store.read(merchantId, digest, T0);
    return seen !== 'unreadable' && (await store.write(merchantId, digest, order, seen.version));
  };

it('takes two hundred reports of one order at once, from three processes', async () => {
  const store = createMemoryOrderStore();
  const processes = [1, 2, 3].map(() => createOrderReports({ orders: store, platforms: PLATFORMS }));
  const decisions = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      processes[i % 3]?.report(
        {
          key: { merchantId: 'm', channel: 'server', eventId: `e${i}` },
          ingestId: `i${i}`,
          receivedAtMs: T0,
        },
        { name: 'Purchase', orderId: 'A', dedupId: `e${i}` },
        { meta: 'pending' },
      ),
    ),
  );
  expect(decisions.filter((decision) => decision?.isRepeated === false)).toHaveLength(1);
  expect(new Set(decisions.map((decision) => decision?.conversionId)).size).toBe(1);
});

it('is reported and taken back, whoever else writes it before each of its writes', async () => {
  const store = createMemoryOrderStore();
  let others = 0;
  const overtaken: OrderStore = {
    ...store,
    async read(...args) {
      const seen = await store.read(...args);
      others += 1;
      const channel = others % 2 === 0 ? 'browser' : 'server';
      await reportWith(store, { id: `other ${others}`, channel, value: String(others) });
      await refundWith(store, `refund ${others}`);
      return seen;
    },
  };
  await reportWith(store, { id: 'first' });
  expect(await reportWith(overtaken, { id: 'late' })).toMatchObject({ conversionId: 'first' });
  expect(await refundWith(overtaken, 'late')).toMatchObject({ state: 'refused' });
  expect(others).toBeGreaterThan(REFUNDS_MAX);
});

it.each([
  ['physical_store', 'physical_store', 'kept'],
  ['phone_call', 'phone_call', 'kept'],
  ['physical_store', 'website', 'kept'],
  ['website', 'phone_call', 'kept'],
  ['website', 'website', 'sent'],
  ['email', 'app', 'sent'],
] as const)('an order of %s, reported an hour later as one of %s, is %s at Pinterest', async (...row) => {
  const [first, second, fate] = row;
  const ports = { orders: createMemoryOrderStore(), platforms: ALL_PLATFORMS };
  const said = (id: string, actionSource: typeof first | typeof second, hours: number) =>
    createOrderReports(ports).report(
      {
        key: { merchantId: 'm', channel: 'server', eventId: id },
        ingestId: id,
        receivedAtMs: T0 + hours * 3_600_000,
      },
      { name: 'Purchase', orderId: 'A', value: '10', currency: 'EUR', dedupId: id, actionSource },
      { pinterest: 'pending', 'pinterest#2': 'pending', snapchat: 'pending', tiktok: 'pending' },
    );
  const kept = fate === 'kept' ? ['pinterest', 'pinterest#2'] : [];
  expect(await said('first', first, 0)).toMatchObject({ isRepeated: false, kept: [] });
  expect(await said('second', second, 1)).toMatchObject({ isRepeated: true, kept });
  // A message that comes once more finds the same.
  expect(await said('second', second, 2)).toMatchObject({ kept });
  expect(await said('first', first, 2)).toMatchObject({ kept: [] });
});

const orderIn = async (store: OrderStore) => {
  const stored = await store.read('m', orderDigest('A'), T0);
  return stored === 'unreadable' ? undefined : stored.order;
};
const inMinor = (values: readonly (string | undefined)[]): number =>
  values.reduce((sum, each = '0') => sum + Number(each), 0);

it.each<[string, Said[], [id: string, value: string, ingestId: string, dies: boolean][], number]>([
  ['a refund and its order', [{ id: 'a' }], [['r', '4', 'i', false]], 400],
  ['that dies, and its order, which dies', [{ id: 'a', diesAfterWrite: true }], [['r', '4', 'i', true]], 400],
  [
    'twice under one id',
    [{ id: 'a' }],
    [
      ['r', '4', 'i', false],
      ['r', '4', 'j', false],
    ],
    400,
  ],
  [
    'two of more than the order',
    [{ id: 'a' }],
    [
      ['r', '7', 'i', false],
      ['s', '7', 'j', true],
    ],
    1_000,
  ],
  [
    'and a page that says less than the server',
    [{ id: 'p', channel: 'browser', value: '0.01' }, { id: 's' }],
    [['r', '4', 'i', false]],
    NaN,
  ],
])(
  'of a refund %s: what rows count is what the order says, in every interleaving',
  async (_, said, refunds, minor) => {
    const runs = await everyRun(async (choose) => {
      const store = createMemoryOrderStore();
      const gate = createGate(choose);
      const alive = async <T>(dies: boolean, work: (store: OrderStore) => Promise<T>): Promise<T> => {
        try {
          return await work(gate.guard(store, dies));
        } catch (error) {
          if (!(error instanceof Death)) throw error;
          return await work(gate.guard(store, false));
        }
      };
      const taken = await gate.all(
        refunds
          .map(
            ([id, value, ingestId, dies]) =>
              async () =>
                (await alive(dies, (own) => refundWith(own, id, value, ingestId)))?.minor,
          )
          .concat(
            said.map((each) => async () => {
              await alive(each.diesAfterWrite === true, (own) => reportWith(own, each));
              return undefined;
            }),
          ),
      );
      // As rows that are counted have it: of a page's that was displaced nothing is.
      const counted = await Promise.all(said.map((each) => reportWith(store, each)));
      const early = counted
        .filter((each) => each?.isRepeated === false)
        .map((each) => each?.early?.EUR?.minor);
      const { refunds: known = [] } = (await orderIn(store)) ?? {};
      const sum = inMinor(known.map((each) => each.minor));
      expect(inMinor([...taken, ...early])).toBe(sum);
      expect(Number.isNaN(minor) ? [1, 400] : [minor]).toContain(sum);
    });
    expect(runs).toBeGreaterThan(1);
  },
);

it('keeps fifty refunds at once that come before their order, from three processes, each once', async () => {
  const store = createMemoryOrderStore();
  const processes = [1, 2, 3].map(() => createOrderReports({ orders: store, platforms: PLATFORMS }));
  const decisions = await Promise.all(
    Array.from({ length: 75 }, (_, i) =>
      processes[i % 3]?.refund(
        {
          key: { merchantId: 'm', channel: 'server', eventId: `r${i % 50}` },
          ingestId: `i${i}`,
          receivedAtMs: T0,
        },
        { name: 'Refund', orderId: 'A', value: '0.10', currency: 'EUR', dedupId: `r${i % 50}` },
      ),
    ),
  );
  expect(Map.groupBy(decisions, (each) => each?.state).get('waiting')).toHaveLength(50);
  expect((await reportWith(store, { id: 'a' }))?.early).toEqual({ EUR: { orders: 50, minor: '500' } });
  expect((await reportWith(store, { id: 'b' }))?.early).toBeUndefined();
  expect(await refundWith(store, 'r1', '0.10', 'again')).toMatchObject({ state: 'repeated', minor: '0' });
});

it('makes no order of what is no purchase, or names none', () => {
  const event = { name: 'Purchase', orderId: 'A', dedupId: 'e' } as const;
  expect(purchasedOrder(event)).toBe('A');
  for (const orderId of ['undefined', 'null', '0', '{{order.id}}', 'N/A'])
    expect(purchasedOrder({ ...event, orderId })).toBeUndefined();
  expect(purchasedOrder({ ...event, name: 'Lead' })).toBeUndefined();
  expect(purchasedOrder({ ...event, bot: true })).toBeUndefined();
  expect(purchasedOrder({ ...event, replay: true })).toBeUndefined();
});

it('keeps pending places alone from an order', () => {
  const verdicts = { meta: 'pending', x: 'consent_denied:ads', ga4: 'pending' };
  expect(withoutKept(verdicts, ['meta', 'x'])).toEqual({ ...verdicts, meta: SAME_ORDER });
  expect(withoutKept(verdicts, [])).toBe(verdicts);
});
