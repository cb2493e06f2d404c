// Goal: a source is on while its queue has messages, and rests when it had none for long. Whatever fails, and whoever else switches
// it, messages wait for a minute or two and not longer.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import type { EventSource, EventSourceState } from '../ports/event-source.ts';
import { REST_AFTER_MS, tendSources } from './resting-sources.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

function setUp(isOn: boolean, changedAtMs = START_MS, unhurried: readonly string[] = []) {
  const clock = createManualClock(START_MS);
  const account = { messages: 0, isOn, changedAtMs, problem: undefined as string | undefined };
  const asked = { messages: 0, state: 0 };
  const failing: Partial<Record<'messages' | 'state' | 'turn', Error>> = {};
  const may = (call: 'messages' | 'state' | 'turn'): void => {
    const error = failing[call];
    if (error !== undefined) throw error;
  };
  const source: EventSource = {
    name: 'meta',
    async messages() {
      asked.messages += 1;
      may('messages');
      return account.messages;
    },
    async state(): Promise<EventSourceState> {
      asked.state += 1;
      may('state');
      const { problem } = account;
      return {
        isOn: account.isOn,
        changedAtMs: account.changedAtMs,
        ...(problem === undefined ? {} : { problem }),
      };
    },
    async turn(on) {
      may('turn');
      account.isOn = on;
      account.changedAtMs = clock.now();
    },
  };
  const switched: boolean[] = [];
  const failed: boolean[] = [];
  const ports = {
    clock,
    unhurried: new Set(unhurried),
    switched: (_name: string, on: boolean) => void switched.push(on),
    failed: (_name: string, _error: unknown, isLasting: boolean) => void failed.push(isLasting),
  };
  const others: string[] = [];
  const other: EventSource = {
    name: 'ga4',
    messages: async () => Number(others.push('ga4') && 0),
    state: async () => ({ isOn: false, changedAtMs: 0 }),
    turn: async () => expect.unreachable(),
  };
  const tend = tendSources([source, other], ports);
  const minutes = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      clock.advance(MINUTE_MS);
      await tend();
    }
  };
  return { account, asked, failing, switched, failed, others, minutes, clock };
}

it('switches a source on within a minute of the first message', async () => {
  const { account, switched, minutes } = setUp(false);
  await minutes(3);
  expect(switched).toEqual([]);
  account.messages = 1;
  await minutes(1);
  expect([account.isOn, switched]).toEqual([true, [true]]);
});

it('looks every other minute at what has no hurry while it is off, and each minute where that fails', async () => {
  const { account, asked, failing, failed, switched, minutes } = setUp(false, START_MS, ['meta']);
  await minutes(60);
  expect(asked).toEqual({ messages: 30, state: 1 });
  account.messages = 1;
  await minutes(2);
  expect([account.isOn, switched]).toEqual([true, [true]]);
  const other = setUp(false, START_MS, ['meta']);
  other.failing.messages = new Error('throttled');
  await other.minutes(6);
  expect([other.failed.length, failing, failed]).toEqual([6, {}, []]);
});

it('asks for nothing but the number of messages while a source rests, and for that seldom while it is on', async () => {
  const { account, asked, minutes } = setUp(false);
  await minutes(60);
  expect(asked).toEqual({ messages: 60, state: 1 });
  account.messages = 1;
  await minutes(1);
  account.messages = 0;
  await minutes(60);
  expect(asked).toEqual({ messages: 67, state: 8 });
});

it('lets a source rest a week after it was switched on or deployed, and never while messages are there', async () => {
  const { account, switched, minutes, clock } = setUp(true);
  clock.advanceTo(START_MS + REST_AFTER_MS - 2 * MINUTE_MS);
  await minutes(1);
  expect(account.isOn).toBe(true);
  account.messages = 3;
  await minutes(20);
  expect(switched).toEqual([]);
  account.messages = 0;
  await minutes(10);
  expect([account.isOn, switched]).toEqual([false, [false]]);
  // What came while it was being switched off is found by the next look.
  account.messages = 1;
  await minutes(1);
  expect([account.isOn, switched]).toEqual([true, [false, true]]);
});

it('heals a source that somebody else switched off', async () => {
  const { account, minutes } = setUp(true);
  await minutes(1);
  account.isOn = false;
  account.messages = 1;
  await minutes(10);
  expect(account.isOn).toBe(true);
});

it('leaves a source off that somebody else switched off, as long as nothing waits', async () => {
  const { account, switched, minutes } = setUp(true);
  await minutes(1);
  account.isOn = false;
  await minutes(30);
  expect([account.isOn, switched]).toEqual([false, []]);
});

it.each(['messages', 'state', 'turn'] as const)(
  'tries again each minute where %s fails, tells, and holds up no other source',
  async (call) => {
    const { account, failing, failed, others, minutes } = setUp(false);
    account.messages = 1;
    failing[call] = new Error('the mapping is being changed');
    await minutes(6);
    expect(account.isOn).toBe(false);
    // From the fifth on it is no accident.
    expect(failed).toEqual([false, false, false, false, true, true]);
    expect(others).toHaveLength(6);
    delete failing[call];
    await minutes(1);
    expect([account.isOn, failed.length]).toEqual([true, 6]);
    failing[call] = new Error('again');
    await minutes(11);
    expect(failed[6] ?? false).toBe(false);
  },
);

it('tells of a source that is on and cannot work', async () => {
  const { account, failed, minutes } = setUp(true);
  account.problem = 'PROBLEM: Function call failed';
  await minutes(6);
  expect(failed).toEqual([]);
  account.messages = 1;
  await minutes(10);
  expect(failed).toContain(true);
});
