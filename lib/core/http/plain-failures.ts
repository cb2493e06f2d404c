// Failures as one sentence: {"error": "…"} and nothing else, for products whose contract says so. Guarantees: a fixed sentence
// for each code; all problems of a request, each with the field it is about; a route's own sentence where it has one.
import { type ErrorBody, type ErrorCode, type ErrorDetail, type Errors, errorOf } from './errors.ts';
import { ANY_SCOPE, type Route } from './route.ts';
import { STRICT_JSON_TEXTS } from './strict-json.ts';

export interface FailureFormat {
  /** `coded`: {error, code, details?} and what `failureExtras` declare. `plain`: {error}. */
  readonly style: 'coded' | 'plain';
  readonly errors: Errors;
}

export interface SaidOfFailure {
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The body of a failure at `route`; undefined where no route was found. */
export function failureBody(
  { style, errors }: FailureFormat,
  code: string,
  said: SaidOfFailure,
  route: Route | undefined,
): Partial<ErrorBody> & Pick<ErrorBody, 'error'> {
  if (style === 'plain') return { error: plainText(code, said, route, errors) };
  const { details, extra } = said;
  const error = route?.texts?.[code] ?? errorOf(errors, code).text;
  return { ...extra, error, code, ...(details === undefined ? {} : { details }) };
}

const TEXTS = {
  invalid_json: 'Malformed JSON',
  invalid_request: 'Invalid request',
  not_found: 'Not found',
  route_not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  idempotency_key_in_use: 'A request with this Idempotency-Key is still in progress',
  idempotency_key_reused: 'Idempotency-Key was already used with a different request',
  idempotent_answer_too_large:
    'The request with this Idempotency-Key was done; its answer was too large to keep',
  precondition_failed: 'Precondition failed',
  payload_too_large: 'Request body too large',
  unsupported_media_type: 'Content-Type must be application/json',
  rate_limited: 'Rate limit exceeded',
  internal_error: 'Internal server error',
  unavailable: 'Service temporarily unavailable',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Codes whose sentence says what is in their details. */
const SAID_ALREADY: ReadonlySet<string> = new Set(['payload_too_large', 'forbidden']);

/** What every route answers alike, with this status, where it says nothing of its own. */
export function plainText(
  code: string,
  said: SaidOfFailure,
  route: Route | undefined,
  errors: Errors,
): string {
  const own = route?.texts?.[code];
  if (own !== undefined) return own;
  const { details = [] } = said;
  if (details.length > 0 && !SAID_ALREADY.has(code)) return details.map(problemText).join('; ');
  if (code === 'unauthorized') return unauthorizedText(route);
  if (code === 'forbidden') return forbiddenText(route);
  const retryAfter = said.headers?.['retry-after'];
  if (code === 'rate_limited' && retryAfter !== undefined)
    return `${TEXTS.rate_limited}. Retry after ${retryAfter} seconds.`;
  const shared: string | undefined = Object.hasOwn(TEXTS, code)
    ? TEXTS[code as keyof typeof TEXTS]
    : undefined;
  return shared ?? errorOf(errors, code).text.replace(/\.$/, '');
}

const WHOLE: Readonly<Record<string, string>> = {
  [STRICT_JSON_TEXTS.syntax]: 'Malformed JSON',
  'must be an object': 'Request body must be a JSON object',
};

/** A problem without a path is one of the whole body. */
function problemText({ path, message }: ErrorDetail): string {
  if (path === '') return WHOLE[message] ?? `Request body ${message}`;
  // A name that begins or ends with a blank is not seen as one without quotes.
  return `${path === path.trim() ? path : JSON.stringify(path)}: ${message}`;
}

function unauthorizedText(route: Route | undefined): string {
  const takesSessions = route !== undefined && route.auth !== 'public' && route.auth.session !== undefined;
  return takesSessions ? 'Missing or invalid credentials' : 'Missing or invalid API key';
}

function forbiddenText(route: Route | undefined): string {
  const scope = route === undefined || route.auth === 'public' ? undefined : route.auth.key;
  return scope === undefined || scope === ANY_SCOPE
    ? 'Missing required role'
    : `Missing required scope: ${scope}`;
}
