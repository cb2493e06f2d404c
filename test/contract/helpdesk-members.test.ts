// Goal: members of a workspace by the helpdesk's own API, as by the events product's, for deployments that have no other; and
// no change of a member or a key without its entry, whenever a process dies.
import { beforeEach, describe, expect, it } from 'vitest';
import { ACTIVE_KEYS_MAX } from '../../lib/core/tenancy/api-key.ts';
import { createHelpdeskKey, listHelpdeskKeys } from '../../lib/helpdesk/routes/api-keys.ts';
import { acceptInvitation, inviteMember, listMembers } from '../../lib/helpdesk/routes/members.ts';
import { bodyOf, type Desk, errorOf, MINE, openHelpdesk } from './helpdesk-host.ts';

const PATH = '/api/v1/members';
const PERSON = { email: 'Grace@example.com', role: 'member' };

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

const entries = () =>
  desk.stores.audit.all().map(({ action, resourceType, resourceId }) => [action, resourceType, resourceId]);

describe('a member', () => {
  it('is invited, joins, is given another role and removed, each with its entry', async () => {
    const token = desk.session('admin');
    const invited = bodyOf(
      inviteMember,
      await desk.ask('POST', `${PATH}/invitations`, { token, body: PERSON }),
    );
    const joined = await desk.ask('POST', `${PATH}/invitations/accept`, {
      token: 'session-grace',
      headers: { 'user-agent': 'desk/7' },
      body: { token: invited.token },
    });
    expect(bodyOf(acceptInvitation, joined)).toEqual({ success: true, merchant_id: MINE, role: 'member' });
    expect((await desk.ask('GET', '/api/v1/conversations', { token: 'session-grace' })).status).toBe(200);
    const listed = bodyOf(listMembers, await desk.ask('GET', PATH, { token: 'session-grace' }));
    expect(listed.invitations).toEqual([]);
    expect(listed.members.find(({ id }) => id === 'grace')).toMatchObject({
      email: PERSON.email,
      role: 'member',
      is_caller: true,
    });
    expect((await desk.ask('PATCH', `${PATH}/grace`, { token, body: { role: 'admin' } })).status).toBe(200);
    expect((await desk.ask('DELETE', `${PATH}/grace`, { token })).status).toBe(200);
    expect((await desk.ask('GET', '/api/v1/conversations', { token: 'session-grace' })).status).toBe(403);
    expect(entries()).toEqual([
      ['invitation.created', 'invitation', invited.invitation.id],
      ['member.joined', 'member', 'grace'],
      ['member.role_changed', 'member', 'grace'],
      ['member.removed', 'member', 'grace'],
    ]);
    expect(desk.stores.audit.all()[1]).toMatchObject({
      actor: { type: 'user', id: 'grace' },
      ip: '127.0.0.1',
      userAgent: 'desk/7',
      requestId: joined.headers['x-request-id'],
    });
    expect(JSON.stringify(desk.stores.audit.all())).not.toContain('race@');
  });

  it('is an owner only by an owner, and the last owner stays', async () => {
    const [admin, owner] = [desk.session('admin'), desk.session('owner')];
    const body = { role: 'owner' };
    const refused = await desk.ask('PATCH', `${PATH}/mine-member`, { token: admin, body });
    expect([refused.status, errorOf(refused)]).toEqual([
      403,
      'Only an owner may invite, change or remove an owner',
    ]);
    const last = await desk.ask('DELETE', `${PATH}/mine-owner`, { token: owner });
    expect([last.status, errorOf(last)]).toEqual([409, 'A workspace keeps at least one owner']);
    expect((await desk.ask('PATCH', `${PATH}/mine-member`, { token: owner, body })).status).toBe(200);
    expect((await desk.ask('DELETE', `${PATH}/mine-owner`, { token: owner })).status).toBe(200);
  });

  it('of another workspace, and an invitation of it, are found by nobody', async () => {
    const token = desk.session('owner', 'theirs');
    const { invitation } = bodyOf(
      inviteMember,
      await desk.ask('POST', `${PATH}/invitations`, { token, body: PERSON }),
    );
    const listed = await desk.ask('GET', PATH);
    expect(listed.text).not.toMatch(/theirs-|Grace/);
    for (const path of [`${PATH}/theirs-member`, `${PATH}/invitations/${invitation.id}`])
      expect((await desk.ask('DELETE', path)).status).toBe(404);
    const changed = await desk.ask('PATCH', `${PATH}/theirs-member`, { body: { role: 'admin' } });
    expect([changed.status, errorOf(changed)]).toEqual([404, 'Member not found']);
    expect(entries().filter(([action]) => action !== 'invitation.created')).toEqual([]);
  });

  it.each([
    ['email', { ...PERSON, email: 'nobody' }],
    ['role', { ...PERSON, role: 'king' }],
    ['email', { role: 'member' }],
  ])('is not invited with a bad %s', async (field, body) => {
    const reply = await desk.ask('POST', `${PATH}/invitations`, { body });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringContaining(field)]);
    expect(entries()).toEqual([]);
  });
});

describe('an API key', () => {
  it('is one of twenty that may be used at one time', async () => {
    const body = { name: 'Shop', scopes: ['read:runs'] };
    const create = () => desk.ask('POST', '/api/v1/api-keys', { body });
    // One is there already.
    const first = bodyOf(createHelpdeskKey, await create());
    for (let i = 2; i < ACTIVE_KEYS_MAX.hdk; i++) expect((await create()).status).toBe(201);
    const many = await create();
    expect([many.status, errorOf(many)]).toEqual([409, expect.stringMatching(/as many API keys/)]);
    const listed = bodyOf(listHelpdeskKeys, await desk.ask('GET', '/api/v1/api-keys'));
    expect([listed.active, listed.active_max]).toEqual([20, 20]);
    await desk.ask('DELETE', `/api/v1/api-keys/${first.api_key.id}`);
    expect((await create()).status).toBe(201);
  });
});

describe('where a process dies', () => {
  const body = { name: 'Shop', scopes: ['read:runs'] };
  const log = async () =>
    (
      (await desk.ask('GET', '/api/audit-log')).body as {
        entries: { action: string; metadata: unknown; ip: string; resource_id: string | null }[];
      }
    ).entries;
  const LATER_MS = 300_001;

  it('between a key and its entry, the log says that its outcome is not known, once', async () => {
    const { append } = desk.stores.audit;
    Object.assign(desk.stores.audit, { append: () => Promise.reject(new Error('died')) });
    const made = await desk.ask('POST', '/api/v1/api-keys', { body });
    // Made, and the caller must not do it again.
    expect(made.status).toBe(201);
    expect(desk.reports).toHaveLength(1);
    Object.assign(desk.stores.audit, { append });
    expect(await log()).toEqual([]);
    desk.clock.advance(LATER_MS);
    const found = [await log(), await log()];
    for (const entry of found)
      expect(entry).toMatchObject([
        {
          action: 'createHelpdeskKey',
          metadata: { outcome: 'unknown' },
          ip: '127.0.0.1',
          resource_id: null,
        },
      ]);
  });

  it('before the entry is known to be written, it is there once', async () => {
    const { forgetAudit } = desk.ports.audits;
    Object.assign(desk.ports.audits, { forgetAudit: () => Promise.reject(new Error('died')) });
    expect((await desk.ask('POST', '/api/v1/api-keys', { body })).status).toBe(201);
    Object.assign(desk.ports.audits, { forgetAudit });
    desk.clock.advance(LATER_MS);
    expect((await log()).map(({ action }) => action)).toEqual(['api_key.created']);
    expect(await desk.ports.audits.openAudits(MINE, desk.clock.now(), 9)).toEqual([]);
  });

  it('before anything is written down, nothing is done', async () => {
    Object.assign(desk.ports.audits, { beginAudit: () => Promise.reject(new Error('died')) });
    for (const [method, path, sent] of [
      ['POST', '/api/v1/api-keys', body],
      ['POST', `${PATH}/invitations`, PERSON],
      ['PATCH', `${PATH}/mine-member`, { role: 'admin' }],
    ] as const)
      expect((await desk.ask(method, path, { body: sent })).status).toBe(500);
    const listed = bodyOf(listHelpdeskKeys, await desk.ask('GET', '/api/v1/api-keys'));
    expect(listed.api_keys).toHaveLength(1);
    const team = bodyOf(listMembers, await desk.ask('GET', PATH));
    expect([team.invitations, team.members.find(({ id }) => id === 'mine-member')?.role]).toEqual([
      [],
      'member',
    ]);
  });

  it('with what another workspace began nothing is done', async () => {
    const token = desk.session('owner', 'theirs');
    const { append } = desk.stores.audit;
    Object.assign(desk.stores.audit, { append: () => Promise.reject(new Error('died')) });
    await desk.ask('POST', `${PATH}/invitations`, { token, body: PERSON });
    Object.assign(desk.stores.audit, { append });
    desk.clock.advance(LATER_MS);
    expect(await log()).toEqual([]);
  });
});
