// What happens to a mail on its way, as pure steps. Guarantees: the provider is asked by whoever wrote the claim, and by nobody
// else while the lease lasts; a mail whose fate is unknown is asked for again once at most, and only after the provider's
// own notice of the first has had time to come. Such a second request is the one way to two mails for one reply.
import type { OutboundMail } from './mail.ts';

/** Longer than a worker runs, so that nobody asks while the first one may still. */
export const LEASE_MS = 120_000;
/** SES tells of a mail it took within seconds; this long nobody asks again. */
export const UNKNOWN_WAIT_MS = 15 * 60_000;
const REPEATS_MAX = 1;
/** A mail that is not taken for so long is not sent any more. */
export const GIVE_UP_MS = 24 * 3_600_000;
const BACKOFF_MS = [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000];

/** A mail as it is to be written, and when it must be looked at again. */
export interface MailStep {
  readonly mail: OutboundMail;
  readonly dueAtMs: number | null;
}

export type MailTurn =
  /** Nothing is to be done, or not yet. */
  | { readonly kind: 'rest' }
  /** To be written first; whoever wrote it asks the provider. */
  | ({ readonly kind: 'send' } & MailStep)
  /** To be written; nothing is sent. */
  | ({ readonly kind: 'note' } & MailStep);

/** What is to be done with a mail that somebody pointed to. `dueAtMs`: as stored. */
export function nextTurn(mail: OutboundMail, dueAtMs: number | null, nowMs: number): MailTurn {
  const { status, leaseUntilMs, unknownSinceMs = nowMs, repeats = 0 } = mail;
  if (status === 'pending')
    return mail.attempts > 0 && dueAtMs !== null && nowMs < dueAtMs ? { kind: 'rest' } : claimed(mail, nowMs);
  if (status === 'sending')
    return leaseUntilMs !== null && nowMs < leaseUntilMs
      ? { kind: 'rest' }
      : { kind: 'note', ...doubted(mail, 'the worker that sent it never said what came of it', nowMs) };
  if (status !== 'unknown' || repeats >= REPEATS_MAX || nowMs < unknownSinceMs + UNKNOWN_WAIT_MS)
    return { kind: 'rest' };
  return claimed({ ...mail, repeats: repeats + 1 }, nowMs);
}

function claimed(mail: OutboundMail, nowMs: number): MailTurn {
  const { unknownSinceMs: _since, ...known } = mail;
  const leaseUntilMs = nowMs + LEASE_MS;
  const next = {
    ...known,
    status: 'sending',
    attempts: mail.attempts + 1,
    leaseUntilMs,
    updatedAtMs: nowMs,
  } as const;
  return { kind: 'send', mail: next, dueAtMs: leaseUntilMs };
}

/** Nobody knows what came of asking. */
export function doubted(mail: OutboundMail, error: string, nowMs: number): MailStep {
  const isLast = (mail.repeats ?? 0) >= REPEATS_MAX;
  return {
    mail: {
      ...mail,
      status: 'unknown',
      error,
      leaseUntilMs: null,
      unknownSinceMs: nowMs,
      updatedAtMs: nowMs,
    },
    dueAtMs: isLast ? null : nowMs + UNKNOWN_WAIT_MS,
  };
}

/** True where nobody will ask again: an agent has to know. */
export const isLeftUnknown = ({ status, repeats = 0 }: OutboundMail): boolean =>
  status === 'unknown' && repeats >= REPEATS_MAX;

export function accepted(
  mail: OutboundMail,
  { providerId, messageId }: { readonly providerId: string; readonly messageId: string },
  nowMs: number,
): MailStep {
  const { unknownSinceMs: _since, ...known } = mail;
  return {
    mail: {
      ...known,
      status: 'sent',
      providerId,
      messageId,
      error: null,
      leaseUntilMs: null,
      updatedAtMs: nowMs,
    },
    dueAtMs: null,
  };
}

/**
 * It was not taken. After an earlier request of unknown fate it stays unknown, because that one may have been carried out; it
 * is asked for again later where this one was refused for now.
 */
export function refused(mail: OutboundMail, error: string, isFinal: boolean, nowMs: number): MailStep {
  const { repeats = 0 } = mail;
  const isOver = isFinal || nowMs >= mail.createdAtMs + GIVE_UP_MS;
  if (repeats > 0) return doubted(isOver ? mail : { ...mail, repeats: repeats - 1 }, error, nowMs);
  if (isOver) return ended(mail, 'failed', error, nowMs);
  const wait = BACKOFF_MS[Math.min(mail.attempts, BACKOFF_MS.length) - 1] ?? BACKOFF_MS[0] ?? 0;
  return {
    mail: { ...mail, status: 'pending', error, leaseUntilMs: null, updatedAtMs: nowMs },
    dueAtMs: nowMs + wait,
  };
}

/** Nothing more is done with it. */
export function ended(
  mail: OutboundMail,
  status: 'failed' | 'suppressed' | 'bounced' | 'complained',
  error: string,
  nowMs: number,
): MailStep {
  const { unknownSinceMs: _since, ...known } = mail;
  return { mail: { ...known, status, error, leaseUntilMs: null, updatedAtMs: nowMs }, dueAtMs: null };
}
