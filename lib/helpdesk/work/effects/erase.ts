// An erasure becomes a job: a row that stays due until nothing is left, and a pointer for whoever works on it.
// Guarantees: one job per contact, whoever begins it; one that runs is left to whoever works on it, one that is done begins
// anew, because what was written after it has to go as well.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { eraseJobId, newJob } from '../../domain/job.ts';
import type { OutboxEntry } from '../../domain/outbox.ts';
import type { HelpdeskStores } from '../../ports/stores.ts';
import { pendingOf } from '../stored-of.ts';
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
  const record = newJob({ id: eraseJobId(contactId), workspaceId, kind: 'erase', contactId, email }, atMs);
  const found = await stores.jobs.read(workspaceId, record.id);
  // One that this very entry began, whether it runs or is done, or a later one did.
  if (found !== null && (found.record.status === 'running' || found.record.createdAtMs >= atMs)) return;
  const seen = found?.version ?? null;
  if (!(await stores.jobs.put(pendingOf(record, atMs, seen), seen))) return;
  await pointTo(tasks, { workspaceId, kind: 'erase', id: record.id }, workspaceId, report);
}
