// Every failure of a call: what the service said, or that nothing came that could be read.
import type { ErrorBody, ErrorDetail } from '../core/http/errors.ts';
import type { EventsErrorCode } from '../events/routes/errors.ts';

/**
 * `no_answer`: nothing came, or it broke off. `not_json`: somebody else answered, such as a proxy. `refused`: the service says
 * why in words only.
 */
type ClientErrorCode = EventsErrorCode | 'no_answer' | 'not_json' | 'refused';

/** Its fields are declared only: each would be spelled out once more in what a page carries. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 when no answer came; 200 when a stream that had begun ended with an error. */
  declare readonly status: number;
  declare readonly code: ClientErrorCode;
  declare readonly details: readonly ErrorDetail[];
  declare readonly requestId: string | null;
  /** Seconds to wait before the next try, where the service said so. */
  declare readonly retryAfterSec: number | null;
  /** All that the failure says, such as `accepted_at` of a duplicate. */
  declare readonly body: Readonly<Record<string, unknown>>;

  constructor(code: ClientErrorCode, message: string, response?: Response, body?: unknown, cause?: unknown) {
    super(message, { cause });
    const told = response?.headers.get('retry-after');
    this.code = code;
    this.status = response?.status ?? 0;
    this.requestId = response?.headers.get('x-request-id') ?? null;
    // A date, which nobody here sends, is no number.
    this.retryAfterSec = told && Number.isFinite(+told) ? +told : null;
    this.body = (body ?? {}) as ApiError['body'];
    this.details = (this.body.details as ErrorBody['details']) ?? [];
  }
}

/** Of an answer from 400 on, or of the event `error`. */
export function failureOf(response: Response, body: unknown): ApiError {
  const { error, code } = (body ?? {}) as Partial<ErrorBody & { readonly code: EventsErrorCode }>;
  return new ApiError(
    code ?? (error ? 'refused' : 'not_json'),
    error ?? `answered ${response.status}`,
    response,
    body,
  );
}

export function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('not_json', 'the answer is not JSON', response, undefined, error);
  }
}
