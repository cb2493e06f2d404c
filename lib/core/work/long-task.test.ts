// Goal: a task is done once, step by step, under lost messages and crashing workers. Method: messages are doubled, lost
// and reordered, workers die before and after each write, a sweep looks each minute; every piece must be done, in
// order, by one worker.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LongTask, STEP, type TaskTurn, workOn } from './long-task.ts';

interface Task {
  readonly version: number;
  readonly updatedAtMs: number;
  readonly notBeforeMs: number;
  readonly done: readonly number[];
}

const PIECES = 4;
const BEGUN: Task = { version: 1, updatedAtMs: 0, notBeforeMs: 0, done: [] };

function worldOf(begun: Task = BEGUN) {
  let stored = begun;
  let nowMs = 0;
  const messages: (number | undefined)[] = [];
  const put = (next: Task, seen: number): Task | null => {
    if (seen !== stored.version) return null;
    stored = { ...next, version: seen + 1 };
    return stored;
  };
  const kind = (token: number | undefined, dies: () => void): LongTask<Task> => ({
    what: 'a task',
    read: () => Promise.resolve(stored.done.length === PIECES ? null : stored),
    turn: ({ version, updatedAtMs, notBeforeMs }): TaskTurn => ({
      isNext: token === version,
      leaseUntilMs: Math.max(updatedAtMs, notBeforeMs) + STEP.leaseMs,
      notBeforeMs,
    }),
    take: (task, atMs) => Promise.resolve(put({ ...task, updatedAtMs: atMs }, task.version)),
    step: (taken) => {
      dies();
      const next = { ...taken, done: [...taken.done, taken.done.length], updatedAtMs: nowMs };
      const noted = put(next, taken.version);
      dies();
      return Promise.resolve(noted?.done.length === PIECES ? null : noted);
    },
    tell: ({ version }) => {
      messages.push(version);
      return Promise.resolve();
    },
  });
  return {
    messages,
    stored: () => stored,
    wait: (ms: number) => {
      nowMs += ms;
    },
    work: (token: number | undefined, dies: () => void = () => undefined) =>
      workOn(kind(token, dies), { now: () => nowMs }),
  };
}

describe('workOn', () => {
  it('does each piece once and ends, whatever is lost, doubled or killed', async () => {
    const event = fc.record({
      does: fc.constantFrom(...(['deliver', 'twice', 'lose', 'kill', 'sweep'] as const)),
      at: fc.nat(5),
      waitMs: fc.integer({ min: 0, max: 90_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const world = worldOf();
        world.messages.push(1);
        for (const { does, at, waitMs } of events) {
          world.wait(waitMs);
          if (does === 'sweep') await world.work(undefined);
          const { length } = world.messages;
          if (does === 'sweep' || length === 0) continue;
          const token = world.messages[at % length];
          if (does !== 'twice') world.messages.splice(at % length, 1);
          if (does === 'lose') continue;
          let left = at % 2;
          const dies = (): void => {
            if (does === 'kill' && left-- === 0) throw new Error('killed');
          };
          await world.work(token, dies).catch(() => undefined);
        }
        for (let looks = 0; looks < 4 * PIECES && world.stored().done.length < PIECES; looks++) {
          world.wait(STEP.leaseMs);
          await world.work(undefined);
        }
        expect(world.stored().done).toEqual([0, 1, 2, 3]);
      }),
    );
  });

  it('leaves a task alone while its step is under way, and takes it up at the end of the lease', async () => {
    const world = worldOf();
    world.wait(STEP.leaseMs - 1);
    await world.work(undefined);
    await world.work(7);
    expect(world.stored().version).toBe(1);
    world.wait(1);
    await world.work(undefined);
    expect(world.stored().done).toEqual([0]);
  });

  it('gives the step to one of two that ask at once', async () => {
    const world = worldOf();
    await Promise.all([world.work(1), world.work(1), world.work(1)]);
    expect(world.stored().done).toEqual([0]);
    expect(world.messages).toHaveLength(1);
  });

  it('sends the message again that came before its time', async () => {
    const world = worldOf({ ...BEGUN, notBeforeMs: 10 });
    await world.work(1);
    expect(world.stored().version).toBe(1);
    expect(world.messages).toEqual([1]);
    world.wait(10);
    await world.work(1);
    expect(world.stored().done).toEqual([0]);
  });

  it('looks again where the task was written while it was taken', async () => {
    const world = worldOf();
    let looks = 0;
    const task: LongTask<{ readonly looks: number }> = {
      what: 'a task',
      read: () => Promise.resolve({ looks: ++looks }),
      turn: () => ({ isNext: true, leaseUntilMs: 0, notBeforeMs: 0 }),
      take: (seen) => Promise.resolve(seen.looks < 3 ? null : seen),
      step: () => Promise.resolve(null),
      tell: () => Promise.reject(new Error('nothing follows')),
    };
    await workOn(task, { now: () => 0 });
    expect(looks).toBe(3);
    expect(world.messages).toEqual([]);
  });
});
