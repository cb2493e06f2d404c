// What OpenAI's answer means for each event. Its pages say what refuses a request, and neither what a success looks like nor an
// error: a status of success is one, and an error has the form of OpenAI's other interfaces. UNVERIFIED: that form.
import { codeOf, errorOutcome, isSuccess, record, UNREADABLE } from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** 404 is what its other interfaces answer where a pixel is unknown. */
export const OPENAI_ADS_ERRORS = errorTable([[404, '*', 'auth', 'no such pixel']]);

/** `{"error": {"message": …, "type": …, "param": …, "code": …}}`, as https://platform.openai.com/docs/guides/error-codes has it. */
export const isOpenaiAdsError: OwnError = ({ error }) => {
  const { message, type } = record(error) ?? {};
  return typeof message === 'string' && typeof type === 'string';
};

export const readOpenaiAdsAnswer: ReadAnswer = (answer, body, events) => {
  if (isSuccess(answer)) return answer.body.trimStart().startsWith('<') ? UNREADABLE : { kind: 'delivered' };
  const { code, type, message } = record(body?.error) ?? {};
  return errorOutcome(OPENAI_ADS_ERRORS, answer, events.length, {
    codes: [],
    code: codeOf('openai_ads', code ?? type),
    message,
  });
};
