// An entry of the audit log as callers see it.
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import { iso } from '#lib/helpdesk/domain/wire-views.ts';

export function auditView(entry: HelpdeskAuditEntry) {
  const { id, atMs, action, actor, source, resourceType, resourceId, ip, userAgent, requestId } = entry;
  return {
    id,
    created_at: iso(atMs),
    action,
    actor: { type: actor.type, id: actor.id, label: actor.label },
    source,
    resource_type: resourceType,
    resource_id: resourceId,
    changes: freeForm(entry.changes),
    metadata: freeForm(entry.metadata),
    ip,
    user_agent: userAgent,
    request_id: requestId,
  };
}

const freeForm = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>);
