// A whole audit at once: what the schedule and the queue do one after another, over a queue in memory.
import type { Clock } from '../../lib/core/ports/clock.ts';
import { beginRecount } from '../../services/events/reconcile/list-merchants.ts';
import type { RecountMessage } from '../../services/events/reconcile/message.ts';
import type { ReconcilePorts } from '../../services/events/reconcile/ports.ts';
import { type ReconcileReport, sumReports } from '../../services/events/reconcile/report.ts';
import { createReconcileStage } from '../../services/events/reconcile/stage.ts';
import { createMemoryQueue, type MemoryQueue } from './memory/queue.ts';

export type RecountRunPorts = Omit<ReconcilePorts, 'recounts'>;

/** Begins an audit and works its queue until nothing is left that can be received. */
export async function recountAll(
  ports: RecountRunPorts,
  recounts: MemoryQueue<RecountMessage> = createRecountQueue(ports.clock),
): Promise<ReconcileReport> {
  await beginRecount({ ...ports, recounts });
  return await workRecounts(ports, recounts);
}

export async function workRecounts(
  ports: RecountRunPorts,
  recounts: MemoryQueue<RecountMessage>,
): Promise<ReconcileReport> {
  const reports: ReconcileReport[] = [];
  const stage = createReconcileStage({ ...ports, recounts }, (report) => void reports.push(report));
  for (;;) {
    const [message] = recounts.receive(1);
    if (message === undefined) return sumReports(reports);
    const { failedIndexes } = await stage([message]);
    if (failedIndexes.length === 0) recounts.remove(message.receipt);
  }
}

export const createRecountQueue = (clock: Clock): MemoryQueue<RecountMessage> =>
  createMemoryQueue<RecountMessage>({ clock });
