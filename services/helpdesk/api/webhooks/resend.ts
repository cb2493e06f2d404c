// Sends a delivery again at a caller's request. Guarantees: the same event id, so that a receiver can deduplicate; an
// attempt in progress stays the only one.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Delivery } from '#lib/helpdesk/domain/webhooks/delivery.ts';
import { begunAnew, dueAtOf, readiness } from '#lib/helpdesk/domain/webhooks/delivery-attempt.ts';
import { pointTo } from '#lib/helpdesk/work/effects/point-to.ts';
import { replaced } from '#lib/helpdesk/work/stored-of.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

/** Null if it does not exist; `test` if it was a test. */
export async function resend(
  workspaceId: string,
  id: string,
  ports: HelpdeskApiPorts,
): Promise<Delivery | 'test' | null> {
  const { stores, clock } = ports;
  const begun = await retryConflicts({ what: 'a delivery' }, async () => {
    const stored = await stores.deliveries.read(workspaceId, id);
    if (stored === null) return null;
    if (stored.record.status === 'test') return 'test';
    const nowMs = clock.now();
    if (readiness(stored.record, nowMs) === 'busy') return { record: stored.record, isBegun: false };
    const record = begunAnew(stored.record, nowMs);
    const written = await replaced(stores.deliveries, stored, record, dueAtOf(record, nowMs));
    return written === null ? CONFLICT : { record, isBegun: true };
  });
  if (begun === null || begun === 'test') return begun;
  if (begun.isBegun)
    await pointTo(ports.deliveries, { workspaceId, id }, begun.record.webhookId, ports.report);
  return begun.record;
}
