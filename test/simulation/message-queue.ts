// A queue at its worst: at least once, in any order, late, twice, lost, purged; hidden while somebody works on a
// message, back when they do not answer, among the dead letters when that happened too often.

import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import { frozenCopy } from '../support/memory/frozen-copy.ts';
import type { SeededRandom } from '../support/memory/random.ts';
import type { Weather } from './faults.ts';
import type { Timeline } from './timeline.ts';

export interface SimulatedQueue<Message> {
  readonly name: string;
  enqueue(bodies: readonly Message[], delaySec: number): void;
  purge(): void;
  /** Messages not yet acknowledged. */
  size(): number;
  /** Copies handed out beyond the first. */
  duplicates(): number;
  deadLetters(): number;
}

export interface QueueOptions<Message> {
  readonly name: string;
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly weather: () => Weather;
  readonly batchMax: number;
  readonly visibilityMs: number;
  readonly receiveCountMax: number;
  /** Messages become visible at multiples of this time only; 0 = at once. */
  readonly windowMs: number;
  /** What else lies in the queue by now, beside what was just sent: any text, or any value as JSON. */
  readonly strays?: () => readonly unknown[];
  /** Starts a consumer. `done(null)` = it threw; never called = it died. */
  readonly consume: (
    messages: readonly Received<Message>[],
    done: (result: BatchResult | null) => void,
  ) => void;
}

interface Held<Message> {
  readonly body: Message;
  readonly sentAtMs: number;
  receiveCount: number;
  visibleAtMs: number;
}

export function createMessageQueue<Message>(options: QueueOptions<Message>): SimulatedQueue<Message> {
  const { timeline, random, weather } = options;
  const held = new Set<Held<Message>>();
  let duplicates = 0;
  let dead = 0;

  const wake = (message: Held<Message>, atMs: number) => {
    message.visibleAtMs = atMs;
    timeline.at(atMs, () => {
      if (held.has(message) && message.visibleAtMs === atMs) receive(message);
    });
  };
  const keep = (body: Message, receiveCount: number, delayMs: number) => {
    const message: Held<Message> = { body, sentAtMs: timeline.now(), receiveCount, visibleAtMs: 0 };
    held.add(message);
    const atMs = timeline.now() + delayMs;
    const { windowMs } = options;
    wake(message, windowMs === 0 ? atMs : Math.ceil(atMs / windowMs) * windowMs);
  };
  const take = (message: Held<Message>): Received<Message> | null => {
    if (message.receiveCount >= options.receiveCountMax) {
      held.delete(message);
      dead += 1;
      return null;
    }
    message.receiveCount += 1;
    wake(message, timeline.now() + options.visibilityMs);
    if (random.chance(weather().duplicateRate)) {
      duplicates += 1;
      const count = weather().duplicatesLookFirst ? message.receiveCount - 1 : message.receiveCount;
      keep(message.body, count, random.below(2_000));
    }
    const { body, receiveCount, sentAtMs } = message;
    return { body, receiveCount, sentAtMs };
  };
  const receive = (first: Held<Message>) => {
    const others = [...held].filter((m) => m !== first && m.visibleAtMs <= timeline.now());
    const batch = [first, ...others.slice(0, random.below(options.batchMax))];
    const taken = batch.flatMap((message) => {
      const received = take(message);
      return received ? [{ message, received }] : [];
    });
    if (taken.length === 0) return;
    options.consume(
      taken.map(({ received }) => received),
      (result) => {
        if (result === null) return;
        taken.forEach(({ message }, index) => {
          if (!result.failedIndexes.includes(index)) held.delete(message);
        });
      },
    );
  };

  return {
    name: options.name,
    enqueue: (bodies, delaySec) => {
      let delayMs = 0;
      for (const body of bodies) {
        delayMs = delaySec * 1_000 + random.below(weather().messageDelayMaxMs);
        keep(frozenCopy(body), 0, delayMs);
      }
      // At the same moment, so that they are received together.
      for (const stray of options.strays?.() ?? []) keep(stray as Message, 0, delayMs);
    },
    purge: () => held.clear(),
    size: () => held.size,
    duplicates: () => duplicates,
    deadLetters: () => dead,
  };
}
