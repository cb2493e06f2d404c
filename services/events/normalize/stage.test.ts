// Goal: a row is normalized once and its pointer sent once, for any number of incoming pointers; failures stay alone.
import { expect, it } from 'vitest';
import { type MessageSender, type Received, SendFailure } from '#lib/core/ports/queue.ts';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import type { AcceptedRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { packPointers } from '#lib/events/domain/pointer.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { type AcceptedDraft, acceptedRow, normalizedRow, sha256, store } from '#test/contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { MERCHANT, testMerchant } from '#test/support/ingestion.ts';
import { createMemoryAttributionStore } from '#test/support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryConfig } from '#test/support/memory/config-stores.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createMemoryEventVault } from '#test/support/memory/event-vault.ts';
import { createMemoryOrderStore } from '#test/support/memory/order-store.ts';
import { createMemoryQueue, type MemoryQueue } from '#test/support/memory/queue.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import type { CounterRefresh } from '../aggregate/message.ts';
import type { AcceptedMessage, AcceptedMessage as NormalizedMessage } from './message.ts';
import type { NormalizePorts } from './ports.ts';
import { createNormalizeStage } from './stage.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const OTHER = 'other';

const accepted = (eventId: string, over: Partial<AcceptedDraft> = {}): AcceptedRow =>
  acceptedRow({
    eventId,
    merchantId: MERCHANT,
    receivedAtMs: START_MS,
    body: { order_id: eventId },
    ...over,
  });

/** One message per merchant. */
const pointers = (...rows: readonly AcceptedRow[]): Received<AcceptedMessage>[] =>
  packPointers(rows.map(({ key }) => key)).map((body) => ({ body, receiveCount: 1, sentAtMs: START_MS }));

const taken = <M>(queue: MemoryQueue<M>): M[] =>
  queue.receive(100).map(({ body, receipt }) => {
    queue.remove(receipt);
    return body;
  });

async function setUp(...rows: Parameters<typeof store>[1][]) {
  const clock = createManualClock(START_MS + 1_000);
  const events = createMemoryEventStore();
  await store(events, ...rows);
  const config = createMemoryConfig();
  const draft = { platform: 'alpha', newId: 'c1', name: 'alpha', sealedCredentials: '{}' };
  for (const merchantId of [MERCHANT, OTHER]) await config.putConnection({ merchantId, ...draft }, START_MS);
  const counters = createMemoryCounterStore();
  const normalized = createMemoryQueue<NormalizedMessage>({ clock });
  const counterRefresh = createMemoryQueue<CounterRefresh>({ clock });
  const eventVault = createMemoryEventVault();
  const problems: string[] = [];
  const ports: NormalizePorts = {
    events,
    batches: createMemoryBatchStore(),
    attribution: createMemoryAttributionStore(),
    orders: createMemoryOrderStore(),
    random: createSeededRandom('normalize'),
    config,
    counters,
    slots: createBucketMarker(counters, clock),
    eventVault,
    accepted: createMemoryQueue<AcceptedMessage>({ clock }),
    normalized,
    counterRefresh,
    lookups: { nationalPhone: () => null, countryCode: () => null, regionCode: () => null },
    platforms: SYNTHETIC_PLATFORMS,
    clock,
    report: (problem) => void problems.push(problem),
  };
  const run = async (messages: readonly Received<AcceptedMessage>[], over: Partial<NormalizePorts> = {}) =>
    (await createNormalizeStage({ ...ports, ...over })(messages)).failedIndexes;
  const stateOf = (eventId: string) => events.rows().find(({ key }) => key.eventId === eventId)?.state;
  return { run, clock, events, config, counters, normalized, counterRefresh, eventVault, problems, stateOf };
}

it('hashes the person, seals it, decides the verdicts, and says that nobody can have sent before', async () => {
  const row = accepted('e');
  const { run, events, eventVault, normalized } = await setUp(row);
  expect(await run(pointers(row))).toEqual([]);
  const [stored] = events.rows() as NormalizedRow[];
  expect(stored).toMatchObject({ state: 'normalized', ingestId: row.ingestId, deliveries: {} });
  expect(stored).not.toHaveProperty('body');
  expect(stored?.verdicts).toEqual({ alpha: PENDING });
  const personal = stored && (await eventVault.open(stored, stored.event.sealed ?? ''));
  expect(personal).toMatchObject({ hashed: { emailPlain: sha256('jane.doe@example.com') }, plaintext: {} });
  expect(taken(normalized)).toEqual([{ merchant: MERCHANT, rows: [['s', 'e']], first: true }]);
});

it('asks for a count of the minute, once its deliveries had time to end', async () => {
  const row = accepted('e');
  const { run, clock, counterRefresh } = await setUp(row);
  await run(pointers(row));
  clock.advance(3_999);
  expect(taken(counterRefresh)).toEqual([]);
  clock.advance(1);
  expect(taken(counterRefresh)).toEqual([{ merchant: MERCHANT, slots: [START_MS] }]);
});

it('does nothing for a row that was normalized before', async () => {
  const row = accepted('e');
  const { run, clock, normalized, counterRefresh } = await setUp(row);
  await run(pointers(row));
  clock.advance(10_000);
  taken(normalized);
  taken(counterRefresh);
  expect(await run(pointers(row))).toEqual([]);
  clock.advance(10_000);
  expect([normalized.size(), counterRefresh.size()]).toEqual([0, 0]);
});

it('announces nothing where another process normalized the row first: that one announces it', async () => {
  const row = accepted('e');
  const { run, events, normalized } = await setUp(row);
  const normalize = async (seen: NormalizedRow) => {
    await events.normalize(seen);
    return await events.normalize(seen);
  };
  expect(await run(pointers(row), { events: { ...events, normalize } })).toEqual([]);
  expect(normalized.size()).toBe(0);
});

it('fails a row alone: of all messages only those that point at it come again', async () => {
  const [good, bad] = [accepted('good'), accepted('bad')];
  const { run, eventVault, normalized, problems, stateOf } = await setUp(good, bad);
  const seal: typeof eventVault.seal = async (row, personal) => {
    if (row.key.eventId === 'bad') throw new Error('no key');
    return await eventVault.seal(row, personal);
  };
  const messages = [...pointers(good), ...pointers(bad), ...pointers(good, bad)];
  expect(await run(messages, { eventVault: { ...eventVault, seal } })).toEqual([1, 2]);
  expect([stateOf('good'), stateOf('bad')]).toEqual(['normalized', 'accepted']);
  expect(taken(normalized)).toEqual([{ merchant: MERCHANT, rows: [['s', 'good']], first: true }]);
  expect(problems).toEqual(['a row could not be normalized']);
});

it.each(['merchant', 'currentRouting'] as const)(
  'fails a merchant alone whose %s cannot be had',
  async (method) => {
    const rows = [accepted('a'), accepted('b', { merchantId: OTHER }), accepted('c')];
    const { run, config, stateOf } = await setUp(...rows);
    const away = async (merchantId: string): Promise<never> => {
      if (merchantId === OTHER) throw new Error('away');
      return (await config[method](merchantId)) as never;
    };
    expect(await run(pointers(...rows), { config: { ...config, [method]: away } })).toEqual([1]);
    expect(['a', 'b', 'c'].map(stateOf)).toEqual(['normalized', 'accepted', 'normalized']);
  },
);

it('asks for each merchant and its routing once, however many rows there are', async () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => accepted(id, id === 'd' ? { merchantId: OTHER } : {}));
  const { run, config } = await setUp(...rows);
  await config.putMerchant(testMerchant());
  const asked: string[] = [];
  const noted =
    <T>(what: string, read: (id: string) => Promise<T>) =>
    (id: string) => {
      asked.push(`${what} ${id}`);
      return read(id);
    };
  const merchant = noted('merchant', config.merchant);
  const counted = { ...config, merchant, currentRouting: noted('routing', config.currentRouting) };
  await run(pointers(...rows), { config: counted });
  expect(asked.sort()).toEqual([MERCHANT, OTHER].flatMap((id) => [`merchant ${id}`, `routing ${id}`]).sort());
});

it('sets a row aside that cannot be read, without a message that comes again', async () => {
  const [good, bad] = [accepted('good'), accepted('bad')];
  const { run, events, stateOf } = await setUp(good, bad);
  events.spoil(bad.key);
  expect(await run(pointers(bad, good))).toEqual([]);
  expect(stateOf('good')).toBe('normalized');
});

/** Takes all messages except those, and fails once. */
function failingOnce<M>(queue: MemoryQueue<M>, lost: readonly number[], error: Error): MessageSender<M> {
  let failed = false;
  return {
    send: async (messages) => {
      if (failed) return await queue.send(messages);
      failed = true;
      await queue.send(messages.filter((_, index) => !lost.includes(index)));
      throw error;
    },
  };
}

it('sends again only what the queue did not take, as pointers somebody may have seen', async () => {
  const rows = [accepted('a'), accepted('b', { merchantId: OTHER })];
  const { run, normalized } = await setUp(...rows);
  const lossy = failingOnce(normalized, [1], new SendFailure([1], false, new Error('throttled')));
  expect(await run(pointers(...rows), { normalized: lossy })).toEqual([]);
  expect(taken(normalized)).toEqual([
    { merchant: MERCHANT, rows: [['s', 'a']], first: true },
    { merchant: OTHER, rows: [['s', 'b']], unattempted: true },
  ]);
});

it('sends everything again where nobody knows what arrived', async () => {
  const row = accepted('e');
  const { run, normalized } = await setUp(row);
  const lossy = failingOnce(normalized, [], new Error('no answer'));
  expect(await run(pointers(row), { normalized: lossy })).toEqual([]);
  const marks = taken(normalized).map(({ first, unattempted }) => `${first} ${unattempted}`);
  expect(marks).toEqual(['true undefined', 'undefined true']);
});

it('reports pointers no queue takes, and does not fail: the row is committed and its slot finds it', async () => {
  const row = accepted('e');
  const { run, problems, stateOf } = await setUp(row);
  const away = { send: async () => Promise.reject(new Error('away')) };
  expect(await run(pointers(row), { normalized: away, counterRefresh: away })).toEqual([]);
  expect(stateOf('e')).toBe('normalized');
  expect(problems).toEqual(['pointers to normalized rows were not sent', 'a counter refresh was not sent']);
});

it('holds a browser event for its server copy, found by its due time and not announced', async () => {
  const row = accepted('e', { channel: 'browser' });
  const { run, config, events, normalized } = await setUp(row);
  await config.putMerchant(testMerchant({ serverCopyWaitSec: 30 }));
  await config.addServerEventName(MERCHANT, 'Purchase', START_MS - 60 * MINUTE_MS);
  await run(pointers(row));
  const untilMs = START_MS + 30_000;
  expect(events.rows()).toMatchObject([{ state: 'normalized', heldUntilMs: untilMs, dueAtMs: untilMs }]);
  expect(normalized.size()).toBe(0);
});

it('has the minute of a browser copy counted anew at once, before the server event is stored', async () => {
  const browserAtMs = START_MS - 5 * MINUTE_MS;
  const draft = { eventId: 'e', merchantId: MERCHANT, receivedAtMs: browserAtMs };
  const server = accepted('e');
  const browser = normalizedRow({ ...draft, channel: 'browser', verdicts: { alpha: PENDING } });
  const { run, config, counters, counterRefresh, eventVault } = await setUp(browser, server);
  await config.putMerchant(testMerchant());
  const slot = { merchantId: MERCHANT, grain: 'minute', startMs: browserAtMs } as const;
  let dueBefore: number | undefined;
  const seal: typeof eventVault.seal = async (row, personal) => {
    dueBefore = (await counters.read(slot))?.dueAtMs;
    return await eventVault.seal(row, personal);
  };
  await run(pointers(server), { eventVault: { ...eventVault, seal } });
  expect(dueBefore).toBeGreaterThan(0);
  expect(taken(counterRefresh)).toEqual([{ merchant: MERCHANT, slots: [browserAtMs] }]);
});

it('does not let a browser event out unseen beside a server copy that cannot be read', async () => {
  const [browser, server] = [accepted('e', { channel: 'browser' }), accepted('e')];
  const { run, config, events } = await setUp(browser, server);
  await config.putMerchant(testMerchant());
  events.spoil(server.key);
  expect(await run(pointers(browser))).toEqual([0]);
  events.mend(server.key);
  events.spoil(browser.key);
  expect(await run(pointers(server))).toEqual([]);
  const [held, sent] = events.rows();
  expect(held).toMatchObject({ key: { channel: 'browser' }, state: 'accepted' });
  // It is unknown what was sent under the id: the server event goes out under an id that cannot be guessed.
  const event = { dedupId: server.ingestId, noOrderDedup: true };
  expect(sent).toMatchObject({ state: 'normalized', event });
});

it('lets an order wait for its page alone: nothing beside it is later, and no call more is made for it but the message', async () => {
  const lead = (n: number, merchantId = MERCHANT) =>
    accepted(`lead-${n}`, { merchantId, body: { event_name: 'Lead', order_id: `${n}` } });
  const around = [...Array.from({ length: 6 }, (_, n) => lead(n)), lead(7, OTHER)];
  const order = accepted('order', { body: { order_id: 'o', event_time: START_MS / 1_000 } });
  const seen = async (...rows: readonly AcceptedRow[]) => {
    const { run, ...made } = await setUp(...rows);
    await made.config.putMerchant(testMerchant({ pageCopyWaitSec: 10 }));
    const queue = createMemoryQueue<AcceptedMessage>({ clock: made.clock });
    const calls: string[] = [];
    const noting = <T extends object>(name: string, port: T): T =>
      new Proxy(port, {
        get: (on, key) => {
          const value: unknown = Reflect.get(on, key);
          if (typeof value !== 'function') return value;
          return (...args: readonly unknown[]) => {
            calls.push(`${name} ${String(key)}`);
            return Reflect.apply(value, on, args);
          };
        },
      });
    const ports = {
      ...{ accepted: noting('accepted', queue), normalized: noting('normalized', made.normalized) },
      ...{ events: noting('events', made.events), config: noting('config', made.config) },
      ...{ counters: noting('counters', made.counters), eventVault: noting('vault', made.eventVault) },
    };
    const [first, last] = [rows.slice(0, 3), rows.slice(3)];
    expect(await run([...pointers(...first), ...pointers(...last)], ports)).toEqual([]);
    const out = made.events.rows().filter(({ state }) => state === 'normalized') as NormalizedRow[];
    return { ...made, run, ports, queue, calls, out };
  };
  const without = await seen(...around);
  const beside = await seen(...around.slice(0, 2), order, ...around.slice(2));
  expect(beside.out.map(({ key }) => key.eventId)).toEqual(without.out.map(({ key }) => key.eventId));
  // As one batch, and sent on at the same moment.
  expect(new Set(beside.out.map(({ place }) => place?.batch.id)).size).toBe(2);
  expect(taken(beside.normalized)).toEqual(taken(without.normalized));
  expect([...beside.calls].sort()).toEqual(['accepted send', ...without.calls].sort());
  expect(beside.queue.receive(1)).toEqual([]);
  beside.clock.advance(9_000);
  const [back] = taken(beside.queue);
  expect(back).toEqual({ merchant: MERCHANT, rows: [['s', 'order']], waited: true });
  await beside.run(
    back === undefined ? [] : [{ body: back, receiveCount: 1, sentAtMs: START_MS }],
    beside.ports,
  );
  const waited = beside.events.rows().find(({ key }) => key.eventId === 'order');
  expect(waited).toMatchObject({ state: 'normalized', event: { pageWait: { endMs: 10_000 } } });
  const pageWaits = beside.out.map(({ event }) => event.pageWait);
  expect(new Set(pageWaits)).toEqual(new Set([undefined]));
});
