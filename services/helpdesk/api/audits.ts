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

const ACTIONS: Readonly<Record<string, string>> = {
  'api_key.create': 'api_key.created',
  'api_key.revoke': 'api_key.revoked',
  'invitation.create': 'invitation.created',
  'invitation.withdraw': 'invitation.withdrawn',
  'member.join': 'member.joined',
  'member.remove': 'member.removed',
  'member.role_viewer': 'member.role_changed',
  'member.role_agent': 'member.role_changed',
  'member.role_member': 'member.role_changed',
  'member.role_admin': 'member.role_changed',
  'member.role_owner': 'member.role_changed',
};

function helpdeskEntry(entry: AuditEntry): HelpdeskAuditEntry {
  const { id, merchantId, atMs, actor, subject, outcome, request } = entry;
  // With an unknown outcome this is the operation id, which names no kind of record.
  const [type] = outcome === undefined ? entry.action.split('.') : [];
  const metadata = metadataOf(entry);
  return {
    id,
    workspaceId: merchantId,
    atMs,
    action: ACTIONS[entry.action] ?? entry.action,
    actor: {
      type: actor.startsWith('user:') ? 'user' : 'api_key',
      id: actor.slice(actor.indexOf(':') + 1),
      label: request?.callerName ?? actor,
    },
    source: 'server',
    resourceType: type ?? null,
    resourceId: subject === '' ? null : subject,
    changes: null,
    metadata: metadata === null ? null : JSON.stringify(metadata),
    ip: request?.ip ?? null,
    userAgent: request?.userAgent ?? null,
    requestId: request?.id ?? null,
  };
}

function metadataOf({ action, outcome }: AuditEntry): Readonly<Record<string, unknown>> | null {
  if (outcome !== undefined) return { outcome };
  const [, role] = /^member\.role_(.+)$/.exec(action) ?? [];
  return role === undefined ? null : { role };
}
