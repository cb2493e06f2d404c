// Goal: a workspace sees which callers tried operations they have no permission for; a flood of such calls fills
// neither log nor bill.
import { describe, expect, it } from 'vitest';
import { type Desk, MINE, openHelpdesk } from '#test/contract/helpdesk-host.ts';
import { createMemoryCallLimiter } from '#test/support/memory/call-limiter.ts';

const HOUR_MS = 3_600_000;
const denials = (desk: Desk) => desk.stores.audit.all().filter(({ action }) => action === 'auth.denied');

describe('a call that is refused with 403', () => {
  it('is in the audit log: who, what, and from where', async () => {
    const desk = await openHelpdesk();
    const { key, keyId } = await desk.keyFor(['read:tickets']);
    const headers = { 'user-agent': 'script/1' };
    expect((await desk.call('/api/contacts', { key, headers })).status).toBe(403);
    const token = desk.session('member');
    expect((await desk.call('/api/v1/accounts', { token })).status).toBe(403);
    const listed = await desk.ask('GET', '/api/audit-log?action=auth.denied');
    expect(listed.body).toMatchObject({
      total: 2,
      entries: [
        {
          actor: { type: 'user', id: 'mine-member' },
          resource_id: 'getAccount',
          metadata: { method: 'GET', path: '/api/v1/accounts', needed: 'manage:workspace' },
        },
        {
          actor: { type: 'api_key', id: keyId, label: 'test' },
          source: 'server',
          resource_type: 'operation',
          resource_id: 'findContacts',
          metadata: { method: 'GET', path: '/api/contacts', needed: 'read:contacts' },
          ip: '127.0.0.1',
          user_agent: 'script/1',
        },
      ],
    });
  });

  it('leaves one entry an hour of each caller and operation, and asks nothing more of any store', async () => {
    const limiter = createMemoryCallLimiter();
    let taken = 0;
    const counted = {
      take: async (id: string, limit: number, nowMs: number) => {
        taken++;
        return await limiter.take(id, limit, nowMs);
      },
    };
    const desk = await openHelpdesk({ limiter: counted });
    const [one, other] = [await desk.keyFor(['read:tickets']), await desk.keyFor(['read:tickets'])];
    for (let n = 0; n < 200; n++) await desk.call('/api/contacts', { key: one.key });
    expect([denials(desk).length, taken]).toEqual([1, 1]);
    await desk.call('/api/contacts', { key: other.key });
    await desk.call('/api/v1/runs', { key: one.key });
    expect([denials(desk).length, taken]).toEqual([3, 3]);
    desk.clock.advance(HOUR_MS);
    for (let n = 0; n < 3; n++) await desk.call('/api/contacts', { key: one.key });
    expect([denials(desk).length, taken]).toEqual([4, 4]);
  });

  it('leaves one a minute, however many processes are asked', async () => {
    const limiter = createMemoryCallLimiter();
    const desks = await Promise.all([openHelpdesk({ limiter }), openHelpdesk({ limiter })]);
    for (const desk of desks) {
      const { key } = await desk.keyFor(['read:tickets']);
      expect((await desk.call('/api/contacts', { key })).status).toBe(403);
    }
    expect(desks.flatMap(denials)).toHaveLength(1);
  });

  it('is refused all the same where the log cannot be written, and that is reported', async () => {
    const desk = await openHelpdesk();
    const { key } = await desk.keyFor(['read:tickets']);
    Object.assign(desk.stores.audit, { append: () => Promise.reject(new Error('died')) });
    expect((await desk.call('/api/contacts', { key })).status).toBe(403);
    expect(desk.reports.map(({ problem }) => problem)).toEqual([
      'a refused call left no entry in the audit log',
    ]);
  });

  it('leaves nothing of a stranger, or of a call that succeeds or proves nothing', async () => {
    const desk = await openHelpdesk();
    expect((await desk.call('/api/v1/accounts', { token: 'session-stranger' })).status).toBe(403);
    expect((await desk.call('/api/contacts', { key: 'hdk_live_x' })).status).toBe(401);
    expect((await desk.ask('GET', '/api/contacts')).status).toBe(200);
    expect(desk.stores.audit.all()).toEqual([]);
  });
});

it('entries call a key by its name, whatever it did', async () => {
  const desk = await openHelpdesk();
  const id = await desk.ticket();
  await desk.ask('POST', `/api/tickets/${id}/close`);
  await desk.ask('POST', '/api/v1/api-keys', { body: { name: 'Shop', scopes: ['read:tickets'] } });
  const labels = desk.stores.audit.all().map(({ action, actor }) => [action, actor.label]);
  expect(labels).toEqual(
    expect.arrayContaining([
      ['ticket.closed', 'test'],
      ['api_key.created', 'test'],
    ]),
  );
  expect(desk.stores.audit.all().every(({ workspaceId }) => workspaceId === MINE)).toBe(true);
});
