// Every code that the event product answers, in the order of its OpenAPI document; docs/reference/errors.md is generated from it.
import { ERRORS, type ErrorKind, withStatus } from '../../core/http/errors.ts';

export const EVENTS_ERRORS = {
  invalid_json: ERRORS.invalid_json,
  invalid_request: ERRORS.invalid_request,
  ...withStatus(400, {
    experimental_unconfirmed:
      'This platform is experimental: connecting it takes confirm_experimental: true.',
    invalid_signature: 'The signature is missing, of another body or secret, or too old.',
  }),
  unauthorized: ERRORS.unauthorized,
  forbidden: ERRORS.forbidden,
  merchant_suspended: ERRORS.merchant_suspended,
  ...withStatus(403, {
    sign_up_closed: 'Here the operator makes shops: ask the operator.',
    merchant_mismatch: 'merchant_id is not the merchant of this API key.',
    browser_ingestion_disabled: 'This merchant takes no events from browsers.',
    origin_not_allowed: 'This merchant takes events of browsers from the origins it lists only.',
  }),
  unknown_merchant: { status: 404, text: 'There is no merchant with this merchant_id.' },
  not_found: ERRORS.not_found,
  route_not_found: ERRORS.route_not_found,
  confirmation_not_found: {
    status: 404,
    text: 'There is no such confirmation, or it was used or has expired.',
  },
  method_not_allowed: ERRORS.method_not_allowed,
  owner_required: ERRORS.owner_required,
  grant_exceeded: ERRORS.grant_exceeded,
  invitation_not_found: ERRORS.invitation_not_found,
  merchant_required: ERRORS.merchant_required,
  conflict: ERRORS.conflict,
  last_owner: ERRORS.last_owner,
  already_member: ERRORS.already_member,
  team_limit: ERRORS.team_limit,
  api_key_limit: ERRORS.api_key_limit,
  sign_up_limit: {
    status: 409,
    text: 'You have made, or are in, as many shops as let you make one: ask the operator.',
  },
  ...withStatus(409, {
    duplicate_event: 'An event with this event_id was accepted within the last 24 hours.',
    billing_customer_missing: 'There is nothing to manage yet: no checkout was opened for this merchant.',
    plan_active: 'The merchant has this plan already.',
    event_processing:
      'This event is still on its way to its platforms for the first time. Repeat the request in a few seconds.',
    event_erased: 'Its personal data has been erased: it cannot be sent once more.',
    event_unreadable: 'What is stored of this event is damaged: it cannot be sent once more.',
    event_test: 'What came with a test key is not sent again.',
    nothing_to_retry: 'No delivery of this event has failed or waits for a retry.',
    connection_removed:
      'What the event failed at was removed: nothing was sent. Forward it to another connection.',
    suppression_off:
      'The setting `suppression` of the account is off: nobody can be put on a list that is not looked into.',
    reconciliation_running:
      'This reconciliation is still running; read it for its progress, and repeat the request when it is done.',
    nothing_to_replay:
      'The platform misses no order of which an event was found, or none behind this cursor.',
    too_many_replays:
      'This merchant has as many replays running or paused as it may have; end one of them first.',
    replay_over: 'This replay is done or cancelled: nothing changes it any more.',
    test_mode_unavailable:
      'The platform would count a test: it has no test mode, or none with these credentials.',
    version_refused:
      'The platform did not take a test with this version of its API; the connection stays as it was.',
    platform_not_deployed: 'This deployment leaves the platform out: nothing was stored.',
    already_connected:
      'The platform is connected already, and not to what these credentials are for; nothing was changed. Send another: true to connect this as well, or replace: true to put it in the place of what is connected.',
    connection_limit: 'This platform has as many connections as a merchant may have; remove one first.',
  }),
  idempotency_key_in_use: ERRORS.idempotency_key_in_use,
  idempotent_answer_too_large: ERRORS.idempotent_answer_too_large,
  too_many_rules: {
    status: 409,
    text: 'The merchant has as many rules of this kind as it may have; the limit is in details. Delete one first.',
  },
  personal_data_erased: { status: 410, text: 'Its personal data has been erased.' },
  too_much_to_verify: {
    status: 422,
    text: 'A minute of this range holds more events than one request can recount.',
  },
  precondition_failed: ERRORS.precondition_failed,
  payload_too_large: ERRORS.payload_too_large,
  unsupported_media_type: ERRORS.unsupported_media_type,
  misdirected_request: {
    status: 421,
    text: 'Another address of this deployment serves this path: servers and browsers have one each.',
  },
  idempotency_key_reused: ERRORS.idempotency_key_reused,
  rate_limited: ERRORS.rate_limited,
  event_limit_reached: {
    status: 429,
    text: 'The servers of the merchant have sent as many events in this minute or UTC day as are allowed here; nothing of this request was stored. See Retry-After.',
  },
  browser_limit_reached: {
    status: 429,
    text: 'The merchant, or the network the request comes from, has reached its limit of browser events a minute; see Retry-After.',
  },
  ai_limit_reached: ERRORS.ai_limit_reached,
  internal_error: ERRORS.internal_error,
  unavailable: {
    ...ERRORS.unavailable,
    text: 'A dependency is unavailable, or something stored cannot be read at the moment; nothing was stored. Repeat the request with the same event_id.',
  },
  ai_not_configured: { status: 503, isLasting: true, text: 'There is no language model here.' },
  ai_unavailable: ERRORS.ai_unavailable,
  billing_not_configured: {
    status: 503,
    isLasting: true,
    text: 'This deployment sells nothing yet; what is missing is in details. Usage is counted all the same.',
  },
} as const satisfies Readonly<Record<keyof typeof ERRORS, ErrorKind>> & Readonly<Record<string, ErrorKind>>;

export type EventsErrorCode = keyof typeof EVENTS_ERRORS;
