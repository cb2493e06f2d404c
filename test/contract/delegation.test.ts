// Promise: what a credential hands on is at most what it has: its product, what its scopes open, its environment, its end. When
// an API key is revoked, what came from it ends with the answer. Tried against both products, on one team.
import { beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../lib/events/routes/api-keys.ts';
import { acceptInvitation, inviteMember, listMembers } from '../../lib/events/routes/members.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from './api-host.ts';
import { type Desk, openHelpdesk } from './helpdesk-host.ts';

const HOUR_MS = 3_600_000;
const EVE = { email: 'eve@example.com', role: 'admin' };

let desk: Desk;
let host: ApiHost;
beforeEach(async () => {
  desk = await openHelpdesk();
  const { memberships, team, changeTeam, putMember, claimSubject } = desk.config;
  host = await openApi(({ config }) => ({
    config: { ...config, memberships, team, changeTeam, putMember, claimSubject },
  }));
});

const inviteByDesk = (key: string, body: object = EVE) =>
  desk.call('/api/v1/members/invitations', { method: 'POST', key, body });
const inviteByEvents = (token: string, body: object = EVE) =>
  host.call('/v1/members/invitations', { method: 'POST', token, body });
const accept = async (invited: Awaited<ReturnType<typeof inviteByEvents>>, token = 'session-eve') =>
  await host.call('/v1/members/invitations/accept', {
    method: 'POST',
    token,
    body: { token: bodyOf(inviteMember, invited).token },
  });
const makeKey = (token: string, more: object = {}) =>
  host.call('/v1/api-keys', { method: 'POST', token, body: { name: 'k', scopes: ['admin'], ...more } });
const eventsStatus = async (token: string) => (await host.call('/v1/members', { token })).status;
const deskStatus = async (token: string) => (await desk.call('/api/v1/conversations', { token })).status;
const testKey = async (expires_at: string) => {
  const body = { name: 'ci', scopes: ['admin'], environment: 'test', expires_at };
  return bodyOf(
    createApiKey,
    await host.call('/v1/api-keys', { method: 'POST', token: host.session(), body }),
  );
};

describe('a key of the helpdesk', () => {
  it('invites nobody to more than its scopes open', async () => {
    const { key } = await desk.keyFor(['manage:workspace']);
    for (const role of ['member', 'admin']) {
      const reply = await inviteByDesk(key, { ...EVE, role });
      expect([reply.status, reply.body]).toEqual([
        403,
        expect.objectContaining({ error: 'An API key gives to others at most what it has itself' }),
      ]);
    }
    expect((await desk.config.team(MINE)).invitations).toEqual([]);
  });

  it('opens nothing of events, through whomever it invites', async () => {
    const invited = await inviteByDesk(desk.key);
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({ invitation: { only: 'helpdesk', ends_at: null } });
    expect((await accept(invited as never)).status).toBe(200);
    expect([await deskStatus('session-eve'), await eventsStatus('session-eve')]).toEqual([200, 403]);
    expect((await makeKey('session-eve')).status).toBe(403);
    const members = bodyOf(listMembers, await host.call('/v1/members', { token: host.session() })).members;
    expect(members.find(({ id }) => id === 'eve')).toMatchObject({ role: 'admin', only: 'helpdesk' });
  });

  it('raises no member who may act for events', async () => {
    const path = '/api/v1/members/mine-member';
    const reply = await desk.call(path, { method: 'PATCH', key: desk.key, body: { role: 'admin' } });
    expect(reply.status).toBe(403);
    const lowered = await desk.call('/api/v1/members/mine-admin', {
      method: 'PATCH',
      key: desk.key,
      body: { role: 'member' },
    });
    expect(lowered.status).toBe(200);
  });
});

describe('a key of events', () => {
  it('opens nothing of the helpdesk, through whomever it invites', async () => {
    const { key } = await host.keyFor(['admin']);
    expect((await accept(await inviteByEvents(key))).status).toBe(200);
    expect([await eventsStatus('session-eve'), await deskStatus('session-eve')]).toEqual([200, 403]);
  });

  it('makes people whose keys stay in its environment, and who end with it', async () => {
    const end = new Date(NOW + HOUR_MS).toISOString();
    const { secret } = await testKey(end);
    const invited = await inviteByEvents(secret);
    expect(bodyOf(inviteMember, invited).invitation).toMatchObject({ only: 'events', ends_at: end });
    expect((await accept(invited)).status).toBe(200);
    expect(codeOf(await makeKey('session-eve'))).toBe('grant_exceeded');
    expect(codeOf(await makeKey('session-eve', { environment: 'test' }))).toBe('grant_exceeded');
    const within = await makeKey('session-eve', { environment: 'test', expires_at: end });
    expect(within.status).toBe(201);
    // Whom a limited person invites is limited as well.
    const second = await inviteByEvents('session-eve', { email: 'mal@example.com', role: 'admin' });
    expect(bodyOf(inviteMember, second).invitation).toMatchObject({ only: 'events', ends_at: end });
    host.clock.advance(HOUR_MS);
    expect(await eventsStatus('session-eve')).toBe(403);
    expect(await eventsStatus(bodyOf(createApiKey, within).secret)).toBe(401);
    const late = await accept(second, 'session-mal');
    expect(codeOf(late)).toBe('invitation_not_found');
  });

  it('takes all that came from it along when it is revoked', async () => {
    const root = bodyOf(createApiKey, await makeKey(host.session()));
    const child = bodyOf(createApiKey, await makeKey(root.secret));
    const grandchild = bodyOf(createApiKey, await makeKey(child.secret));
    const invited = await inviteByEvents(grandchild.secret);
    await accept(invited);
    const ofEve = bodyOf(createApiKey, await makeKey('session-eve'));
    const open = await inviteByEvents(ofEve.secret, { email: 'mal@example.com', role: 'member' });
    const other = bodyOf(createApiKey, await makeKey(host.session()));
    const path = `/v1/api-keys/${root.api_key.id}`;
    const revoked = bodyOf(
      revokeApiKey,
      await host.call(path, { method: 'DELETE', token: host.session('admin') }),
    );
    expect(revoked.revoked_with_it.toSorted()).toEqual(
      [
        child.api_key.id,
        grandchild.api_key.id,
        'eve',
        ofEve.api_key.id,
        bodyOf(inviteMember, open).invitation.id,
      ].sort(),
    );
    for (const { secret } of [root, child, grandchild, ofEve]) expect(await eventsStatus(secret)).toBe(401);
    expect(await eventsStatus('session-eve')).toBe(403);
    expect(codeOf(await accept(open, 'session-mal'))).toBe('invitation_not_found');
    expect(await eventsStatus(other.secret)).toBe(200);
    const again = await host.call(path, { method: 'DELETE', token: host.session() });
    expect(bodyOf(revokeApiKey, again).revoked_with_it).toEqual([]);
  });

  it('leaves those for whom a person has vouched meanwhile', async () => {
    const root = bodyOf(createApiKey, await makeKey(host.session()));
    await accept(await inviteByEvents(root.secret));
    const vouched = await host.call('/v1/members/eve', {
      method: 'PATCH',
      token: host.session(),
      body: { role: 'admin' },
    });
    expect(vouched.body).toMatchObject({ member: { role: 'admin', only: null, ends_at: null } });
    await host.call(`/v1/api-keys/${root.api_key.id}`, { method: 'DELETE', token: host.session() });
    expect([await eventsStatus('session-eve'), await deskStatus('session-eve')]).toEqual([200, 200]);
  });
});

it.each([
  ['is removed', (path: string) => host.call(path, { method: 'DELETE', token: host.session() })],
  [
    'manages no more',
    (path: string) => host.call(path, { method: 'PATCH', token: host.session(), body: { role: 'member' } }),
  ],
])('what a person offered is over when the person %s', async (_what, end) => {
  const [first, second] = [
    await inviteByEvents(host.session('admin'), { ...EVE, role: 'member' }),
    await inviteByEvents(host.session('admin'), { email: 'mal@example.com', role: 'viewer' }),
  ];
  expect((await accept(first)).status).toBe(200);
  expect((await end('/v1/members/mine-admin')).status).toBe(200);
  expect(codeOf(await accept(second, 'session-mal'))).toBe('invitation_not_found');
  // Who is in stays: the person had the right then.
  expect(await eventsStatus('session-eve')).toBe(200);
});

describe('a role of one product, or of reading', () => {
  it('is handed on through either product by a person, and opens what it says', async () => {
    const invited = await inviteByEvents(host.session('admin'), { ...EVE, role: 'agent' });
    expect(bodyOf(inviteMember, invited).invitation).toMatchObject({ role: 'agent', only: null });
    const joined = await accept(invited);
    expect([joined.status, bodyOf(acceptInvitation, joined).role]).toEqual([200, 'agent']);
    expect([await deskStatus('session-eve'), await eventsStatus('session-eve')]).toEqual([200, 403]);
    const raised = await desk.call('/api/v1/members/eve', {
      method: 'PATCH',
      token: host.session('admin'),
      body: { role: 'viewer' },
    });
    expect(raised.status).toBe(200);
    expect([await deskStatus('session-eve'), await eventsStatus('session-eve')]).toEqual([200, 200]);
  });

  it('is handed on by a key only within its product and scopes', async () => {
    const { key: events } = await host.keyFor(['admin']);
    expect(codeOf(await inviteByEvents(events, { ...EVE, role: 'agent' }))).toBe('grant_exceeded');
    expect((await inviteByEvents(events, { ...EVE, role: 'viewer' })).status).toBe(201);
    const reading = HELPDESK_SCOPES.filter((scope) => scope.startsWith('read:'));
    const { key: reads } = await desk.keyFor(['manage:workspace', ...reading]);
    const status = async (role: string) => (await inviteByDesk(reads, { ...EVE, role })).status;
    expect([await status('viewer'), await status('agent'), await status('admin')]).toEqual([201, 403, 403]);
  });

  it('does not lock out whom a key of the other product invited', async () => {
    const { key } = await host.keyFor(['admin']);
    await accept(await inviteByEvents(key));
    const by = (token: string) =>
      host.call('/v1/members/eve', { method: 'PATCH', token, body: { role: 'agent' } });
    expect(codeOf(await by(key))).toBe('grant_exceeded');
    // A person vouches for all of the role.
    expect((await by(host.session())).status).toBe(200);
    expect([await deskStatus('session-eve'), await eventsStatus('session-eve')]).toEqual([200, 403]);
  });
});

it('invites as before where a person invites', async () => {
  const invited = await inviteByEvents(host.session('admin'));
  expect(bodyOf(inviteMember, invited).invitation).toMatchObject({ only: null, ends_at: null });
  expect(bodyOf(acceptInvitation, await accept(invited)).role).toBe('admin');
  expect([await eventsStatus('session-eve'), await deskStatus('session-eve')]).toEqual([200, 200]);
});
