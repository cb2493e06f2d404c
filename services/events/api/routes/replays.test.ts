// Replays through the API: what is refused, what is kept from others, what is noted. What is sent is in test/integration.
import { describe, expect, it } from 'vitest';
import type { Success } from '#lib/core/http/handler.ts';
import { PLAN_LIMITS } from '#lib/events/domain/replays/plan.ts';
import { isReplayId, rootOf } from '#lib/events/domain/replays/replay-id.ts';
import { readEvent } from '#lib/events/routes/events.ts';
import { connectPlatform } from '#lib/events/routes/platforms/platforms.ts';
import {
  createReplay,
  listReplays,
  readReplay,
  replayEvent,
  retryFailed,
} from '#lib/events/routes/replays.ts';
import {
  type ApiHost,
  type ApiReply,
  bodyOf,
  codeOf,
  MINE,
  NOW,
  openApi,
  THEIRS,
} from '#test/contract/api-host.ts';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';

const post = (host: ApiHost, url: string, body?: unknown, token = host.session()) =>
  host.call(url, { method: 'POST', token, ...(body === undefined ? {} : { body }) });

const pathsOf = ({ body }: ApiReply) =>
  (body as { details: { path: string }[] }).details.map(({ path }) => path);

async function made(host: ApiHost, body: object = {}, token = host.session()): Promise<string> {
  const reply = await post(host, '/v1/replays', { only: 'all', ...body }, token);
  return bodyOf(createReplay, reply).replay.id;
}

const listed = async (host: ApiHost, url = '/v1/replays') =>
  bodyOf(listReplays, await host.call(url, { token: host.session() }));

async function connect(host: ApiHost): Promise<void> {
  const credentials = { pixel_id: '1234567890', access_token: 'secret-access-token' };
  await post(host, '/v1/platforms', { platform: 'meta', credentials });
}

describe('one event', () => {
  it('is a row at the head of the pipe, a pointer, and an entry of the audit trail', async () => {
    const host = await openApi();
    await store(host.events, normalizedRow({ eventId: 'ünï/1 %' }));
    const reply = await post(host, `/v1/events/${encodeURIComponent('ünï/1 %')}/replay`);
    expect(reply.status).toBe(202);
    const { event_id, replayed_at, ok, success } = bodyOf(replayEvent, reply);
    expect([ok && success, replayed_at, isReplayId(event_id)]).toEqual([
      true,
      new Date(NOW).toISOString(),
      true,
    ]);
    expect(rootOf(event_id)).toBe('ünï/1 %');
    const row = await host.events.read({ merchantId: MINE, channel: 'server', eventId: event_id });
    const body = { user_data: {}, internal: { dedup_id: 'ünï/1 %' } };
    expect(row).toMatchObject({ state: 'accepted', body });
    const pointers = host.accepted.receive(10).map((message) => message.body);
    expect(pointers).toEqual([{ merchant: MINE, rows: [['s', event_id]] }]);
    const [entry] = await host.config.listAudit(MINE, 1);
    expect(entry).toMatchObject({ action: 'event.replay', subject: event_id, actor: 'user:mine-owner' });
    const read = await host.call(`/v1/events/${encodeURIComponent(event_id)}`, { token: host.session() });
    expect(bodyOf(readEvent, read).event).toMatchObject({ event_id, replay_of: 'ünï/1 %' });
  });

  it('of another merchant is answered like one that never was, in every way to send it', async () => {
    const host = await openApi();
    await connect(host);
    await store(host.events, normalizedRow({ eventId: 'theirs', merchantId: THEIRS }));
    for (const [how, body] of [
      ['replay', undefined],
      ['forward', { platforms: ['meta'] }],
      ['retry-failed', undefined],
    ] as const) {
      const [foreign, missing] = [
        await post(host, `/v1/events/theirs/${how}`, body),
        await post(host, `/v1/events/nothing/${how}`, body),
      ];
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    }
    expect(host.accepted.size()).toBe(0);
  });

  it.each([
    ['forward', {}, 'platforms'],
    ['forward', { platforms: [] }, 'platforms'],
    ['forward', { platforms: 'meta' }, 'platforms'],
    ['forward', { platforms: ['meta', 'ga4'] }, 'platforms.1'],
    ['forward', { platforms: ['meta', '__proto__'] }, 'platforms.1'],
    ['forward', { platforms: ['meta'], dedupe: 'none' }, 'dedupe'],
    ['replay', { platforms: ['meta'] }, 'platforms'],
    ['replay', { dedupe: 5 }, 'dedupe'],
    ['replay', [], ''],
    ['retry-failed', { platforms: ['meta'] }, 'platforms'],
  ])('%s %j is refused by name', async (how, body, path) => {
    const host = await openApi();
    await connect(host);
    await store(host.events, normalizedRow({ eventId: 'e' }));
    const reply = await post(host, `/v1/events/e/${how}`, body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(pathsOf(reply)).toContain(path);
    expect(host.accepted.size()).toBe(0);
  });

  it('is found under one id by whoever asks for the same retry again', async () => {
    const host = await openApi();
    await connect(host);
    const delivery = deliveryIn('FAILED');
    await store(host.events, normalizedRow({ eventId: 'e', deliveries: { meta: delivery } }));
    const ask = async () => bodyOf(retryFailed, await post(host, '/v1/events/e/retry-failed')).event_id;
    const ids = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(ids).size).toBe(1);
    expect(host.events.rows()).toHaveLength(2);
  });

  it('is not lost where the queue takes nothing, and nothing is stored where the table is away', async () => {
    const away = () => Promise.reject(Object.assign(new Error('away'), { name: 'TimeoutError' }));
    const noQueue = await openApi(({ replaying }) => ({
      replaying: { ...replaying, accepted: { send: away } },
    }));
    await store(noQueue.events, normalizedRow({ eventId: 'e' }));
    expect((await post(noQueue, '/v1/events/e/replay')).status).toBe(202);
    expect(noQueue.events.rows()).toHaveLength(2);
    const noTable = await openApi(({ replaying }) => ({
      replaying: { ...replaying, events: { claim: away } },
    }));
    await store(noTable.events, normalizedRow({ eventId: 'e' }));
    const reply = await post(noTable, '/v1/events/e/replay');
    expect([reply.status, codeOf(reply)]).toEqual([503, 'unavailable']);
    expect(noTable.events.rows()).toHaveLength(1);
  });
});

describe('a retry where a connection was removed', () => {
  const FAILED = deliveryIn('FAILED');
  const connectOne = async (host: ApiHost, pixel: string, name: string) => {
    const credentials = { pixel_id: pixel, access_token: 'secret-access-token' };
    const body = { platform: 'meta', name, another: true, credentials };
    return bodyOf(connectPlatform, await post(host, '/v1/platforms', body)).platform.id;
  };
  const remove = (host: ApiHost, id: string) =>
    host.call(`/v1/platforms/${id}`, { method: 'DELETE', token: host.session() });
  const storeFailed = async (host: ApiHost, ...places: readonly string[]) => {
    const deliveries = Object.fromEntries(places.map((place) => [place, FAILED]));
    const verdicts = Object.fromEntries(places.map((place) => [place, 'pending']));
    const { version: routingVersion } = await host.config.currentRouting(MINE);
    await store(host.events, normalizedRow({ eventId: 'e', routingVersion, verdicts, deliveries }));
  };

  it.each([false, true])('says which, and sends nothing; another in its place: %s', async (isReplaced) => {
    const host = await openApi();
    const old = await connectOne(host, '1234567890', 'Old');
    await storeFailed(host, 'meta');
    await remove(host, old);
    const next = isReplaced ? await connectOne(host, '1234567890', 'Next') : '';
    const reply = await post(host, '/v1/events/e/retry-failed');
    expect([reply.status, codeOf(reply)]).toEqual([409, 'connection_removed']);
    expect(reply.body).toMatchObject({
      details: [{ path: 'id', message: expect.stringContaining(`Old (${old}) was removed`) }],
    });
    expect(host.events.rows()).toHaveLength(1);
    expect(host.accepted.size()).toBe(0);
    if (!isReplaced) return;
    // As it says.
    expect((await post(host, '/v1/events/e/forward', { platforms: [next] })).status).toBe(202);
  });

  it('goes to those that are left, and says which are not', async () => {
    const host = await openApi();
    const first = await connectOne(host, '1234567890', 'First');
    const second = await connectOne(host, '9876543210', 'Second');
    await storeFailed(host, 'meta', 'meta#2');
    await remove(host, first);
    await connectOne(host, '1234567890', 'Third');
    const { event_id, ...answer } = bodyOf(retryFailed, await post(host, '/v1/events/e/retry-failed'));
    expect(answer).toMatchObject({
      connections: [second],
      removed: [{ platform: 'meta', connection_id: first, connection_name: 'First', account: '1234567890' }],
    });
    const row = await host.events.read({ merchantId: MINE, channel: 'server', eventId: event_id });
    expect(row).toMatchObject({ body: { internal: { only_platforms: ['meta#2'] } } });
  });
});

describe('plans', () => {
  it('are listed in pages, and those of other merchants are not', async () => {
    const host = await openApi();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      host.clock.advance(1);
      ids.unshift(await made(host));
    }
    await made(host, {}, host.session('owner', 'theirs'));
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const url: string = `/v1/replays?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: Success<typeof listReplays>['body'] = await listed(host, url);
      pages.push(...page.replays.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(ids);
  });

  it('have bounds, and every one of them is named', async () => {
    const host = await openApi();
    const tooMany = Array.from({ length: PLAN_LIMITS.eventIdsMax + 1 }, (_, i) => `e${i}`);
    for (const [body, path] of [
      [{ only: 'some' }, 'only'],
      [{ rate: 0 }, 'rate'],
      [{ rate: PLAN_LIMITS.rateMax + 1 }, 'rate'],
      [{ rate: 1.5 }, 'rate'],
      [{ platforms: ['meta'] }, 'platforms.0'],
      [{ platforms: [] }, 'platforms'],
      [{ filter: { start: 'yesterday' } }, 'filter.start'],
      [{ filter: { start: '2026-11-20', end: '2026-11-19' } }, 'filter.start'],
      [{ filter: { start: '2020-01-01' } }, 'filter.start'],
      [{ filter: { event_ids: tooMany } }, 'filter.event_ids'],
      [{ filter: { event_ids: [] } }, 'filter.event_ids'],
      [{ filter: { status: 'FAILED' } }, 'filter.status'],
      [{ dryrun: true }, 'dryrun'],
    ] as const) {
      const reply = await post(host, '/v1/replays', { only: 'all', ...body });
      expect({ body, status: reply.status, code: codeOf(reply) }).toMatchObject({ status: 400 });
      expect(pathsOf(reply)).toContain(path);
    }
    expect(host.replayWork.size()).toBe(0);
    const id = await made(host);
    for (const body of [{}, { state: 'done' }, { state: 'cancelled' }, { rate: -1 }, { x: 1 }]) {
      const reply = await host.call(`/v1/replays/${id}`, { method: 'PATCH', token: host.session(), body });
      expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    }
  });

  it('are no more at once than a merchant may have, however many are asked for together', async () => {
    const host = await openApi();
    const asked = Array.from({ length: 20 }, () => post(host, '/v1/replays', { only: 'all' }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(PLAN_LIMITS.activeMax);
    expect(statuses.filter((status) => status === 409)).toHaveLength(20 - PLAN_LIMITS.activeMax);
    await made(host, {}, host.session('owner', 'theirs'));
    const [{ id } = { id: '' }] = (await listed(host)).replays;
    await host.call(`/v1/replays/${id}`, { method: 'DELETE', token: host.session() });
    await made(host);
  });

  it('say what they were asked for, and end where they were made', async () => {
    const host = await openApi();
    await connect(host);
    const named = { event_name: 'Purchase', event_ids: ['b', 'a', 'b'] };
    const filter = { start: '2026-11-01', end: '2027-01-01', ...named };
    const how = { dry_run: true, dedupe: 'new', rate: 7 };
    const id = await made(host, { filter, platforms: ['meta', 'meta'], ...how });
    const { replay } = bodyOf(readReplay, await host.call(`/v1/replays/${id}`, { token: host.session() }));
    const now = new Date(NOW).toISOString();
    expect(replay).toEqual({
      id,
      state: 'running',
      ...how,
      created_at: now,
      updated_at: now,
      filter: { start: '2026-11-01T00:00:00.000Z', end: now, event_name: 'Purchase', event_ids: ['b', 'a'] },
      platforms: ['meta'],
      only: 'all',
      progress: { seen: 0, matched: 0, sent: 0, unreadable: 0 },
      counts: {},
    });
    const actions = (await host.config.listAudit(MINE, 10)).map(({ action }) => action);
    expect(actions).toContain('replay.create');
  });
});

describe('a request that is repeated with its key', () => {
  const keyed = { 'idempotency-key': 'k-1' };

  it('gets the first answer, and there is one replay and one plan', async () => {
    const host = await openApi();
    await store(host.events, normalizedRow({ eventId: 'e' }));
    const token = host.session();
    for (const [url, body] of [
      ['/v1/events/e/replay', undefined],
      ['/v1/replays', { only: 'all' }],
    ] as const) {
      const ask = () => host.call(url, { method: 'POST', token, headers: keyed, ...(body && { body }) });
      const first = await ask();
      host.clock.advance(5_000);
      const again = await ask();
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    expect(host.events.rows()).toHaveLength(2);
    expect(await host.ports.replaying.plans.listPlans(MINE, 10)).toHaveLength(1);
    const asked = { method: 'POST', token, headers: keyed, body: { only: 'undelivered' } };
    const other = await host.call('/v1/replays', asked);
    expect(codeOf(other)).toBe('idempotency_key_reused');
  });

  it('finds what it did, where whoever did it first died before it was answered', async () => {
    // As after such a death: nothing is kept of the answer.
    const forgets = {
      begin: async (_id: string, { holder }: { readonly holder: string }) => ({ idRoot: holder }),
      finish: async () => undefined,
      release: async () => undefined,
    };
    const host = await openApi((ports) => ({ idempotency: { ...ports.idempotency, ...forgets } }));
    await store(host.events, normalizedRow({ eventId: 'e' }));
    const ask = async (url: string, body?: unknown) => {
      const asked = { method: 'POST', token: host.session(), headers: keyed, ...(body ? { body } : {}) };
      return (await host.call(url, asked)).text;
    };
    const [event, plan] = [await ask('/v1/events/e/replay'), await ask('/v1/replays', { only: 'all' })];
    host.clock.advance(61_000);
    expect(await ask('/v1/events/e/replay')).toBe(event);
    expect(await ask('/v1/replays', { only: 'all' })).toBe(plan);
    expect(host.events.rows()).toHaveLength(2);
    // A day later the key is free, and means another request.
    host.clock.advance(86_400_000);
    expect(await ask('/v1/events/e/replay')).not.toBe(event);
    expect(await ask('/v1/replays', { only: 'all' })).not.toBe(plan);
    expect(host.events.rows()).toHaveLength(3);
  });
});
