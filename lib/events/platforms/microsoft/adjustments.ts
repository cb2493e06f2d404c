// Refunds, as adjustments of the purchase that Microsoft knows by its transaction id. They go to the Ads API, which takes another grant
// than the Conversions API: without it nothing else of the connection is affected.
// https://learn.microsoft.com/en-us/advertising/campaign-management-service/applyonlineconversionadjustments?view=bingads-13
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Answer,
  codeOf,
  errorOutcome,
  type Fields,
  isSuccess,
  kindOutcome,
  recordsOf,
  refusal,
  SETTING_RETRY_SEC,
  wholeNumber,
} from '../answer.ts';
import { type ErrorTable, errorKind } from '../error-table.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, TokenSource, Unsendable } from '../platform.ts';
import { readTokenAnswer, refreshTokenRequest } from '../refresh-token.ts';
import { moneyFault, notTakenBack } from '../unsendable.ts';
import { type AdsGrant, adsGrantOf, type MicrosoftCredentials } from './credentials.ts';

export const isRefund = ({ name }: Pick<NormalizedEvent, 'name'>): boolean => name === 'Refund';

export function refundFault(event: NormalizedEvent, credentials?: MicrosoftCredentials): Unsendable | null {
  if (credentials !== undefined && adsGrantOf(credentials) === undefined) return notTakenBack('no_grant');
  const isKnown = event.orderId !== undefined && event.refund?.purchase !== undefined;
  if (credentials !== undefined && !isKnown) return notTakenBack('order_unknown');
  return moneyFault(event);
}

const TOKENS = 'https://login.microsoftonline.com/common/oauth2/v2.0/token';
const SCOPE = 'https://ads.microsoft.com/msads.manage';

/** A grant that is refused keeps back refunds alone. */
export const adsToken: TokenSource<MicrosoftCredentials> = {
  needed: (_credentials, events) => events.some(isRefund),
  buildTokenRequest: (credentials) => refreshTokenRequest(TOKENS, grantIn(credentials), SCOPE),
  readTokenResponse: (result) => {
    const read = readTokenAnswer(result);
    if (read.kind !== 'auth') return read;
    return { ...read, kind: 'retry', setting: true, retryAfterSec: SETTING_RETRY_SEC };
  },
};

/** The time is that of sending, so that the last adjustment sent, which says what is left, is the latest. */
export const adjustmentRequest: BuildRequest<MicrosoftCredentials> = (events, credentials, context) => {
  const { accessToken, nowMs } = context;
  if (accessToken === undefined) throw new RangeError('a refund needs an access token');
  const grant = grantIn(credentials);
  return {
    method: 'POST',
    url: 'https://campaign.api.bingads.microsoft.com/CampaignManagement/v13/OnlineConversionAdjustments/Apply',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${accessToken}`,
      developertoken: grant.developer_token,
      customerid: grant.customer_id,
      customeraccountid: grant.account_id,
    },
    body: jsonBody({
      OnlineConversionAdjustments: events.map((event) => ({
        TransactionId: event.orderId,
        ConversionName: grant.purchase_goal,
        AdjustmentTime: new Date(nowMs ?? event.receivedAtMs).toISOString(),
        ...adjusted(event),
      })),
    }),
    secrets: [accessToken, grant.developer_token],
  };
};

function grantIn(credentials: MicrosoftCredentials): AdsGrant {
  const grant = adsGrantOf(credentials);
  if (grant === undefined) throw new RangeError('a refund needs the Ads API');
  return grant;
}

/** What is left of the purchase; of one that is gone no value may be sent. */
function adjusted({ currency, refund }: NormalizedEvent): Fields {
  const left = refund?.purchase?.value;
  if (left === undefined) throw new RangeError('a refund needs its purchase');
  return Number(left) > 0
    ? { AdjustmentType: 'Restate', AdjustmentValue: jsonNumber(left), AdjustmentCurrencyCode: currency }
    : { AdjustmentType: 'Retract' };
}

/** `PartialErrors` name adjustments by `Index`; a fault is of the whole request. */
export function adjustmentOutcomes(
  table: ErrorTable,
  answer: Answer,
  body: Fields | undefined,
  count: number,
): Outcome | readonly Outcome[] {
  if (isSuccess(answer) && body !== undefined && 'PartialErrors' in body)
    return partial(table, recordsOf(body.PartialErrors), count);
  const faults = faultsIn(body);
  const codes = faults.map(({ ErrorCode }) => (typeof ErrorCode === 'string' ? ErrorCode : undefined));
  const said = { codes, code: codeOf('microsoft', codes[0]), message: faults[0]?.Message };
  const one = errorOutcome(table, answer, count, said);
  return one.kind === 'auth'
    ? kindOutcome('setting_refused', { code: one.code, message: one.message }, count)
    : one;
}

/** AdApiFaultDetail has `Errors`, ApiFaultDetail the others. */
export const faultsIn = (body: Fields | undefined): readonly Fields[] => [
  ...recordsOf(body?.Errors),
  ...recordsOf(body?.OperationErrors),
  ...recordsOf(body?.BatchErrors),
];

function partial(table: ErrorTable, errors: readonly Fields[], count: number): Outcome | readonly Outcome[] {
  const outcomes: Outcome[] = Array.from({ length: count }, () => ({ kind: 'delivered' }));
  for (const { Index, ErrorCode, Message } of errors) {
    const index = wholeNumber(Index) ?? -1;
    const code = codeOf('microsoft', ErrorCode) ?? 'microsoft.PartialError';
    if (outcomes[index] === undefined) return refusal(count, code, Message);
    const codes = typeof ErrorCode === 'string' ? [ErrorCode] : [];
    const kind = errorKind(table, { status: 200, codes }) ?? 'event_refused';
    outcomes[index] = kindOutcome(kind, { code, message: Message }, 1);
  }
  return outcomes;
}
