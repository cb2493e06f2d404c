// The audit trail as handlers write it: who did what to which record.
import { actorOf, type Caller } from '../tenancy/caller.ts';
import { type AuditPorts, noteAudit } from './audited.ts';

/** In an audited handler: the entry is written when it has answered. Elsewhere: at once. */
export async function audit(
  caller: Caller,
  action: string,
  subject: string,
  ports: Pick<AuditPorts, 'clock' | 'random'> & {
    readonly config: Pick<AuditPorts['config'], 'appendAudit'>;
  },
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
