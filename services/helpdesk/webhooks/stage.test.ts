import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAddressRule } from '#lib/adapters/http/address-guard.ts';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { LEASE_MS } from '#lib/helpdesk/domain/webhooks/delivery-attempt.ts';
import { FAILING_MAX_MS } from '#lib/helpdesk/domain/webhooks/health.ts';
import { WEBHOOK_USER_AGENT } from '#lib/helpdesk/work/webhook-call.ts';
import { answers, openWebhookWorld, T0, WORKSPACE } from '#test/support/webhook-world.ts';
import { createWebhookStage } from './stage.ts';

const HOOK = 'https://receiver.example/hook';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((resource) => resource.close()));
});

const pointer = (id: string) => ({
  body: { workspaceId: WORKSPACE, id },
  receiveCount: 1,
  sentAtMs: T0,
});

/** Its first attempt is written. */
const isTried = (world: ReturnType<typeof openWebhookWorld>): boolean =>
  world.stores.deliveries.all()[0]?.version === 3;

describe('many pointers of one delivery', () => {
  it('make one attempt, in one invocation and in many', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    world.receivers.set(HOOK, () => answers(200));
    const [delivery] = await world.happen();
    const id = delivery?.id ?? '';
    const stages = Array.from({ length: 20 }, () => createWebhookStage(world.ports));
    const runs = stages.map((stage) => stage([pointer(id), pointer(id), pointer(id)]));
    world.timeline.after(0, () => undefined);
    await world.run();
    expect(await Promise.all(runs)).toEqual(stages.map(() => ({ failedIndexes: [] })));
    expect(world.sent).toHaveLength(1);
    expect(await world.row(id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('that come while an attempt is being made make no other', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    world.receivers.set(HOOK, () => answers(200, { afterMs: 14_000 }));
    const [delivery] = await world.happen();
    const stage = createWebhookStage(world.ports);
    for (const atMs of [1, 5_000, 13_999, 14_001])
      world.timeline.at(T0 + atMs, () => void stage([pointer(delivery?.id ?? '')]));
    await world.run();
    await world.timeline.run(() => world.clock.now() > T0 + 20_000, 1_000);
    expect(world.sent).toHaveLength(1);
  });

  it('that come before its time or after its end cost a read', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    world.receivers.set(HOOK, () => answers(world.sent.length === 1 ? 500 : 200));
    const [delivery] = await world.happen();
    const id = delivery?.id ?? '';
    await world.run(() => isTried(world));
    const before = await world.stores.deliveries.read(WORKSPACE, id);
    await createWebhookStage(world.ports)([pointer(id)]);
    expect(await world.stores.deliveries.read(WORKSPACE, id)).toEqual(before);
    await world.run();
    await createWebhookStage(world.ports)([pointer(id)]);
    expect(world.sent).toHaveLength(2);
  });

  it('of nothing are taken from the queue', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    const strange = ['x', 'a.b', 'a.b.c', '.', '💥.💥', '__proto__.constructor'].map(pointer);
    expect(await createWebhookStage(world.ports)(strange)).toEqual({ failedIndexes: [] });
    expect(world.problems).toEqual([]);
  });

  it('of another workspace reach nothing here', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    const [delivery] = await world.happen();
    const foreign = { ...pointer(''), body: { workspaceId: 'ws-2', id: delivery?.id ?? '' } };
    await createWebhookStage(world.ports)([foreign]);
    expect(world.sent).toEqual([]);
  });
});

describe('a worker that dies', () => {
  it.each([1, 10])('between sending and writing down, at attempt %i: it is sent again', async (attempt) => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    const [delivery] = await world.happen();
    const id = delivery?.id ?? '';
    const stored = await world.stores.deliveries.read(WORKSPACE, id);
    if (stored === null) throw new Error('no row');
    // As a worker left it that crashed after sending, before it wrote the answer.
    const record = {
      ...stored.record,
      attempts: attempt,
      step: attempt,
      leaseUntilMs: T0 + LEASE_MS,
      nextAttemptAtMs: null,
    };
    await world.stores.deliveries.put({ ...stored, record, version: 2, dueAtMs: T0 + LEASE_MS }, 1);
    world.receivers.set(HOOK, () => answers(200));
    await world.run();
    expect(world.sent).toHaveLength(1);
    // After its lease has ended and a sweep has seen it.
    expect(world.sent[0]?.atMs).toBeGreaterThanOrEqual(T0 + LEASE_MS);
    expect(world.sent[0]?.atMs).toBeLessThanOrEqual(T0 + LEASE_MS + 61_000);
    expect(await world.row(id)).toMatchObject({ status: 'delivered', attempts: attempt + 1 });
  });

  it('each time ends one day: as failed, and said so', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    const [delivery] = await world.happen();
    world.ports.transport.send = () => new Promise(() => undefined);
    const stages: Promise<unknown>[] = [];
    const poke = (): void => {
      stages.push(createWebhookStage(world.ports)([pointer(delivery?.id ?? '')]));
      world.timeline.after(LEASE_MS + 1, poke);
    };
    poke();
    const isOver = () => world.stores.deliveries.all()[0]?.record.status === 'failed';
    await world.timeline.run(isOver, 100);
    expect(await world.row(delivery?.id ?? '')).toMatchObject({ lastError: 'interrupted', attempts: 15 });
  });

  it('before it could write down what a full table refused: nothing is lost', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    world.receivers.set(HOOK, () => answers(200));
    const put = world.stores.deliveries.put;
    let refused = 0;
    world.stores.deliveries.put = async (stored, expected) => {
      if (stored.record.status === 'delivered' && refused++ === 0) throw new Error('throttled');
      return await put(stored, expected);
    };
    const [delivery] = await world.happen();
    await world.run();
    expect(world.sent).toHaveLength(2);
    expect(new Set(world.sent.map(({ request }) => request.headers['webhook-id'])).size).toBe(1);
    expect(await world.row(delivery?.id ?? '')).toMatchObject({ status: 'delivered' });
  });
});

describe('a receiver whose rest is over', () => {
  it('gets one request from twenty processes that look at the same moment, and the rest once it is back', async () => {
    const world = openWebhookWorld();
    const { webhook } = await world.addWebhook(HOOK, { createdAtMs: T0 - 10_000 });
    const health = { failingSinceMs: T0 - 9_000, lastSuccessAtMs: null, lastFailureAtMs: T0 - 9_000 };
    await world.stores.health.putHealth(WORKSPACE, webhook.id, { ...health, restUntilMs: T0 });
    world.receivers.set(HOOK, () => answers(200, { afterMs: 5_000 }));
    for (let n = 0; n < 20; n++) await world.happen();
    const pointers = world.stores.deliveries.all().map(({ record }) => pointer(record.id));
    world.deliveries.purge();
    const runs = pointers.map((one) => createWebhookStage(world.ports)([one]));
    let isOver = false;
    void Promise.all(runs).then(() => {
      isOver = true;
    });
    world.timeline.after(0, () => undefined);
    await world.timeline.run(() => isOver, 100);
    expect(world.sent).toHaveLength(1);
    expect(await world.health(webhook)).toMatchObject({ failingSinceMs: null, restUntilMs: null });
    await world.run();
    expect(world.sent).toHaveLength(20);
    // Put off without using up a place.
    const rows = world.stores.deliveries.all().map(({ record }) => record);
    expect(rows.every(({ status, step }) => status === 'delivered' && step === 1)).toBe(true);
  });
});

describe('a webhook', () => {
  it('that is deleted or disabled meanwhile: what waits is cancelled when it comes up', async () => {
    const world = openWebhookWorld();
    const { webhook: gone } = await world.addWebhook(HOOK);
    const { webhook: off } = await world.addWebhook('https://off.example/');
    const rows = await world.happen();
    await world.setWebhooks((all) =>
      all.flatMap((one) => (one.id === gone.id ? [] : { ...one, active: false })),
    );
    await world.run();
    expect(world.sent).toEqual([]);
    const ended = await Promise.all(rows.map(({ id }) => world.row(id)));
    expect(ended.map(({ webhookId, status, lastError }) => ({ webhookId, status, lastError }))).toEqual([
      { webhookId: gone.id, status: 'cancelled', lastError: 'webhook_deleted' },
      { webhookId: off.id, status: 'cancelled', lastError: 'webhook_disabled' },
    ]);
  });

  it('whose receiver is gone (410) is disabled at once, with an entry in the audit log and a figure', async () => {
    const world = openWebhookWorld();
    const { webhook } = await world.addWebhook(HOOK);
    const { webhook: other } = await world.addWebhook('https://other.example/');
    world.receivers.set(HOOK, () => answers(410));
    world.receivers.set('https://other.example/', () => answers(200));
    for (let n = 0; n < 30; n++) await world.happen();
    await world.run();
    const [first, second] = await world.webhooks();
    expect(first).toMatchObject({ active: false, disabledReason: 'gone' });
    expect(second).toMatchObject({ id: other.id, active: true });
    expect(world.told).toEqual([
      { metric: 'webhook_disabled', value: 1, workspaceId: WORKSPACE, webhookId: webhook.id, reason: 'gone' },
    ]);
    expect(world.stores.audit.all()).toMatchObject([
      { action: 'webhook.disabled', resourceId: webhook.id, actor: { type: 'system' }, source: 'server' },
    ]);
    // The attempts that several slots had in progress at that moment.
    expect(world.sent.filter(({ request }) => request.url === HOOK).length).toBeLessThanOrEqual(20);
  });

  it('that is changed while its old receiver says it is gone stays', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    world.receivers.set(HOOK, () => answers(410));
    await world.happen();
    world.timeline.at(T0 + 20, () => {
      void world.setWebhooks((all) => all.map((one) => ({ ...one, url: 'https://new.example/' })));
    });
    await world.run(() => isTried(world));
    expect(await world.webhooks()).toMatchObject([{ active: true, disabledReason: null }]);
  });

  it.each([
    ['five days', FAILING_MAX_MS, false],
    ['a moment less', FAILING_MAX_MS - 60_000, true],
  ])('that failed for %s', async (_name, failingMs, isActive) => {
    const world = openWebhookWorld();
    const { webhook } = await world.addWebhook(HOOK, { createdAtMs: T0 - 10 * FAILING_MAX_MS });
    const failingSinceMs = T0 - failingMs;
    const health = { failingSinceMs, lastSuccessAtMs: null, lastFailureAtMs: T0 - 60_000 };
    await world.stores.health.putHealth(WORKSPACE, webhook.id, health);
    world.receivers.set(HOOK, () => answers(404));
    await world.happen();
    await world.run(() => isTried(world));
    expect(await world.webhooks()).toMatchObject([
      { active: isActive, disabledReason: isActive ? null : 'failing' },
    ]);
  });

  it('that was enabled again is not judged by what was before', async () => {
    const world = openWebhookWorld();
    const { webhook } = await world.addWebhook(HOOK, { judgedFromMs: T0 - 1_000 });
    const restUntilMs = T0 + 200_000;
    const lastFailureAtMs = T0 - 5_000;
    const health = { failingSinceMs: 5, lastSuccessAtMs: null, lastFailureAtMs, restUntilMs };
    await world.stores.health.putHealth(WORKSPACE, webhook.id, health);
    world.receivers.set(HOOK, () => answers(404));
    await world.happen();
    await world.run(() => isTried(world));
    expect(await world.webhooks()).toMatchObject([{ active: true }]);
    expect((await world.health(webhook))?.failingSinceMs).toBe(T0 + 50);
  });

  it('has its health written when it changes, not for each success', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(HOOK);
    world.receivers.set(HOOK, () => answers(200));
    const written = vi.spyOn(world.stores.health, 'putHealth');
    for (let n = 0; n < 200; n++) await world.happen();
    await world.run();
    expect(world.sent).toHaveLength(200);
    expect(written.mock.calls.length).toBeLessThanOrEqual(20);
  });
});

describe('over the wire', () => {
  /** A receiver on loopback, and a delivery to it that was run once. */
  async function delivered(listener: RequestListener) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    open.push({ close: () => server.closeAllConnections() ?? server.close() });
    const { port } = server.address() as AddressInfo;
    const addresses = createAddressRule({ highPorts: true, allowedCidrs: '127.0.0.0/8' });
    const transport = createTransport({ addresses, userAgent: WEBHOOK_USER_AGENT });
    open.push(transport);
    const world = openWebhookWorld();
    const { secret } = await world.addWebhook(`http://127.0.0.1:${port}/hook?a=%20`);
    const [delivery] = await world.happen();
    const clock = { now: () => Date.now() };
    const stage = createWebhookStage({ ...world.ports, transport, clock });
    expect(await stage([pointer(delivery?.id ?? '')])).toEqual({ failedIndexes: [] });
    return { secret, payload: delivery?.payload, row: await world.row(delivery?.id ?? '') };
  }

  it('a receiver gets what the published library verifies', async () => {
    const got: { path?: string | undefined; headers?: IncomingHttpHeaders; body?: string } = {};
    const { secret, payload, row } = await delivered(async (request, response) => {
      got.path = request.url;
      got.headers = request.headers;
      got.body = Buffer.concat(await request.toArray()).toString();
      response.writeHead(202).end('thanks');
    });
    expect(row).toMatchObject({ status: 'delivered', lastStatus: 202, lastError: null });
    expect(JSON.stringify(row)).not.toContain('thanks');
    expect(got.path).toBe('/hook?a=%20');
    expect(got.body).toBe(payload);
    expect(got.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Helpdesk-Webhooks/1',
    });
    const headers = got.headers as Record<string, string>;
    expect(new Verifier(secret).verify(got.body ?? '', headers)).toEqual(JSON.parse(payload ?? ''));
    expect(() => new Verifier(secret).verify(`${got.body} `, headers)).toThrow(/signature/i);
  });

  it.each([
    ['a redirect', 302, 'http_302'],
    ['an error', 500, 'http_500'],
    ['not modified', 304, 'http_304'],
  ])('%s is a failure, and tried again later', async (_name, status, lastError) => {
    const { row } = await delivered((_request, response) =>
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end(),
    );
    expect(row).toMatchObject({ status: 'pending', attempts: 1, lastStatus: status, lastError });
    expect(row.nextAttemptAtMs).toBeGreaterThan(row.updatedAtMs);
  });

  it('a connection that is cut is a failure without a status', async () => {
    const { row } = await delivered((request) => request.socket.destroy());
    expect(row).toMatchObject({ status: 'pending', lastStatus: null, lastError: 'reset' });
  });
});
