// Promise: a platform may be connected several times, when the caller says so; each connection is one of its own, and reads by
// platform show one row for all of them, with each in it.
import { beforeEach, describe, expect, it } from 'vitest';
import { TARGETS_MAX } from '#lib/events/domain/connections/target.ts';
import { listDeliveries } from '#lib/events/routes/deliveries.ts';
import { explainEvent, readEvent } from '#lib/events/routes/events.ts';
import { connectPlatform, listPlatforms, updatePlatform } from '#lib/events/routes/platforms/platforms.ts';
import { previewRule } from '#lib/events/routes/rules.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';

const META = { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: 'x'.repeat(20) } };
const SECOND_PIXEL = { pixel_id: '9876543210', access_token: 'y'.repeat(20) };
const SECOND = { platform: 'meta', name: 'Second pixel', another: true, credentials: SECOND_PIXEL };

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});
const connect = (body: unknown, headers: Record<string, string> = {}) =>
  host.call('/v1/platforms', { method: 'POST', token, body, headers });
const connected = async (body: unknown) => bodyOf(connectPlatform, await connect(body)).platform;
const list = async () => bodyOf(listPlatforms, await host.call('/v1/platforms', { token })).platforms;

describe('connecting another', () => {
  it('makes one more, and leaves the first as it was', async () => {
    const first = await connected(META);
    const reply = await connect(SECOND);
    expect(reply.status).toBe(201);
    const second = bodyOf(connectPlatform, reply).platform;
    expect(second.id).not.toBe(first.id);
    expect(second.settings).toEqual({ pixel_id: '9876543210' });
    const all = await list();
    expect(all.map(({ id, name, settings }) => `${id} ${name} ${JSON.stringify(settings)}`)).toEqual([
      `${first.id} Meta {"pixel_id":"1234567890"}`,
      `${second.id} Second pixel {"pixel_id":"9876543210"}`,
    ]);
    const places = (await host.config.currentRouting(MINE)).connections;
    expect(places).toMatchObject([{ id: first.id }, { id: second.id, slot: 'meta#2' }]);
  });

  it('is the first where none is connected, and is made once for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'second' };
    const replies = [await connect(SECOND, key), await connect(SECOND, key)];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]?.text).toBe(replies[1]?.text);
    expect(await list()).toHaveLength(1);
  });

  it('is refused beyond a number, and possible again once one is removed', async () => {
    const made = [];
    for (let n = 0; n < TARGETS_MAX; n++) made.push(await connected(SECOND));
    const reply = await connect(SECOND);
    expect([reply.status, codeOf(reply)]).toEqual([409, 'connection_limit']);
    await host.call(`/v1/platforms/${made[1]?.id}`, { method: 'DELETE', token });
    expect((await connect(SECOND)).status).toBe(201);
    expect(await list()).toHaveLength(TARGETS_MAX);
  });

  it.each(['true', 1, null])('is not meant by %j', async (another) => {
    await connected(META);
    const reply = await connect({ ...SECOND, another });
    if (reply.status === 400) expect(codeOf(reply)).toBe('invalid_request');
    expect(await list()).toHaveLength(1);
  });

  it('is changed, paused, tested and removed by its own id', async () => {
    const [first, second] = [await connected(META), await connected(SECOND)];
    const patch = (body: unknown) =>
      host.call(`/v1/platforms/${second.id}`, { method: 'PATCH', token, body });
    bodyOf(updatePlatform, await patch({ credentials: { access_token: 'z'.repeat(20) } }));
    bodyOf(updatePlatform, await patch({ status: 'paused' }));
    const states = (await list()).map(({ status, version }) => `${status} ${version}`);
    expect(states).toEqual(['active 1', 'paused 3']);
    await host.call(`/v1/platforms/${first.id}`, { method: 'DELETE', token });
    expect((await list()).map(({ id }) => id)).toEqual([second.id]);
    // What is there is replaced, wherever it stands.
    const again = await connect({ ...META, replace: true });
    expect([again.status, bodyOf(connectPlatform, again).platform.id]).toEqual([200, second.id]);
  });
});

describe('an event for two', () => {
  const BOTH = { meta: 'pending', 'meta#2': 'pending' };
  const read = async (id: string) =>
    bodyOf(readEvent, await host.call(`/v1/events/${id}`, { token })).deliveries;

  it('has one row for the platform: what is not over or ended worst, and each in it', async () => {
    const [first, second] = [await connected(META), await connected(SECOND)];
    const delivered = deliveryIn('DELIVERED', { deliveredAtMs: NOW });
    const failed = deliveryIn('FAILED', { reason: 'meta.100', attempts: 2 });
    await store(
      host.events,
      normalizedRow({ eventId: 'a', verdicts: BOTH, deliveries: { meta: delivered, 'meta#2': failed } }),
      normalizedRow({ eventId: 'b', verdicts: BOTH, deliveries: { meta: failed } }),
      normalizedRow({ eventId: 'c', verdicts: { meta: 'pending' }, deliveries: { meta: delivered } }),
    );
    const [row, ...others] = await read('a');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      platform: 'meta',
      status: 'FAILED',
      reason: 'meta.100',
      connections: [
        { connection_id: first.id, status: 'DELIVERED', attempts: 1 },
        { connection_id: second.id, status: 'FAILED', attempts: 2, reason: 'meta.100' },
      ],
    });
    expect(row).not.toHaveProperty('window_closes_at');
    expect(await read('b')).toMatchObject([{ status: 'QUEUED', window_closes_at: expect.any(String) }]);
    expect((await read('c'))[0]).not.toHaveProperty('connections');
    const explained = bodyOf(explainEvent, await host.call('/v1/events/a/explain', { token }));
    expect(explained.verdicts.filter(({ platform }) => platform === 'meta')).toMatchObject([
      { verdict: 'failed', delivery: 'FAILED' },
    ]);
    const filtered = async (query: string) => {
      const reply = await host.call(`/v1/deliveries?${query}`, { token });
      return bodyOf(listDeliveries, reply).deliveries.map(({ event_id }) => event_id);
    };
    expect(await filtered('platform=meta&status=FAILED')).toEqual(['a']);
    expect((await filtered('reason=meta.100')).sort()).toEqual(['a', 'b']);
  });

  it('says of a removed one that nothing more is sent there, and goes on with the other', async () => {
    const [, second] = [await connected(META), await connected(SECOND)];
    const retry = deliveryIn('RETRY', { nextAttemptAtMs: NOW + 60_000 });
    const deliveries = { meta: retry, 'meta#2': retry };
    await store(host.events, normalizedRow({ eventId: 'e', verdicts: BOTH, routingVersion: 2, deliveries }));
    await host.call(`/v1/platforms/${second.id}`, { method: 'DELETE', token });
    const removed = {
      ...{ connection_id: second.id, connection_name: 'Second pixel', account: '9876543210' },
      ...{ removed_at: new Date(NOW).toISOString(), status: 'SKIPPED', reason: 'not_connected' },
    };
    const connections = [{ status: 'RETRY' }, removed];
    expect(await read('e')).toMatchObject([{ status: 'RETRY', connections }]);
    // Another one in its place did not get this event.
    await connected(SECOND);
    expect((await read('e'))[0]?.connections?.[1]).toMatchObject(removed);
  });
});

describe('rules', () => {
  const RULE = { name: 'None', match: {}, action: { type: 'exclude' }, platforms: ['meta'] };

  it('are tried on a platform of which only a further place is left', async () => {
    const first = await connected(META);
    await connected(SECOND);
    await host.call(`/v1/platforms/${first.id}`, { method: 'DELETE', token });
    await store(host.events, normalizedRow({ eventId: 'e', receivedAtMs: NOW - 1_000 }));
    const request = { method: 'POST', token, body: { rule: RULE } };
    const { changed, events } = bodyOf(previewRule, await host.call('/v1/rules/preview', request));
    expect(changed).toBe(1);
    expect(events[0]?.platforms).toMatchObject([
      { platform: 'meta', before: { verdict: 'pending' }, after: { verdict: 'rule_excluded' } },
    ]);
  });

  it('that changed the event are said of the platform, unless no place was to have it', async () => {
    const rewrites = [{ rule: 'rul_v', changes: [{ op: 'drop_field', field: 'value' } as const] }];
    const said = async (eventId: string, verdicts: Record<string, string>) => {
      await store(host.events, normalizedRow({ eventId, event: { rewrites }, verdicts }));
      const reply = await host.call(`/v1/events/${eventId}/explain`, { token });
      return bodyOf(explainEvent, reply).verdicts.find(({ platform }) => platform === 'meta')?.changed_by;
    };
    expect(await said('a', { meta: 'not_selected', 'meta#2': 'pending' })).toEqual(['rul_v']);
    expect(await said('b', { meta: 'pending', 'meta#2': 'pending' })).toEqual(['rul_v']);
    expect(await said('c', { meta: 'not_selected', 'meta#2': 'not_selected' })).toBeUndefined();
  });
});
