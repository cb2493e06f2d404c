// What became of a request that Google took: `requestStatus:retrieve`, half an hour on and later. Google says it for each
// destination, and counts errors by reason: where some of its events were refused, it names none of them. https://github.com/googleapis/googleapis/blob/master/google/ads/datamanager/v1/request_status_per_destination.proto
import type { Said } from '../../domain/deliveries/confirmation.ts';
import { codeOf, type Fields, isSuccess, jsonObject, record, recordsOf, wholeNumber } from '../answer.ts';
import type { StatusSource } from '../platform.ts';
import { isDataManagerError } from './response.ts';

const ENDPOINT = 'https://datamanager.googleapis.com/v1/requestStatus:retrieve';

/** processing_errors.proto; one value of the enum has the shorter prefix. */
const PREFIX = /^PROCESSING_ERROR_(?:REASON_)?/;
/** Google has the conversion from an earlier upload. */
const DUPLICATES: ReadonlySet<string> = new Set(['DUPLICATE_TRANSACTION_ID', 'DUPLICATE_GCLID']);
/** Google's answers about the question itself: who asks may not see the request, or there is none of that id. */
const UNKNOWN: ReadonlyMap<number, string> = new Map([
  [400, 'unknown_request'],
  [404, 'unknown_request'],
  [403, 'another_account'],
]);

const WAITING: Said = { word: 'waiting' };
const all = (said: Said) => () => said;

/** By what the destinations of a request differ. */
export interface Asked<Credentials> {
  /** Before the reasons. */
  readonly vendor: string;
  readonly accountOf: (credentials: Credentials) => string | undefined;
  /** The id of the destination that an event of this name goes to. */
  readonly destinationOf: (name: string, credentials: Credentials) => string | undefined;
}

export const dataManagerStatus = <Credentials>(of: Asked<Credentials>): StatusSource<Credentials> => ({
  buildRequest: (_credentials, request, { accessToken }) => {
    if (accessToken === undefined) throw new RangeError('a request needs an access token');
    return {
      method: 'GET',
      url: `${ENDPOINT}?${new URLSearchParams({ requestId: request })}`,
      headers: { authorization: `Bearer ${accessToken}` },
      body: '',
      secrets: [accessToken],
    };
  },

  readStatus: (result, credentials) => {
    if (result.kind === 'failure') return all(WAITING);
    const body = jsonObject(result);
    const { status } = result;
    if (!isSuccess(result)) {
      const reason = UNKNOWN.get(status);
      const isOwn = body !== undefined && isDataManagerError(body, status);
      return all(reason === undefined || !isOwn ? WAITING : { word: 'never', reason });
    }
    const destinations = recordsOf(body?.requestStatusPerDestination);
    const accounts = destinations.map(({ destination }) => accountOf(record(destination)));
    if (accounts.some((account) => account !== undefined && account !== of.accountOf(credentials)))
      return all({ word: 'never', reason: 'another_account' });
    return (name) => {
      const id = of.destinationOf(name, credentials);
      const own = destinations.filter(({ destination }) => record(destination)?.productDestinationId === id);
      // A request of one destination says it of all its events, also where the connection names another one since.
      const [found] = own.length === 0 && destinations.length === 1 ? destinations : own;
      return found === undefined ? WAITING : saidOf(found, name, of.vendor);
    };
  },
});

function accountOf(destination: Fields | undefined): string | undefined {
  const account = record(destination?.operatingAccount)?.accountId;
  return typeof account === 'string' ? account : undefined;
}

/** The enum says FAILED, the guide FAILURE. */
function saidOf(
  { requestStatus, errorInfo, eventsIngestionStatus }: Fields,
  name: string,
  vendor: string,
): Said {
  switch (requestStatus) {
    case 'SUCCESS':
      return { word: 'confirmed' };
    case 'FAILED':
    case 'FAILURE':
    case 'PARTIAL_SUCCESS':
      break;
    default:
      return WAITING;
  }
  const unspecified = `${vendor}.UNSPECIFIED`;
  const errors = errorCounts(errorInfo, name, (word) => codeOf(vendor, word) ?? unspecified);
  const [worst] = errors.lost.sort((a, b) => b.count - a.count);
  if (worst === undefined && errors.duplicates > 0) return { word: 'confirmed' };
  const reason = worst?.reason ?? unspecified;
  if (requestStatus !== 'PARTIAL_SUCCESS' && errors.duplicates === 0) return { word: 'rejected', reason };
  const rejected = errors.lost.reduce((sum, { count }) => sum + count, 0);
  const of = wholeNumber(record(eventsIngestionStatus)?.recordCount);
  const counts = worst === undefined || of === undefined ? {} : { rejected, of: Math.max(of, rejected) };
  return { word: 'partly', reason, ...counts };
}

/** `ErrorInfo`, which Google may leave empty. A purchase that Google has is there; a refund that it took for a copy changes nothing. */
function errorCounts(errorInfo: unknown, name: string, reasonOf: (word: string) => string) {
  const lost: { readonly reason: string; readonly count: number }[] = [];
  let duplicates = 0;
  for (const { reason, recordCount } of recordsOf(record(errorInfo)?.errorCounts)) {
    const word = String(reason).replace(PREFIX, '');
    const count = wholeNumber(recordCount) ?? 0;
    if (count <= 0) continue;
    if (name !== 'Refund' && DUPLICATES.has(word)) duplicates += count;
    else lost.push({ reason: reasonOf(word), count });
  }
  return { lost, duplicates };
}
