// What each error of the answer means: the first line that fits decides.
import { record, wholeNumber } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/**
 * Words of `error.details[].reason`, of the violations, and `error.status`; any of them may fit.
 * https://github.com/googleapis/googleapis/blob/master/google/ads/datamanager/v1/error.proto and google/rpc/code.proto
 */
export const GOOGLE_ADS_ERRORS: ErrorTable = [
  [429, '*', '*', 'rate_limited'],
  [
    '*',
    'RESOURCE_EXHAUSTED',
    '*',
    'rate_limited',
    'after `RetryInfo`, or once a minute or an hour, as the quota is',
  ],
  [401, '*', '*', 'auth'],
  [403, '*', '*', 'auth'],
  ['*', 'UNAUTHENTICATED', '*', 'auth'],
  ['*', 'PERMISSION_DENIED', '*', 'auth'],
  ['*', 'NOT_ALLOWLISTED', '*', 'auth'],
  ['*', 'TERMS_AND_CONDITIONS_NOT_SIGNED', '*', 'auth'],
  ['*', 'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS', '*', 'auth'],
  ['*', 'DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS', '*', 'auth'],
  ['*', 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED', '*', 'auth'],
  ['*', 'DESTINATION_ACCOUNT_TYPE_MISMATCH', '*', 'auth'],
  ['*', 'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH', '*', 'auth'],
  ['*', 'EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED', '*', 'auth'],
  ['5xx', '*', '*', 'maybe_delivered'],
  [408, '*', '*', 'maybe_delivered'],
  [425, '*', '*', 'maybe_delivered'],
  ['*', 'INTERNAL', '*', 'maybe_delivered'],
  ['*', 'INTERNAL_ERROR', '*', 'maybe_delivered'],
  ['*', 'UNAVAILABLE', '*', 'maybe_delivered'],
  ['*', 'DEADLINE_EXCEEDED', '*', 'maybe_delivered'],
  ['*', 'ABORTED', '*', 'maybe_delivered'],
  ['*', 'CANCELLED', '*', 'maybe_delivered'],
  ['*', 'UNKNOWN', '*', 'maybe_delivered'],
  ['*', '*', '*', 'event_refused', 'the events it names, alone'],
];

/** `{"error": {"code": 403, "message": …, "status": "PERMISSION_DENIED"}}`. */
export const isGoogleAdsError: OwnError = ({ error }, status) => {
  const said = record(error);
  return typeof said?.status === 'string' || wholeNumber(said?.code) === status;
};
