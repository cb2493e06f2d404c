// A queue in memory, as SQS standard queues behave when nothing goes wrong: a received message is hidden for the
// visibility timeout, comes back unless deleted, and moves to the dead letters after too many receives.
// Refuses: faults.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender, Received } from '#lib/core/ports/queue.ts';
import { frozenCopy } from './frozen-copy.ts';

export interface MemoryQueueOptions {
  readonly clock: Clock;
  /** How long a received message stays hidden; default 60 s. */
  readonly visibilitySec?: number;
  /** Receives after which a message goes to the dead letters; default 5. */
  readonly receiveCountMax?: number;
}

/** A received message and the handle that deletes it. */
export interface Lease<Message> extends Received<Message> {
  readonly receipt: number;
}

export interface MemoryQueue<Message> extends MessageSender<Message> {
  /** Up to `max` visible messages in the order sent, hidden until their visibility timeout. */
  receive(max: number): readonly Lease<Message>[];
  /** Acknowledges; unknown and expired receipts are ignored, as SQS does. */
  remove(receipt: number): void;
  /** Makes a received message visible after `delaySec`. */
  release(receipt: number, delaySec: number): void;
  purge(): void;
  /** Messages not acknowledged, hidden ones included. */
  size(): number;
  /** When the next message becomes visible, in milliseconds; undefined when the queue is empty. */
  nextVisibleAtMs(): number | undefined;
  deadLetters(): readonly Message[];
}

interface Stored<Message> {
  readonly body: Message;
  readonly sentAtMs: number;
  visibleAtMs: number;
  receiveCount: number;
  receipt: number;
}

export function createMemoryQueue<Message>(options: MemoryQueueOptions): MemoryQueue<Message> {
  const { clock, visibilitySec = 60, receiveCountMax = 5 } = options;
  const stored = new Set<Stored<Message>>();
  const byReceipt = new Map<number, Stored<Message>>();
  const dead: Message[] = [];
  let receipts = 0;

  const take = (message: Stored<Message>): Lease<Message> | null => {
    byReceipt.delete(message.receipt);
    if (message.receiveCount >= receiveCountMax) {
      stored.delete(message);
      dead.push(message.body);
      return null;
    }
    message.receiveCount += 1;
    message.visibleAtMs = clock.now() + visibilitySec * 1_000;
    message.receipt = ++receipts;
    byReceipt.set(message.receipt, message);
    const { body, receiveCount, sentAtMs, receipt } = message;
    return { body, receiveCount, sentAtMs, receipt };
  };

  return {
    send: async (messages, { delaySec = 0 } = {}) => {
      const sentAtMs = clock.now();
      for (const { body } of messages) {
        const visibleAtMs = sentAtMs + delaySec * 1_000;
        stored.add({ body: frozenCopy(body), sentAtMs, visibleAtMs, receiveCount: 0, receipt: 0 });
      }
    },
    receive: (max) => {
      const taken: Lease<Message>[] = [];
      for (const message of stored) {
        if (taken.length >= max) break;
        if (message.visibleAtMs > clock.now()) continue;
        const lease = take(message);
        if (lease) taken.push(lease);
      }
      return taken;
    },
    remove: (receipt) => {
      const message = byReceipt.get(receipt);
      if (message) stored.delete(message);
      byReceipt.delete(receipt);
    },
    release: (receipt, delaySec) => {
      const message = byReceipt.get(receipt);
      if (message) message.visibleAtMs = clock.now() + delaySec * 1_000;
    },
    purge: () => {
      stored.clear();
      byReceipt.clear();
    },
    size: () => stored.size,
    nextVisibleAtMs: () => {
      let next: number | undefined;
      for (const { visibleAtMs } of stored) if (next === undefined || visibleAtMs < next) next = visibleAtMs;
      return next;
    },
    deadLetters: () => dead,
  };
}
