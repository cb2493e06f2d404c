// Goal: a call costs what the header says. The table is a stub, because the emulator does not return the item that a
// condition refused, and AWS does; counting is tested by test/conformance/stores/call-limiter.suite.ts.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createCallLimiter } from './call-limiter.ts';

const T0 = Date.UTC(2026, 10, 20, 12);

/** `answers`: an item for a write that was refused, attributes for one that was done. */
function limiterOn(...answers: readonly ({ readonly refused: object } | { readonly done: object })[]) {
  const sent: string[] = [];
  const send = async (command: { readonly input: { readonly UpdateExpression?: string } }) => {
    const answer = answers[sent.length];
    sent.push(command.input.UpdateExpression ?? 'get');
    if (answer !== undefined && 'done' in answer) return { Attributes: answer.done };
    const Item = answer?.refused as Record<string, { readonly N: string }> | undefined;
    throw new ConditionalCheckFailedException({ message: 'no', $metadata: {}, ...(Item ? { Item } : {}) });
  };
  return { sent, limiter: createCallLimiter({ send } as unknown as DynamoDBDocumentClient, 'rates') };
}

it('writes once for a call', async () => {
  const { sent, limiter } = limiterOn({ done: { w: T0, n: 2 } });
  expect(await limiter.take('a', 60, T0 + 1_000)).toEqual({ granted: true, remaining: 58, resetSec: 59 });
  expect(sent).toEqual(['ADD n :one']);
});

it('writes once for a call that is refused', async () => {
  const { sent, limiter } = limiterOn({ refused: { w: { N: String(T0) }, n: { N: '60' } } });
  expect(await limiter.take('a', 60, T0)).toEqual({ granted: false, remaining: 0, resetSec: 60 });
  expect(sent).toEqual(['ADD n :one']);
});

it('writes twice for the first call of a window', async () => {
  const over = { w: { N: String(T0 - 60_000) }, n: { N: '60' } };
  const { sent, limiter } = limiterOn({ refused: over }, { done: {} });
  expect(await limiter.take('a', 60, T0)).toEqual({ granted: true, remaining: 59, resetSec: 60 });
  expect(sent).toHaveLength(2);
});

it('ends where others are always faster', async () => {
  const { limiter } = limiterOn();
  await expect(limiter.take('a', 60, T0)).rejects.toThrow();
});
