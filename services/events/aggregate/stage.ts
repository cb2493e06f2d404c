// Slots that changed → counters. Each slot is folded once per batch of hints; one that was folded a moment ago is put off.

import type { BatchResult, MessageSender, Received } from '../../../lib/core/ports/queue.ts';
import { foldMinute } from '../../../lib/events/pipeline/counting/fold-minute.ts';
import type { AggregatePorts } from '../../../lib/events/pipeline/counting/ports.ts';
import type { CounterRefresh } from './message.ts';

export type AggregateStage = (messages: readonly Received<CounterRefresh>[]) => Promise<BatchResult>;

export interface AggregateStagePorts extends AggregatePorts {
  /** Its own queue, for hints that come too soon after the last fold. */
  readonly counterRefresh: MessageSender<CounterRefresh>;
}

export function createAggregateStage(ports: AggregateStagePorts): AggregateStage {
  return async (messages) => {
    const slots = new Map<string, HintedSlot>();
    messages.forEach(({ body, sentAtMs }, index) => {
      for (const startMs of body.slots) {
        const id = `${body.merchant}/${startMs}`;
        const slot = slots.get(id) ?? { merchantId: body.merchant, startMs, changedAtMs: 0, indexes: [] };
        slot.changedAtMs = Math.max(slot.changedAtMs, sentAtMs);
        slot.indexes.push(index);
        slots.set(id, slot);
      }
    });
    const failed = new Set<number>();
    for (const { merchantId, startMs, changedAtMs, indexes } of slots.values()) {
      try {
        const result = await foldMinute(merchantId, startMs, changedAtMs, ports);
        if ('untilMs' in result && result.untilMs !== null)
          await putOff(merchantId, startMs, result.untilMs, ports);
      } catch (error) {
        for (const index of indexes) failed.add(index);
        ports.report('a slot could not be folded', error);
      }
    }
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
}

interface HintedSlot {
  readonly merchantId: string;
  readonly startMs: number;
  /** When the youngest of its hints was sent. */
  changedAtMs: number;
  readonly indexes: number[];
}

async function putOff(
  merchant: string,
  startMs: number,
  untilMs: number,
  { counterRefresh, clock }: AggregateStagePorts,
): Promise<void> {
  const delaySec = Math.max(1, Math.ceil((untilMs - clock.now()) / 1_000));
  await counterRefresh.send([{ body: { merchant, slots: [startMs] }, groupId: merchant }], { delaySec });
}
