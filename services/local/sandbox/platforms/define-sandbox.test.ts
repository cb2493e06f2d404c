import { describe, expect, it } from 'vitest';
import { defineSandbox, type SandboxDefinition } from './define-sandbox.ts';
import { jsonAnswer, type SandboxContext, type SandboxRequest } from './platform-sandbox.ts';

const NO = jsonAnswer(403, { error: { message: 'no such account' } });
const context: SandboxContext = {
  nowMs: 0,
  check: (account, secret) =>
    secret === 'wrong' ? 'wrong_secret' : account === 'mine' ? 'ok' : 'unknown_account',
};

function answered(
  more: Partial<SandboxDefinition<string>>,
  body: object,
  sent: Partial<SandboxRequest> = {},
) {
  const sandbox = defineSandbox<string>({
    slug: 'acme',
    hosts: ['api.acme.example'],
    dedupeWindowSec: 0,
    login: ['account_id', 'token', 'key'],
    seen: { name: 'name', id: 'id', value: 'money.value', currency: 'money.currency' },
    path: /^\/v1$/,
    account: (_request, sent) => sent.account,
    events: 'events',
    eventsMax: 2,
    tokens: { hosts: ['tokens.acme.example'], path: '/token' },
    secret: ({ request: { headers } }) => headers.key,
    refusals: {
      noRoute: jsonAnswer(404, {}),
      noJson: jsonAnswer(400, 'no JSON'),
      wrongSecret: jsonAnswer(401, {}),
      unknownAccount: () => NO,
      noEvents: jsonAnswer(400, 'none'),
      tooManyEvents: jsonAnswer(400, 'too many'),
    },
    refuse: ({ body: sent }) => (sent.strange === true ? jsonAnswer(409, {}) : null),
    refusalOf: ({ bad }) => (typeof bad === 'string' ? bad : null),
    reasonOf: (reason) => reason,
    answer: (reasons) => jsonAnswer(200, reasons),
    allOrNothing: false,
    provoked: { throttled: NO, unavailable: NO, unauthorized: NO },
    ...more,
  });
  const request = {
    method: 'POST',
    host: 'api.acme.example',
    path: '/v1',
    query: {},
    headers: { key: 'k' },
    body: JSON.stringify(body),
    ...sent,
  };
  return { sandbox, ...sandbox.handle(request, context) };
}

const reasonsOf = (more: Partial<SandboxDefinition<string>>, body: object) =>
  answered(more, body).events.map(({ reason }) => reason);
const GOOD = { name: 'buy', id: '1' };
const two = { account: 'mine', events: [GOOD, { bad: 'too old' }] };

describe('a sandbox', () => {
  it('refuses what is bad, and the rest of the request where the vendor does', () => {
    expect(reasonsOf({}, two)).toEqual([undefined, 'too old']);
    expect(reasonsOf({ allOrNothing: true }, two)).toEqual(['refused with its batch', 'too old']);
    expect(reasonsOf({ allOrNothing: true }, { ...two, events: [GOOD, GOOD] })).toEqual([
      undefined,
      undefined,
    ]);
    expect(reasonsOf({ allOrNothing: ({ body }) => body?.strict === true }, two)[0]).toBeUndefined();
    expect(answered({}, two).answer.body).toBe('[null,"too old"]');
  });

  it.each<[string, number, object, Partial<SandboxRequest>]>([
    ['another path', 404, two, { path: '/v2' }],
    ['another method', 404, two, { method: 'GET' }],
    ['another host', 404, two, { host: 'acme.example' }],
    ['the host of tokens', 404, two, { host: 'tokens.acme.example' }],
    ['no secret', 401, two, { headers: {} }],
    ['a wrong secret', 401, two, { headers: { key: 'wrong' } }],
    ['no JSON', 400, two, { body: '{' }],
    ['no events', 400, { account: 'mine' }, {}],
    ['too many events', 400, { account: 'mine', events: [GOOD, GOOD, GOOD] }, {}],
    ['what only this vendor refuses', 409, { ...two, strange: true }, {}],
  ])('refuses %s with %i, and takes nothing', (_what, status, body, sent) => {
    const { answer, events } = answered({}, body, sent);
    expect(answer.status).toBe(status);
    expect(events.some(({ accepted }) => accepted)).toBe(false);
  });

  it('gives tokens, where access is by token', () => {
    const token = { host: 'tokens.acme.example', path: '/token', body: 'grant_type=refresh_token' };
    expect(answered({}, {}, token).answer.body).toContain('OAuth client was not found');
  });

  it('looks at no event of a request that is refused as a whole', () => {
    const foreign = { ...two, account: 'yours' };
    expect(answered({}, foreign).answer).toBe(NO);
    expect(reasonsOf({}, foreign)).toEqual(['refused with its batch', 'refused with its batch']);
    expect(reasonsOf({ reasonAt: 'error.message' }, foreign)[1]).toBe('no such account');
  });

  it.each([
    [
      { value: '9.50', currency: 'EUR' },
      { value: 9.5, currency: 'EUR' },
    ],
    [{ value: -3 }, { value: -3 }],
    [{ value: 'free', currency: 1 }, {}],
    [undefined, {}],
  ])('reads the money %j of an event', (money, expected) => {
    const [event] = answered({}, { account: 'mine', events: [{ ...GOOD, money }] }).events;
    const { value, currency } = event ?? {};
    expect({
      ...(value === undefined ? {} : { value }),
      ...(currency === undefined ? {} : { currency }),
    }).toEqual(expected);
  });

  it('tells events apart by account, name and id, or by what the vendor goes by; never without an id', () => {
    const keyOf = (event: object, key?: SandboxDefinition<string>['seen']['key']) => {
      const seen = {
        name: 'name',
        id: 'id',
        value: 'v',
        currency: 'c',
        ...(key === undefined ? {} : { key }),
      };
      return answered({ seen }, { account: 'mine', events: [event] }).events[0]?.dedupeKey;
    };
    expect(keyOf(GOOD)).toBe('mine\nbuy\n1');
    expect(keyOf({ name: 'buy' })).toBeUndefined();
    expect(keyOf({ id: '1' })).toBe('mine\n\n1');
    expect(keyOf(GOOD, (_event, { eventId }) => [eventId])).toBe('1');
    expect(keyOf(GOOD, ({ order }) => [order])).toBeUndefined();
    expect(keyOf(GOOD, () => undefined)).toBeUndefined();
  });

  it('knows account and secret of credentials, of several secrets the first', () => {
    const { sandbox } = answered({}, {});
    expect(sandbox.login({ account_id: 'a', key: 'k' })).toEqual({ account: 'a', secret: 'k' });
    expect(sandbox.login({ account_id: 'a', token: 't', key: 'k' })).toEqual({ account: 'a', secret: 't' });
  });
});
