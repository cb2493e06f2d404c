// Answers with models that no provider would be: they ignore that they are told to stop.
import { describe, expect, it } from 'vitest';
import { createMemoryOneTimeStore } from '#test/support/memory/assistant-stores.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { ERRORS } from '../http/errors.ts';
import type { ChatModel, ChatPart, TokenUsage } from '../ports/chat-model.ts';
import type { Caller } from '../tenancy/caller.ts';
import { type AnswerParts, answerEvents } from './answer.ts';
import type { AnswerEvent } from './answer-events.ts';

const NOW = Date.UTC(2026, 10, 20);
const caller: Caller = { kind: 'session', sub: 's', merchantId: 'm', role: 'owner', grant: { opens: [] } };

/** Says something and then nothing, for ever. */
function deaf() {
  const asked: { signal?: AbortSignal } = {};
  const model: ChatModel = {
    converse: ({ signal }) => {
      asked.signal = signal;
      let said = false;
      return {
        [Symbol.asyncIterator]: () => ({
          next: (): Promise<IteratorResult<ChatPart>> => {
            if (said) return new Promise(() => undefined);
            said = true;
            return Promise.resolve({ value: { kind: 'text', text: 'Well' } });
          },
        }),
      };
    },
  };
  return { model, asked };
}

function partsWith(
  model: ChatModel,
  signals: { readonly client?: AbortSignal; readonly deadline?: AbortSignal },
) {
  const never = new AbortController().signal;
  const spent: TokenUsage[] = [];
  const reports: unknown[] = [];
  const parts: AnswerParts = {
    model,
    product: 'a test',
    operations: new Map(),
    context: {
      caller,
      requestId: 'r',
      signal: signals.client ?? never,
      codeOf: () => 'internal_error',
      errors: ERRORS,
    },
    deadline: signals.deadline ?? never,
    report: (_problem, error) => reports.push(error),
    spent: async (usage) => void spent.push(usage),
    confirmations: createMemoryOneTimeStore(),
    vault: {
      seal: async (_merchant, _context, text) => text,
      open: async (_merchant, _context, text) => text,
    },
    clock: createManualClock(NOW),
    random: createSeededRandom('answer'),
  };
  return { parts, spent, reports };
}

const ask = (parts: AnswerParts) => answerEvents({ messages: [{ role: 'user', content: 'Hi' }] }, parts);

describe('an answer', () => {
  it.each(['client', 'deadline'] as const)(
    'ends when the %s says so, whatever the model does',
    async (who) => {
      const stop = new AbortController();
      const { model, asked } = deaf();
      const { parts, spent, reports } = partsWith(model, { [who]: stop.signal });
      const events: AnswerEvent[] = [];
      for await (const event of ask(parts)) {
        events.push(event);
        stop.abort();
      }
      expect(events.map(({ event }) => event)).toEqual(['text', 'usage', 'done']);
      expect(events.at(-1)).toMatchObject({ data: { reason: 'time' } });
      expect([asked.signal?.aborted, spent.length, reports]).toEqual([true, 1, []]);
    },
  );

  it('tells the model to stop when nobody takes its events any more, and counts it once', async () => {
    const { model, asked } = deaf();
    const { parts, spent } = partsWith(model, {});
    for await (const event of ask(parts)) if (event.event === 'text') break;
    expect([asked.signal?.aborted, spent.length]).toEqual([true, 1]);
  });

  it('is an answer although what was spent cannot be counted', async () => {
    const model: ChatModel = {
      async *converse() {
        yield { kind: 'text', text: 'Hello' };
        yield { kind: 'end', reason: 'finished' };
      },
    };
    const { parts, reports } = partsWith(model, {});
    const events: AnswerEvent[] = [];
    for await (const event of ask({ ...parts, spent: () => Promise.reject(new Error('throttled')) }))
      events.push(event);
    expect(events.at(-1)?.event).toBe('done');
    expect(reports).toEqual([new Error('throttled')]);
  });

  it('has an error for an end where the model just stops', async () => {
    const silent: ChatModel = {
      converse: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('gone')) }) }),
    };
    const { parts } = partsWith(silent, {});
    const events: AnswerEvent[] = [];
    for await (const event of ask(parts)) events.push(event);
    expect(events.map(({ event }) => event)).toEqual(['usage', 'error']);
  });
});
