// Failures: code → status and sentence. These are the codes that products have in common; a product with codes of its own adds
// them in a table over this one, and its routes may answer no code that is not there.

export interface ErrorKind {
  readonly status: number;
  /** A sentence for people. */
  readonly text: string;
  /** Only the operator ends it: answered without Retry-After, for repeating the request does not help. */
  readonly isLasting?: true;
}

/** Codes of one status: code → sentence. */
export const withStatus = <Code extends string>(status: number, texts: Readonly<Record<Code, string>>) =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([code, text]): [string, ErrorKind] => [code, { status, text }]),
  ) as Readonly<Record<Code, ErrorKind>>;

export const ERRORS = {
  ...withStatus(400, {
    invalid_json: 'The body is not valid JSON.',
    invalid_request: 'The request does not match the schema.',
  }),
  unauthorized: { status: 401, text: 'The credential is missing, invalid, expired or revoked.' },
  forbidden: { status: 403, text: 'The credential does not allow this.' },
  ...withStatus(404, {
    not_found: 'There is no such record.',
    route_not_found: 'There is no such path.',
  }),
  method_not_allowed: { status: 405, text: 'This path does not take this method.' },
  ...withStatus(403, {
    merchant_suspended:
      'The operator of this deployment has suspended this merchant: ask the operator. Nothing of this request was stored; what was accepted before goes on.',
    owner_required: 'Only an owner may invite, change or remove an owner.',
    grant_exceeded: 'A key gives to other keys and to people at most what it has itself.',
  }),
  invitation_not_found: {
    status: 404,
    text: 'There is no such invitation: it was used, withdrawn or replaced, or it has expired.',
  },
  ...withStatus(409, {
    conflict: 'There is such a record already.',
    last_owner: 'A merchant keeps at least one owner.',
    merchant_required:
      'You are a member of several merchants: name one of them in the header Millrace-Merchant.',
    already_member:
      'This person is a member of this merchant already, or of as many merchants as a person may be.',
    team_limit: 'The team has as many members or open invitations as it may have.',
    api_key_limit: 'The merchant has as many API keys as it may have: revoke one that is no longer used.',
    idempotency_key_in_use: 'The first request with this Idempotency-Key still runs; see Retry-After.',
    idempotent_answer_too_large:
      'The request with this Idempotency-Key was done; its answer was too large to keep.',
  }),
  precondition_failed: {
    status: 412,
    text: 'The record is in another version than If-Match names; read it again.',
  },
  payload_too_large: { status: 413, text: 'The body is larger than is taken here; the limit is in details.' },
  unsupported_media_type: {
    status: 415,
    text: 'This path takes application/json, as it is or compressed with gzip.',
  },
  idempotency_key_reused: { status: 422, text: 'This Idempotency-Key was used for another request.' },
  ...withStatus(429, {
    rate_limited: 'Too many requests; see Retry-After.',
    ai_limit_reached: 'The assistant’s day is used up; see Retry-After.',
  }),
  internal_error: { status: 500, text: 'Something failed on our side; the request may be repeated.' },
  ...withStatus(503, {
    unavailable:
      'A dependency is unavailable, or something stored cannot be read at the moment; nothing was stored. Repeat the request.',
    ai_unavailable: 'The language model failed; ask again.',
  }),
} as const satisfies Readonly<Record<string, ErrorKind>>;

export type ErrorCode = keyof typeof ERRORS;

/** All codes of a product. */
export type Errors = Readonly<Record<ErrorCode, ErrorKind>> & Readonly<Record<string, ErrorKind>>;

/** Handlers are typed to answer codes of their product only; any other one is a bug. */
export const errorOf = (errors: Errors, code: string): ErrorKind => errors[code] ?? errors.internal_error;

/** One rejected value. `path` is dotted, e.g. `items.0.price`. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The body of every error answer. */
export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly details?: readonly ErrorDetail[];
}
