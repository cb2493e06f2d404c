// What Klaviyo's answer means. 202 with nothing in it: the request was found valid and will be processed; more is never
// said. A refusal is about the request, that is, about its one event.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import { type Answer, codeOf, errorOutcome, type Fields, joined, record, recordsOf } from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/**
 * 404 and 410: no such path, or a revision that was retired. `unique_id`: an error that calls it a duplicate; `revision`: one about
 * that header, for which no event is to blame.
 */
export const KLAVIYO_ERRORS = errorTable([
  ['*', 'unique_id', 'duplicate'],
  [400, 'revision', 'auth'],
  [404, '*', 'auth'],
  [410, '*', 'auth'],
]);

/** `{"errors": [{"id": …, "status": 401, "code": "not_authenticated", …}]}`. */
export const isKlaviyoError: OwnError = ({ errors }) =>
  recordsOf(errors).some(({ id, code }) => typeof id === 'string' && typeof code === 'string');

const ACCEPTED = 202;
/** 410: the revision is. */
const RETIRED = 410;

export const readKlaviyoAnswer: ReadAnswer = (answer, body, { length: sent }) => {
  if (answer.status === ACCEPTED && answer.body.trim() === '' && answer.truncated !== true)
    return { kind: 'delivered' };
  return klaviyoError(answer, body, sent);
};

/** What any answer but the one that is wanted means, to a request for so many things. */
export function klaviyoError(answer: Answer, body: Fields | undefined, sent: number): Outcome {
  const error = record(Array.isArray(body?.errors) ? body.errors[0] : undefined);
  const codes =
    error === undefined ? [] : isDuplicate(error) ? ['unique_id'] : isOfRevision(error) ? ['revision'] : [];
  const isRetired = answer.status === RETIRED || codes.includes('revision');
  const code = isRetired ? 'klaviyo.no_such_version' : codeOf('klaviyo', error?.code);
  const said = { codes, code, message: wording(error) };
  return errorOutcome(KLAVIYO_ERRORS, answer, sent, said);
}

/** The endpoint for several events refuses a unique id it has already; the other one drops the copy in silence. */
function isDuplicate(error: Fields): boolean {
  const pointer = record(error.source)?.pointer;
  if (typeof pointer !== 'string' || !pointer.endsWith('/unique_id')) return false;
  return /duplicat|already|repeat/i.test(`${error.code} ${error.title} ${error.detail}`);
}

/** Not what is said of an event's own property of that name. */
function isOfRevision({ source, title, detail }: Fields): boolean {
  const pointer = record(source)?.pointer;
  const isOfEvent = typeof pointer === 'string' && pointer.includes('/attributes');
  return !isOfEvent && /\brevision\b/i.test(joined([title, detail], ' '));
}

function wording(error: Fields | undefined): string {
  const parts = [error?.title, error?.detail, record(error?.source)?.pointer];
  return joined([...new Set(parts)], ' ');
}
