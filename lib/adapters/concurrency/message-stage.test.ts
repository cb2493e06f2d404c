import { expect, it } from 'vitest';
import { messageStage } from './message-stage.ts';

it('reports what fails, in the order of the messages, and does all the others', async () => {
  const done: string[] = [];
  const problems: unknown[] = [];
  const messages = ['slow and bad', 'good', 'bad', 'good'].map((body) => ({
    body,
    receiveCount: 1,
    sentAtMs: 0,
  }));
  const stage = messageStage(
    4,
    async (body: string) => {
      if (body.startsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 2));
      if (body.endsWith('bad')) throw new Error(body);
      done.push(body);
    },
    'a piece failed',
    { report: (...problem) => void problems.push(problem) },
  );
  const result = await stage(messages);
  expect(result).toEqual({ failedIndexes: [0, 2] });
  expect(done).toEqual(['good', 'good']);
  expect(problems).toHaveLength(2);
  expect(problems).toContainEqual(['a piece failed', new Error('bad')]);
});
