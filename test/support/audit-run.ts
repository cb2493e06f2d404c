// A whole audit at once: what the schedule and the queue do one after another, over a queue in memory.
import type { Clock } from '../../lib/core/ports/clock.ts';
import { beginAudit } from '../../services/events/reconcile/list-merchants.ts';
import type { AuditMessage } from '../../services/events/reconcile/message.ts';
import type { ReconcilePorts } from '../../services/events/reconcile/ports.ts';
import { type ReconcileReport, sumReports } from '../../services/events/reconcile/report.ts';
import { createReconcileStage } from '../../services/events/reconcile/stage.ts';
import { createMemoryQueue, type MemoryQueue } from './memory/queue.ts';

export type AuditPorts = Omit<ReconcilePorts, 'audits'>;

/** Begins an audit and works its queue until nothing is left that can be received. */
export async function auditAll(
  ports: AuditPorts,
  audits: MemoryQueue<AuditMessage> = createAuditQueue(ports.clock),
): Promise<ReconcileReport> {
  await beginAudit({ ...ports, audits });
  return await workAudits(ports, audits);
}

export async function workAudits(
  ports: AuditPorts,
  audits: MemoryQueue<AuditMessage>,
): Promise<ReconcileReport> {
  const reports: ReconcileReport[] = [];
  const stage = createReconcileStage({ ...ports, audits }, (report) => void reports.push(report));
  for (;;) {
    const [message] = audits.receive(1);
    if (message === undefined) return sumReports(reports);
    const { failedIndexes } = await stage([message]);
    if (failedIndexes.length === 0) audits.remove(message.receipt);
  }
}

export const createAuditQueue = (clock: Clock): MemoryQueue<AuditMessage> =>
  createMemoryQueue<AuditMessage>({ clock });
