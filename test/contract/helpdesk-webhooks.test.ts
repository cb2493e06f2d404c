// Goal: webhooks, by their older paths and by v1: made, changed, tested, deleted; what was sent to them, and sending it again.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAddressRule } from '../../lib/adapters/http/address-guard.ts';
import { createTransport } from '../../lib/adapters/http/transport.ts';
import type { HttpResult } from '../../lib/core/ports/transport.ts';
import { REFUSED_WEBHOOK_URLS } from '../support/vectors/webhook-urls.ts';
import { type Desk, errorOf, MINE, NOW, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly secret_hint: string;
  readonly active: boolean;
}

const URL_OF = 'https://example.com/hook';
const open: { close(): unknown }[] = [];
const result: { current: HttpResult; calls: { url: string; body: string }[] } = {
  current: { kind: 'response', status: 200, headers: {}, body: '' },
  calls: [],
};
let desk: Desk;
beforeEach(async () => {
  result.calls = [];
  result.current = { kind: 'response', status: 200, headers: {}, body: 'a secret of theirs' };
  desk = await openHelpdesk({
    webhooks: {
      refused: createAddressRule({ highPorts: true }).refused,
      transport: async () => ({
        send: async ({ url, body }) => {
          result.calls.push({ url, body });
          return { ...result.current, latencyMs: 7 };
        },
      }),
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((resource) => resource.close()));
});

const actions = () => desk.stores.audit.all().map(({ action }) => action);
const made = async (base: string, body: object = {}): Promise<Hook> => {
  const reply = await desk.ask('POST', base, { body: { url: URL_OF, ...body } });
  expect(reply.status, reply.text).toBe(201);
  return (reply.body as { webhook: Hook }).webhook;
};
const hookOf = ({ body }: { readonly body: unknown }) => (body as { webhook: Hook }).webhook;

describe.each(['/api/webhooks', '/api/v1/webhooks'])('%s', (base) => {
  const one = (id: string, rest = '') => `${base}/${id}${rest}`;

  it('creates a webhook; its secret is in that answer alone', async () => {
    const reply = await desk.ask('POST', base, { body: { url: 'https://EXAMPLE.com/hook' } });
    expect(reply.status).toBe(201);
    const hook = hookOf(reply);
    expect(hook).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: URL_OF,
      events: ['*'],
      description: null,
      active: true,
      disabled_reason: null,
      failing_since: null,
      last_success_at: null,
      last_failure_at: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secret_hint: `…${hook.secret.slice(-4)}`,
      created_at: new Date(NOW).toISOString(),
      updated_at: new Date(NOW).toISOString(),
    });
    expect(reply.headers.location).toBe(`${base}/${hook.id}`);
    const { secret: _secret, ...shown } = hook;
    expect((await desk.ask('GET', one(hook.id))).body).toEqual({ success: true, webhook: shown });
    expect((await desk.ask('GET', base)).body).toEqual({ success: true, webhooks: [shown], total: 1 });
    const stored = JSON.stringify([desk.stores.webhooks.all(), desk.stores.audit.all()]);
    expect(stored).not.toContain(hook.secret.slice(6));
    expect(actions()).toEqual(['webhook.created']);
  });

  it('takes twenty, exactly, of forty that are made at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => desk.ask('POST', base, { body: { url: URL_OF } })),
    );
    let created = replies.filter(({ status }) => status === 201).length;
    // Who lost the race too often is told to come back.
    expect(replies.every(({ status }) => [201, 400, 503].includes(status))).toBe(true);
    while (created < 20) {
      await made(base);
      created += 1;
    }
    const late = await desk.ask('POST', base, { body: { url: URL_OF } });
    expect([late.status, errorOf(late)]).toEqual([400, 'webhooks: a workspace has at most 20']);
    expect((await desk.ask('GET', base)).body).toMatchObject({ total: 20 });
    expect(actions()).toHaveLength(20);
  });

  it('changes by what is given, and nothing for {}', async () => {
    const { id } = await made(base, { description: 'CRM' });
    const changed = await desk.ask('PATCH', one(id), {
      body: { events: ['ticket.closed', 'ticket.closed', 'run.failed'], description: '' },
    });
    expect(hookOf(changed)).toMatchObject({ events: ['ticket.closed', 'run.failed'], description: null });
    for (const body of [{}, { url: URL_OF }, { active: true }, { description: null }])
      expect((await desk.ask('PATCH', one(id), { body })).body).toEqual(changed.body);
    expect(actions()).toEqual(['webhook.created', 'webhook.updated']);
  });

  it('is disabled and enabled by hand; then what failed before no longer counts', async () => {
    const { id } = await made(base);
    const off = await desk.ask('PATCH', one(id), { body: { active: false } });
    expect(hookOf(off)).toMatchObject({ active: false, disabled_reason: 'manual' });
    const health = { failingSinceMs: NOW, lastSuccessAtMs: null, lastFailureAtMs: NOW };
    await desk.stores.health.putHealth(MINE, id, health);
    expect(hookOf(await desk.ask('GET', one(id)))).toMatchObject({
      failing_since: new Date(NOW).toISOString(),
    });
    desk.clock.advance(1_000);
    const on = await desk.ask('PATCH', one(id), { body: { active: true } });
    expect(hookOf(on)).toMatchObject({ active: true, disabled_reason: null, failing_since: null });
  });

  it('deletes, once', async () => {
    const { id } = await made(base);
    expect((await desk.ask('DELETE', one(id))).body).toEqual({ success: true, id });
    for (const [method, rest] of [
      ['DELETE', ''],
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      const body = method === 'PATCH' ? { body: {} } : {};
      const reply = await desk.ask(method, one(id, rest), body);
      expect([reply.status, errorOf(reply)]).toEqual([404, 'Webhook not found']);
    }
    expect(actions()).toEqual(['webhook.created', 'webhook.deleted']);
  });

  it('gives a new secret, and lets the old one sign for a day', async () => {
    const hook = await made(base);
    const rotated = hookOf(await desk.ask('POST', one(hook.id, '/rotate-secret')));
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(hook.secret);
    const [list] = desk.stores.webhooks.all();
    expect(list?.record.webhooks[0]?.secrets.map(({ hint, expiresAtMs }) => ({ hint, expiresAtMs }))).toEqual(
      [
        { hint: rotated.secret_hint, expiresAtMs: null },
        { hint: hook.secret_hint, expiresAtMs: NOW + 86_400_000 },
      ],
    );
    desk.clock.advance(1_000);
    const third = hookOf(await desk.ask('POST', one(hook.id, '/rotate-secret')));
    const secrets = desk.stores.webhooks.all()[0]?.record.webhooks[0]?.secrets;
    expect(secrets?.map(({ hint, expiresAtMs }) => [hint, expiresAtMs])).toEqual([
      [third.secret_hint, null],
      [rotated.secret_hint, NOW + 86_401_000],
      [hook.secret_hint, NOW + 86_400_000],
    ]);
    for (let n = 0; n < 7; n++) await desk.ask('POST', one(hook.id, '/rotate-secret'));
    const full = await desk.ask('POST', one(hook.id, '/rotate-secret'));
    expect([full.status, errorOf(full)]).toEqual([
      400,
      'secret: at most 10 sign at a time, each for 24 hours',
    ]);
    desk.clock.advance(86_400_000);
    expect((await desk.ask('POST', one(hook.id, '/rotate-secret'))).status).toBe(200);
  });

  it('refuses what is not a webhook, and keeps nothing of it', async () => {
    for (const [body, error] of [
      [{}, 'url: '],
      [{ url: 5 }, 'url: '],
      [{ url: 'http://example.com/' }, 'url: only https is allowed'],
      [{ url: 'https://10.0.0.1/' }, 'url: the address is not public'],
      [{ url: URL_OF, events: [] }, 'events: '],
      [{ url: URL_OF, events: ['ticket.opened'] }, 'events'],
      [{ url: URL_OF, events: '*' }, 'events: '],
      [{ url: URL_OF, description: 'a'.repeat(256) }, 'description: '],
      [{ url: URL_OF, description: 'a\nb' }, 'description: '],
      [{ url: URL_OF, active: 'yes' }, 'active: '],
    ] as const) {
      const reply = await desk.ask('POST', base, { body });
      expect([reply.status, errorOf(reply)], JSON.stringify(body)).toEqual([
        400,
        expect.stringContaining(error),
      ]);
    }
    expect(desk.stores.webhooks.all()).toEqual([]);
    expect(desk.stores.audit.all()).toEqual([]);
  });

  it('refuses malformed and unknown ids alike', async () => {
    for (const id of [UNKNOWN_ID, 'x', '1'.repeat(200), '%20'])
      expect((await desk.ask('GET', one(id))).status).toBe(404);
    const reply = await desk.ask('PATCH', one(UNKNOWN_ID), { body: { url: 'http://10.0.0.1/' } });
    expect(reply.status).toBe(404);
  });
});

describe('no URL that leads inside', () => {
  it(`is taken at creation or by a change: ${REFUSED_WEBHOOK_URLS.length} of them`, async () => {
    const { id } = await made('/api/webhooks');
    for (const url of REFUSED_WEBHOOK_URLS) {
      expect((await desk.ask('POST', '/api/webhooks', { body: { url } })).status, url).toBe(400);
      expect((await desk.ask('PATCH', `/api/webhooks/${id}`, { body: { url } })).status, url).toBe(400);
    }
    expect((await desk.ask('GET', '/api/webhooks')).body).toMatchObject({
      total: 1,
      webhooks: [{ url: URL_OF }],
    });
  });
});

describe('the test operation', () => {
  const test = (id: string, request = {}) => desk.ask('POST', `/api/webhooks/${id}/test`, request);

  it.each([
    ['2xx', { kind: 'response', status: 204, headers: {}, body: '' }, true],
    [
      'a redirect',
      { kind: 'response', status: 302, headers: { location: 'http://10.0.0.1/' }, body: '' },
      false,
    ],
    ['404', { kind: 'response', status: 404, headers: {}, body: 'who asks?' }, false],
    ['410', { kind: 'response', status: 410, headers: {}, body: '' }, false],
    ['silence', { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 'ms' }, false],
    [
      'an address inside',
      { kind: 'failure', code: 'blocked', maybeDelivered: false, message: '10.0.0.1' },
      false,
    ],
  ] as const)('says of %s whether it was delivered, and nothing else', async (_name, answer, delivered) => {
    const { id } = await made('/api/webhooks');
    result.current = answer;
    const reply = await test(id);
    expect([reply.status, reply.text]).toEqual([200, `{"success":true,"delivered":${delivered}}`]);
    expect(hookOf(await desk.ask('GET', `/api/webhooks/${id}`)).active).toBe(true);
  });

  it('sends ticket.created with an empty payload where the caller says nothing', async () => {
    const { id } = await made('/api/webhooks');
    for (const request of [{}, { body: {} }, { headers: { 'content-type': 'application/json' } }])
      expect((await test(id, request)).status).toBe(200);
    expect(result.calls.map(({ body }) => JSON.parse(body))).toEqual(
      Array.from({ length: 3 }, () => ({
        type: 'ticket.created',
        timestamp: new Date(NOW).toISOString(),
        account_id: MINE,
        data: {},
        version: 0,
      })),
    );
  });

  it('sends what the caller says, also to a webhook that is disabled, and notes it as a test', async () => {
    const { id } = await made('/api/webhooks', { active: false });
    const payload = { ticket: { id: '💥', nested: [1, { a: null }] } };
    await test(id, { body: { event: 'my.own', payload } });
    expect(JSON.parse(result.calls[0]?.body ?? '')).toMatchObject({ type: 'my.own', data: payload });
    const listed = await desk.ask('GET', `/api/webhooks/${id}/deliveries`);
    expect(listed.body).toMatchObject({
      deliveries: [{ type: 'my.own', status: 'test', attempts: 1, last_status: 200, last_latency_ms: 7 }],
      total: 1,
    });
    expect(listed.text).not.toContain('a secret of theirs');
    expect(actions()).toEqual(['webhook.created', 'webhook.tested']);
    // Nobody sends it again: it is due for nobody, and there is no pointer of it.
    expect(desk.stores.deliveries.all().map(({ dueAtMs }) => dueAtMs)).toEqual([null]);
    expect(desk.deliveries.size()).toBe(0);
  });

  it('refuses an event or a payload that no receiver takes', async () => {
    const { id } = await made('/api/webhooks');
    for (const body of [
      { event: '' },
      { event: 'a'.repeat(129) },
      { event: 'a\u0007' },
      { event: null },
      { payload: [] },
      { payload: 'x' },
      { payload: { a: 'x'.repeat(20_000) } },
    ])
      expect((await test(id, { body })).status, JSON.stringify(body).slice(0, 80)).toBe(400);
    expect(result.calls).toEqual([]);
  });

  it('reaches a receiver over the wire, signed', async () => {
    const got: { headers?: IncomingHttpHeaders; body?: string } = {};
    const server = createServer(async (request, response) => {
      got.headers = request.headers;
      got.body = Buffer.concat(await request.toArray()).toString();
      response.end('a secret of theirs');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const addresses = createAddressRule({ highPorts: true, allowedCidrs: '127.0.0.0/8' });
    const transport = createTransport({ addresses });
    open.push(transport, { close: () => server.closeAllConnections() ?? server.close() });
    desk = await openHelpdesk({ webhooks: { refused: addresses.refused, transport: async () => transport } });
    const { port } = server.address() as AddressInfo;
    const hook = await made('/api/webhooks', { url: `http://127.0.0.1:${port}/` });
    expect((await test(hook.id)).text).toBe('{"success":true,"delivered":true}');
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const verified = new Verifier(hook.secret).verify(got.body ?? '', got.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'ticket.created' });
  });
});

describe('deliveries', () => {
  /** A ticket that was created, and what its event became. */
  const happened = async (id: string) => {
    await desk.ticket();
    const listed = await desk.ask('GET', `/api/webhooks/${id}/deliveries`);
    return (listed.body as { deliveries: { id: string; type: string; status: string }[] }).deliveries;
  };

  it('are listed newest first, by pages', async () => {
    const { id } = await made('/api/webhooks', { events: ['ticket.created'] });
    for (let n = 0; n < 3; n++) {
      desk.clock.advance(1_000);
      await happened(id);
    }
    const all = await desk.ask('GET', `/api/webhooks/${id}/deliveries`);
    const ids = (all.body as { deliveries: { id: string }[] }).deliveries.map((delivery) => delivery.id);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual([...ids].sort().reverse());
    const page = await desk.ask('GET', `/api/webhooks/${id}/deliveries?limit=1&offset=1`);
    expect(page.body).toMatchObject({ deliveries: [{ id: ids[1] }], total: 3, limit: 1, offset: 1 });
    expect((await desk.ask('GET', `/api/webhooks/${id}/deliveries?limit=0`)).status).toBe(400);
  });

  it('are sent once more where somebody asks, whatever became of them', async () => {
    const { id } = await made('/api/webhooks', { events: ['ticket.created'] });
    const [delivery] = await happened(id);
    const stored = await desk.stores.deliveries.read(MINE, delivery?.id ?? '');
    if (stored === null) throw new Error('no row');
    const record = {
      ...stored.record,
      status: 'failed',
      attempts: 10,
      step: 10,
      nextAttemptAtMs: null,
    } as const;
    await desk.stores.deliveries.put({ ...stored, record, version: 2, dueAtMs: null }, 1);
    desk.deliveries.purge();
    for (const base of ['/api/webhooks', '/api/v1/webhooks']) {
      const reply = await desk.ask('POST', `${base}/${id}/deliveries/${delivery?.id}/retry`);
      expect(reply.body).toMatchObject({ delivery: { status: 'pending', attempts: 10 } });
    }
    expect(desk.deliveries.receive(10).map(({ body }) => body)).toEqual([
      { workspaceId: MINE, id: delivery?.id },
      { workspaceId: MINE, id: delivery?.id },
    ]);
    const again = await desk.stores.deliveries.read(MINE, delivery?.id ?? '');
    expect(again?.record).toMatchObject({ step: 0, payload: record.payload });
    expect(again?.dueAtMs).toBe(NOW + 60_000);
  });

  it('are left alone while an attempt is being made', async () => {
    const { id } = await made('/api/webhooks', { events: ['ticket.created'] });
    const [delivery] = await happened(id);
    const stored = await desk.stores.deliveries.read(MINE, delivery?.id ?? '');
    if (stored === null) throw new Error('no row');
    const record = { ...stored.record, attempts: 1, leaseUntilMs: NOW + 60_000, nextAttemptAtMs: null };
    await desk.stores.deliveries.put({ ...stored, record, version: 2 }, 1);
    expect((await desk.ask('POST', `/api/webhooks/${id}/deliveries/${delivery?.id}/retry`)).status).toBe(200);
    expect((await desk.stores.deliveries.read(MINE, delivery?.id ?? ''))?.version).toBe(2);
  });

  it('of a test, of another webhook and of nobody are not sent', async () => {
    const { id } = await made('/api/webhooks', { events: ['ticket.created'] });
    const { id: other } = await made('/api/webhooks', { events: ['ticket.closed'] });
    const [delivery] = await happened(id);
    const retry = (hook: string, did: string) =>
      desk.ask('POST', `/api/webhooks/${hook}/deliveries/${did}/retry`);
    for (const did of [delivery?.id ?? '', `${UNKNOWN_ID}.${other}`, UNKNOWN_ID, 'x', `${'a'.repeat(36)}.`]) {
      const reply = await retry(other, did);
      expect([reply.status, errorOf(reply)], did).toEqual([404, 'Delivery not found']);
    }
    await desk.ask('POST', `/api/webhooks/${other}/test`);
    const tests = await desk.ask('GET', `/api/webhooks/${other}/deliveries`);
    const [tested] = (tests.body as { deliveries: { id: string }[] }).deliveries;
    const reply = await retry(other, tested?.id ?? '');
    expect([reply.status, errorOf(reply)]).toEqual([400, 'delivery_id: is a test, which is never repeated']);
    await desk.ask('PATCH', `/api/webhooks/${id}`, { body: { active: false } });
    const off = await retry(id, delivery?.id ?? '');
    expect([off.status, errorOf(off)]).toEqual([400, 'webhook: is disabled: nothing is sent to it']);
  });
});
