// What the pipeline relies on in a queue, from the call that sends to the message a stage sees: SQS as an emulator has it, and
// the queue of the simulation.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageSender, Received } from '#lib/core/ports/queue.ts';
import { ANY_CHARACTER } from '#test/support/any-character.ts';

export interface QueueUnderTest extends MessageSender<unknown> {
  /** At most ten messages that are visible, or become so within some seconds where the call waits. */
  receive(how: Receive): Promise<readonly Received<unknown>[]>;
  /** Goes on when the visibility timeout of what was received is over. */
  visibilityOver(): Promise<void>;
  /** Bodies that were received `RECEIVES_MAX` times and never acknowledged. */
  deadLetters(): Promise<readonly unknown[]>;
  now(): number;
}

export interface Receive {
  readonly acknowledge: boolean;
  readonly wait: boolean;
}

export const RECEIVES_MAX = 2;
const EMPTY_LOOKS_MAX = 3;
const GROUP = 'merchant-1';

/** `open` makes an empty queue. */
export function queueConformance(name: string, open: () => Promise<QueueUnderTest>): void {
  describe(`${name}: queue`, () => {
    contents(open);
    sizes(open);
    redelivery(open);
  });
}

const TAKE: Receive = { acknowledge: true, wait: false };
const AWAIT: Receive = { acknowledge: true, wait: true };
const AWAIT_AND_FAIL: Receive = { acknowledge: false, wait: true };

const message = (body: unknown) => ({ body, groupId: GROUP });

/** Everything there is to receive, in whatever order it comes. */
async function drained(queue: QueueUnderTest, countMin: number): Promise<readonly Received<unknown>[]> {
  const all: Received<unknown>[] = [];
  for (let empty = 0; empty < EMPTY_LOOKS_MAX && (all.length < countMin || empty === 0); ) {
    const some = await queue.receive(TAKE);
    all.push(...some);
    if (some.length === 0) empty += 1;
  }
  return all;
}

const bodies = (received: readonly Received<unknown>[]): unknown[] => received.map(({ body }) => body);
const texts = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();

function contents(open: () => Promise<QueueUnderTest>): void {
  it.each<[string, unknown]>([
    ['quotes, brackets and white space', { id: `"'<>&]]>\\ \t\r\n` }],
    ['letters outside ASCII', { id: 'ordér ß 订单 \u0085\u2028' }],
    ['an emoji', { id: 'order-\u{1f6d2}' }],
    ['U+FFFE', { id: 'order-\ufffe' }],
    ['U+FFFF', { id: 'order-\uffff' }],
    ['U+1FFFF', { id: 'order-\u{1ffff}' }],
    ['control characters', { id: '\u0000\u0001\u001f\u007f' }],
    ['half a surrogate pair', { id: '\ud83d' }],
    ['names of JavaScript itself', { constructor: '__proto__', toString: 1 }],
    ['numbers', { numbers: [0, -1, 1e21, 0.1, Number.MAX_SAFE_INTEGER] }],
  ])('carries %s, alone and in a batch', async (_name, body) => {
    const queue = await open();
    await queue.send([message(body)]);
    expect(bodies(await drained(queue, 1))).toEqual([body]);
    await queue.send([message({ n: 1 }), message(body), message({ n: 2 })]);
    expect(texts(bodies(await drained(queue, 3)))).toEqual(texts([{ n: 1 }, body, { n: 2 }]));
  });

  it('carries any text', async () => {
    const queue = await open();
    const text = fc.string({ unit: ANY_CHARACTER, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 25 }), async (sent) => {
        await queue.send(sent.map(message));
        expect(texts(bodies(await drained(queue, sent.length)))).toEqual(texts(sent));
      }),
      { numRuns: 20 },
    );
  });

  it('counts the first receive as one and knows when a message was sent', async () => {
    const queue = await open();
    const before = queue.now();
    await queue.send([message('a')]);
    const [received] = await drained(queue, 1);
    expect(received?.receiveCount).toBe(1);
    expect(received?.sentAtMs).toBeGreaterThanOrEqual(before - 1_000);
    expect(received?.sentAtMs).toBeLessThanOrEqual(queue.now() + 1_000);
  });
}

function sizes(open: () => Promise<QueueUnderTest>): void {
  it('takes more messages in one call than a request holds, each once', async () => {
    const queue = await open();
    const sent = Array.from({ length: 101 }, (_, i) => ({ i }));
    await queue.send(sent.map(message));
    expect(texts(bodies(await drained(queue, sent.length)))).toEqual(texts(sent));
    expect(await drained(queue, 0)).toEqual([]);
  });

  it('takes the largest message that is sent, and several that are too large for one request', async () => {
    const queue = await open();
    const sent = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000));
    await queue.send(sent.map(message));
    expect(texts(bodies(await drained(queue, sent.length)))).toEqual(texts(sent));
  });
}

function redelivery(open: () => Promise<QueueUnderTest>): void {
  it('gives a message again that was not acknowledged, and says so', async () => {
    const queue = await open();
    await queue.send([message('again')]);
    expect(await queue.receive(AWAIT_AND_FAIL)).toMatchObject([{ body: 'again', receiveCount: 1 }]);
    expect(await queue.receive(TAKE)).toEqual([]);
    await queue.visibilityOver();
    expect(await queue.receive(AWAIT)).toMatchObject([{ body: 'again', receiveCount: 2 }]);
    await queue.visibilityOver();
    expect(await queue.receive(TAKE)).toEqual([]);
    expect(await queue.deadLetters()).toEqual([]);
  });

  it('puts a message aside that is never acknowledged, and nothing else', async () => {
    const queue = await open();
    await queue.send([message('poison')]);
    for (let receives = 0; receives < RECEIVES_MAX; receives++) {
      expect(bodies(await queue.receive(AWAIT_AND_FAIL))).toEqual(['poison']);
      await queue.visibilityOver();
    }
    await queue.send([message('fine')]);
    expect(bodies(await queue.receive(AWAIT))).toEqual(['fine']);
    expect(await queue.receive(AWAIT)).toEqual([]);
    expect(await queue.deadLetters()).toEqual(['poison']);
  });

  it('hides a delayed message until its time', async () => {
    const queue = await open();
    await queue.send([message('later')], { delaySec: 1 });
    expect(await queue.receive(TAKE)).toEqual([]);
    await queue.visibilityOver();
    expect(bodies(await queue.receive(AWAIT))).toEqual(['later']);
  });
}
