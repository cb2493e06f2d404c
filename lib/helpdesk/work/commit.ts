// Every change of a helpdesk record: read, decide, one conditional write that includes the outbox, then drain it.
// Guarantees: what is answered is committed; the outbox is drained when this returns, or the record is due and swept
// within two minutes. Throws `Outage` if other writers keep winning, or if the outbox of an earlier change cannot be
// drained.
import { commitWithOutbox } from '../../core/work/outbox.ts';
import type { OutboxEntry, Stored } from '../domain/outbox.ts';
import type { Pointer } from '../domain/pointer.ts';
import type { RecordStore } from '../ports/stores.ts';
import { carryOut, type DrainPorts } from './drain.ts';
import { OUTBOX_DUE_MS, storedOf } from './stored-of.ts';

/** Pause before reading a contended record again. It grows with each write that lost to another writer. */
const PAUSE_MIN_MS = 60;
const PAUSE_MAX_MS = 1_200;
const PAUSE_GROWTH = 1.6;
/**
 * The pause shrinks to this share for the request that has waited the longest, so that newer ones do not always win.
 */
const PAUSE_OF_ELDEST = 0.15;

/** Half of the time a request may take; the other half is for draining the outbox of a commit made at its end. */
const TRYING_MAX_MS = 15_000;

/** An upper bound: with pauses, fewer tries fit into `TRYING_MAX_MS`. */
const TRIES_MAX = 1_000;

/** An outbox still present after this time (up to twice as long, random) was left by a writer that crashed. */
const PATIENCE_MS = 1_000;

export type Change<R, T> =
  | {
      readonly record: R;
      readonly outbox: readonly OutboxEntry[];
      /** The record's own timer, such as the end of a snooze; absent or null: none. */
      readonly dueAtMs?: number | null;
      readonly result: T;
    }
  /** Nothing is written. */
  | { readonly result: T };

/** `decide` is pure except for new ids. It is called again if another process wrote the record in the meantime. */
export async function change<R extends Pointer, T>(
  store: RecordStore<R>,
  key: Pointer,
  decide: (stored: Stored<R> | null) => Change<R, T>,
  ports: DrainPorts,
): Promise<T> {
  const { clock, report } = ports;
  const waiting = waitingOf(ports);
  return await commitWithOutbox<Stored<R>, T>({
    what: 'a record of the helpdesk',
    read: () => store.read(key.workspaceId, key.id),
    isOpen: ({ outbox }) => outbox.length > 0,
    carryOut: (stored) => carryOut(store, stored, ports),
    decide: (stored) => {
      const decision = decide(stored);
      if (!('record' in decision)) return { next: null, result: decision.result };
      return { next: nextOf(key, stored, decision, clock.now()), result: decision.result };
    },
    put: async (next, before) => {
      const isPut = await store.put(next, before?.version ?? null);
      if (!isPut) waiting.lost();
      return isPut;
    },
    report,
    triesMax: TRIES_MAX,
    ...waiting.rules,
  });
}

/** How one of several writers waits for its turn at a record. Without `pause` it retries at once. */
function waitingOf({ clock, random, pause }: DrainPorts) {
  const begunMs = clock.now();
  // Random, so that waiting writers do not all drain the outbox at the same moment.
  const patienceMs = PATIENCE_MS * (1 + random.next());
  let losses = 0;
  const pauseMs = (): number => {
    const left = Math.max(PAUSE_OF_ELDEST, 1 - (clock.now() - begunMs) / TRYING_MAX_MS);
    const mean = left * Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * PAUSE_GROWTH ** losses);
    return mean * (0.3 + 1.4 * random.next());
  };
  const isLate = (): boolean => clock.now() >= begunMs + TRYING_MAX_MS;
  const isAbandoned = ({ dueAtMs }: Stored<unknown>): boolean =>
    dueAtMs === null || clock.now() >= dueAtMs - OUTBOX_DUE_MS + patienceMs;
  return {
    lost: (): void => {
      losses += 1;
    },
    rules: pause === undefined ? { isLate } : { isLate, isAbandoned, pause: () => pause(pauseMs()) },
  };
}

function nextOf<R extends Pointer>(
  key: Pointer,
  before: Stored<R> | null,
  { record, outbox, dueAtMs = null }: Extract<Change<R, unknown>, { record: R }>,
  nowMs: number,
): Stored<R> {
  if (record.workspaceId !== key.workspaceId || record.id !== key.id)
    throw new RangeError('a change may not move a record to another key');
  return storedOf(record, { version: (before?.version ?? 0) + 1, outbox, timerAtMs: dueAtMs, nowMs });
}
