import { describe, expect, it } from 'vitest';
import { untilAborted } from './until-aborted.ts';

async function all<T>(
  items: AsyncIterable<T>,
  onItem: (item: T) => void = () => undefined,
): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    onItem(item);
  }
  return taken;
}

describe('what comes until a signal aborts', () => {
  it('is all of it where it does not', async () => {
    async function* three() {
      yield* [1, 2, 3];
    }
    expect(await all(untilAborted(three(), new AbortController().signal))).toEqual([1, 2, 3]);
  });

  it('ends with the signal, although its source never does, and closes it', async () => {
    const stop = new AbortController();
    let closed = false;
    const endless: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => {
        let n = 0;
        return {
          next: () => (n++ === 0 ? Promise.resolve({ value: 1 }) : new Promise(() => undefined)),
          return: async () => {
            closed = true;
            return { value: undefined, done: true };
          },
        };
      },
    };
    const taken = all(untilAborted(endless, stop.signal), () => queueMicrotask(() => stop.abort()));
    expect(await taken).toEqual([1]);
    expect(closed).toBe(true);
  });

  it('asks for nothing once it has aborted, and ignores how its source fails of it', async () => {
    const failing: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('aborted')) }),
    };
    expect(await all(untilAborted(failing, AbortSignal.abort()))).toEqual([]);
  });

  it('fails as its source fails', async () => {
    async function* broken() {
      yield 1;
      throw new Error('broken');
    }
    await expect(all(untilAborted(broken(), new AbortController().signal))).rejects.toThrow('broken');
  });
});
