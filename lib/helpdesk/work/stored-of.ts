// A record as a commit writes it: with what must follow from it, and due soon while there is something.
import type { OutboxEntry, Stored } from '../domain/outbox.ts';

/** How long whoever committed has to carry out what follows before a sweep does, and a worker to hear of its pointer. */
export const OUTBOX_DUE_MS = 60_000;

/** A record that a worker is pointed to, and that is due should its pointer be lost. `seen`: the version it replaces. */
export const pendingOf = <R>(record: R, atMs: number, seen: number | null = null): Stored<R> => ({
  record,
  version: (seen ?? 0) + 1,
  outbox: [],
  dueAtMs: atMs + OUTBOX_DUE_MS,
});

/** `timerAtMs`: when the record is due for its own sake; null where it is not. */
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
