// Work that lasts longer than a function may run, done in steps: each step notes how far it came and sends the message of the
// next one. Guarantees: of many messages of one task one gets the step; a task whose worker died, or whose message was lost, is
// taken up by any message once the lease of its last step has ended; no step begins before the task's time.
// Does not send messages of tasks that nobody works on: a sweep does.
import type { Clock } from '../ports/clock.ts';
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

/** `workMs`: after that a step begins nothing more, at a third of its function's time. `leaseMs`: longer than a step, its rest and
 * the way of its message. */
export const STEP = { workMs: 20_000, leaseMs: 120_000 } as const;

export interface TaskTurn {
  /** The message is the one that the last step sent: it does not wait for the end of the lease. */
  readonly isNext: boolean;
  readonly leaseUntilMs: number;
  readonly notBeforeMs: number;
}

export interface LongTask<T> {
  /** What is worked on, for errors: "a replay plan". */
  readonly what: string;
  /** Null where it is gone, over, or not to be worked. */
  readonly read: () => Promise<T | null>;
  readonly turn: (task: T) => TaskTurn;
  /** Takes the step by one conditional write; null where the task was written since. */
  readonly take: (task: T, nowMs: number) => Promise<T | null>;
  /** Null where no message is to follow: it is over, or another worker's. */
  readonly step: (taken: T, endMs: number) => Promise<T | null>;
  /** Sends the message of the next step. `begunAtMs`: when this one began. */
  readonly tell: (task: T, begunAtMs: number) => Promise<void>;
}

/** The task under its new version; null where it was written since. */
export async function written<T extends { readonly version: number }>(
  next: T,
  write: (next: T, seenVersion: number) => Promise<boolean>,
): Promise<T | null> {
  return (await write(next, next.version)) ? { ...next, version: next.version + 1 } : null;
}

export async function workOn<T>(task: LongTask<T>, clock: Clock): Promise<void> {
  const { what, read, turn, take, step, tell } = task;
  const taken = await retryConflicts({ what }, async () => {
    const nowMs = clock.now();
    const found = await read();
    if (found === null) return null;
    const { isNext, leaseUntilMs, notBeforeMs } = turn(found);
    if (!isNext && nowMs < leaseUntilMs) return null;
    if (nowMs >= notBeforeMs) return (await take(found, nowMs)) ?? CONFLICT;
    await tell(found, nowMs);
    return null;
  });
  if (taken === null) return;
  const begunAtMs = clock.now();
  const left = await step(taken, begunAtMs + STEP.workMs);
  if (left !== null) await tell(left, begunAtMs);
}
