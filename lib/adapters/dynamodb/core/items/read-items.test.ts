import type { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { readItems } from './read-items.ts';

const keyOf = (i: number) => ({ pk: `p${i}`, sk: 's' });

/** Answers `most` keys of each request and leaves the others unprocessed; remembers how many were asked for. */
function tableThatProcesses(most: number) {
  const asked: number[] = [];
  const send = async (command: BatchGetCommand): Promise<object> => {
    const keys = command.input.RequestItems?.table?.Keys ?? [];
    asked.push(keys.length);
    const left = keys.slice(most);
    return {
      Responses: { table: keys.slice(0, most) },
      ...(left.length === 0 ? {} : { UnprocessedKeys: { table: { Keys: left } } }),
    };
  };
  return { db: { send } as unknown as DynamoDBDocumentClient, asked };
}

describe('reading items by key', () => {
  it('asks for a hundred at once and for no key twice, however many there are', async () => {
    const { db, asked } = tableThatProcesses(100);
    const keys = Array.from({ length: 950 }, (_, i) => keyOf(i));
    const items = await readItems(db, 'table', [...keys, ...keys], true);
    expect(new Set(items)).toEqual(new Set(keys));
    expect(items).toHaveLength(950);
    expect(asked.sort((a, b) => a - b)).toEqual([50, ...Array.from({ length: 9 }, () => 100)]);
    expect(await readItems(db, 'table', [], true)).toEqual([]);
  });

  it('asks again for what a throttled table left, and gives up after the eighth time', async () => {
    vi.useFakeTimers();
    try {
      const slow = tableThatProcesses(30);
      const reading = readItems(
        slow.db,
        'table',
        Array.from({ length: 100 }, (_, i) => keyOf(i)),
        true,
      );
      await vi.runAllTimersAsync();
      expect(await reading).toHaveLength(100);
      expect(slow.asked).toEqual([100, 70, 40, 10]);
      const stuck = tableThatProcesses(0);
      const failing = readItems(stuck.db, 'table', [keyOf(0)], true);
      const failed = expect(failing).rejects.toThrow('left keys unprocessed eight times');
      await vi.runAllTimersAsync();
      await failed;
      expect(stuck.asked).toHaveLength(8);
    } finally {
      vi.useRealTimers();
    }
  });
});
