// Every change of a record of the helpdesk: read, decide, one conditional write with what must follow, carry that out.
// Guarantees: what is answered is committed; what must follow is done when it returns, or due and swept within two minutes.
// Throws `Outage` where others keep writing the record, or where what an earlier change left cannot be carried out.
import { commitWithOutbox } from '../../core/work/outbox.ts';
import type { OutboxEntry, Stored } from '../domain/outbox.ts';
import type { RecordStore } from '../ports/stores.ts';
import { carryOut, type DrainPorts } from './drain.ts';
import { storedOf } from './stored-of.ts';

export type { DrainPorts } from './drain.ts';

const PAUSE_MIN_MS = 20;
const PAUSE_MAX_MS = 400;

/** A third of what a request may take: whoever loses to a crowd for so long is told to come again. */
const TRYING_MAX_MS = 10_000;

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

interface Named {
  readonly id: string;
  readonly workspaceId: string;
}

/**
 * `decide` is pure but for new ids, and called anew where somebody else wrote the record meanwhile. `triesMax`: of many who write
 * one record at once each loses to each of the others once at most, so that as many tries as writers are always enough.
 */
export async function change<R extends Named, T>(
  store: RecordStore<R>,
  key: Named,
  decide: (stored: Stored<R> | null) => Change<R, T>,
  ports: DrainPorts,
  { triesMax }: { readonly triesMax?: number } = {},
): Promise<T> {
  const { clock, random, report, pause } = ports;
  const endMs = clock.now() + TRYING_MAX_MS;
  return await commitWithOutbox<Stored<R>, T>({
    what: 'a record of the helpdesk',
    read: () => store.read(key.workspaceId, key.id),
    isOpen: ({ outbox }) => outbox.length > 0,
    isSame: (a, b) => a.version === b.version,
    carryOut: (stored) => carryOut(store, stored, ports),
    decide: (stored) => {
      const decision = decide(stored);
      if (!('record' in decision)) return { next: null, result: decision.result };
      return { next: nextOf(key, stored, decision, clock.now()), result: decision.result };
    },
    put: (next, before) => store.put(next, before?.version ?? null),
    report,
    triesMax,
    isLate: () => clock.now() >= endMs,
    ...(pause === undefined
      ? {}
      : {
          pause: (attempt) =>
            pause((0.5 + random.next() / 2) * Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** attempt)),
        }),
  });
}

function nextOf<R extends Named>(
  key: Named,
  before: Stored<R> | null,
  { record, outbox, dueAtMs = null }: Extract<Change<R, unknown>, { record: R }>,
  nowMs: number,
): Stored<R> {
  if (record.workspaceId !== key.workspaceId || record.id !== key.id)
    throw new RangeError('a change may not move a record to another key');
  return storedOf(record, { version: (before?.version ?? 0) + 1, outbox, timerAtMs: dueAtMs, nowMs });
}
