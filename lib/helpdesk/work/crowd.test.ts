// Goal: a hundred who write one ticket at once are all done in the time of a request, and a crowd costs little more than as many who
// come one by one. Method: each client is a process of its own, on stores whose calls take as long as a table's do, in virtual
// time; the calls are counted.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { processOf } from '#test/simulation/helpdesk-crashes.ts';
import {
  type Act,
  createTicket,
  note,
  receive,
  reply,
  START_MS,
  TICKET_ID,
  WEBHOOKS,
  WS,
} from '#test/simulation/helpdesk-world.ts';
import { drainPorts } from '#test/support/helpdesk-drain.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import type { HelpdeskStores } from '../ports/stores.ts';
import type { DrainPorts } from './drain.ts';

beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
afterEach(() => void vi.useRealTimers());

const CALL_MS = [4, 10] as const;
const READS = /^(?:read|find|entries|runs|tickets|list)/;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function setUp() {
  const random = createSeededRandom('crowd');
  const calls = { writes: 0, reads: 0 };
  let isSlow = false;
  /** Half of the time on the way there, half on the way back. */
  const slow = (store: object): object =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]): Promise<unknown> => {
          if (!isSlow) return await Reflect.apply(member, target, args);
          calls[READS.test(String(name)) ? 'reads' : 'writes'] += 1;
          const halfMs = (CALL_MS[0] + random.next() * (CALL_MS[1] - CALL_MS[0])) / 2;
          await wait(halfMs);
          const result: unknown = await Reflect.apply(member, target, args);
          await wait(halfMs);
          return result;
        };
      },
    });
  const slowed = (stores: HelpdeskStores): HelpdeskStores =>
    Object.fromEntries(
      Object.entries(stores).map(([name, store]) => [name, slow(store as object)]),
    ) as unknown as HelpdeskStores;
  const { ports, memory } = drainPorts(START_MS, slowed);
  const webhooks = { id: WS, workspaceId: WS, webhooks: WEBHOOKS };
  await memory.webhooks.put({ record: webhooks, version: 1, outbox: [], dueAtMs: null }, null);
  const own: DrainPorts = { ...ports, clock: { now: () => Date.now() }, random, pause: wait };
  await createTicket(own);
  isSlow = true;
  return { ports: own, memory, calls };
}

/** What each act came to, and how long it took, in virtual time. */
async function all(acts: readonly (() => Promise<unknown>)[]) {
  const outcomes: { readonly outcome: unknown; readonly tookMs: number }[] = [];
  for (const act of acts) {
    const fromMs = Date.now();
    void act()
      .catch((error: unknown) => error)
      .then((outcome) => outcomes.push({ outcome, tookMs: Date.now() - fromMs }));
  }
  while (outcomes.length < acts.length) await vi.advanceTimersByTimeAsync(50);
  return outcomes;
}

const CROWD = 100;

it.each<[string, Act, number]>([
  ['reply', reply, 12],
  ['note', note, 12],
  ['receive', receive, 14],
])(
  '%s: all of a hundred are done, each with a dozen writes',

  async (_name, act, writesMax) => {
    const { ports, memory, calls } = await setUp();
    const outcomes = await all(Array.from({ length: CROWD }, () => () => act(ports)));
    expect(outcomes.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    expect(Math.max(...outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(10_000);
    const stored = await memory.tickets.read(WS, TICKET_ID);
    expect([stored?.version, stored?.outbox, memory.messages.all().length]).toEqual([
      CROWD + 1,
      [],
      CROWD + 1,
    ]);
    expect(calls.writes / CROWD).toBeLessThan(writesMax);
    expect(calls.reads / CROWD).toBeLessThan(25);
  },
);

it('goes on where somebody died behind a commit, and carries that out', async () => {
  const { ports, memory } = await setUp();
  const dying = processOf(ports, 'tickets.put', 'kill-after');
  const [died] = await all([() => dying.run(reply)]);
  expect([died?.outcome, dying.taken()]).toEqual(['stopped', 1]);
  const outcomes = await all(Array.from({ length: 20 }, () => () => reply(ports)));
  expect(outcomes.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  expect(Math.max(...outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(6_000);
  expect(memory.messages.all()).toHaveLength(1 + 1 + 20);
});

it('waits for nobody where it comes alone', async () => {
  const { ports, calls } = await setUp();
  const [alone] = await all([() => reply(ports)]);
  expect(alone?.tookMs).toBeLessThan(60);
  expect(calls).toEqual({ writes: 7, reads: 2 });
});
