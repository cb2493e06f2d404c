// Through a whole application: what a caller who repeats a request sees, and how often it ran.
import { describe, expect, it } from 'vitest';
import { transportApp } from '#test/support/transport-routes.ts';
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_LEASE_MS } from './idempotency.ts';

async function* nothing(): AsyncGenerator<never> {}

function open(changes: Parameters<typeof transportApp>[1] = {}) {
  const parts = transportApp(nothing, changes);
  const send = async (
    value: string,
    key: string | null = 'k',
    { who = 'm1/ann', path = '/changes/1', space = '' } = {},
  ) => {
    const answer = await parts.app.inject({
      method: 'POST',
      url: path,
      headers: {
        authorization: who,
        'content-type': 'application/json',
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      payload: `{"value":${space}${JSON.stringify(value)}}`,
    });
    return { status: answer.statusCode, body: JSON.parse(answer.payload), headers: answer.headers };
  };
  return { ...parts, send };
}

describe('a repeated request', () => {
  it('gets the first answer, with its status and headers, and does nothing', async () => {
    const { send, runs } = open();
    const first = await send('a');
    const again = await send('a');
    expect([first.status, first.body, first.headers.etag]).toEqual([201, { value: 'a', runs: 1 }, '"1"']);
    expect([again.status, again.body, again.headers.etag]).toEqual([201, first.body, '"1"']);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(runs()).toBe(1);
  });

  it('gets a refusal of the handler again as well', async () => {
    const { send, runs } = open();
    expect([(await send('missing')).status, (await send('missing')).status, runs()]).toEqual([404, 404, 1]);
  });

  it.each(['outage', 'bug'])('runs again after an answer of 500 and above: %s', async (value) => {
    const { send, runs } = open();
    await send(value);
    await send(value);
    expect(runs()).toBe(2);
  });

  it.each<[string, Parameters<ReturnType<typeof open>['send']>]>([
    ['another key', ['a', 'k2']],
    ['no key', ['a', null]],
    ['another merchant', ['a', 'k', { who: 'm2/ann' }]],
    ['another person of the merchant', ['a', 'k', { who: 'm1/bob' }]],
  ])('runs with %s', async (_name, sent) => {
    const { send, runs } = open();
    await send('a');
    expect((await send(...sent)).status).toBe(201);
    expect(runs()).toBe(2);
  });

  it.each<[string, Parameters<ReturnType<typeof open>['send']>]>([
    ['body', ['b']],
    ['body, to the last space', ['a', 'k', { space: ' ' }]],
    ['path', ['a', 'k', { path: '/changes/2' }]],
    ['query', ['a', 'k', { path: '/changes/1?x=1' }]],
  ])('is refused where its key came with another %s', async (_name, sent) => {
    const { send, runs } = open();
    await send('a');
    const refused = await send(...sent);
    expect([refused.status, refused.body.code, runs()]).toEqual([422, 'idempotency_key_reused', 1]);
  });

  it('uses no key for a request that was refused before it ran', async () => {
    const { app, send, runs } = open();
    const headers = { authorization: 'm1/ann', 'idempotency-key': 'k' };
    const bad = await app.inject({ method: 'POST', url: '/changes/1', headers, payload: {} });
    expect(bad.statusCode).toBe(400);
    expect([(await send('a')).status, runs()]).toEqual([201, 1]);
  });

  it.each(['', 'a b', 'x'.repeat(256), 'ü'])('is refused with the key %j', async (key) => {
    const { send, runs } = open();
    const refused = await send('a', key);
    expect([refused.status, refused.body.details?.[0]?.path, runs()]).toEqual([400, 'idempotency-key', 0]);
  });

  it('keeps nothing in the open', async () => {
    const { send, idempotency } = open();
    await send('a very secret value', 'the key itself');
    const kept = JSON.stringify([...idempotency.kept]);
    expect(kept).not.toContain('secret value');
    expect(kept).not.toContain('the key itself');
  });

  it('runs once among a hundred at once; the others are told to wait', async () => {
    const { send, runs } = open();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send('a')));
    expect(runs()).toBe(1);
    for (const { status, body, headers } of answers)
      if (status !== 201) {
        expect([status, body.code, headers['retry-after']]).toEqual([409, 'idempotency_key_in_use', '1']);
      }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
  });

  it('waits for the lease of a request that died, and then runs', async () => {
    let isDead = true;
    const { send, clock, runs } = open({
      change: async ({ body }) => {
        // As a killed process: nothing comes back, nothing is freed.
        if (isDead) await new Promise(() => undefined);
        return { status: 201, body: { value: body.value, runs: 1 } };
      },
    });
    void send('a');
    while ((await send('other', 'probe-never-run', { path: '/nowhere' })).status !== 404);
    expect((await send('a')).body.code).toBe('idempotency_key_in_use');
    clock.advance(IDEMPOTENCY_LEASE_MS);
    isDead = false;
    expect((await send('a')).status).toBe(201);
    clock.advance(IDEMPOTENCY_KEPT_MS);
    expect([(await send('b')).status, runs()]).toEqual([201, 0]);
  });

  it('is answered all the same where its answer cannot be kept, and that is reported', async () => {
    const { send, idempotency, reports } = open();
    idempotency.finish = () => Promise.reject(new Error('away'));
    expect((await send('a')).status).toBe(201);
    expect(reports.map(String)).toEqual(['Error: away']);
  });

  it('is 503 and does nothing where keys cannot be read', async () => {
    const { send, idempotency, runs } = open();
    idempotency.begin = () => Promise.reject(Object.assign(new Error('away'), { name: 'TimeoutError' }));
    expect([(await send('a')).status, runs()]).toEqual([503, 0]);
  });
});
