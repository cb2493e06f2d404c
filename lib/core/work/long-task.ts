// Work that lasts longer than a function may run, in steps: each step stores its progress and sends the message of the
// next one. Guarantees: of many messages of one task one gets the step; if a worker crashed, or a message was lost, any
// message continues the task once the lease of its last step has ended; no step begins before the task's time. Does not
// find tasks without a message: a sweep sends those.
import type { Clock } from '../ports/clock.ts';
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

/**
 * `workMs`: after this time a step begins nothing more; it is a third of its function's timeout. `leaseMs`: longer than
 * a step, its rest and the delivery of its message.
 */
export const STEP = { workMs: 20_000, leaseMs: 120_000 } as const;

export interface TaskTurn {
  /** This is the message that the last step sent: it need not wait for the end of the lease. */
  readonly isNext: boolean;
  readonly leaseUntilMs: number;
  readonly notBeforeMs: number;
}

export interface LongTask<T> {
  /** What is worked on, for errors: "a replay plan". */
  readonly what: string;
  /** Null if it is gone, over, or not to be worked on. */
  readonly read: () => Promise<T | null>;
  readonly turn: (task: T) => TaskTurn;
  /** Takes the step by one conditional write; null if the task was written since. */
  readonly take: (task: T, nowMs: number) => Promise<T | null>;
  /** Null if no message is to follow: it is over, or another worker has it. */
  readonly step: (taken: T, endMs: number) => Promise<T | null>;
  /** Sends the message of the next step. `begunAtMs`: when this one began. */
  readonly tell: (task: T, begunAtMs: number) => Promise<void>;
}

/** The task with its new version; null if it was written since. */
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
