// Time is handed in: a heartbeat comes when the test says that it is time.
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../core/http/errors.ts';
import type { AnyStreamEvent } from '../../core/http/handler.ts';
import { type EventStreamParts, eventStream } from './event-stream.ts';

function parts(signal: AbortSignal = new AbortController().signal) {
  const waiting = new Set<() => void>();
  const errors: unknown[] = [];
  const made: EventStreamParts = {
    signal,
    failureOf: (error) => {
      errors.push(error);
      return { error: ERRORS.internal_error.text, code: 'internal_error' };
    },
    after: (_ms, then) => {
      waiting.add(then);
      return () => void waiting.delete(then);
    },
  };
  return { made, waiting, errors, beat: () => [...waiting].forEach((then) => void then()) };
}

async function* events(...list: readonly AnyStreamEvent[]): AsyncGenerator<AnyStreamEvent> {
  yield* list;
}
const one: AnyStreamEvent = { event: 'number', data: { n: 1 } };

describe('eventStream', () => {
  it('writes name, data and id, in one line each, whatever is in them', async () => {
    const stream = eventStream(
      events({ event: 'token', data: 'a\n\nevent: error\r ü\u2028', id: '7' }, one),
      parts().made,
    );
    expect(await text(stream)).toBe(
      'id: 7\nevent: token\ndata: "a\\n\\nevent: error\\r ü\u2028"\n\nevent: number\ndata: {"n":1}\n\n',
    );
  });

  it('ends with an event that says what a failure is called, and nothing of it', async () => {
    const { made, errors } = parts();
    const stream = eventStream(
      (async function* () {
        yield one;
        throw new Error('password=hunter2');
      })(),
      made,
    );
    expect(await text(stream)).toBe(
      'event: number\ndata: {"n":1}\n\nevent: error\ndata: {"error":"Something failed on our side; the request may be repeated.","code":"internal_error"}\n\n',
    );
    expect(String(errors)).toContain('hunter2');
  });

  it.each([
    ['an id of two lines', { event: 'a', data: 1, id: 'x\ndata: y' }],
    ['a name of two lines', { event: 'a\nb', data: 1 }],
    ['data that is not JSON', { event: 'a', data: 1n }],
  ])('never writes %s, and closes its source', async (_name, bad) => {
    let isClosed = false;
    const source = async function* () {
      try {
        yield bad;
        yield one;
      } finally {
        isClosed = true;
      }
    };
    const written = await text(eventStream(source(), parts().made));
    expect(written).toMatch(/^event: error\n[^\n]+\n\n$/);
    expect(isClosed).toBe(true);
  });

  it('sends a comment while nothing happens, and loses no event for it', async () => {
    const { made, beat, waiting } = parts();
    let give: (event: AnyStreamEvent) => void = () => undefined;
    const source = async function* () {
      yield await new Promise<AnyStreamEvent>((resolve) => {
        give = resolve;
      });
    };
    const chunks = eventStream(source(), made)[Symbol.asyncIterator]();
    const first = chunks.next();
    await Promise.resolve();
    beat();
    expect(String((await first).value)).toBe(': still here\n\n');
    give(one);
    expect(String((await chunks.next()).value)).toContain('"n":1');
    expect((await chunks.next()).done).toBe(true);
    expect(waiting.size).toBe(0);
  });

  it('stops and closes the source when the client leaves in the middle of waiting', async () => {
    const leave = new AbortController();
    const { made, waiting } = parts(leave.signal);
    let isClosed = false;
    const source: AsyncIterable<AnyStreamEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: async () => {
          isClosed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const whole = text(eventStream(source, made));
    leave.abort();
    expect(await whole).toBe('');
    expect([isClosed, waiting.size]).toEqual([true, 0]);
  });

  it('asks for no more than a slow reader takes', async () => {
    let made = 0;
    const source = async function* () {
      for (;;) {
        made++;
        yield { event: 'number', data: 'x'.repeat(1_000) };
      }
    };
    const stream = eventStream(source(), parts().made);
    stream.read(0);
    for (let turn = 0; turn < 1_000; turn++) await Promise.resolve();
    const ahead = made;
    for (let turn = 0; turn < 1_000; turn++) await Promise.resolve();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(20);
    expect(made).toBe(ahead);
    stream.destroy();
  });
});
