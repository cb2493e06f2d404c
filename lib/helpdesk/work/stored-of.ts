// A record as a commit writes it: with its outbox, and due soon while the outbox is not empty.
import type { OutboxEntry, Stored } from '../domain/outbox.ts';
import type { RecordStore } from '../ports/stores.ts';

/**
 * Time that the committing process has to drain the outbox before the sweep does it, and a worker to get its pointer.
 */
export const OUTBOX_DUE_MS = 60_000;

/**
 * A record whose worker gets a pointer, and which is due in case the pointer is lost. `seen`: the version it replaces.
 */
export const pendingOf = <R>(record: R, atMs: number, seen: number | null = null): Stored<R> => ({
  record,
  version: (seen ?? 0) + 1,
  outbox: [],
  dueAtMs: atMs + OUTBOX_DUE_MS,
});

/** `timerAtMs`: when the record is due for its own sake; null if never. */
export function storedOf<R>(
  record: R,
  {
    version,
    outbox,
    timerAtMs,
    nowMs,
  }: {
    readonly version: number;
    readonly outbox: readonly OutboxEntry[];
    readonly timerAtMs: number | null;
    readonly nowMs: number;
  },
): Stored<R> {
  const soonMs = nowMs + OUTBOX_DUE_MS;
  const dueAtMs = outbox.length === 0 ? timerAtMs : Math.min(soonMs, timerAtMs ?? soonMs);
  return { record, version, outbox, dueAtMs, timerAtMs };
}

/** Writes over the version that was read, with its outbox as it is. Null if another process has written the record since. */
export async function replaced<R>(
  store: Pick<RecordStore<R>, 'put'>,
  seen: Stored<R>,
  record: R,
  dueAtMs: number | null,
): Promise<Stored<R> | null> {
  const next = { ...seen, record, version: seen.version + 1, dueAtMs };
  return (await store.put(next, seen.version)) ? next : null;
}
