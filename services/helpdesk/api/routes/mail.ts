// Mails that became no message. Guarantees: what is accepted is taken in by the worker of mails, as if it had come just now, and
// once, however often it is asked for.
import type { Handlers } from '#lib/core/http/handler.ts';
import { auditEntry } from '#lib/helpdesk/domain/audit/audit.ts';
import { ASIDE_KEPT_MS, canBeAccepted, type SetAsideMail } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { iso } from '#lib/helpdesk/domain/wire-views.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { MAIL_ROUTES } from '#lib/helpdesk/routes/mail.ts';
import { listed } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

export function mailHandlers(ports: HelpdeskApiPorts): Handlers<(typeof MAIL_ROUTES)[number]> {
  const { stores, acceptedMails, clock, random } = ports;
  return {
    async listSetAsideMail({ caller, query: { limit, offset } }) {
      const { mails, total } = await stores.setAside.list(caller.merchantId, { limit, offset });
      return listed({ mails: mails.map(viewOf), total, limit, offset }, { isCapped: total >= TOTAL_MAX });
    },

    async acceptSetAsideMail(call) {
      const { id } = call.params;
      const workspaceId = call.caller.merchantId;
      const mail = await stores.setAside.read(workspaceId, id);
      if (mail === null || acceptedMails === null) return { failure: 'not_found' };
      if (mail.ticketId === null) {
        if (!canBeAccepted(mail)) return { failure: 'conflict' };
        const atMs = clock.now();
        const act = { action: 'mail.accepted', resourceType: 'mail', resourceId: id } as const;
        await stores.audit.append(auditEntry(call, act, { id: random.uuidv7(atMs), atMs }));
        await acceptedMails.send([{ body: { accepted: { workspaceId, id } }, groupId: workspaceId }]);
      }
      return { status: 202, body: { success: true, id } };
    },
  };
}

const viewOf = (mail: SetAsideMail) => ({
  id: mail.id,
  reason: mail.reason,
  from: mail.from === null ? null : { email: mail.from.address, name: mail.from.name },
  reply_to: mail.customerEmail,
  subject: mail.subject,
  received_at: iso(mail.receivedAtMs),
  expires_at: iso(mail.receivedAtMs + ASIDE_KEPT_MS),
  answers_ticket_id: mail.answersTicketId,
  acceptable: mail.ticketId === null && canBeAccepted(mail),
  ticket_id: mail.ticketId,
});
