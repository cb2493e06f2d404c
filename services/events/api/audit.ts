// The audit trail: who did what to which record.
import { noteAudit } from '../../../lib/core/audit-log/audited.ts';
import { actorOf, type Caller } from '../../../lib/core/tenancy/caller.ts';
import type { ApiPorts } from './ports.ts';

/** In a handler: the entry is written when it has answered. Elsewhere: at once. */
export async function audit(
  caller: Caller,
  action: string,
  subject: string,
  ports: Pick<ApiPorts, 'clock' | 'random' | 'config'>,
): Promise<void> {
  if (noteAudit(caller, action, subject)) return;
  const atMs = ports.clock.now();
  await ports.config.appendAudit({
    id: ports.random.uuidv7(atMs),
    merchantId: caller.merchantId,
    atMs,
    actor: actorOf(caller),
    action,
    subject,
  });
}
