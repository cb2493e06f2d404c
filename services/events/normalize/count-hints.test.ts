// Goal: every changed slot is counted soon after its last event, with few hints where events follow each other.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import type { CounterRefresh } from '../aggregate/message.ts';
import { createCountHints } from './count-hints.ts';

const START_MS = Date.UTC(2026, 10, 27, 12);

function setUp() {
  const clock = createManualClock(START_MS);
  /** When a hint arrives, seconds after the start, and the slots it names. */
  const hints: [atSec: number, slots: CounterRefresh['slots']][] = [];
  const problems: string[] = [];
  let broken = false;
  const counterRefresh = {
    send: async (messages: readonly { readonly body: CounterRefresh }[], { delaySec = 0 } = {}) => {
      if (broken) throw new Error('SQS is away');
      for (const { body } of messages) hints.push([(clock.now() - START_MS) / 1_000 + delaySec, body.slots]);
    },
  };
  const hint = createCountHints({
    clock,
    counterRefresh: counterRefresh as never,
    report: (problem) => void problems.push(problem),
  });
  return {
    clock,
    hints,
    problems,
    breakDown: () => {
      broken = true;
    },
    at: async (sec: number, merchantId = 'm', receivedSec = sec) => {
      clock.advanceTo(START_MS + sec * 1_000);
      await hint([{ merchantId, receivedAtMs: START_MS + receivedSec * 1_000 }]);
    },
  };
}

it('asks for a count four seconds after an event that comes alone', async () => {
  const { at, hints } = setUp();
  await at(1);
  await at(30);
  expect(hints).toEqual([
    [5, [START_MS]],
    [34, [START_MS]],
  ]);
});

it('covers each event of a succession by a hint that arrives four seconds after it or later, within ten', async () => {
  const { at, hints } = setUp();
  const events = Array.from({ length: 118 }, (_, i) => 0.5 + i / 2);
  for (const sec of events) await at(sec);
  for (const sec of events) {
    const covering = hints.find(([atSec]) => atSec >= sec + 4);
    expect(covering?.[0]).toBeLessThanOrEqual(sec + 10);
  }
  expect(hints.length).toBeLessThan(events.length / 10);
});

it('keeps slots and merchants apart', async () => {
  const { at, hints } = setUp();
  for (const sec of [1, 2, 3]) await at(sec);
  expect(hints).toHaveLength(2);
  await at(4, 'other');
  await at(5, 'm', 65);
  expect(hints.slice(2)).toEqual([
    [8, [START_MS]],
    [9, [START_MS + 60_000]],
  ]);
});

it('goes on when a hint cannot be sent, and says so', async () => {
  const { at, problems, breakDown } = setUp();
  breakDown();
  await at(1);
  expect(problems).toEqual(['a counter refresh was not sent']);
});
