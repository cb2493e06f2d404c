// A public reply becomes one outbound mail. Guarantees: one row per message, however often this runs.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { OutboundMail } from '../../domain/mail/mail.ts';
import type { OutboxEntry } from '../../domain/outbox.ts';
import type { HelpdeskStores } from '../../ports/stores.ts';
import { pendingOf } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export interface MailPorts {
  readonly stores: Pick<HelpdeskStores, 'mails'>;
  readonly mails: MessageSender<{ readonly workspaceId: string; readonly id: string }>;
  readonly report: (problem: string, error: unknown) => void;
}

export async function ensureMail(
  workspaceId: string,
  { messageId, ticketId, atMs }: Extract<OutboxEntry, { kind: 'mail' }>,
  { stores, mails, report }: MailPorts,
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
