// A stand-in for the adjustments of the Ads API and for Microsoft's token endpoint. Says of every bad adjustment by index what is wrong
// with it, and takes the others.
import { type Call, defineSandbox } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency } from '../reading.ts';
import { bearerSecret } from '../token-endpoint.ts';

const BATCH_MAX = 1_000;
const TRACKING_ID = '5a17b0c5-a17b-4c5a-97b0-c5a17b0c5a17';
const FIELDS: ReadonlySet<string> = new Set([
  ...['AdjustmentCurrencyCode', 'AdjustmentTime', 'AdjustmentType', 'AdjustmentValue'],
  ...['ConversionName', 'TransactionId'],
]);

interface Refusal {
  readonly code: string;
  readonly message: string;
}

export const adjustments = defineSandbox<Refusal>({
  slug: 'microsoft',
  hosts: ['campaign.api.bingads.microsoft.com'],
  tokens: { hosts: ['login.microsoftonline.com'], path: '/common/oauth2/v2.0/token' },
  dedupeWindowSec: 0,
  login: ['account_id', 'refresh_token'],
  seen: {
    name: 'AdjustmentType',
    id: 'TransactionId',
    value: 'AdjustmentValue',
    currency: 'AdjustmentCurrencyCode',
  },
  path: /^\/CampaignManagement\/v13\/OnlineConversionAdjustments\/Apply$/,
  account: ({ headers }) => headers.customeraccountid,
  events: 'OnlineConversionAdjustments',
  eventsMax: BATCH_MAX,
  secret: ({ request, context }) => bearerSecret(request, context.nowMs),
  refusals: {
    noRoute: fault(404, 100, 'NullRequest', 'The request message is null.'),
    noJson: fault(400, 100, 'NullRequest', 'The request message is null.'),
    wrongSecret: fault(401, 105, 'InvalidCredentials', 'Authentication failed.'),
    unknownAccount: () => fault(401, 106, 'UserIsNotAuthorized', 'User is not authorized.'),
    noEvents: fault(400, 100, 'NullRequest', 'The request message is null.'),
    tooManyEvents: fault(400, 5521, 'OfflineConversionsLimitExceeded', `At most ${BATCH_MAX}.`),
  },
  refuse: ({ request: { headers } }: Call) =>
    headers.developertoken === undefined || headers.customerid === undefined
      ? fault(400, 105, 'InvalidCredentials', 'Authentication failed.')
      : null,
  refusalOf: (adjustment, { context }) => refusalOf(adjustment, context.nowMs),
  reasonOf: ({ message }) => message,
  answer: (refusals) => {
    const errors = refusals.flatMap((refusal, Index) =>
      refusal === null ? [] : [{ Index, Code: 5500, ErrorCode: refusal.code, Message: refusal.message }],
    );
    return jsonAnswer(200, { PartialErrors: errors });
  },
  allOrNothing: false,
  provoked: {
    throttled: fault(429, 117, 'CallRateExceeded', 'The call rate limit was exceeded.'),
    unavailable: fault(500, 0, 'InternalError', 'An internal error has occurred.'),
  },
});

/** Null when Microsoft takes the adjustment. Its codes for online conversions are not documented: those of offline ones stand in. */
function refusalOf(adjustment: Fields, nowMs: number): Refusal | null {
  const { TransactionId, ConversionName, AdjustmentType, AdjustmentTime, AdjustmentValue } = adjustment;
  const other = Object.keys(adjustment).find((key) => !FIELDS.has(key));
  if (other !== undefined) return refusal('UnknownField', `${other} is not a field of an adjustment.`);
  if (typeof TransactionId !== 'string' || TransactionId === '')
    return refusal('TransactionIdNullOrEmpty', 'The transaction id is empty.');
  if (typeof ConversionName !== 'string' || ConversionName === '')
    return refusal('OfflineConversionNameNullOrEmpty', 'The conversion name is empty.');
  const atMs =
    typeof AdjustmentTime === 'string' && /Z$/.test(AdjustmentTime) ? Date.parse(AdjustmentTime) : Number.NaN;
  if (Number.isNaN(atMs)) return refusal('OfflineConversionAdjustmentTimeInvalid', 'The time is invalid.');
  if (atMs > nowMs) return refusal('OfflineConversionFutureAdjustmentTimeCannotBeSet', 'In the future.');
  if (AdjustmentType === 'Retract')
    return AdjustmentValue === undefined
      ? null
      : refusal('OfflineConversionAdjustmentValueNotExpected', 'The value is not expected.');
  if (AdjustmentType !== 'Restate')
    return refusal('OfflineConversionInvalidAdjustmentType', 'The adjustment type is invalid.');
  if (typeof AdjustmentValue !== 'number' || AdjustmentValue < 0)
    return refusal('OfflineConversionAdjustmentValueRequired', 'The value is required.');
  return isCurrency(adjustment.AdjustmentCurrencyCode)
    ? null
    : refusal('OfflineConversionCurrencyValueRequired', 'The currency is required.');
}

const refusal = (code: string, message: string): Refusal => ({ code, message });

function fault(status: number, Code: number, ErrorCode: string, Message: string): SandboxAnswer {
  const Errors = [{ Code, Detail: null, ErrorCode, Message }];
  return jsonAnswer(status, { TrackingId: TRACKING_ID, Type: 'AdApiFaultDetail', Errors });
}
