// Goal: pages come in order and a few ahead, and a consumer that stops early leaves no unhandled rejection.
import { expect, it } from 'vitest';
import { readAhead } from './read-ahead.ts';

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i;
}

it('yields every read in the order of its pages, however long each takes', async () => {
  const reads = readAhead(numbers(7), 2, async (i) => {
    await new Promise((resolve) => setTimeout(resolve, (i % 3) * 2));
    return i * 10;
  });
  const seen: number[] = [];
  for await (const read of reads) seen.push(read);
  expect(seen).toEqual([0, 10, 20, 30, 40, 50, 60]);
});

it('has as many reads under way as it is told, and one more', async () => {
  let begun = 0;
  let most = 0;
  let taken = 0;
  const reads = readAhead(numbers(10), 2, async (i) => {
    begun += 1;
    return i;
  });
  for await (const _ of reads) {
    most = Math.max(most, begun - taken);
    taken += 1;
  }
  expect(most).toBe(3);
});

it('throws a failure where its turn comes', async () => {
  const seen: number[] = [];
  const reads = readAhead(numbers(5), 2, async (i) => {
    if (i === 2) throw new Error('away');
    return i;
  });
  const all = async () => {
    for await (const read of reads) seen.push(read);
  };
  await expect(all()).rejects.toThrow('away');
  expect(seen).toEqual([0, 1]);
});
