// The one catalogue of errors: code → status and sentence. A route may answer no code that is not here,
// and docs/reference/errors.md is generated from it.

export const ERRORS = {
  invalid_json: { status: 400, text: 'The body is not valid JSON.' },
  invalid_request: { status: 400, text: 'The request does not match the schema.' },
  experimental_unconfirmed: {
    status: 400,
    text: 'This platform is experimental: connecting it takes confirm_experimental: true.',
  },
  invalid_signature: {
    status: 400,
    text: 'The signature is missing, of another body or secret, or too old.',
  },
  unauthorized: { status: 401, text: 'The credential is missing, invalid, expired or revoked.' },
  forbidden: { status: 403, text: 'The credential does not allow this.' },
  merchant_mismatch: { status: 403, text: 'merchant_id is not the merchant of this API key.' },
  browser_ingestion_disabled: { status: 403, text: 'This merchant takes no events from browsers.' },
  origin_not_allowed: {
    status: 403,
    text: 'This merchant takes events of browsers from the origins it lists only.',
  },
  unknown_merchant: { status: 404, text: 'There is no merchant with this merchant_id.' },
  not_found: { status: 404, text: 'There is no such record.' },
  route_not_found: { status: 404, text: 'There is no such path.' },
  confirmation_not_found: {
    status: 404,
    text: 'There is no such confirmation, or it was used or has expired.',
  },
  method_not_allowed: { status: 405, text: 'This path does not take this method.' },
  owner_required: { status: 403, text: 'Only an owner may invite, change or remove an owner.' },
  grant_exceeded: {
    status: 403,
    text: 'A key gives to other keys and to people at most what it has itself.',
  },
  invitation_not_found: {
    status: 404,
    text: 'There is no such invitation: it was used, withdrawn or replaced, or it has expired.',
  },
  conflict: { status: 409, text: 'There is such a record already.' },
  last_owner: { status: 409, text: 'A merchant keeps at least one owner.' },
  already_member: { status: 409, text: 'This person is a member of a merchant already.' },
  team_limit: { status: 409, text: 'The team has as many members or open invitations as it may have.' },
  api_key_limit: {
    status: 409,
    text: 'The merchant has as many API keys as it may have: revoke one that is no longer used.',
  },
  duplicate_event: {
    status: 409,
    text: 'An event with this event_id was accepted within the last 24 hours.',
  },
  billing_customer_missing: {
    status: 409,
    text: 'There is nothing to manage yet: no checkout was opened for this merchant.',
  },
  plan_active: { status: 409, text: 'The merchant has this plan already.' },
  event_processing: {
    status: 409,
    text: 'This event is still on its way to its platforms for the first time. Repeat the request in a few seconds.',
  },
  event_erased: {
    status: 409,
    text: 'Its personal data has been erased: it cannot be sent once more.',
  },
  event_unreadable: {
    status: 409,
    text: 'What is stored of this event is damaged: it cannot be sent once more.',
  },
  nothing_to_retry: {
    status: 409,
    text: 'No delivery of this event has failed or waits for a retry.',
  },
  reconciliation_running: {
    status: 409,
    text: 'This reconciliation is still running; read it for its progress, and repeat the request when it is done.',
  },
  nothing_to_replay: {
    status: 409,
    text: 'The platform misses no order of which an event was found, or none behind this cursor.',
  },
  too_many_replays: {
    status: 409,
    text: 'This merchant has as many replays running or paused as it may have; end one of them first.',
  },
  replay_over: { status: 409, text: 'This replay is done or cancelled: nothing changes it any more.' },
  test_mode_unavailable: {
    status: 409,
    text: 'The platform would count a test: it has no test mode, or none with these credentials.',
  },
  already_connected: {
    status: 409,
    text: 'The platform is connected already, and not to what these credentials are for; nothing was changed. Send another: true to connect this as well, or replace: true to put it in the place of what is connected.',
  },
  connection_limit: {
    status: 409,
    text: 'This platform has as many connections as a merchant may have; remove one first.',
  },
  idempotency_key_in_use: {
    status: 409,
    text: 'The first request with this Idempotency-Key still runs; see Retry-After.',
  },
  idempotent_answer_too_large: {
    status: 409,
    text: 'The request with this Idempotency-Key was done; its answer was too large to keep.',
  },
  too_many_rules: {
    status: 409,
    text: 'The merchant has as many rules of this kind as it may have; the limit is in details. Delete one first.',
  },
  personal_data_erased: {
    status: 410,
    text: 'Its personal data has been erased.',
  },
  too_much_to_verify: {
    status: 422,
    text: 'A minute of this range holds more events than one request can recount.',
  },
  precondition_failed: {
    status: 412,
    text: 'The record is in another version than If-Match names; read it again.',
  },
  payload_too_large: { status: 413, text: 'The body is larger than is taken here; the limit is in details.' },
  unsupported_media_type: {
    status: 415,
    text: 'This path takes application/json, as it is or compressed with gzip.',
  },
  misdirected_request: {
    status: 421,
    text: 'This path is served at another address of this deployment: paths for servers and for browsers have one each.',
  },
  idempotency_key_reused: {
    status: 422,
    text: 'This Idempotency-Key was used for another request.',
  },
  rate_limited: { status: 429, text: 'Too many requests; see Retry-After.' },
  browser_limit_reached: {
    status: 429,
    text: 'The merchant, or the network the request comes from, has reached its limit of browser events a minute; see Retry-After.',
  },
  ai_limit_reached: {
    status: 429,
    text: 'The assistant’s day is used up; see Retry-After.',
  },
  internal_error: { status: 500, text: 'Something failed on our side; the request may be repeated.' },
  unavailable: {
    status: 503,
    text: 'A dependency is unavailable, or something stored cannot be read at the moment; nothing was stored. Repeat the request with the same event_id.',
  },
  ai_not_configured: { status: 503, text: 'There is no language model here.' },
  ai_unavailable: { status: 503, text: 'The language model failed; ask again.' },
  billing_not_configured: {
    status: 503,
    text: 'This deployment sells nothing yet; what is missing is in details. Usage is counted all the same.',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Failures that only the operator ends: answered without Retry-After, for repeating the request helps nobody. */
export const LASTING_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'billing_not_configured',
  'ai_not_configured',
]);

/** One rejected value. `path` is dotted, e.g. `items.0.price`. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The body of every error answer. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly details?: readonly ErrorDetail[];
}
