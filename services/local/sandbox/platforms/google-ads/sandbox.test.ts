import { describe, expect, it } from 'vitest';
import googleAds from '#lib/events/platforms/google-ads/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/google-ads/examples.ts';
import { SAMPLE_HASHED, sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = googleAds.credentials.parse(examples[0]?.credentials);
const context = { test: false, accessToken: 'ya29.token' };

describe('the sandbox', () => {
  const send = (change: (body: Record<string, unknown>) => void) => {
    const request = googleAds.buildRequest([sampleEvent()], credentials, context);
    const body = JSON.parse(request.body);
    change(body);
    const received = asReceived(request, { body: JSON.stringify(body) });
    const reply = sandbox.handle(received, { nowMs: 1_795_176_060_000, check: () => 'ok' });
    const details = JSON.parse(reply.answer.body).error?.details ?? [];
    return details.flatMap((detail: { fieldViolations?: { reason: string; field: string }[] }) =>
      (detail.fieldViolations ?? []).map(({ reason, field }) => `${reason} ${field}`),
    );
  };
  type Body = Record<string, unknown>;
  const event = (body: Body) => (body.events as Body[])[0] ?? {};
  const identified = (identifier: object) => (body: Body) =>
    (event(body).userData = { userIdentifiers: [identifier] });
  const { emailGoogle: emailAddress, phoneE164: phoneNumber } = SAMPLE_HASHED;
  const EVENT = 'events.events[0]';
  const IDENTIFIER = `${EVENT}.user_data.user_identifiers[0]`;
  const OTHER_PLACE = `INVALID_DESTINATION ${EVENT}.destination_references`;

  it.each<[string, (body: Body) => void, string]>([
    ['an unknown name', (b) => (event(b).event_id = 'x'), `UNKNOWN_FIELD ${EVENT}.event_id`],
    ['a name in the wrong place', (b) => (b.test = true), 'UNKNOWN_FIELD test'],
    [
      'text for a number',
      (b) => (event(b).conversionValue = '59.98'),
      `INVALID_FORMAT ${EVENT}.conversionValue`,
    ],
    ['an unknown word', (b) => (event(b).eventSource = 'website'), `INVALID_ENUM_VALUE ${EVENT}.eventSource`],
    [
      'a missing time',
      (b) => delete event(b).eventTimestamp,
      `REQUIRED_FIELD_MISSING ${EVENT}.eventTimestamp`,
    ],
    ['seconds for a time', (b) => (event(b).eventTimestamp = 1), `INVALID_FORMAT ${EVENT}.eventTimestamp`],
    ['no destinations', (b) => delete b.destinations, 'REQUIRED_FIELD_MISSING destinations'],
    ['no encoding', (b) => delete b.encoding, `REQUIRED_FIELD_MISSING ${EVENT}.user_data`],
    ['nobody', (b) => delete event(b).userData, `NO_IDENTIFIERS_PROVIDED ${EVENT}.user_data`],
    ['no such currency', (b) => (event(b).currency = 'USDT'), `INVALID_CURRENCY_CODE ${EVENT}.currency`],
    [
      'a plain e-mail',
      identified({ emailAddress: 'jane@example.com' }),
      `INVALID_SHA256_FORMAT ${IDENTIFIER}`,
    ],
    ['two identifiers in one', identified({ emailAddress, phoneNumber }), `INVALID_FORMAT ${IDENTIFIER}`],
    ['a destination that is not there', (b) => (event(b).destinationReferences = ['7']), OTHER_PLACE],
  ])('refuses %s', (_, change, said) => expect(send(change)).toContain(said));

  it('takes the same request unchanged', () => expect(send(() => {})).toEqual([]));
});

describe('what it says of a request later', () => {
  const SENT_MS = 1_795_176_060_000;
  const ask = (requestId: string, more: { readonly token?: string; readonly atMs?: number } = {}) => {
    const { token = 'ya29.token', atMs = SENT_MS + 1_800_000 } = more;
    const { answer, events } = sandbox.handle(
      {
        method: 'GET',
        host: 'datamanager.googleapis.com',
        path: '/v1/requestStatus:retrieve',
        query: { requestId },
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
        body: '',
      },
      { nowMs: atMs, check: (account) => (account === '1234567890' ? 'ok' : 'unknown_account') },
    );
    expect(events).toEqual([]);
    const body = JSON.parse(answer.body);
    const said = (body.requestStatusPerDestination ?? []).map(
      ({ requestStatus }: { requestStatus: string }) => requestStatus,
    );
    return [answer.status, ...said];
  };
  const of = (...parts: readonly string[]) => ['sandbox', '1234567890', SENT_MS, ...parts].join('-');

  it.each([
    [of('100013.3'), [200, 'SUCCESS']],
    [of('100013.3.g1.o2', '100020.2.o1', '100021.1'), [200, 'FAILED', 'PARTIAL_SUCCESS', 'SUCCESS']],
    ['sandbox-9999999999-1-1.1', [403]],
    ['of-elsewhere', [404]],
    ['', [404]],
  ])('%s', (id, said) => expect(ask(id)).toEqual(said));

  it('nothing for twenty minutes, and nothing to nobody', () => {
    expect(ask(of('100013.3'), { atMs: SENT_MS + 1_199_999 })).toEqual([200, 'PROCESSING']);
    expect(ask(of('100013.3'), { token: '' })).toEqual([401]);
  });
});
