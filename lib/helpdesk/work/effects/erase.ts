// An erasure becomes a job: a row that stays due until nothing is left, and a pointer for whoever works on it.
// Guarantees: one job per contact, whoever begins it; one that runs is left to whoever works on it, one that is done begins
// anew, because what was written after it has to go as well.
import type { MessageSender } from '../../../core/ports/queue.ts';
import { eraseJobId, type Job, NO_JOB_COUNTS } from '../../domain/job.ts';
import type { OutboxEntry } from '../../domain/outbox.ts';
import type { HelpdeskStores } from '../../ports/stores.ts';
import { OUTBOX_DUE_MS } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export interface ErasePorts {
  readonly stores: Pick<HelpdeskStores, 'jobs'>;
  readonly tasks: MessageSender<{ readonly workspaceId: string; readonly id: string; readonly kind: string }>;
  readonly report: (problem: string, error: unknown) => void;
}

export async function ensureErasure(
  workspaceId: string,
  { contactId, email, atMs }: Extract<OutboxEntry, { readonly kind: 'erase' }>,
  { stores, tasks, report }: ErasePorts,
): Promise<void> {
  const record: Job = {
    id: eraseJobId(contactId),
    workspaceId,
    kind: 'erase',
    status: 'running',
    contactId,
    email,
    phase: 'tickets',
    cursor: null,
    pass: 0,
    counts: NO_JOB_COUNTS,
    leaseUntilMs: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    completedAtMs: null,
  };
  const found = await stores.jobs.read(workspaceId, record.id);
  // One that this very entry began, whether it runs or is done, or a later one did.
  if (found !== null && (found.record.status === 'running' || found.record.createdAtMs >= atMs)) return;
  const seen = found?.version ?? null;
  const stored = { record, version: (seen ?? 0) + 1, outbox: [], dueAtMs: atMs + OUTBOX_DUE_MS };
  if (!(await stores.jobs.put(stored, seen))) return;
  await pointTo(tasks, { workspaceId, kind: 'erase', id: record.id }, workspaceId, report);
}
