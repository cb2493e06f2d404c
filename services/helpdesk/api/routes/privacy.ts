// Export and erasure of a contact. Guarantees: an export is in the audit log before it is answered; an accepted erasure
// is carried out even if this request dies: its job is a record that stays due until it is done; a second request while
// it runs returns the same job.
import type { Call, Handlers } from '#lib/core/http/handler.ts';
import { auditEntry } from '#lib/helpdesk/domain/audit/audit.ts';
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import { eraseJobId } from '#lib/helpdesk/domain/job.ts';
import { auditView, contactView } from '#lib/helpdesk/domain/wire-views.ts';
import type { eraseContact, exportContact, PRIVACY_ROUTES } from '#lib/helpdesk/routes/privacy.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { invalid, NOT_FOUND } from '../answers.ts';
import { scanAudit } from '../audit-scan.ts';
import { exportPage, exportPosition } from '../contacts/export.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { createSealedCursor } from '../sealed-cursor.ts';

const EVENTS_MAX = 100;

export function privacyHandlers(ports: HelpdeskApiPorts): Handlers<(typeof PRIVACY_ROUTES)[number]> {
  const cursors = createSealedCursor('export', exportPosition, ports.vault);
  const { stores } = ports;
  return {
    async exportContact(call) {
      const workspaceId = call.caller.merchantId;
      const contactId = call.params.id;
      const { cursor } = call.query;
      const position = cursor === undefined ? undefined : await cursors.read(workspaceId, contactId, cursor);
      if (position === null) return invalid('cursor', 'must come from a page of this very export');
      const stored = await stores.contacts.read(workspaceId, contactId);
      if (stored === null) return NOT_FOUND;
      const isFirst = position === undefined;
      if (isFirst) await stores.audit.append(exported(call, ports));
      const { next, ...page } = await exportPage({ workspaceId, contactId }, position, ports);
      return {
        status: 200,
        body: {
          success: true,
          contact: contactView(stored.record),
          ...page,
          events: isFirst ? await eventsOf(workspaceId, contactId, ports) : [],
          next_cursor: next === null ? null : await cursors.write(workspaceId, contactId, next),
        },
      };
    },

    async eraseContact(call) {
      const workspaceId = call.caller.merchantId;
      const { id } = call.params;
      const stored = await stores.contacts.read(workspaceId, id);
      if (stored === null) return NOT_FOUND;
      await beginErasure(call, stored.record, ports);
      return { status: 202, body: { success: true, id } };
    },
  };
}

function exported(call: Call<typeof exportContact>, { clock, random }: HelpdeskApiPorts) {
  const atMs = clock.now();
  const what = { action: 'contact.exported', resourceType: 'contact', resourceId: call.params.id };
  return auditEntry(call, what, { id: random.uuidv7(atMs), atMs });
}

async function eventsOf(workspaceId: string, contactId: string, { stores }: HelpdeskApiPorts) {
  const page = { skip: 0, limit: EVENTS_MAX, facets: [], counts: false };
  const { entries } = await scanAudit(workspaceId, { resource_id: contactId }, page, stores.audit);
  return entries.map(auditView);
}

/** Commits the contact with the erasure in its outbox, which creates the job. */
async function beginErasure(
  call: Call<typeof eraseContact>,
  { workspaceId, id: contactId }: Contact,
  ports: HelpdeskApiPorts,
): Promise<void> {
  const { clock, random, stores } = ports;
  const running = await stores.jobs.read(workspaceId, eraseJobId(contactId));
  if (running?.record.status === 'running') return;
  await change<Contact, null>(
    stores.contacts,
    { workspaceId, id: contactId },
    (stored) => {
      // Erased in the meantime.
      if (stored === null) return { result: null };
      const atMs = clock.now();
      const what = { action: 'contact.deleted', resourceType: 'contact', resourceId: contactId };
      return {
        record: stored.record,
        outbox: [
          { kind: 'audit', entry: auditEntry(call, what, { id: random.uuidv7(atMs), atMs }) },
          { kind: 'erase', contactId, email: stored.record.email, atMs },
        ],
        result: null,
      };
    },
    ports,
  );
}
