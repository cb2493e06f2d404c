// Outcomes of batches that are due: one item stands for the rows of a batch at one platform.
import { BATCH_ROWS_MAX, type BatchOutcomes } from '../../domain/deliveries/batch.ts';
import { nextDueMs, nextOutcomes } from '../../domain/deliveries/batch-outcomes.ts';
import { isParked } from '../../domain/deliveries/progress.ts';
import { packBatches } from '../../domain/pointer.ts';
import type { BatchStore, OutcomesKey } from '../../ports/batch-store.ts';
import {
  backoffMs,
  type DueLook,
  type DueSource,
  isQuestion,
  isUnworked,
  unreadableBackoffMs,
} from './due-source.ts';

export type DueBatches = Pick<
  BatchStore,
  'dueShards' | 'dueGroups' | 'dueOf' | 'readMany' | 'writeOutcomes' | 'deferUnreadable'
>;

export function dueBatches(batches: DueBatches): DueSource<OutcomesKey> {
  return {
    table: 'batches',
    index: batches,
    merchantOf: ({ batch }) => batch.merchantId,
    pointers: (keys) =>
      keys.flatMap(({ batch, platform }) => packBatches([batch]).map((body) => ({ ...body, platform }))),
    eventsMax: BATCH_ROWS_MAX,
    async countEvents(keys) {
      const { outcomes } = await batches.readMany({ outcomes: keys }, 'eventual');
      const parked = outcomes.flatMap(({ groups }) => groups.filter(({ delivery }) => isParked(delivery)));
      return parked.reduce((sum, { positions }) => sum + positions.length, 0);
    },
    async parkedUntilMs(key, place) {
      if (key.platform !== place) return undefined;
      const { outcomes } = await batches.readMany({ outcomes: [key] }, 'eventual');
      const parked = outcomes.flatMap(({ groups }) => groups.filter(({ delivery }) => isParked(delivery)));
      return parked
        .flatMap(({ delivery }) => delivery.nextAttemptAtMs ?? [])
        .toSorted((a, b) => a - b)
        .at(0);
    },
    async look(keys, nowMs) {
      const { outcomes, unreadable } = await batches.readMany({ outcomes: keys }, 'strong');
      const late = outcomes.filter(({ dueAtMs = nowMs + 1 }) => dueAtMs <= nowMs);
      const unread = unreadable.filter(({ dueAtMs = nowMs + 1 }) => dueAtMs <= nowMs);
      return [
        ...late.map((seen): DueLook<OutcomesKey> => {
          const dueAtMs = nextDueMs(seen.groups) ?? nowMs + 1;
          const isAsked = dueAtMs <= nowMs;
          const next = isAsked ? later(seen, nowMs) : asDue(seen);
          const isWaiting = isAsked && isUnworked(seen.sweeps);
          const deliveries = seen.groups.map(({ delivery }) => delivery);
          const isSpared = isQuestion(deliveries, dueAtMs, nowMs);
          const putOff = async () => isSpared || (await batches.writeOutcomes(next, seen.version));
          return { key: seen, isLate: isAsked, isWaiting, putOff };
        }),
        ...unread.flatMap((seen): DueLook<OutcomesKey>[] => {
          const { batch, platform } = seen;
          if (platform === undefined) return [];
          const putOffMs = nowMs + unreadableBackoffMs(seen.sweeps);
          const putOff = () => batches.deferUnreadable(seen, putOffMs);
          return [{ key: { batch, platform }, isLate: false, isWaiting: false, putOff }];
        }),
      ];
    },
  };
}

const later = (seen: BatchOutcomes, nowMs: number): BatchOutcomes => ({
  ...seen,
  version: seen.version + 1,
  dueAtMs: nowMs + backoffMs(seen.sweeps),
  sweeps: seen.sweeps + 1,
});

/** It asks for less than its due time says. */
const asDue = (seen: BatchOutcomes): BatchOutcomes => nextOutcomes(seen, new Map());
