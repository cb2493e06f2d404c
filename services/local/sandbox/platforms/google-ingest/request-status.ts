// What Google says later of a request: the sandbox has no memory, so the request id says whose the request was, when it came, and
// of each destination how many events it had and how many of them are rejected later, for what.
// Rejected are events that Google would only look into when it processes them: a gclid that begins with `bad` cannot be decoded, and
// an event is too old after 60 days; of Google Analytics a transaction that begins with `bad` is invalid.
import {
  jsonAnswer,
  type SandboxAnswer,
  type SandboxContext,
  type SandboxRequest,
} from '../platform-sandbox.ts';
import { type Fields, listOf, record, recordsOf } from '../reading.ts';

/** So long every request is PROCESSING. */
export const PROCESSING_MS = 20 * 60_000;
const OLD_MS = 60 * 86_400_000;

type Reason = 'INVALID_GCLID' | 'EVENT_TOO_OLD' | 'INVALID_EVENT';
const LETTERS: Readonly<Record<string, Reason>> = {
  g: 'INVALID_GCLID',
  o: 'EVENT_TOO_OLD',
  e: 'INVALID_EVENT',
};
/** How an id begins → whose requests it is of. */
const PRODUCTS: Readonly<Record<string, string>> = {
  sandbox: 'GOOGLE_ADS',
  'sandbox.ga': 'GOOGLE_ANALYTICS_PROPERTY',
};

/** `sandbox-<account>-<milliseconds>-<destination>.<events>[.<letter><rejected>…]-…`, with `~` for the hyphens of a destination. */
export function requestIdOf(
  product: string,
  account: string,
  { destinations, events }: Fields,
  nowMs: number,
): string {
  const all = recordsOf(events);
  const parts = recordsOf(destinations).map(({ reference, productDestinationId }) => {
    const own = all.filter(({ destinationReferences }) =>
      listOf(destinationReferences).every((one) => one === reference),
    );
    const counts = Object.entries(LETTERS).flatMap(([letter, reason]) => {
      const count = own.filter((event) => lateReason(event, nowMs) === reason).length;
      return count === 0 ? [] : [`${letter}${count}`];
    });
    return [String(productDestinationId).replaceAll('-', '~'), own.length, ...counts].join('.');
  });
  return [product, account, nowMs, ...parts].join('-');
}

function lateReason(
  { adIdentifiers, eventName, transactionId, eventTimestamp }: Fields,
  nowMs: number,
): Reason | undefined {
  if (eventName !== undefined && String(transactionId).startsWith('bad')) return 'INVALID_EVENT';
  if (String(record(adIdentifiers)?.gclid ?? '').startsWith('bad')) return 'INVALID_GCLID';
  return nowMs - Date.parse(String(eventTimestamp)) > OLD_MS ? 'EVENT_TOO_OLD' : undefined;
}

type Refusal = (code: number, word: string, message: string, reason?: string) => SandboxAnswer;

/** Null where the request asks for no status. */
export function statusAnswer(
  product: string,
  { method, path, query }: SandboxRequest,
  { nowMs, check }: SandboxContext,
  secret: string | undefined,
  refusal: Refusal,
): SandboxAnswer | null {
  if (path !== '/v1/requestStatus:retrieve') return null;
  if (method !== 'GET') return refusal(404, 'NOT_FOUND', 'Method not found.');
  const [, of, account = '', sentMs = '', rest = ''] =
    /^([a-z.]+)-(\d+)-(\d+)((?:-[\w.:~]+)*)$/.exec(query.requestId ?? '') ?? [];
  if (secret === undefined) return refusal(401, 'UNAUTHENTICATED', 'Expected OAuth 2 access token.');
  if (of !== product) return refusal(404, 'NOT_FOUND', 'Request not found.', 'REQUEST_ID_NOT_FOUND');
  const login = check(account, secret);
  if (login === 'wrong_secret') return refusal(401, 'UNAUTHENTICATED', 'Expected OAuth 2 access token.');
  if (login !== 'ok')
    return refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission', 'PERMISSION_DENIED');
  const isDone = nowMs - Number(sentMs) >= PROCESSING_MS;
  const parts = rest.split('-').filter((part) => part !== '');
  return jsonAnswer(200, {
    requestStatusPerDestination: parts.map((part) => destinationStatus(product, account, part, isDone)),
  });
}

function destinationStatus(product: string, account: string, part: string, isDone: boolean): Fields {
  const [action = '', events = '0', ...counts] = part.replaceAll('~', '-').split('.');
  const destination = {
    reference: action,
    operatingAccount: { accountType: PRODUCTS[product], accountId: account },
    productDestinationId: action,
  };
  if (!isDone) return { destination, requestStatus: 'PROCESSING' };
  const errorCounts = counts.map((count) => ({
    recordCount: count.slice(1),
    reason: `PROCESSING_ERROR_REASON_${LETTERS[count.charAt(0)]}`,
  }));
  const rejected = errorCounts.reduce((sum, { recordCount }) => sum + Number(recordCount), 0);
  const failed = rejected >= Number(events) ? 'FAILED' : 'PARTIAL_SUCCESS';
  return {
    destination,
    requestStatus: rejected === 0 ? 'SUCCESS' : failed,
    ...(rejected === 0 ? {} : { errorInfo: { errorCounts } }),
    eventsIngestionStatus: { recordCount: events },
  };
}
