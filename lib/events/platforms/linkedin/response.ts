// What LinkedIn's answer means for each event. A batch is refused as a whole, and the message names the indices: the
// others go again together.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import {
  type Answer,
  type Fields,
  isSuccess,
  kindOutcome,
  outcome,
  record,
  statusOutcome,
  UNREADABLE,
  wholeNumber,
  wrongCount,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** Statuses say it all but for 426: this monthly version is no longer served, or not yet. */
export const LINKEDIN_ERRORS = errorTable([[426, '*', 'auth', 'the version is no longer served']]);

/** The rule of an event, which is a setting: of another method, or unknown. */
const RULE_FAULT = /method should be CONVERSIONS_API|invalid conversion rule/i;
const NAMES_EVENTS = /\bindices \[|\bIndex: \d/;

/**
 * `{"status": 401, "serviceErrorCode": 65600, "code": "INVALID_ACCESS_TOKEN", "message": …}`, or a message about events: frameworks
 * give a status and a message too, gateways a code and a message.
 * https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling
 */
export const isLinkedinError: OwnError = ({ status: said, code, serviceErrorCode, message }, status) =>
  wholeNumber(serviceErrorCode) !== undefined ||
  (typeof code === 'string' && wholeNumber(said) === status) ||
  (typeof message === 'string' && NAMES_EVENTS.test(message));

export const readLinkedinAnswer: ReadAnswer = (answer, body, events) => {
  if (answer.status === 200 && Array.isArray(body?.elements))
    return elementOutcomes(body.elements, events.length);
  const one = requestOutcome(isSuccess(answer) ? undefined : body, answer, events.length);
  if (body === undefined || (one.kind !== 'batch_refused' && one.kind !== 'permanent')) return one;
  const named = namedEvents(body.message);
  const code = codeIn(body, answer.status);
  return events.map((_, index) => {
    const message = named.get(index);
    if (message === undefined) return one;
    return RULE_FAULT.test(message)
      ? kindOutcome('setting_refused', { code, message }, 1)
      : outcome({ kind: 'permanent', code, message });
  });
};

/** The one status each event has in an answer to a batch. */
function elementOutcomes(elements: readonly unknown[], sent: number): Outcome | readonly Outcome[] {
  if (elements.length !== sent) return wrongCount(`${elements.length} results for ${sent} events`);
  return elements.map((element) => {
    const fields = record(element);
    const status = wholeNumber(fields?.status);
    if (fields === undefined || status === undefined || status < 200 || status > 599) return UNREADABLE;
    if (status < 300) return { kind: 'delivered' };
    const error = record(fields.error) ?? fields;
    return requestOutcome(error, { kind: 'response', status, headers: {}, body: '' }, 1);
  });
}

function requestOutcome(body: Fields | undefined, answer: Answer, sent: number): Outcome {
  const { status } = answer;
  const kind = errorKind(LINKEDIN_ERRORS, { status });
  const message = body?.message;
  if (kind !== undefined) return kindOutcome(kind, { code: 'linkedin.no_such_version', message }, sent);
  const general = statusOutcome(answer, sent);
  return body === undefined ? general : outcome({ ...general, code: codeIn(body, status), message });
}

/** `INVALID_ACCESS_TOKEN`, else the numeric service error code, else the status. */
function codeIn({ code, serviceErrorCode }: Fields, status: number): string {
  const service = wholeNumber(serviceErrorCode);
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(code)) return `linkedin.${code}`;
  return `linkedin.${service !== undefined && service > 0 ? service : status}`;
}

/**
 * Index → what is wrong with that event: `… indices [0, 2] (0-indexed)` with status 400, or
 * `Index: 0, ERROR :: /path :: text` and further lines with status 422.
 */
function namedEvents(message: unknown): ReadonlyMap<number, string> {
  const named = new Map<number, string>();
  if (typeof message !== 'string') return named;
  const [, indices = ''] = /\bindices \[([\d, ]{1,40000})\]/.exec(message) ?? [];
  for (const index of indices.split(',')) if (index.trim() !== '') named.set(Number(index), message);
  for (const [, index, text = ''] of message.matchAll(/\bIndex: (\d{1,6}), ((?:(?!\bIndex: \d)[\s\S])*)/g))
    named.set(Number(index), text);
  return named;
}
