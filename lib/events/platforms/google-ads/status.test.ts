// Promise: what Google says of a request later is read as it is documented, for each conversion action, and nothing is made of
// what it does not say.
import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/google-ads/examples.ts';
import type { GoogleAdsCredentials } from './credentials.ts';
import googleAds from './index.ts';

const credentials = googleAds.credentials.parse(examples[0]?.credentials) as GoogleAdsCredentials;
const source = googleAds.statusOf ?? expect.unreachable();
const account = { accountType: 'GOOGLE_ADS', accountId: credentials.customer_id };
const PURCHASE = credentials.event_ids.Purchase;
const LEAD = credentials.event_ids.Lead;

const destination = (action: string | undefined, requestStatus: string, more: object = {}) => ({
  destination: { reference: action, operatingAccount: account, productDestinationId: action },
  requestStatus,
  ...more,
});
const errors = (counts: Readonly<Record<string, number>>, recordCount?: number) => ({
  errorInfo: {
    errorCounts: Object.entries(counts).map(([word, count]) => ({
      reason: word === 'UNSPECIFIED' ? word : `PROCESSING_ERROR_REASON_${word}`,
      recordCount: String(count),
    })),
  },
  ...(recordCount === undefined ? {} : { eventsIngestionStatus: { recordCount: String(recordCount) } }),
});
function read(status: number, body: unknown, name = 'Purchase') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const said = source.readStatus({ kind: 'response', status, headers: {}, body: text }, credentials);
  return said(name);
}
const ofDestinations = (...requestStatusPerDestination: readonly object[]) => ({
  requestStatusPerDestination,
});

describe('the question', () => {
  it('names the request, and keeps the token out of sight', () => {
    const request = source.buildRequest(credentials, 'a+b/c=', { test: false, accessToken: 'ya29.t' });
    expect(request).toMatchObject({
      method: 'GET',
      url: 'https://datamanager.googleapis.com/v1/requestStatus:retrieve?requestId=a%2Bb%2Fc%3D',
      headers: { authorization: 'Bearer ya29.t' },
      secrets: ['ya29.t'],
    });
    expect(() => source.buildRequest(credentials, 'r', { test: false })).toThrow(RangeError);
  });
});

describe('the answer', () => {
  it('is of the conversion action that the event went to, a refund’s of its purchase', () => {
    const body = ofDestinations(destination(PURCHASE, 'SUCCESS'), destination(LEAD, 'PROCESSING'));
    expect(read(200, body)).toEqual({ word: 'confirmed' });
    expect(read(200, body, 'Refund')).toEqual({ word: 'confirmed' });
    expect(read(200, body, 'Lead')).toEqual({ word: 'waiting' });
    expect(read(200, body, 'Share')).toEqual({ word: 'waiting' });
    expect(read(200, ofDestinations(destination('1', 'SUCCESS')), 'Share')).toEqual({ word: 'confirmed' });
  });

  it.each(['FAILED', 'FAILURE'])('is a rejection of all by %s, for the reason of most', (word) => {
    const counts = errors({ EVENT_TOO_OLD: 1, INVALID_GCLID: 3 });
    const reason = 'google_ads.INVALID_GCLID';
    expect(read(200, ofDestinations(destination(PURCHASE, word, counts)))).toEqual({
      word: 'rejected',
      reason,
    });
    const bare = read(200, ofDestinations(destination(PURCHASE, word)));
    expect(bare).toEqual({ word: 'rejected', reason: 'google_ads.UNSPECIFIED' });
  });

  it('counts the rejected where only some were', () => {
    const some = destination(PURCHASE, 'PARTIAL_SUCCESS', errors({ EVENT_TOO_OLD: 2, INVALID_GCLID: 1 }, 20));
    const said = { word: 'partly', reason: 'google_ads.EVENT_TOO_OLD' };
    expect(read(200, ofDestinations(some))).toEqual({ ...said, rejected: 3, of: 20 });
    const uncounted = destination(PURCHASE, 'PARTIAL_SUCCESS', errors({ EVENT_TOO_OLD: 2 }));
    expect(read(200, ofDestinations(uncounted))).toEqual(said);
  });

  it('confirms what Google has from an earlier upload, but no refund', () => {
    const copies = errors({ DUPLICATE_TRANSACTION_ID: 2 }, 2);
    for (const word of ['FAILED', 'PARTIAL_SUCCESS'])
      expect(read(200, ofDestinations(destination(PURCHASE, word, copies)))).toEqual({ word: 'confirmed' });
    const refund = read(200, ofDestinations(destination(PURCHASE, 'FAILED', copies)), 'Refund');
    expect(refund).toEqual({ word: 'rejected', reason: 'google_ads.DUPLICATE_TRANSACTION_ID' });
    const mixed = errors({ DUPLICATE_TRANSACTION_ID: 2, EVENT_TOO_OLD: 1 }, 3);
    const reason = 'google_ads.EVENT_TOO_OLD';
    expect(read(200, ofDestinations(destination(PURCHASE, 'FAILED', mixed)))).toEqual({
      ...{ word: 'partly', reason },
      ...{ rejected: 1, of: 3 },
    });
  });

  it('is never to be had for a request that Google does not know, or of another account', () => {
    const error = (code: number, status: string) => ({ error: { code, status, message: 'm' } });
    const unknown = { word: 'never', reason: 'unknown_request' };
    expect(read(404, error(404, 'NOT_FOUND'))).toEqual(unknown);
    expect(read(400, error(400, 'INVALID_ARGUMENT'))).toEqual(unknown);
    const foreign = { word: 'never', reason: 'another_account' };
    expect(read(403, error(403, 'PERMISSION_DENIED'))).toEqual(foreign);
    const other = destination(PURCHASE, 'SUCCESS');
    other.destination.operatingAccount = { accountType: 'GOOGLE_ADS', accountId: '9999999999' };
    expect(read(200, ofDestinations(other))).toEqual(foreign);
  });

  it.each([
    [200, {}],
    [200, 'no JSON'],
    [200, ofDestinations(destination(PURCHASE, 'REQUEST_STATUS_UNKNOWN'))],
    [401, { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    [403, '<html>blocked</html>'],
    [404, '<html>not here</html>'],
    [429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
    [503, 'x'],
  ])('is asked for again after %i %j', (status, body) =>
    expect(read(status, body)).toEqual({ word: 'waiting' }),
  );

  it('is asked for again where it is longer than is read', () => {
    const body = JSON.stringify(ofDestinations(destination(PURCHASE, 'SUCCESS')));
    const cut = { kind: 'response', status: 200, headers: {}, body, truncated: true } as const;
    expect(source.readStatus(cut, credentials)('Purchase')).toEqual({ word: 'waiting' });
  });

  it('is asked for again where none came', () => {
    const failure = { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 't' } as const;
    expect(source.readStatus(failure, credentials)('Purchase')).toEqual({ word: 'waiting' });
  });
});
