// Slots that changed → counters. Each slot is folded once per batch of hints.

import { foldMinute } from '../../lib/counters/fold-minute.ts';
import type { AggregatePorts } from '../../lib/counters/ports.ts';
import type { BatchResult, Received } from '../../lib/ports/queue.ts';
import type { DirtySlots } from './message.ts';

export type AggregateStage = (messages: readonly Received<DirtySlots>[]) => Promise<BatchResult>;

export function createAggregateStage(
  ports: AggregatePorts & { readonly report: (problem: string, error: unknown) => void },
): AggregateStage {
  return async (messages) => {
    const slots = new Map<string, { merchantId: string; startMs: number; indexes: number[] }>();
    messages.forEach(({ body }, index) => {
      for (const startMs of body.slots) {
        const id = `${body.merchant}/${startMs}`;
        const slot = slots.get(id) ?? { merchantId: body.merchant, startMs, indexes: [] };
        slot.indexes.push(index);
        slots.set(id, slot);
      }
    });
    const failed = new Set<number>();
    for (const { merchantId, startMs, indexes } of slots.values()) {
      try {
        await foldMinute(merchantId, startMs, ports);
      } catch (error) {
        for (const index of indexes) failed.add(index);
        ports.report('a slot could not be folded', error);
      }
    }
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
}
