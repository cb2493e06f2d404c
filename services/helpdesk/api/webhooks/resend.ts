// Sends a delivery once more because somebody asks for it. Guarantees: the same event id, so that a receiver that had it knows;
// the attempt that is being made meanwhile stays the only one.
import { CONFLICT, retryConflicts } from '../../../../lib/core/work/retry-conflicts.ts';
import type { Delivery } from '../../../../lib/helpdesk/domain/delivery.ts';
import { begunAnew, dueAtOf, readiness } from '../../../../lib/helpdesk/domain/delivery-attempt.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

const TRIES_MAX = 5;

/** Null where there is none; `test` where it was one. */
export async function resend(
  workspaceId: string,
  id: string,
  ports: HelpdeskApiPorts,
): Promise<Delivery | 'test' | null> {
  const { stores, clock } = ports;
  const begun = await retryConflicts({ what: 'a delivery', triesMax: TRIES_MAX }, async () => {
    const stored = await stores.deliveries.read(workspaceId, id);
    if (stored === null) return null;
    if (stored.record.status === 'test') return 'test';
    const nowMs = clock.now();
    if (readiness(stored.record, nowMs) === 'busy') return { record: stored.record, isBegun: false };
    const record = begunAnew(stored.record, nowMs);
    const next = { ...stored, record, version: stored.version + 1, dueAtMs: dueAtOf(record, nowMs) };
    return (await stores.deliveries.put(next, stored.version)) ? { record, isBegun: true } : CONFLICT;
  });
  if (begun === null || begun === 'test') return begun;
  if (begun.isBegun) await point(begun.record, ports);
  return begun.record;
}

async function point(
  { workspaceId, id, webhookId }: Delivery,
  { deliveries, report }: HelpdeskApiPorts,
): Promise<void> {
  try {
    await deliveries.send([{ body: { workspaceId, id }, groupId: webhookId }]);
  } catch (error) {
    report('a pointer of a delivery was not sent; the sweep sends it', error);
  }
}
