// Looks after a merchant's erasures and reconciliations: sends a message for each running one, in case its message was
// lost, and deletes those that have expired. Guarantees: bounded for any number of them: what is not deleted in one hour
// is in the next; one that makes progress ignores the message.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { isActive } from '#lib/events/domain/connections/incident.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { isStalled } from '#lib/events/domain/deliveries/task-work.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { RECONCILIATION_LIMITS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';
import type { IncidentStore } from '#lib/events/ports/incident-store.ts';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';

export interface TendPorts {
  readonly erasures: Pick<ErasureStore, 'listErasures' | 'expiredErasures' | 'deleteErasure'>;
  readonly reconciliations: Pick<
    ReconciliationStore,
    'listReconciliations' | 'expiredReconciliations' | 'deleteParts' | 'deleteReconciliation'
  >;
  readonly incidents: Pick<IncidentStore, 'listIncidents'>;
  readonly taskWork: MessageSender<TaskWork>;
  readonly clock: Clock;
}

const PAGE = 100;
/** More than a merchant requests while rows cannot be read. */
const PAGES_MAX = 20;
const EXPIRED_MAX = 20;
const PIECES_MAX = 25;
/** Per reconciliation and hour: ten times the parts of one that ends in one step. */
const DELETIONS_MAX = 20;

/** Returns how many messages it sent. */
export async function tendErasures(
  merchantId: string,
  { erasures, taskWork, clock }: Omit<TendPorts, 'reconciliations' | 'incidents'>,
): Promise<number> {
  const nowMs = clock.now();
  let sent = 0;
  let before: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await erasures.listErasures(merchantId, PAGE, before);
    const running = page.filter(({ state, notBeforeMs }) => state === 'running' && notBeforeMs <= nowMs);
    const work = running.map(({ id }) => ({ merchant: merchantId, erasure: id }));
    if (work.length > 0) await taskWork.send(byTenant(work));
    sent += work.length;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) break;
    before = last.id;
  }
  for (const { id } of await erasures.expiredErasures(merchantId, nowMs, PAGE))
    await erasures.deleteErasure(merchantId, id);
  return sent;
}

/** Deletes also what was never stored whole, and all parts. Returns how many messages it sent. */
export async function tendReconciliations(
  merchantId: string,
  { reconciliations, taskWork, clock }: Omit<TendPorts, 'erasures' | 'incidents'>,
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

/** Those whose next look is long overdue: its message was lost. Returns how many messages it sent. */
export async function tendIncidents(
  merchantId: string,
  { incidents, taskWork, clock }: Pick<TendPorts, 'incidents' | 'taskWork' | 'clock'>,
): Promise<number> {
  const nowMs = clock.now();
  const late = (await incidents.listIncidents(merchantId)).filter(
    (one) => isActive(one) && isStalled(one, nowMs),
  );
  const work = late.map(({ kind, subject, version }) => ({
    merchant: merchantId,
    incident: kind,
    subject,
    version,
  }));
  if (work.length > 0) await taskWork.send(byTenant(work));
  return work.length;
}
