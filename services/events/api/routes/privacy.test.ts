// What the API says of erasures: bad words are named, nothing of the person is kept or shown, the same one is one.
import { describe, expect, it } from 'vitest';
import { dayOf } from '#lib/core/work/utc-day.ts';
import { ERASURE_LIMITS } from '#lib/events/domain/erasure/erasure.ts';
import { createErasure, listErasures, readErasure } from '#lib/events/routes/privacy.ts';
import { bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';

const URL = '/v1/privacy/erasures';
const EMAIL = 'jane.q@shop.example';

async function open() {
  const host = await openApi();
  const token = host.session('admin');
  return {
    host,
    post: (body: unknown) => host.call(URL, { method: 'POST', token, body }),
    get: (path = '') => host.call(URL + path, { token }),
  };
}

describe('erasures', () => {
  it('are answered with a receipt that says nothing of the person, and are read back', async () => {
    const { host, post, get } = await open();
    const reply = await post({ email: EMAIL, phone: '+44 7700 900123' });
    expect(reply.status).toBe(202);
    const { erasure } = bodyOf(createErasure, reply);
    expect(erasure).toMatchObject({ status: 'running', found: 0, erased: 0, remaining: null });
    expect(erasure.covers).toEqual({ from: `${dayOf(NOW - 91 * 86_400_000)}T00:00:00.000Z`, until: null });
    expect(bodyOf(readErasure, await get(`/${erasure.id}`)).erasure).toEqual(erasure);
    const [stored] = await host.ports.privacy.erasures.listErasures(MINE, 10);
    expect(JSON.stringify(stored)).not.toMatch(/jane|7700|[0-9a-f]{64}.*[0-9a-f]{64}/);
    host.clock.advance(16_000);
    const messages = host.taskWork.receive(10).map(({ body }) => body);
    expect(messages).toEqual([{ merchant: MINE, erasure: erasure.id, version: 1 }]);
  });

  it('of the same person are one while it runs, in whichever spelling', async () => {
    const { post, get } = await open();
    const first = bodyOf(createErasure, await post({ email: EMAIL })).erasure.id;
    expect(bodyOf(createErasure, await post({ email: ` ${EMAIL.toUpperCase()}` })).erasure.id).toBe(first);
    expect(bodyOf(createErasure, await post({ external_id: EMAIL })).erasure.id).not.toBe(first);
    expect(bodyOf(listErasures, await get()).erasures).toHaveLength(2);
  });

  it.each<readonly [unknown, string]>([
    [{}, ''],
    [{ email: '' }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: `${'x'.repeat(513)}` }, 'email'],
    [{ phone: '07700 900123' }, 'phone'],
    [{ external_id: 'undefined' }, 'external_id'],
    [{ email: EMAIL, phone: '\ud800' }, ''],
    [{ mail: EMAIL }, ''],
    [[], ''],
  ])('refuse %j, and name what is wrong', async (body, path) => {
    const { post, get } = await open();
    const reply = await post(body);
    expect(reply.status).toBe(400);
    if (path !== '') expect(reply.body).toMatchObject({ details: [{ path }] });
    expect(bodyOf(listErasures, await get()).erasures).toEqual([]);
  });

  it('are paged, the newest first', async () => {
    const { host, post, get } = await open();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.unshift(bodyOf(createErasure, await post({ external_id: `c${i}` })).erasure.id);
      host.clock.advance(1_000);
    }
    const first = bodyOf(listErasures, await get('?limit=2'));
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    const last = bodyOf(listErasures, await get(`?limit=2&cursor=${cursor}`));
    expect([...first.erasures, ...last.erasures].map(({ id }) => id)).toEqual(ids);
    expect(last.next_cursor).toBeNull();
    expect((await get('?cursor=nonsense')).status).toBe(400);
    expect((await get('?limit=0')).status).toBe(400);
    expect((await get('/not-an-id')).status).toBe(404);
  });

  it('are no more at once than one merchant may have, and say when to come back', async () => {
    const { post } = await open();
    for (let i = 0; i < ERASURE_LIMITS.runningMax; i++)
      expect((await post({ external_id: `c${i}` })).status).toBe(202);
    const reply = await post({ external_id: 'one more' });
    expect([reply.status, codeOf(reply), reply.headers['retry-after']]).toEqual([429, 'rate_limited', '300']);
    expect((await post({ external_id: 'c0' })).status).toBe(202);
  });

  it('begin although their queue is away: the audit tells them', async () => {
    const host = await openApi((ports) => ({
      privacy: { ...ports.privacy, work: { send: () => Promise.reject(new Error('away')) } },
    }));
    const reply = await host.call(URL, { method: 'POST', token: host.session(), body: { email: EMAIL } });
    expect(reply.status).toBe(202);
    expect(host.reports.map(({ problem }) => problem)).toEqual(['an erasure was not told to begin']);
  });
});

it('an event without its person says so, before it is normalized and after', async () => {
  const host = await openApi();
  const [done, waiting] = [normalizedRow({ eventId: 'done' }), acceptedRow({ eventId: 'waiting' })];
  await store(host.events, done, waiting);
  for (const row of [done, waiting]) expect(await host.events.erase(row, crypto.randomUUID())).toBe(true);
  for (const id of ['done', 'waiting']) {
    const reply = await host.call(`/v1/events/${id}`, { token: host.session() });
    const event = { personal_data: 'erased', identity: { hashed: {}, raw: {} } };
    expect(reply.body).toMatchObject({ event });
  }
  const asked = { method: 'POST', token: host.session(), body: { platform: 'meta', event_id: 'done' } };
  const preview = await host.call('/v1/platforms/preview', asked);
  expect([preview.status, codeOf(preview)]).toEqual([410, 'personal_data_erased']);
});
