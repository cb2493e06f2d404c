import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Received } from '../../core/ports/queue.ts';
import { handleSqsBatch, isolating } from './sqs-batch.ts';

const message = (body: string, receiveCount = 1): Received<string> => ({ body, receiveCount, sentAtMs: 0 });

function batch(size: number, bad: readonly number[]) {
  const runs: Received<string>[][] = [];
  const problems: unknown[] = [];
  const messages = Array.from({ length: size }, (_, i) => message(bad.includes(i) ? 'bad' : `m${i}`));
  const stage = isolating<string>(
    async (part) => {
      runs.push([...part]);
      if (part.some(({ body }) => body === 'bad')) throw new Error('poison');
      return { failedIndexes: [] };
    },
    (_, error) => void problems.push(error),
  );
  return { runs, problems, answer: () => stage(messages), messages };
}

describe('a stage that throws', () => {
  it('runs once when nothing is wrong', async () => {
    const { runs, answer, messages, problems } = batch(100, []);
    expect(await answer()).toEqual({ failedIndexes: [] });
    expect(runs).toEqual([messages]);
    expect(problems).toEqual([]);
  });

  it.each([0, 41, 99])('fails message %i of a hundred alone', async (bad) => {
    const { runs, answer, problems } = batch(100, [bad]);
    expect(await answer()).toEqual({ failedIndexes: [bad] });
    expect(runs.length).toBeLessThanOrEqual(16);
    expect(problems).toHaveLength(1);
  });

  it('takes no message for a first receive again: what it did before it threw is done', async () => {
    const { runs, answer } = batch(4, [2]);
    await answer();
    expect(runs[0]?.every(({ receiveCount }) => receiveCount === 1)).toBe(true);
    expect(
      runs
        .slice(1)
        .flat()
        .every(({ receiveCount }) => receiveCount === 2),
    ).toBe(true);
  });

  it('throws when every message fails, after few runs: then something else is wrong', async () => {
    const { runs, answer } = batch(
      100,
      Array.from({ length: 100 }, (_, i) => i),
    );
    await expect(answer()).rejects.toThrow('poison');
    expect(runs.length).toBeLessThanOrEqual(16);
  });

  it('keeps what the stage itself says failed', async () => {
    const stage = isolating<string>(
      async (part) => {
        if (part.length > 2) throw new Error('too many');
        return { failedIndexes: part.flatMap(({ body }, i) => (body === 'b' ? [i] : [])) };
      },
      () => {},
    );
    expect(await stage(['a', 'x', 'y', 'b'].map((body) => message(body)))).toEqual({ failedIndexes: [3] });
  });
});

describe('a batch of records', () => {
  const record = (messageId: string, body: string) => ({
    messageId,
    body,
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0' },
  });

  it('fails what is not JSON or of another shape, and hands on the others', async () => {
    const seen: string[] = [];
    const Records = [record('1', '"a"'), record('2', '{'), record('3', '{"a":1}'), record('4', '"b"')];
    const answer = await handleSqsBatch({ Records }, z.string(), async (part) => {
      seen.push(...part.map(({ body }) => body));
      return { failedIndexes: [] };
    });
    expect(seen).toEqual(['a', 'b']);
    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['2', '3']);
  });
});
