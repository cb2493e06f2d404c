// Due rows that are in no batch.
import { isParked, nextDueMs, targetsOf } from '../../domain/deliveries/progress.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../domain/event/row.ts';
import { packPointers } from '../../domain/pointer.ts';
import type { EventStore } from '../../ports/event-store.ts';
import {
  backoffMs,
  type DueLook,
  type DueSource,
  isQuestion,
  isUnworked,
  RELEASE_MS,
  unreadableBackoffMs,
} from './due-source.ts';

export type DueEvents = Pick<
  EventStore,
  'dueShards' | 'dueGroups' | 'dueOf' | 'readMany' | 'reschedule' | 'deferUnreadable'
>;

export function dueEvents(events: DueEvents): DueSource<EventKey> {
  return {
    table: 'events',
    index: events,
    merchantOf: ({ merchantId }) => merchantId,
    pointers: (keys) => packPointers(keys),
    eventsMax: 1,
    countEvents: async (keys) => keys.length,
    async parkedUntilMs(key, place) {
      const { rows } = await events.readMany([key], 'eventual');
      const deliveries = rows.flatMap((row) =>
        row.state === 'normalized' ? (row.deliveries[place] ?? []) : [],
      );
      return deliveries.find(isParked)?.nextAttemptAtMs;
    },
    async look(keys, nowMs) {
      const { rows, unreadable } = await events.readMany(keys);
      const late = rows.filter((row) => isLate(row, nowMs));
      const unread = unreadable.filter(({ dueAtMs = nowMs + 1 }) => dueAtMs <= nowMs);
      return [
        ...late.map((row): DueLook<EventKey> => {
          const isAsked = (nextDueMs(row) ?? nowMs + 1) <= nowMs;
          const isWaiting = isAsked && isUnworked(row.sweeps);
          return { key: row.key, isLate: isAsked, isWaiting, putOff: () => putOff(row, nowMs, events) };
        }),
        // By key alone, because nothing else can be read: it must not stay at the head of every sweep.
        ...unread.map((row): DueLook<EventKey> => {
          const putOffMs = nowMs + unreadableBackoffMs(row.sweeps);
          const putOff = () => events.deferUnreadable(row, putOffMs);
          return { key: row.key, isLate: false, isWaiting: false, putOff };
        }),
      ];
    },
  };
}

async function putOff(row: NormalizedRow, nowMs: number, events: DueEvents): Promise<void> {
  const next = nextDueMs(row);
  // Its release removes the due time: a write pays off only if that does not happen.
  if (row.heldUntilMs !== undefined && nowMs - row.heldUntilMs < RELEASE_MS) return;
  const deliveries = targetsOf(row).map((target) => row.deliveries[target]);
  if (next !== null && isQuestion(deliveries, next, nowMs)) return;
  // Two deliveries that ended at once each saw the other one open: the due time is then earlier than the row needs.
  if (next === null || next > nowMs) await events.reschedule(row, next, 0);
  else await events.reschedule(row, nowMs + backoffMs(row.sweeps), row.sweeps + 1);
}

function isLate(row: EventRow, nowMs: number): row is NormalizedRow {
  return row.state === 'normalized' && row.dueAtMs !== undefined && row.dueAtMs <= nowMs;
}
