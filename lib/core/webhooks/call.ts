// One attempt to reach a webhook. Guarantees: signed with each live secret at every attempt, so that the
// signed time is the attempt's; of the answer only status and `Retry-After` are read; never rejects.
import type { Clock } from '../ports/clock.ts';
import type { HttpResult, Transport } from '../ports/transport.ts';
import { madeSpanId, madeTraceId, traceparentOf } from '../record/trace.ts';
import type { AttemptOutcome } from '../work/retry-policy.ts';
import { signedHeaders } from './signature.ts';

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
  const atMs = clock.now();
  const signed = signedHeaders({ id, atMs, body, secrets });
  // The same trace at each attempt and to each webhook, and a span of this attempt.
  const traceparent = traceparentOf(madeTraceId(id), madeSpanId(`${id}/${atMs}`));
  const headers = { ...signed, traceparent, ...(authorization === undefined ? {} : { authorization }) };
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
