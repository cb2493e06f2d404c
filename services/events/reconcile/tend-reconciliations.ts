// Looks after a merchant's reconciliations: sends a message for each running one, in case its message was lost, and
// deletes those that have expired, or were never stored whole, with all their parts. Guarantees: bounded for any number
// of them: what is not deleted in one hour is in the next; a reconciliation that makes progress ignores the message.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { RECONCILIATION_LIMITS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';

export interface TendReconciliationPorts {
  readonly reconciliations: Pick<
    ReconciliationStore,
    'listReconciliations' | 'expiredReconciliations' | 'deleteParts' | 'deleteReconciliation'
  >;
  readonly taskWork: MessageSender<TaskWork>;
  readonly clock: Clock;
}

const EXPIRED_MAX = 20;
const PIECES_MAX = 25;
/** Per job and hour: ten times the parts of a reconciliation that ends in one step. */
const DELETIONS_MAX = 20;

/** Returns how many messages it sent. */
export async function tendReconciliations(
  merchantId: string,
  { reconciliations, taskWork, clock }: TendReconciliationPorts,
): Promise<number> {
  const { keptMax } = RECONCILIATION_LIMITS;
  const kept = await reconciliations.listReconciliations(merchantId, keptMax);
  const running = kept.filter(({ state }) => state === 'running');
  const work = running.map(({ id }) => ({ merchant: merchantId, reconciliation: id }));
  if (work.length > 0) await taskWork.send(byTenant(work));
  const nowMs = clock.now();
  // If there are more than a merchant may have, this page lacks the older ones.
  const others =
    kept.length < keptMax ? [] : await reconciliations.expiredReconciliations(merchantId, nowMs, EXPIRED_MAX);
  const expired = [...kept, ...others].filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
  for (const id of [...new Set(expired.map((job) => job.id))].slice(-EXPIRED_MAX)) {
    for (let round = 0; round < DELETIONS_MAX; round++) {
      if (!(await reconciliations.deleteParts(merchantId, id, PIECES_MAX))) continue;
      await reconciliations.deleteReconciliation(merchantId, id);
      break;
    }
  }
  return running.length;
}
