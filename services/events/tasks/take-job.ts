// Who works the next step of a job. Guarantees: of several messages of one job one gets the step; one that came before its time is
// sent again; a job that nobody has moved for a while is taken up by any message.
import type { Clock } from '../../../lib/core/ports/clock.ts';
import { isStalled } from '../../../lib/events/domain/task-work.ts';

export interface Job {
  readonly version: number;
  readonly updatedAtMs: number;
  readonly notBeforeMs: number;
}

export interface JobKind<Kept extends Job> {
  /** Null where it is gone, over, or not to be worked yet. */
  readonly read: () => Promise<Kept | null>;
  /** False where somebody else has written it meanwhile. */
  readonly write: (next: Kept, seenVersion: number) => Promise<boolean>;
  readonly tell: (job: Kept) => Promise<void>;
  /** What changes of it when it is taken. */
  readonly begun?: (job: Kept, nowMs: number) => Kept;
}

/** The job under the version that is this worker's alone; null where the step is not this message's. */
export async function takeJob<Kept extends Job>(
  version: number | undefined,
  kind: JobKind<Kept>,
  clock: Clock,
): Promise<Kept | null> {
  const nowMs = clock.now();
  const job = await kind.read();
  if (job === null) return null;
  if (version !== job.version && !isStalled(job, nowMs)) return null;
  if (nowMs < job.notBeforeMs) {
    await kind.tell(job);
    return null;
  }
  const next = { ...(kind.begun?.(job, nowMs) ?? job), updatedAtMs: nowMs };
  return (await kind.write(next, job.version)) ? { ...next, version: job.version + 1 } : null;
}
