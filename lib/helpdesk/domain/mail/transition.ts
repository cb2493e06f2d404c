// The states of an outbound mail, as pure steps.
// Guarantees: only the worker that wrote the claim asks the provider while its lease lasts; a mail whose result is
// unknown is asked for again at most once, and only after the provider's own notice has had time to arrive. Such a
// second request is the only way in which one reply can become two mails.
import { isHeld, takeLease } from '#lib/core/work/lease.ts';
import { nextAttemptAt, type RetryPolicy } from '#lib/core/work/retry-policy.ts';
import type { OutboundMail } from './mail.ts';

/** How long to wait for a provider, and how often to ask again after its answer was lost. */
export interface Patience {
  readonly leaseMs: number;
  readonly unknownWaitMs: number;
  readonly repeatsMax: number;
}

/** For SES, which does not deduplicate. */
export const PATIENCE: Patience = {
  // Longer than a worker runs, so that two workers cannot ask at once.
  leaseMs: 120_000,
  // SES reports a mail it took within seconds; until then the mail is not asked for again.
  unknownWaitMs: 15 * 60_000,
  repeatsMax: 1,
};

/** For a provider that deduplicates by id and repeats its answer: asking again is harmless. */
export const NO_PATIENCE: Patience = { leaseMs: 20_000, unknownWaitMs: 0, repeatsMax: 5 };

/** After this long without being taken a mail is not sent any more. */
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
  /** Do nothing, or not yet. */
  | { readonly kind: 'rest' }
  /** Write it first; the worker whose write succeeds asks the provider. */
  | ({ readonly kind: 'send' } & MailStep)
  /** Write it; send nothing. */
  | ({ readonly kind: 'note' } & MailStep);

/** What to do with a mail after its pointer arrived. `dueAtMs`: as stored. */
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

/** The result of asking is unknown. */
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

/** True if it will not be asked for again: an agent has to know. */
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
 * The provider did not take it. After an earlier request with an unknown result it stays `unknown`, because that one
 * may have been carried out; it is asked for again later if this refusal was temporary.
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

/** Final: no further step. */
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
