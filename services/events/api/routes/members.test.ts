import { beforeEach, describe, expect, it } from 'vitest';
import { MERCHANTS_MAX } from '#lib/core/tenancy/member-store.ts';
import { MEMBER_ROLES } from '#lib/core/tenancy/role.ts';
import { INVITATIONS_MAX } from '#lib/core/tenancy/team.ts';
import { acceptInvitation, changeMember, inviteMember, listMembers } from '#lib/events/routes/members.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';

const DAY_MS = 86_400_000;
const JANE = 'Jane.Doe@shop.example';

let host: ApiHost;
let owner = '';
let admin = '';
beforeEach(async () => {
  host = await openApi();
  owner = host.session('owner');
  admin = host.session('admin');
});
const at = (ms: number): string => new Date(ms).toISOString();
const send = (method: string, path: string, token: string, body?: unknown) =>
  host.call(`/v1/members${path}`, { method, token, ...(body === undefined ? {} : { body }) });
const invite = (role = 'member', token = owner, email = JANE) =>
  send('POST', '/invitations', token, { email, role });
const invited = async (role = 'member', token = owner, email = JANE) =>
  bodyOf(inviteMember, await invite(role, token, email));
const accept = (token: string, as = 'session-jane') => send('POST', '/invitations/accept', as, { token });
const people = async (token = owner) => bodyOf(listMembers, await send('GET', '', token));
const rolesOf = async () => Object.fromEntries((await people()).members.map(({ id, role }) => [id, role]));

describe('an invitation', () => {
  it('makes who is signed in a member, once', async () => {
    const { token, invitation } = await invited('admin');
    expect(invitation).toEqual({
      id: invitation.id,
      email: JANE,
      role: 'admin',
      invited_by: 'user:mine-owner',
      created_at: at(NOW),
      expires_at: at(NOW + 7 * DAY_MS),
      only: null,
      ends_at: null,
    });
    expect((await people()).invitations).toEqual([invitation]);
    expect((await people(host.session('owner', 'theirs'))).invitations).toEqual([]);
    expect((await host.call('/v1/account', { token: 'session-jane' })).status).toBe(403);
    host.clock.advance(1_000);
    const joined = bodyOf(acceptInvitation, await accept(token));
    expect(joined).toEqual({ success: true, merchant_id: MINE, role: 'admin' });
    const { members, invitations } = await people('session-jane');
    expect(members.find(({ is_caller }) => is_caller)).toEqual({
      id: 'jane',
      email: JANE,
      role: 'admin',
      joined_at: at(NOW + 1_000),
      is_caller: true,
      only: null,
      ends_at: null,
    });
    expect(invitations).toEqual([]);
    expect(codeOf(await accept(token, 'session-john'))).toBe('invitation_not_found');
    expect(codeOf(await accept(token))).toBe('invitation_not_found');
  });

  it('is made once for one Idempotency-Key: the token that was lost on its way is given again', async () => {
    const body = { email: JANE, role: 'member' };
    const asked = { method: 'POST', token: owner, body, headers: { 'idempotency-key': 'k-1' } };
    const keyed = () => host.call('/v1/members/invitations', asked);
    const first = bodyOf(inviteMember, await keyed());
    expect(bodyOf(inviteMember, await keyed())).toEqual(first);
    expect((await people()).invitations).toEqual([first.invitation]);
    expect((await accept(first.token)).status).toBe(200);
  });

  it('is used once, by however many at the same time', async () => {
    const { token } = await invited();
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => accept(token, `session-p${i}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await people()).members).toHaveLength(MEMBER_ROLES.length + 1);
  });

  it('lasts seven days', async () => {
    const { token } = await invited();
    host.clock.advance(7 * DAY_MS - 1);
    expect((await people()).invitations).toHaveLength(1);
    host.clock.advance(1);
    expect((await people()).invitations).toEqual([]);
    expect(codeOf(await accept(token))).toBe('invitation_not_found');
  });

  it('ends with a newer one of the same address, and when it is withdrawn', async () => {
    const first = await invited();
    const second = await invited('admin', owner, JANE.toUpperCase());
    expect((await people()).invitations.map(({ id }) => id)).toEqual([second.invitation.id]);
    expect(codeOf(await accept(first.token))).toBe('invitation_not_found');
    const withdraw = () => send('DELETE', `/invitations/${second.invitation.id}`, admin);
    expect((await withdraw()).status).toBe(200);
    expect((await withdraw()).status).toBe(404);
    expect(codeOf(await accept(second.token))).toBe('invitation_not_found');
  });

  it('is nobody’s who is a member already, or of as many merchants as may be, and stays for whom it is', async () => {
    const { token } = await invited();
    for (let i = 0; i < MERCHANTS_MAX; i++)
      await host.config.putMember({ sub: 'busy', merchantId: `shop-${i}`, role: 'viewer' });
    for (const as of [host.session('admin'), 'session-busy'])
      expect(codeOf(await accept(token, as))).toBe('already_member');
    expect((await accept(token)).status).toBe(200);
    expect(codeOf(await invite('admin', owner, JANE.toLowerCase()))).toBe('already_member');
  });

  const secret = 'A'.repeat(43);
  it.each(['', 'evi_', 'evi_.x', `evi_${secret}`, `evi_x.${secret}`, '\u0000', 'x'.repeat(301)])(
    'is none with the token %j',
    async (token) => {
      const reply = await accept(token);
      expect(['invitation_not_found', 'invalid_request', 'invalid_json']).toContain(codeOf(reply));
      expect(reply.status).toBeLessThan(500);
    },
  );

  it('is one of a hundred at most', async () => {
    for (let i = 0; i < INVITATIONS_MAX; i++) await invited('member', owner, `p${i}@shop.example`);
    expect(codeOf(await invite())).toBe('team_limit');
  });

  it.each([
    ['no address', { email: 'jane', role: 'member' }, 'email'],
    ['no role', { email: JANE, role: 'god' }, 'role'],
    ['another field', { email: JANE, role: 'member', merchant_id: THEIRS }, 'merchant_id'],
  ])('is not made with %s', async (_what, body, path) => {
    const reply = await send('POST', '/invitations', owner, body);
    expect(reply.body).toMatchObject({ code: 'invalid_request', details: [{ path }] });
  });
});

describe('owners', () => {
  it('are dealt with by owners only, never by a key', async () => {
    const { key } = await host.keyFor(['admin']);
    for (const token of [admin, key]) {
      expect(codeOf(await invite('owner', token))).toBe('owner_required');
      expect(codeOf(await send('PATCH', '/mine-owner', token, { role: 'member' }))).toBe('owner_required');
      expect(codeOf(await send('PATCH', '/mine-member', token, { role: 'owner' }))).toBe('owner_required');
      expect(codeOf(await send('DELETE', '/mine-owner', token))).toBe('owner_required');
    }
    const { invitation } = await invited('owner');
    expect(codeOf(await send('DELETE', `/invitations/${invitation.id}`, admin))).toBe('owner_required');
    expect((await rolesOf())['mine-owner']).toBe('owner');
  });

  it('never become none', async () => {
    expect(codeOf(await send('PATCH', '/mine-owner', owner, { role: 'admin' }))).toBe('last_owner');
    expect(codeOf(await send('DELETE', '/mine-owner', owner))).toBe('last_owner');
    expect((await send('PATCH', '/mine-admin', owner, { role: 'owner' })).status).toBe(200);
    const [a, b] = await Promise.all([
      send('PATCH', '/mine-admin', owner, { role: 'member' }),
      send('PATCH', '/mine-owner', admin, { role: 'member' }),
    ]);
    expect([a.status, b.status].sort()).toEqual([200, 403]);
    expect(Object.values(await rolesOf()).filter((role) => role === 'owner')).toHaveLength(1);
  });
});

describe('a member', () => {
  it('has a new role from the next request on, and none once removed', async () => {
    const token = host.session('member');
    expect((await host.call('/v1/api-keys', { token })).status).toBe(403);
    const changed = bodyOf(changeMember, await send('PATCH', '/mine-member', admin, { role: 'admin' }));
    expect(changed.member).toMatchObject({ id: 'mine-member', role: 'admin', email: null, joined_at: null });
    expect((await host.call('/v1/api-keys', { token })).status).toBe(200);
    expect((await send('DELETE', '/mine-member', admin)).status).toBe(200);
    expect((await host.call('/v1/events', { token })).status).toBe(403);
    expect((await send('DELETE', '/mine-member', admin)).status).toBe(404);
  });

  it('leaves no entry where nothing changed', async () => {
    expect((await send('PATCH', '/mine-member', admin, { role: 'member' })).status).toBe(200);
    expect(await host.config.listAudit(MINE, 10)).toEqual([]);
  });
});

describe('e-mail addresses', () => {
  it('are stored sealed, and in no entry and no report', async () => {
    const { token } = await invited();
    await accept(token);
    await invited('member', owner, 'second@shop.example');
    const { config, reports } = host;
    const kept = JSON.stringify([await config.team(MINE), await config.listAudit(MINE, 10), reports]);
    for (const word of ['Jane', 'second@', token]) expect(kept).not.toContain(word);
  });

  it('are left out, and that is reported, where they cannot be opened', async () => {
    await invited();
    const locked = await openApi(({ vault }) => ({
      config: host.config,
      vault: { ...vault, open: async () => Promise.reject(new Error('KMS is away')) },
    }));
    const reply = await locked.call('/v1/members', { token: owner });
    expect(bodyOf(listMembers, reply).invitations).toMatchObject([{ email: null }]);
    expect(locked.reports).toHaveLength(1);
  });
});
