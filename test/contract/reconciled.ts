// Reconciliations through the API, worked by the task stage on the same stores.
import type { MemberRole } from '../../lib/core/tenancy/role.ts';
import { createReconciliation } from '../../lib/events/routes/orders/reconciliations.ts';
import { createTaskStage } from '../../services/events/tasks/stage.ts';
import { LOOKUPS } from '../support/erasing.ts';
import { createMemoryAttributionStore } from '../support/memory/attribution-store.ts';
import { createMemoryErasureStore } from '../support/memory/erasure-store.ts';
import { createMemoryIncidentStore } from '../support/memory/incident-store.ts';
import { type ApiHost, bodyOf } from './api-host.ts';
import { normalizedRow, store } from './stored-rows.ts';

export interface Whose {
  readonly owner: 'mine' | 'theirs';
  readonly merchantId: string;
}

/** An order whose event Meta refused, one that nobody sent, and a reconciliation of both; its id. */
export async function reconciled(host: ApiHost, { owner, merchantId }: Whose): Promise<string> {
  const role: MemberRole = 'owner';
  const token = host.session(role, owner);
  const delivery = {
    state: 'FAILED',
    attempts: 1,
    unknowns: 0,
    updatedAtMs: host.clock.now(),
    history: [],
  } as const;
  const event = { orderId: 'order-77' };
  await store(
    host.events,
    normalizedRow({ eventId: 'e-77', merchantId, event, deliveries: { meta: delivery } }),
  );
  const orders = [{ order_id: 'order-77' }, { order_id: 'order-78' }];
  const request = { method: 'POST', token, body: { orders } };
  // What was received before is in the index: nobody waits.
  const url = `/v1/reconciliations?end=${host.clock.now() - 20_000}`;
  const { id } = bodyOf(createReconciliation, await host.call(url, request)).reconciliation;
  await finishReconciliations(host);
  return id;
}

export async function finishReconciliations(host: ApiHost): Promise<void> {
  const { ports, taskWork, clock } = host;
  const stage = createTaskStage({
    erasures: createMemoryErasureStore(),
    reconciliations: ports.reconciling.jobs,
    incidents: createMemoryIncidentStore(),
    events: host.events,
    batches: host.batches,
    people: createMemoryAttributionStore(),
    counters: ports.counters,
    vault: ports.vault,
    eventVault: ports.eventVault,
    lookups: LOOKUPS,
    config: host.config,
    platforms: ports.platforms,
    transport: ports.transport,
    notices: async () => null,
    work: taskWork,
    clock,
    report: ports.report,
  });
  for (let [message] = taskWork.receive(1); message !== undefined; [message] = taskWork.receive(1)) {
    await stage([message]);
    taskWork.remove(message.receipt);
  }
}
