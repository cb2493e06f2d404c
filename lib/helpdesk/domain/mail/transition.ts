// What happens to a mail on its way, as pure steps. Guarantees: the provider is asked by whoever wrote the claim, and by nobody
// else while the lease lasts; a mail whose fate is unknown is asked for again once at most, and only after the provider's
// own notice of the first has had time to come. Such a second request is the one way to two mails for one reply.
import { isHeld, takeLease } from '#lib/core/work/lease.ts';
import { nextAttemptAt, type RetryPolicy } from '#lib/core/work/retry-policy.ts';
import type { OutboundMail } from './mail.ts';

/** How long a provider is waited for, and how often it is asked again where its answer was lost. */
export interface Patience {
  readonly leaseMs: number;
  readonly unknownWaitMs: number;
  readonly repeatsMax: number;
}

/** SES takes a mail twice that is sent twice. */
export const PATIENCE: Patience = {
  // Longer than a worker runs, so that nobody asks while the first one may still.
  leaseMs: 120_000,
  // SES tells of a mail it took within seconds; this long nobody asks again.
  unknownWaitMs: 15 * 60_000,
  repeatsMax: 1,
};

/** Of a provider that knows a mail again by its id, and answers as it did before: asking costs nothing. */
export const NO_PATIENCE: Patience = { leaseMs: 20_000, unknownWaitMs: 0, repeatsMax: 5 };

/** A mail that is not taken for so long is not sent any more. */
const GIVE_UP_MS = 24 * 3_600_000;
const RETRY: RetryPolicy = {
  ladderMs: [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000],
  afterLadder: 'repeat',
  jitter: 0,
};

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
export function nextTurn(
  mail: OutboundMail,
  dueAtMs: number | null,
  nowMs: number,
  patience: Patience,
): MailTurn {
  const { status, unknownSinceMs = nowMs, repeats = 0 } = mail;
  if (status === 'pending')
    return mail.attempts > 0 && dueAtMs !== null && nowMs < dueAtMs
      ? { kind: 'rest' }
      : claimed(mail, nowMs, patience);
  if (status === 'sending')
    return isHeld(mail, nowMs)
      ? { kind: 'rest' }
      : {
          kind: 'note',
          ...doubted(mail, 'the worker that sent it never said what came of it', nowMs, patience),
        };
  const { repeatsMax, unknownWaitMs } = patience;
  if (status !== 'unknown' || repeats >= repeatsMax || nowMs < unknownSinceMs + unknownWaitMs)
    return { kind: 'rest' };
  return claimed({ ...mail, repeats: repeats + 1 }, nowMs, patience);
}

function claimed(mail: OutboundMail, nowMs: number, { leaseMs }: Patience): MailTurn {
  const { unknownSinceMs: _since, ...known } = mail;
  const sending = { ...known, status: 'sending', updatedAtMs: nowMs } as const;
  const next = takeLease(sending, { ms: leaseMs }, nowMs);
  return { kind: 'send', mail: next, dueAtMs: next.leaseUntilMs };
}

/** Nobody knows what came of asking. */
export function doubted(
  mail: OutboundMail,
  error: string,
  nowMs: number,
  { repeatsMax, unknownWaitMs }: Patience,
): MailStep {
  const isLast = (mail.repeats ?? 0) >= repeatsMax;
  return {
    mail: { ...freed(mail, nowMs), status: 'unknown', error, unknownSinceMs: nowMs },
    dueAtMs: isLast ? null : nowMs + unknownWaitMs,
  };
}

/** True where nobody will ask again: an agent has to know. */
export const isLeftUnknown = ({ status, repeats = 0 }: OutboundMail, { repeatsMax }: Patience): boolean =>
  status === 'unknown' && repeats >= repeatsMax;

export function accepted(
  mail: OutboundMail,
  { providerId, messageId }: { readonly providerId: string; readonly messageId: string },
  nowMs: number,
): MailStep {
  const { unknownSinceMs: _since, ...known } = mail;
  return {
    mail: { ...freed(known, nowMs), status: 'sent', providerId, messageId, error: null },
    dueAtMs: null,
  };
}

/**
 * It was not taken. After an earlier request of unknown fate it stays unknown, because that one may have been carried out; it
 * is asked for again later where this one was refused for now.
 */
export function refused(
  mail: OutboundMail,
  { error, isFinal }: { readonly error: string; readonly isFinal: boolean },
  nowMs: number,
  patience: Patience,
): MailStep {
  const { repeats = 0 } = mail;
  const failure = { attempts: mail.attempts, random: 0 };
  const deadline = { nowMs, deadlineMs: mail.createdAtMs + GIVE_UP_MS };
  const dueAtMs = isFinal ? null : nextAttemptAt(RETRY, failure, deadline);
  if (repeats > 0)
    return doubted(dueAtMs === null ? mail : { ...mail, repeats: repeats - 1 }, error, nowMs, patience);
  if (dueAtMs === null) return ended(mail, 'failed', error, nowMs);
  return { mail: { ...freed(mail, nowMs), status: 'pending', error }, dueAtMs };
}

/** Nothing more is done with it. */
export function ended(
  mail: OutboundMail,
  status: 'failed' | 'suppressed' | 'bounced' | 'complained',
  error: string,
  nowMs: number,
): MailStep {
  const { unknownSinceMs: _since, ...known } = mail;
  return { mail: { ...freed(known, nowMs), status, error }, dueAtMs: null };
}

const freed = (mail: OutboundMail, nowMs: number): OutboundMail => ({
  ...mail,
  leaseUntilMs: null,
  updatedAtMs: nowMs,
});
