// What to do with a due record whose outbox is empty. Pure.
import { growingWait } from '#lib/core/work/retry-policy.ts';
import type { Account } from '#lib/helpdesk/domain/account/account.ts';
import { accountConfigOf } from '#lib/helpdesk/domain/account/config.ts';
import type { Job } from '#lib/helpdesk/domain/job.ts';
import type { OutboundMail } from '#lib/helpdesk/domain/mail/mail.ts';
import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import type { Delivery } from '#lib/helpdesk/domain/webhooks/delivery.ts';

/** The longer it has waited, the later the next pointer, so that a backlog does not multiply. */
const PUT_OFF = { share: 1, minMs: 60_000, maxMs: 3_600_000 };

/** Send a pointer now, and again at `untilMs`; null: at each sweep while it is due. No turn: it is not due any more. */
export interface Turn {
  readonly groupId: string;
  readonly untilMs: number | null;
}

export const turnOfRun = (
  { status, workspaceId, startedAtMs, createdAtMs }: Run,
  nowMs: number,
): Turn | null =>
  status === 'pending' || status === 'running'
    ? { groupId: workspaceId, untilMs: putOffUntil(startedAtMs ?? createdAtMs, nowMs) }
    : null;

export const turnOfDelivery = (
  { status, webhookId, nextAttemptAtMs, updatedAtMs }: Delivery,
  nowMs: number,
): Turn | null =>
  status === 'pending'
    ? { groupId: webhookId, untilMs: putOffUntil(nextAttemptAtMs ?? updatedAtMs, nowMs) }
    : null;

/** The worker takes the time of the next attempt from the due time, so no other process may change it. */
export const turnOfMail = ({ status, workspaceId }: OutboundMail): Turn | null =>
  status === 'pending' || status === 'sending' || status === 'unknown'
    ? { groupId: workspaceId, untilMs: null }
    : null;

export const turnOfJob = ({ status, workspaceId, updatedAtMs }: Job, nowMs: number): Turn | null =>
  status === 'running' ? { groupId: workspaceId, untilMs: putOffUntil(updatedAtMs, nowMs) } : null;

/** A workspace with a retention is purged each day; its worker sets the next time. */
export const turnOfAccount = (account: Account, nowMs: number): Turn | null =>
  accountConfigOf(account).retentionDays === null
    ? null
    : { groupId: account.workspaceId, untilMs: nowMs + PUT_OFF.maxMs };

const putOffUntil = (sinceMs: number, nowMs: number): number => nowMs + growingWait(PUT_OFF, nowMs - sinceMs);
