// Slots that changed → counters. Each slot is counted once per batch of hints; one that was counted a moment ago is put
// off. What counting finds stranded or waiting goes to recovery before the slot is written.

import type { BatchResult, MessageSender, Received } from '../../../lib/core/ports/queue.ts';
import { CONFLICT, retryConflicts } from '../../../lib/core/work/retry-conflicts.ts';
import { grouped } from '../../../lib/events/domain/pointer.ts';
import {
  type ChangedMinute,
  countMinute,
  storeCount,
} from '../../../lib/events/pipeline/counting/count-minute.ts';
import type { CountPorts } from '../../../lib/events/pipeline/counting/ports.ts';
import type { RecoveryPorts } from '../../../lib/events/pipeline/recovery/ports.ts';
import { recover } from '../../../lib/events/pipeline/recovery/recover.ts';
import type { CounterRefresh } from './message.ts';

/** Counts of one slot until nobody else wrote it meanwhile. */
const TRIES_MAX = 12;

export type AggregateStage = (messages: readonly Received<CounterRefresh>[]) => Promise<BatchResult>;

export type AggregateStagePorts = CountPorts &
  RecoveryPorts & {
    /** Its own queue, for hints that come too soon after the last count. */
    readonly counterRefresh: MessageSender<CounterRefresh>;
  };

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
    for (const slot of slots.values()) {
      try {
        const untilMs = await refreshMinute(slot, ports);
        if (untilMs !== null) await putOff(slot, untilMs, ports);
      } catch (error) {
        for (const index of slot.indexes) failed.add(index);
        ports.report('a slot could not be folded', error);
      }
    }
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
}

interface HintedSlot extends ChangedMinute {
  /** When the youngest of its hints was sent. */
  changedAtMs: number;
  readonly indexes: number[];
}

/** Until when the slot rests, null where it is up to date. Throws when others keep writing it. */
async function refreshMinute(slot: ChangedMinute, ports: AggregateStagePorts): Promise<number | null> {
  return await retryConflicts({ what: 'a slot', triesMax: TRIES_MAX }, async () => {
    const count = await countMinute(slot, ports);
    if ('untilMs' in count) return count.untilMs;
    const { rowsChanged } = await recover(count, ports);
    return !rowsChanged && (await storeCount(count, ports)) ? null : CONFLICT;
  });
}

async function putOff(
  { merchantId, startMs }: ChangedMinute,
  untilMs: number,
  { counterRefresh, clock }: AggregateStagePorts,
): Promise<void> {
  const delaySec = Math.max(1, Math.ceil((untilMs - clock.now()) / 1_000));
  await counterRefresh.send(grouped([{ merchant: merchantId, slots: [startMs] }]), { delaySec });
}
