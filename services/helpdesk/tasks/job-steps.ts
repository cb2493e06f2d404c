// A job while one worker holds it. Guarantees: each write is conditional on the version that was read; a worker that
// lost the job gets null and stops; a job whose worker crashed is free again when its lease ends.
import { type LongTask, STEP } from '#lib/core/work/long-task.ts';
import type { Job } from '#lib/helpdesk/domain/job.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import { pointTo } from '#lib/helpdesk/work/effects/point-to.ts';
import { OUTBOX_DUE_MS, replaced } from '#lib/helpdesk/work/stored-of.ts';
import type { TaskPorts } from './ports.ts';

export type HeldJob = Stored<Job>;

/** Reading a job first drains an outbox that its end may have left. */
export function jobTask(
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  step: LongTask<HeldJob>['step'],
  ports: TaskPorts,
): LongTask<HeldJob> {
  const { stores, clock, tasks, report } = ports;
  return {
    what: 'a job',
    read: async () => {
      const stored = await stores.jobs.read(workspaceId, id);
      if (stored === null) return null;
      if (stored.outbox.length > 0) await carryOut(stores.jobs, stored, ports);
      return stored.record.status === 'done' ? null : stored;
    },
    turn: ({ record }) => ({
      isNext: false,
      leaseUntilMs: record.leaseUntilMs ?? 0,
      notBeforeMs: restsUntilMs(record),
    }),
    take: (stored, nowMs) =>
      writeJob({ ...stored, outbox: [] }, { leaseUntilMs: nowMs + STEP.leaseMs }, ports),
    step: async (taken, endMs) => {
      const left = await step(taken, endMs);
      return left === null ? null : await writeJob(left, { leaseUntilMs: null }, ports);
    },
    // For a resting job the sweep sends the pointer once the rest is over.
    tell: async ({ record }) => {
      if (clock.now() < restsUntilMs(record)) return;
      await pointTo(tasks, { workspaceId, kind: record.kind, id }, workspaceId, report);
    },
  };
}

/**
 * The first pass is followed by a last one, after this time: requests that were in progress when the erasure began have
 * ended by then.
 */
const SETTLED_MS = 180_000;
const restsUntilMs = ({ kind, pass, createdAtMs }: Job): number =>
  kind === 'erase' && pass > 0 ? createdAtMs + SETTLED_MS : 0;

/** The job as written; null if another process wrote it first. */
export async function writeJob(
  held: HeldJob,
  changes: Partial<Job>,
  { stores, clock }: TaskPorts,
): Promise<HeldJob | null> {
  const next: Job = { ...held.record, ...changes, updatedAtMs: clock.now() };
  return await replaced(stores.jobs, { ...held, outbox: [] }, next, dueAtMs(next, clock.now()));
}

function dueAtMs(job: Job, nowMs: number): number | null {
  if (job.status === 'done') return null;
  const restMs = restsUntilMs(job);
  return nowMs < restMs ? restMs : (job.leaseUntilMs ?? nowMs + OUTBOX_DUE_MS);
}
