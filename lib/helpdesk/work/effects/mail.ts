// A public reply becomes one outbound mail. Guarantees: one row per message, however often this runs.
import type { OutboundMail } from '../../domain/mail/mail.ts';
import type { OutboxEntry } from '../../domain/outbox.ts';
import type { DrainPorts } from '../drain.ts';
import { pendingOf } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export async function ensureMail(
  workspaceId: string,
  { messageId, ticketId, atMs }: Extract<OutboxEntry, { kind: 'mail' }>,
  { stores, mails, report }: DrainPorts,
): Promise<void> {
  const record = {
    id: messageId,
    workspaceId,
    ticketId,
    status: 'pending',
    attempts: 0,
    providerId: null,
    error: null,
    leaseUntilMs: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  } as const;
  const isNew = await stores.mails.put(pendingOf<OutboundMail>(record, atMs), null);
  if (isNew) await pointTo(mails, { workspaceId, id: messageId }, workspaceId, report);
}
