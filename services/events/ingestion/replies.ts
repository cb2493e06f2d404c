// Replies of every route of this service, with their refusals for the counter.
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import type { Reply } from '#lib/core/http/http-message.ts';
import { type RefusalName, refusalName } from '#lib/events/domain/event/refusal.ts';
import { EVENTS_ERRORS, type EventsErrorCode } from '#lib/events/routes/errors.ts';
import type { RefusedMerchant } from './refusal-counter.ts';

/** `refused`, `codes` and `merchant` are internal: they are not sent. */
export interface Answer extends Reply {
  /** Of everything that was not accepted, one for each event, or for the request as a whole. */
  readonly codes?: readonly EventsErrorCode[];
  /** One for each event, or for the request as a whole. */
  readonly refused?: readonly RefusalName[];
  /** Absent if the merchant is unknown: then nothing is counted. */
  readonly merchant?: RefusedMerchant;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

export function failure(
  code: EventsErrorCode,
  extra: {
    readonly details?: readonly ErrorDetail[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
  } = {},
): Answer {
  const { status, text } = EVENTS_ERRORS[code];
  const reply = json(
    status,
    { error: text, code, ...(extra.details === undefined ? {} : { details: extra.details }), ...extra.body },
    extra.headers,
  );
  return withRefused(reply, [{ code, details: extra.details }]);
}

/** Adds the refusals among these answers. */
export function withRefused(reply: Reply, answers: readonly Refusable[]): Answer {
  const refused: RefusalName[] = [];
  const codes: EventsErrorCode[] = [];
  for (const { code, details } of answers) {
    if (code === undefined) continue;
    codes.push(code);
    const name = refusalName(code, details);
    if (name !== null) refused.push(name);
  }
  if (codes.length === 0) return reply;
  return refused.length === 0 ? { ...reply, codes } : { ...reply, codes, refused };
}

/** The answer to a merchant that exists, and with which key it asked: what was refused counts for it. */
export function ofMerchant(
  answer: Answer,
  known: { readonly merchant: string; readonly key?: string | undefined },
): Answer {
  const facts = { ...answer.facts, ...known };
  if (answer.refused === undefined) return { ...answer, facts };
  return { ...answer, facts, merchant: { merchantId: known.merchant, isKnown: true } };
}

export interface Refusable {
  readonly code?: EventsErrorCode;
  readonly details?: readonly ErrorDetail[] | undefined;
}

/** Repeat after this many seconds. */
export function retryLater(
  code: EventsErrorCode,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return failure(code, { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))), ...headers } });
}
