// Goal: no commit is decided on a record whose outbox is not empty, and a commit stands even if its outbox fails.
import { expect, it } from 'vitest';
import { commitWithOutbox, type OutboxCommit } from './outbox.ts';

interface Counter {
  readonly version: number;
  readonly sum: number;
  /** The effects that must follow: numbers to send. */
  readonly outbox: readonly number[];
}

/** A record, what followed from it so far, and a commit that adds `n`. */
function setUp(first: Counter | null = null) {
  let stored = first;
  const told: number[] = [];
  const problems: string[] = [];
  const settle = (version: number): void => {
    if (stored?.version === version) stored = { ...stored, outbox: [] };
  };
  const adding = (n: number): OutboxCommit<Counter, number> => ({
    what: 'a counter',
    read: async () => stored,
    isOpen: ({ outbox }) => outbox.length > 0,
    carryOut: async ({ outbox, version }) => {
      for (const one of outbox) if (!told.includes(one)) told.push(one);
      settle(version);
    },
    decide: (before) => {
      const sum = (before?.sum ?? 0) + n;
      return { next: { version: (before?.version ?? 0) + 1, sum, outbox: [n] }, result: sum };
    },
    put: async (next, before) => {
      if (stored?.version !== before?.version) return false;
      stored = next;
      return true;
    },
    report: (problem) => void problems.push(problem),
  });
  return { adding, told, problems, settle, current: () => stored };
}

it('commits, carries out and settles', async () => {
  const { adding, told, current } = setUp();
  expect(await commitWithOutbox(adding(5))).toBe(5);
  expect(await commitWithOutbox(adding(7))).toBe(12);
  expect(told).toEqual([5, 7]);
  expect(current()).toEqual({ version: 2, sum: 12, outbox: [] });
});

it('carries out what a dead writer left before it decides', async () => {
  const { adding, told } = setUp({ version: 3, sum: 1, outbox: [1] });
  expect(await commitWithOutbox(adding(2))).toBe(3);
  expect(told).toEqual([1, 2]);
});

it('leaves what a living writer committed to it, and waits', async () => {
  const { adding, told, settle } = setUp({ version: 3, sum: 1, outbox: [1] });
  let waits = 0;
  const pause = async (): Promise<void> => {
    waits += 1;
    if (waits === 3) settle(3);
  };
  expect(await commitWithOutbox({ ...adding(2), pause, isAbandoned: () => false })).toBe(3);
  expect([told, waits]).toEqual([[2], 3]);
});

it('carries out what is left once its writer had the time', async () => {
  const { adding, told } = setUp({ version: 3, sum: 1, outbox: [1] });
  let waits = 0;
  const pause = async (): Promise<void> => {
    waits += 1;
  };
  expect(await commitWithOutbox({ ...adding(2), pause, isAbandoned: () => waits === 4 })).toBe(3);
  expect([told, waits]).toEqual([[1, 2], 4]);
});

it('writes nothing where nothing is to be written', async () => {
  const { adding, told, current } = setUp();
  const commit: OutboxCommit<Counter, string> = {
    ...adding(1),
    decide: () => ({ next: null, result: 'nothing' }),
  };
  expect(await commitWithOutbox(commit)).toBe('nothing');
  expect([told, current()]).toEqual([[], null]);
});

it('loses none of many writers at once', async () => {
  const { adding, told, current } = setUp();
  const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
  await Promise.all(numbers.map((n) => commitWithOutbox(adding(n))));
  expect(current()).toEqual({ version: 12, sum: 78, outbox: [] });
  expect([...told].sort((a, b) => a - b)).toEqual(numbers);
});

it('is a commit although what follows fails: that is reported and left for later', async () => {
  const { adding, problems, current } = setUp();
  const carryOut = async (): Promise<void> => {
    throw new Error('away');
  };
  expect(await commitWithOutbox({ ...adding(1), carryOut })).toBe(1);
  expect(problems).toEqual([
    'what follows from a counter was not all carried out, and is tried again when it is due',
  ]);
  expect(current()?.outbox).toEqual([1]);
  await expect(commitWithOutbox({ ...adding(2), carryOut })).rejects.toMatchObject({ name: 'Outage' });
  expect(current()?.sum).toBe(1);
});

it('ends as an outage where others keep writing, and throws a failing write at once', async () => {
  const { adding } = setUp();
  let tries = 0;
  const put = async (): Promise<boolean> => {
    tries += 1;
    return false;
  };
  await expect(commitWithOutbox({ ...adding(1), put })).rejects.toMatchObject({ name: 'Outage' });
  expect(tries).toBe(16);
  const failing = async (): Promise<boolean> => {
    throw new Error('away');
  };
  await expect(commitWithOutbox({ ...adding(1), put: failing })).rejects.toThrow('away');
});
