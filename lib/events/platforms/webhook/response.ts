// What an answer means: any 2xx takes the event. To refuse one for good, a server says why in JSON; what a proxy before it says is
// tried again, as the specification of Standard Webhooks wants it.
import { codeOf, errorOutcome, isSuccess, record, UNREADABLE } from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

export const WEBHOOK_ERRORS = errorTable([
  [409, '*', 'duplicate', 'the event was there already'],
  [404, '*', 'auth', 'there is nothing at the URL'],
  [410, '*', 'auth', 'the URL takes no more'],
]);

/** `{"error": {"code": "…", "message": "…"}}`: a shape that proxies do not have. */
export const isWebhookError: OwnError = ({ error }) => typeof record(error)?.code === 'string';

/** No server answers a webhook with a page: that is of something on the way, which may have kept the event. */
const isPage = (body: string): boolean => body.trimStart().startsWith('<');

export const readWebhookAnswer: ReadAnswer = (answer, body, events) => {
  if (isSuccess(answer)) return isPage(answer.body) ? UNREADABLE : { kind: 'delivered' };
  const { code, message } = record(body?.error) ?? {};
  return errorOutcome(WEBHOOK_ERRORS, answer, events.length, {
    codes: [],
    code: codeOf('webhook', code),
    message,
  });
};
