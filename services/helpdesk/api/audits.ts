// Audit entries of changes of keys and members go to the helpdesk's log. Keys and members are in core's table, which
// has no outbox. So an intent is written before the change and deleted once the entry exists; an intent that remains
// becomes an entry with an unknown outcome when the log is next read.
import type { AuditEntry } from '#lib/core/audit-log/audit-entry.ts';
import type { AuditIntents } from '#lib/core/audit-log/audit-log.ts';
import type { AuditPorts } from '#lib/core/audit-log/audited.ts';
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';

export function helpdeskAudits(
  intents: AuditIntents,
  { audit }: { readonly audit: Pick<HelpdeskStores['audit'], 'append'> },
): AuditPorts['config'] {
  const append = (entry: AuditEntry): Promise<void> => audit.append(helpdeskEntry(entry));
  return {
    beginAudit: (intent) => intents.beginAudit(intent),
    openAudits: (merchantId, beforeMs, limit) => intents.openAudits(merchantId, beforeMs, limit),
    appendAudit: append,
    async endAudit(intent, entries) {
      for (const entry of entries) await append(entry);
      await intents.forgetAudit(intent);
    },
  };
}

/** What was done, as the helpdesk's log says it. */
const DONE: Readonly<Record<string, string>> = {
  create: 'created',
  revoke: 'revoked',
  withdraw: 'withdrawn',
  join: 'joined',
  remove: 'removed',
};

function helpdeskEntry(entry: AuditEntry): HelpdeskAuditEntry {
  const { id, merchantId, atMs, actor, action, subject, outcome, request } = entry;
  // With an unknown outcome this is the operation id, which names no kind of record.
  const [type = null, verb = ''] = outcome === undefined ? action.split('.') : [];
  const role = /^role_(.+)$/.exec(verb)?.[1];
  const metadata = role === undefined ? { outcome } : { role };
  return {
    id,
    workspaceId: merchantId,
    atMs,
    action: type === null ? action : `${type}.${role === undefined ? (DONE[verb] ?? verb) : 'role_changed'}`,
    actor: {
      type: actor.startsWith('user:') ? 'user' : 'api_key',
      id: actor.slice(actor.indexOf(':') + 1),
      label: request?.callerName ?? actor,
    },
    source: 'server',
    resourceType: type,
    resourceId: subject === '' ? null : subject,
    changes: null,
    metadata: role === undefined && outcome === undefined ? null : JSON.stringify(metadata),
    ip: request?.ip ?? null,
    userAgent: request?.userAgent ?? null,
    requestId: request?.id ?? null,
  };
}
