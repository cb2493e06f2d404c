// What is to be done with a record that is due and from which nothing must follow any more. Pure.
import type { Account } from '../../../lib/helpdesk/domain/account.ts';
import { accountConfigOf } from '../../../lib/helpdesk/domain/account-config.ts';
import type { Delivery } from '../../../lib/helpdesk/domain/delivery.ts';
import type { Job } from '../../../lib/helpdesk/domain/job.ts';
import type { OutboundMail } from '../../../lib/helpdesk/domain/mail.ts';
import type { Run } from '../../../lib/helpdesk/domain/run.ts';

const PUT_OFF_MIN_MS = 60_000;
const PUT_OFF_MAX_MS = 3_600_000;

/** `rest`: nobody works on it any more, so it is due no more. */
export type Turn =
  | { readonly kind: 'rest' }
  /** A worker is told, and told again at `untilMs`; null: at each sweep while it is due. */
  | { readonly kind: 'tell'; readonly groupId: string; readonly untilMs: number | null };

const REST: Turn = { kind: 'rest' };

export const turnOfRun = ({ status, workspaceId, startedAtMs, createdAtMs }: Run, nowMs: number): Turn =>
  status === 'pending' || status === 'running'
    ? { kind: 'tell', groupId: workspaceId, untilMs: putOffUntil(startedAtMs ?? createdAtMs, nowMs) }
    : REST;

export const turnOfDelivery = (
  { status, webhookId, nextAttemptAtMs, updatedAtMs }: Delivery,
  nowMs: number,
): Turn =>
  status === 'pending'
    ? { kind: 'tell', groupId: webhookId, untilMs: putOffUntil(nextAttemptAtMs ?? updatedAtMs, nowMs) }
    : REST;

/** Its worker reads from the due time when the next attempt is: nobody else may move it. */
export const turnOfMail = ({ status, workspaceId }: OutboundMail): Turn =>
  status === 'pending' || status === 'sending' || status === 'unknown'
    ? { kind: 'tell', groupId: workspaceId, untilMs: null }
    : REST;

export const turnOfJob = ({ status, workspaceId, updatedAtMs }: Job, nowMs: number): Turn =>
  status === 'running'
    ? { kind: 'tell', groupId: workspaceId, untilMs: putOffUntil(updatedAtMs, nowMs) }
    : REST;

/** A workspace that keeps tickets for so many days only is looked through each day; its worker says when next. */
export const turnOfAccount = (account: Account, nowMs: number): Turn =>
  accountConfigOf(account).retentionDays === null
    ? REST
    : { kind: 'tell', groupId: account.workspaceId, untilMs: nowMs + PUT_OFF_MAX_MS };

/** The longer it waits the longer it is left alone, so that a backlog does not multiply. */
function putOffUntil(sinceMs: number, nowMs: number): number {
  return nowMs + Math.min(PUT_OFF_MAX_MS, Math.max(PUT_OFF_MIN_MS, nowMs - sinceMs));
}
