// A job in one worker's hands. Guarantees: each write is on the condition that nobody else wrote it meanwhile; who lost it learns
// it from null and stops; a job whose worker died is free again when its lease ends.
import type { Job } from '../../../lib/helpdesk/domain/job.ts';
import type { Stored } from '../../../lib/helpdesk/domain/outbox.ts';
import { carryOut } from '../../../lib/helpdesk/work/drain.ts';
import { pointTo } from '../../../lib/helpdesk/work/effects/point-to.ts';
import { OUTBOX_DUE_MS } from '../../../lib/helpdesk/work/stored-of.ts';
import type { TaskPorts } from './ports.ts';

/** Longer than a function lasts. */
const LEASE_MS = 120_000;

export type HeldJob = Stored<Job>;

/** Null where there is nothing to do, or somebody does it. What its end left to be told is told on the way. */
export async function claimJob(
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  ports: TaskPorts,
): Promise<HeldJob | null> {
  const { stores, clock } = ports;
  const stored = await stores.jobs.read(workspaceId, id);
  if (stored === null) return null;
  if (stored.outbox.length > 0) await carryOut(stores.jobs, stored, ports);
  const { record } = stored;
  const nowMs = clock.now();
  const isHeld = record.leaseUntilMs !== null && record.leaseUntilMs > nowMs;
  if (record.status === 'done' || isHeld) return null;
  // It rests until then.
  if (record.leaseUntilMs === null && stored.dueAtMs !== null && isResting(record, nowMs)) return null;
  return await writeJob({ ...stored, outbox: [] }, { leaseUntilMs: nowMs + LEASE_MS }, ports);
}

/** A first pass is followed by a last one, once whatever was under way when the erasure began has ended. */
const SETTLED_MS = 180_000;
const isResting = ({ kind, pass, createdAtMs }: Job, nowMs: number): boolean =>
  kind === 'erase' && pass > 0 && nowMs < createdAtMs + SETTLED_MS;

/** The job as it is written; null where somebody else wrote it. */
export async function writeJob(
  { record, version }: HeldJob,
  changes: Partial<Job>,
  { stores, clock }: TaskPorts,
): Promise<HeldJob | null> {
  const next: Job = { ...record, ...changes, updatedAtMs: clock.now() };
  const stored: HeldJob = {
    record: next,
    version: version + 1,
    outbox: [],
    dueAtMs: dueAtMs(next, clock.now()),
  };
  return (await stores.jobs.put(stored, version)) ? stored : null;
}

function dueAtMs(job: Job, nowMs: number): number | null {
  if (job.status === 'done') return null;
  if (isResting(job, nowMs)) return job.createdAtMs + SETTLED_MS;
  return job.leaseUntilMs ?? nowMs + OUTBOX_DUE_MS;
}

/** Lets it go and tells the next worker. */
export async function goOn(held: HeldJob, ports: TaskPorts): Promise<void> {
  const free = await writeJob(held, { leaseUntilMs: null }, ports);
  if (free === null || isResting(free.record, ports.clock.now())) return;
  const { workspaceId, kind, id } = free.record;
  await pointTo(ports.tasks, { workspaceId, kind, id }, workspaceId, ports.report);
}
