// Looks after a merchant's erasures: sends a message for each running one, in case its message was lost, and deletes
// expired receipts. Guarantees: bounded for any number of them; an erasure that makes progress ignores the message.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';

export interface TendPorts {
  readonly erasures: Pick<ErasureStore, 'listErasures' | 'expiredErasures' | 'deleteErasure'>;
  readonly taskWork: MessageSender<TaskWork>;
  readonly clock: Clock;
}

const PAGE = 100;
/** More than a merchant requests while rows cannot be read. */
const PAGES_MAX = 20;

export async function tendErasures(
  merchantId: string,
  { erasures, taskWork, clock }: TendPorts,
): Promise<number> {
  const nowMs = clock.now();
  let told = 0;
  let before: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await erasures.listErasures(merchantId, PAGE, before);
    const running = page.filter(({ state, notBeforeMs }) => state === 'running' && notBeforeMs <= nowMs);
    const work = running.map(({ id }) => ({ merchant: merchantId, erasure: id }));
    if (work.length > 0) await taskWork.send(byTenant(work));
    told += work.length;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) break;
    before = last.id;
  }
  for (const { id } of await erasures.expiredErasures(merchantId, nowMs, PAGE))
    await erasures.deleteErasure(merchantId, id);
  return told;
}
