// One attempt to reach a webhook, and when the next is made. Guarantees: signed with each live secret at every attempt, so that the
// signed time is the attempt's; of the answer only status and `Retry-After` are read; never rejects.
import type { Clock } from '../ports/clock.ts';
import type { HttpResult, Transport } from '../ports/transport.ts';
import type { RetryPolicy } from '../work/retry-policy.ts';
import { signedHeaders } from './signature.ts';

/** Waits before each attempt, of the specification: the first at once, ten in all within three days. */
export const RETRY_TABLE_MS = [
  0,
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
] as const;
/** A receiver can ask for a longer wait than the table's, not for a shorter one. */
export const WEBHOOK_RETRY: RetryPolicy = {
  ladderMs: RETRY_TABLE_MS.slice(1),
  afterLadder: 'give up',
  jitter: 0.1,
  asked: { aloneMax: 0, jitter: 0, waitMaxMs: 24 * 3_600_000 },
};

/** How an attempt went. */
export interface AttemptOutcome {
  readonly isDelivered: boolean;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** What went wrong without an answer, or that the answer was not 2xx. */
  readonly error: string | null;
  readonly latencyMs: number;
  /** The receiver's `Retry-After`. */
  readonly retryAfterMs: number | null;
}

export interface WebhookCall {
  readonly url: string;
  readonly secrets: readonly string[];
  /** The same to each webhook and at each attempt: `msg_` and letters, digits, `_` and `-`. */
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** The whole header, where the receiver wants one. */
  readonly authorization?: string | undefined;
}

export async function callWebhook(
  { url, secrets, id, body, authorization }: WebhookCall,
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  timeoutMs: number,
): Promise<AttemptOutcome> {
  const signed = signedHeaders({ id, atMs: clock.now(), body, secrets });
  const headers = { ...signed, ...(authorization === undefined ? {} : { authorization }) };
  const masked = authorization === undefined ? secrets : [...secrets, authorization];
  const result = await transport.send({ method: 'POST', url, headers, body, secrets: masked }, { timeoutMs });
  return outcomeOf(result, result.latencyMs, clock.now());
}

function outcomeOf(result: HttpResult, latencyMs: number, nowMs: number): AttemptOutcome {
  if (result.kind === 'failure')
    return { isDelivered: false, status: null, error: result.code, latencyMs, retryAfterMs: null };
  const { status, headers } = result;
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    status,
    error: isDelivered ? null : `http_${status}`,
    latencyMs,
    retryAfterMs: retryAfterMs(headers['retry-after'], nowMs),
  };
}

/** Seconds, or a date; null where it is neither, or is over. */
function retryAfterMs(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = /^[A-Za-z]{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return atMs > nowMs ? atMs - nowMs : null;
}
