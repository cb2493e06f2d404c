// One mail that was put aside, as it is stored.
import { derivedUuidv7 } from '../../lib/helpdesk/domain/account/derived-id.ts';
import type { AsideReason, SetAsideMail } from '../../lib/helpdesk/domain/mail/set-aside.ts';

export const setAsideMail = (
  workspaceId: string,
  reason: AsideReason,
  changes: Partial<SetAsideMail> = {},
): SetAsideMail => {
  const receivedAtMs = changes.receivedAtMs ?? Date.UTC(2026, 10, 20, 9);
  return {
    id: derivedUuidv7(receivedAtMs, workspaceId, reason, changes.originalKey ?? ''),
    workspaceId,
    reason,
    from: { address: 'jane@customer.example', name: 'Jane Doe' },
    customerEmail: null,
    subject: 'Broken lamp',
    receivedAtMs,
    originalKey: 'inbound/1',
    answersTicketId: null,
    ticketId: null,
    ...changes,
  };
};
