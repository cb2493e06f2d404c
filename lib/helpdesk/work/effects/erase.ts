// An erasure becomes a job: a row that stays due until everything is deleted, and a pointer for the worker.
// Guarantees: one job per contact, however many callers ask for it; a running job is not restarted; a finished one
// starts again, because data written after it must go as well.
import { eraseJobId, newJob } from '../../domain/job.ts';
import type { OutboxEntry } from '../../domain/outbox.ts';
import type { DrainPorts } from '../drain.ts';
import { pendingOf } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export async function ensureErasure(
  workspaceId: string,
  { contactId, email, atMs }: Extract<OutboxEntry, { readonly kind: 'erase' }>,
  { stores, tasks, report }: DrainPorts,
): Promise<void> {
  const record = newJob({ id: eraseJobId(contactId), workspaceId, kind: 'erase', contactId, email }, atMs);
  const found = await stores.jobs.read(workspaceId, record.id);
  // This entry's own job, running or done, or the job of a later entry.
  if (found !== null && (found.record.status === 'running' || found.record.createdAtMs >= atMs)) return;
  const seen = found?.version ?? null;
  if (!(await stores.jobs.put(pendingOf(record, atMs, seen), seen))) return;
  await pointTo(tasks, { workspaceId, kind: 'erase', id: record.id }, workspaceId, report);
}
