// Goal: a log line for each request of every public door, which names the merchant and no person. Method: requests whose every
// personal field is a canary, through the handlers of function URLs, and a search of what the real logger wrote.
import { describe, expect, it } from 'vitest';
import { createFunctionUrlHandler } from '../../lib/adapters/fastify/function-url.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '../../lib/adapters/lambda/function-url.ts';
import { createLogger } from '../../lib/adapters/logger/logger.ts';
import { createRequestLines } from '../../lib/adapters/logger/request-lines.ts';
import { canariesOf, canaryEvent, findCanaries, textPlace } from '../support/canaries.ts';
import { API_KEY, BROWSER, MERCHANT, NOW_MS, testIngestion } from '../support/ingestion.ts';
import { NOTE_ID, openPlainApp } from '../support/plain-routes.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CANARY = canaryEvent('zq1xv', NOW_MS / 1_000 - 5);
const TEXTS = canariesOf(CANARY);

function recorder(linesPerMinute = 600) {
  const lines: string[] = [];
  let nowMs = NOW_MS;
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  return {
    answered: createRequestLines(logger, { linesPerMinute, now: () => nowMs }),
    advance: (ms: number) => (nowMs += ms),
    lines: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    leaks: () => findCanaries(TEXTS, [textPlace('lines', lines.join(''))]),
  };
}

const eventOf = (
  path: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): FunctionUrlEvent => ({
  rawPath: path,
  rawQueryString: `email=${encodeURIComponent(CANARY.user_data.email)}`,
  headers: { 'content-type': 'application/json', ...headers },
  ...(value === undefined ? {} : { body: JSON.stringify(value) }),
  isBase64Encoded: false,
  requestContext: { requestId: 'from-lambda', http: { method, sourceIp: CANARY.user_data.client_ip } },
});

const KEY = { authorization: `Bearer ${API_KEY}` };

describe('ingestion', () => {
  const open = (linesPerMinute?: number) => {
    const log = recorder(linesPerMinute);
    const handle = functionUrlHandler(testIngestion().app, log.answered);
    return { ...log, handle };
  };

  it('counts what became of the events of a batch, by names of ours', async () => {
    const { handle, lines, leaks } = open();
    const other = { ...CANARY, event_id: 'e2', event_name: `Bought by ${CANARY.user_data.email}` };
    const events = [CANARY, CANARY, other, { ...CANARY, event_id: 'e3', value: 'many' }];
    const headers = { ...KEY, 'x-request-id': 'mine-1', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    await handle(eventOf('/v1/ingest', { events }, headers));
    expect(lines()).toMatchObject([
      {
        ...{
          kind: 'request',
          request: 'mine-1',
          trace: TRACE,
          route: '/v1/ingest',
          method: 'POST',
          status: 202,
        },
        ...{ merchant: MERCHANT, key: expect.stringMatching(/^[0-9a-f]{8}$/), code: 'duplicate_event' },
        ...{ accepted: 2, duplicates: 1, refused: 1, names: { Purchase: 3, Custom: 1 } },
      },
    ]);
    expect(leaks()).toEqual([]);
  });

  it('says of a single event whether it was accepted, known or refused', async () => {
    const { handle, lines, leaks } = open();
    await handle(eventOf('/v1/events', CANARY, KEY));
    await handle(eventOf('/v1/events', CANARY, KEY));
    await handle(eventOf('/v1/events', { ...CANARY, event_id: 'e2', event_time: 'now' }, KEY));
    expect(lines()).toMatchObject([
      { status: 202, accepted: 1, duplicates: 0, refused: 0, request: 'from-lambda' },
      { status: 409, accepted: 0, duplicates: 1, refused: 0, code: 'duplicate_event' },
      { status: 400, accepted: 0, duplicates: 0, refused: 1, code: 'invalid_request' },
    ]);
    expect(leaks()).toEqual([]);
  });

  it('names no key that was tried, no path that was asked and no header that was sent', async () => {
    const { handle, lines, leaks } = open();
    const { email } = CANARY.user_data;
    const hostile = {
      authorization: `Bearer ${email}`,
      'x-request-id': email,
      traceparent: email,
      origin: email,
    };
    await handle(eventOf('/v1/events', CANARY, hostile));
    await handle(eventOf(`/v1/${email}`, undefined, hostile, 'GET'));
    await handle(eventOf('/v1/events', undefined, hostile, email));
    expect(lines()).toMatchObject([
      { status: 401, code: 'unauthorized', request: 'from-lambda' },
      { status: 404, code: 'route_not_found' },
      { status: 405, code: 'method_not_allowed', method: 'other' },
    ]);
    for (const line of lines()) {
      expect(line).not.toHaveProperty('merchant');
      expect(line).not.toHaveProperty('trace');
    }
    expect(leaks()).toEqual([]);
  });

  it('names the merchant of a page only where there is one', async () => {
    const { handle, lines, leaks } = open();
    const headers = { 'user-agent': BROWSER, 'content-type': 'text/plain' };
    await handle(eventOf('/v1/browser/events', { ...CANARY, merchant_id: MERCHANT }, headers));
    const unknown = '9f0e1d2c-3b4a-4968-8776-655443322110';
    await handle(eventOf('/v1/browser/events', { ...CANARY, merchant_id: unknown }, headers));
    const [known, stranger] = lines();
    expect(known).toMatchObject({ merchant: MERCHANT, accepted: 1, names: { Purchase: 1 } });
    expect(stranger).toMatchObject({ code: 'unknown_merchant', refused: 1 });
    expect(JSON.stringify(stranger)).not.toContain(unknown);
    expect(leaks()).toEqual([]);
  });

  it('sums a minute without a word more', async () => {
    const { handle, lines, leaks, advance } = open(0);
    for (let i = 0; i < 5; i++) await handle(eventOf('/v1/events', { ...CANARY, event_id: `e${i}` }, KEY));
    advance(60_000);
    await handle(eventOf('/v1/events', CANARY, KEY));
    expect(lines()).toMatchObject([
      { kind: 'requests', requests: 5, accepted: 5, merchants: { [MERCHANT]: 5 } },
    ]);
    expect(leaks()).toEqual([]);
  });
});

it('an application with routes of its own: the pattern of the path, the caller, and the code of a refusal', async () => {
  const { answered, lines, leaks } = recorder();
  const { app, keys } = await openPlainApp({ answered });
  const handle = await createFunctionUrlHandler(app);
  const { email } = CANARY.user_data;
  await handle(eventOf(`/api/notes/${NOTE_ID}`, undefined, { 'x-api-key': keys.reads }, 'GET'));
  await handle(eventOf(`/api/notes/${NOTE_ID}`, undefined, { 'x-api-key': email }, 'GET'));
  await handle(eventOf(`/api/${email}`, undefined, {}, 'GET'));
  await handle(eventOf('/api/v1/notes', { text: email, owner: email }, { authorization: 'Bearer owner' }));
  await handle(eventOf(`/api/notes/%E0%A4%A${email}`, undefined, {}, 'GET'));
  const said = lines();
  expect(said).toMatchObject([
    { route: '/api/notes/:id', status: 200, merchant: 'm', key: 'key_1', request: 'from-lambda' },
    { route: '/api/notes/:id', status: 401, code: 'unauthorized' },
    { status: 404, code: 'route_not_found' },
    { route: '/api/v1/notes', merchant: 'm' },
    { status: expect.any(Number) },
  ]);
  expect(said).toHaveLength(5);
  expect(leaks()).toEqual([]);
});
