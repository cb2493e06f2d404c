// Goal: a reconciliation says the same wherever it dies, however its steps are cut and its messages come, and reads no more than it
// must. Method: the task stage on memory ports that die, are counted, or take their time.
import { describe, expect, it } from 'vitest';
import { RECONCILIATION_LIMITS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import { readPart } from '#lib/events/pipeline/reconciling/sealed-parts.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { Death, dyingAt, taskPorts } from '#test/support/dying-ports.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';
import { withReconciliations } from '#test/support/reconciling.ts';
import { withReplays } from '#test/support/replaying.ts';
import { openSyntheticShop } from '#test/support/synthetic-shop.ts';
import { createTaskStage, type TaskStage } from './stage.ts';

const carol = SYNTHETIC_PLATFORMS.filter(({ slug }) => slug === 'carol');

function open() {
  const pipeline = openSyntheticShop({
    platforms: carol,
    credentials: { carol: { token: 'c' } },
    orders: NO_ORDERS_KNOWN,
  });
  const host = withReconciliations(pipeline, carol, withReplays(pipeline, carol));
  const purchase = (id: string, more: object = {}) =>
    pipeline.take(id, { value: 1, currency: 'USD', order_id: id.replace(/^\w+-/, ''), ...more });
  const ports = taskPorts(pipeline);
  /** Purchases under these ids, worked off. */
  const purchased = async (...ids: readonly string[]) => {
    for (const id of ids) await purchase(id);
    await pipeline.drain();
  };
  /** Works what is to be had, with this stage. */
  const work = async (stage: TaskStage): Promise<void> => {
    const { tasks } = pipeline.queues;
    for (let [message] = tasks.receive(1); message !== undefined; [message] = tasks.receive(1))
      if ((await stage([message])).failedIndexes.length === 0) tasks.remove(message.receipt);
  };
  return { ...host, pipeline, purchase, purchased, ports, work };
}

const order = (order_id: string) => ({ order_id, value: 1, currency: 'USD' });

describe('a reconciliation that dies', () => {
  it('at any call, before or after it, says the same in the end', async () => {
    const calm = await dieAt(Number.POSITIVE_INFINITY, 'before');
    const standings = calm.orders.map(({ platforms }) => platforms.carol?.status);
    expect(standings).toEqual(['matched', 'doubled', 'missing', 'waiting']);
    expect(calm.view).toMatchObject({ status: 'done', progress: { events: 5, share: 1 } });
    expect(calm.calls).toBeGreaterThan(15);
    for (let call = 1; call <= calm.calls; call++)
      for (const when of ['before', 'after'] as const) {
        const { orders, view, deaths } = await dieAt(call, when);
        expect([call, when, deaths]).toEqual([call, when, 1]);
        expect(orders).toEqual(calm.orders);
        const { status, platforms, progress } = view;
        const { platforms: calmPlatforms, progress: calmProgress } = calm.view;
        expect([status, platforms, progress]).toEqual(['done', calmPlatforms, calmProgress]);
      }
  });

  it('between its parts and what names them has seen nothing', async () => {
    const host = open();
    await host.purchase('e-1');
    const id = await host.begin([order('1')]);
    const { reconciliations } = host.ports;
    let writes = 0;
    const stage = createTaskStage({
      ...host.ports,
      reconciliations: {
        ...reconciliations,
        writeReconciliation: async (next, seen) => {
          writes += 1;
          if (writes === 2) throw new Death();
          return await reconciliations.writeReconciliation(next, seen);
        },
      },
    });
    host.pipeline.clock.advance(16_000);
    await host.work(stage);
    expect(writes).toBe(2);
    const part = async () =>
      (await readPart(await host.stored(id), 0, { vault: host.ports.vault, store: reconciliations }))[0];
    expect(await part()).toEqual({ order: { orderId: '1', value: '1', currency: 'USD' } });
    // What waited then has been delivered since: the step that comes after says that alone.
    await host.pipeline.drain();
    host.pipeline.clock.advance(120_000);
    await host.tend();
    await host.finish();
    const [row] = host.pipeline.events.rows();
    expect(row?.state).toBe('normalized');
    expect((await part())?.seen?.places.carol).toEqual({
      counted: [[expect.any(String), expect.any(Number)]],
    });
  });

  it('is told to go on by the audit where its message was lost', async () => {
    const host = open();
    await host.purchased('e-1');
    const id = await host.begin([order('1')]);
    host.pipeline.queues.tasks.purge();
    await expect(host.finish()).rejects.toThrow('does not end');
    expect(await host.tend()).toBe(1);
    await host.finish();
    expect((await host.read(id)).platforms.carol).toMatchObject({ matched: 1 });
    expect(await host.tend()).toBe(0);
  });

  it('is told to go on by whoever reads it when it has not moved for two minutes, and not before', async () => {
    const host = open();
    const id = await host.begin([order('1')]);
    const { tasks } = host.pipeline.queues;
    tasks.purge();
    host.pipeline.clock.advance(134_000);
    await host.read(id);
    expect(tasks.size()).toBe(0);
    host.pipeline.clock.advance(2_000);
    await host.read(id);
    expect(tasks.size()).toBe(1);
    await host.finish();
    await host.read(id);
    expect(tasks.size()).toBe(0);
  });

  it('while it is received is seen by nobody, deleted within hours, and goes on where its request is repeated', async () => {
    const host = open();
    const { reconciliations } = host.pipeline;
    const { putPart } = reconciliations;
    const upload = Array.from({ length: 600 }, (_, i) => order(`${i}`));
    let calls = 0;
    reconciliations.putPart = async (key, pieces) => {
      calls += 1;
      if (calls === 3) throw new Error('away');
      await putPart(key, pieces);
    };
    for (const key of ['one', 'two']) {
      calls = 0;
      await expect(host.ask(upload, { key })).rejects.toThrow('away');
    }
    expect(reconciliations.reconciliations().map(({ state }) => state)).toEqual(['receiving', 'receiving']);
    for (const { id } of reconciliations.reconciliations())
      await expect(host.read(id)).rejects.toThrow('not_found');
    expect(host.pipeline.queues.tasks.size()).toBe(0);
    reconciliations.putPart = putPart;
    const again = await host.begin(upload, { key: 'two' });
    expect(await host.begin(upload, { key: 'two' })).toBe(again);
    await host.finish(0).catch(() => undefined);
    host.pipeline.clock.advance(3_600_000);
    while (reconciliations.reconciliations().length > 1) await host.tend();
    expect(reconciliations.reconciliations().map(({ id }) => id)).toEqual([again]);
    await host.finish();
    expect((await host.read(again)).platforms.carol).toMatchObject({ missing: 600 });
  });

  it('takes no notice of messages that are out of date, and one of several gets a step', async () => {
    const host = open();
    await host.purchased('e-1');
    const id = await host.begin([order('1')]);
    host.pipeline.queues.tasks.purge();
    const body = { merchant: PIPELINE_MERCHANT, reconciliation: id };
    const tell = (more: object) => ({ body: { ...body, ...more }, receiveCount: 1, sentAtMs: 0 });
    const before = await host.stored(id);
    await host.pipeline.stages.tasks([
      tell({}),
      tell({ version: before.version + 1 }),
      tell({ reconciliation: crypto.randomUUID() }),
      tell({ merchant: '8f14e45f-ceea-467f-a111-00000000000f', version: before.version }),
    ]);
    expect(await host.stored(id)).toEqual(before);
    host.pipeline.clock.advance(16_000);
    const same = Array.from({ length: 4 }, () => tell({ version: before.version }));
    await host.pipeline.stages.tasks(same);
    expect(await host.stored(id)).toMatchObject({
      state: 'done',
      version: before.version + 2,
      counts: { seen: 1 },
    });
  });
});

describe('a reconciliation of many events', () => {
  it('ends its steps in time, whatever there is, and says what one step would have said', async () => {
    const results = await Promise.all(
      [0, 7_000].map(async (pageMs) => {
        const host = open();
        for (let i = 0; i < 1_050; i++) {
          await host.purchase(`e-${i % 700}`, { event_id: `e${i}` });
          host.pipeline.clock.advance(1);
        }
        await host.pipeline.drain();
        const id = await host.begin(Array.from({ length: 800 }, (_, i) => order(`${i}`)));
        const lasted: number[] = [];
        const stage = createTaskStage({
          ...host.ports,
          events: {
            ...host.ports.events,
            received: async (query) => {
              host.pipeline.clock.advance(pageMs);
              return await host.ports.events.received(query);
            },
          },
        });
        for (let round = 0; round < 40; round++) {
          host.pipeline.clock.advance(16_000);
          const startMs = host.pipeline.clock.now();
          await host.work(async (messages) => {
            const result = await stage(messages);
            lasted.push(host.pipeline.clock.now() - startMs);
            return result;
          });
          if ((await host.stored(id)).state === 'done') break;
        }
        const { status, platforms, progress } = await host.read(id);
        return { orders: await host.orders(id), view: { status, platforms, progress }, steps: lasted.length };
      }),
    );
    const [once, often] = results;
    expect(once?.steps).toBe(1);
    expect(often?.steps).toBe(4);
    expect(often?.orders).toEqual(once?.orders);
    expect(often?.view).toEqual(once?.view);
    expect(once?.view.platforms.carol).toMatchObject({ matched: 350, doubled: 350, missing: 100 });
  });

  it('reads each once, eventually, and what became of it only where it is an order', async () => {
    const host = open();
    for (let i = 0; i < 1_000; i++) {
      await host.purchase(`e-${i}`);
      host.pipeline.clock.advance(1);
    }
    await host.pipeline.drain();
    const id = await host.begin([order('3'), order('4'), order('nobody')]);
    const reads = { eventual: 0, strong: 0, pages: 0, outcomes: 0, puts: 0 };
    const { events, batches, reconciliations } = host.ports;
    const stage = createTaskStage({
      ...host.ports,
      events: {
        ...events,
        received: async (query) => {
          reads.pages += 1;
          return await events.received(query);
        },
        readMany: async (keys, consistency = 'strong') => {
          reads[consistency] += keys.length;
          return await events.readMany(keys, consistency);
        },
      },
      batches: {
        readMany: async (keys, consistency) => {
          reads.outcomes += keys.outcomes?.length ?? 0;
          return await batches.readMany(keys, consistency);
        },
      },
      reconciliations: {
        ...reconciliations,
        putPart: async (key, pieces) => {
          reads.puts += pieces.length;
          await reconciliations.putPart(key, pieces);
        },
      },
    });
    host.pipeline.clock.advance(16_000);
    await host.work(stage);
    expect((await host.stored(id)).state).toBe('done');
    expect(reads).toEqual({ eventual: 1_000, strong: 0, pages: 10, outcomes: 1, puts: 1 });
  });

  it('finds an event whose id was taken again after the index was read, and counts what cannot be read', async () => {
    const host = open();
    await host.purchased('e-1', 'e-2', 'e-3');
    host.pipeline.storedRows.spoil({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId: 'e-3' });
    host.pipeline.clock.advance(86_400_001);
    const id = await host.begin(['1', '2', '3'].map(order));
    host.pipeline.clock.advance(16_000);
    const { events } = host.ports;
    let isTaken = false;
    const stage = createTaskStage({
      ...host.ports,
      events: {
        ...events,
        received: async (query) => {
          const page = await events.received(query);
          if (!isTaken) {
            isTaken = true;
            await host.purchase('e-1', { order_id: 'other' });
          }
          return page;
        },
      },
    });
    await host.work(stage);
    expect(host.pipeline.storedRows.archived().size).toBe(1);
    const statuses = (await host.orders(id)).map(({ platforms }) => platforms.carol?.status);
    expect(statuses).toEqual(['matched', 'matched', 'missing']);
    expect((await host.read(id)).progress).toMatchObject({ events: 3, unreadable: 1 });
  });
});

it('a reconciliation is deleted in the end with all that lay beside it, in rounds that are bounded', async () => {
  const host = open();
  const { reconciliations } = host.pipeline;
  const { putPart } = reconciliations;
  const id = await host.begin(Array.from({ length: 1_000 }, (_, i) => order(`${i}`)));
  for (let part = 0; part < 700; part++)
    await putPart({ merchantId: PIPELINE_MERCHANT, id, part, version: 99 }, ['left by a death']);
  await host.finish();
  host.pipeline.clock.advance(RECONCILIATION_LIMITS.keptDays * 86_400_000);
  await expect(host.read(id)).rejects.toThrow('not_found');
  await host.tend();
  expect(reconciliations.pieces().size).toBe(204);
  await host.tend();
  expect([reconciliations.pieces().size, reconciliations.reconciliations()]).toEqual([0, []]);
});

/** All of the stage's calls in a row; the process dies at one of them, and others come after it. */
async function dieAt(at: number, when: 'before' | 'after') {
  const host = open();
  await host.purchased('e-1', 'e-2');
  host.pipeline.clock.advance(1);
  await host.purchased('f-2', 'g-9');
  host.pipeline.clock.advance(1);
  await host.purchase('e-4');
  host.pipeline.queues.accepted.purge();
  const { seen, dying } = dyingAt(at, when);
  const { ports } = host;
  const slow = {
    ...ports.events,
    // Every page takes a step's time.
    received: async (query: Parameters<typeof ports.events.received>[0]) => {
      host.pipeline.clock.advance(20_000);
      return await ports.events.received({ ...query, limit: 2 });
    },
  };
  const stage = createTaskStage({
    ...ports,
    reconciliations: dying(ports.reconciliations),
    events: dying(slow),
    batches: dying(ports.batches),
    counters: dying(ports.counters),
    vault: dying(ports.vault),
    work: dying(ports.work),
  });
  const id = await host.begin(['1', '2', '3', '4'].map(order));
  for (let round = 0; round < 100; round++) {
    host.pipeline.clock.advance(16_000);
    await host.work(stage);
    if ((await host.stored(id)).state === 'done') break;
    if (round === 50) await host.tend();
  }
  return { ...seen, orders: await host.orders(id), view: await host.read(id) };
}
