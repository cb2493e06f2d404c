import { beforeEach, describe, expect, it } from 'vitest';
import { createScheduler, type Scheduler } from '../scheduler.ts';
import { createQueue, type Message, type Queue } from './queue.ts';

const VISIBILITY_MS = 60_000;
let scheduler: Scheduler;
let queue: Queue;

beforeEach(() => {
  scheduler = createScheduler(0);
  queue = createQueue({ name: 'accepted', visibilityMs: VISIBILITY_MS, receivesMax: 2 }, scheduler);
});

const ANY_SIZE = 6e6;
const send = (count: number, groupId?: string) => {
  for (let i = 0; i < count; i++)
    queue.send([{ body: `${groupId ?? ''}${i}`, ...(groupId === undefined ? {} : { groupId }) }]);
};
const bodies = (messages: readonly Message[]): string[] => messages.map(({ body }) => body);
const none = (): boolean => false;
const all = (): boolean => true;

describe('a queue', () => {
  it('refuses more than ten entries, and more than a mebibyte', () => {
    const entry = { body: 'x' };
    expect(() => queue.send(Array.from({ length: 11 }, () => entry))).toThrow('TooManyEntries');
    expect(() => queue.send([{ body: 'x'.repeat(1_048_577) }])).toThrow('BatchRequestTooLong');
    expect(() => queue.send([{ body: 'x', delaySec: 901 }])).toThrow('InvalidParameterValue');
    expect(queue.depth()).toBe(0);
  });

  it('shows a delayed message when its delay is over', async () => {
    queue.send([{ body: 'later', delaySec: 4 }]);
    await scheduler.run(3_999);
    expect(queue.receive(10, ANY_SIZE)).toEqual([]);
    await scheduler.run(4_000);
    expect(bodies(queue.receive(10, ANY_SIZE))).toEqual(['later']);
  });

  it('brings back what failed when its visibility is over, counts receives, and moves it aside after the last', async () => {
    send(2);
    const first = queue.receive(10, ANY_SIZE);
    queue.settle(first, ({ body }) => body === '1');
    expect(queue.receive(10, ANY_SIZE)).toEqual([]);
    await scheduler.run(VISIBILITY_MS);
    const second = queue.receive(10, ANY_SIZE);
    expect(second.map(({ body, receiveCount }) => [body, receiveCount])).toEqual([['1', 2]]);
    queue.settle(second, all);
    await scheduler.run(2 * VISIBILITY_MS);
    expect(queue.receive(10, ANY_SIZE)).toEqual([]);
    expect([queue.deadLetters(), queue.depth()]).toEqual([1, 0]);
  });

  it('holds no more than 120,000 in flight', () => {
    send(120_010);
    expect(queue.receive(130_000, 1e9)).toHaveLength(120_000);
    expect(queue.receive(10, ANY_SIZE)).toEqual([]);
  });

  it('keeps a batch below the size that is asked for, but for its first message', () => {
    send(5);
    expect(queue.receive(10, 3)).toHaveLength(3);
    expect(queue.receive(10, 0)).toHaveLength(1);
  });

  it('loses everything with a purge, what is received, delayed and to come back included', async () => {
    send(4);
    const taken = queue.receive(2, ANY_SIZE);
    queue.settle(taken.slice(0, 1), all);
    queue.send([{ body: 'delayed', delaySec: 1 }]);
    queue.purge();
    queue.settle(taken.slice(1), all);
    await scheduler.run(10 * VISIBILITY_MS);
    expect([queue.receive(10, ANY_SIZE), queue.depth()]).toEqual([[], 0]);
  });

  it('gives a quiet group its turn before a loud one has ended', () => {
    send(1_000, 'loud');
    const working = queue.receive(50, ANY_SIZE);
    send(3, 'quiet');
    expect(bodies(queue.receive(3, ANY_SIZE))).toEqual(['quiet0', 'quiet1', 'quiet2']);
    queue.settle(working, none);
  });

  it('keeps order within a line, and knows since when the oldest waits', async () => {
    send(2);
    await scheduler.run(500);
    send(1);
    expect(queue.oldestWaitingMs()).toBe(0);
    expect(bodies(queue.receive(2, ANY_SIZE))).toEqual(['0', '1']);
    expect(queue.oldestWaitingMs()).toBe(500);
    queue.receive(1, ANY_SIZE);
    expect(queue.oldestWaitingMs()).toBeUndefined();
  });
});
