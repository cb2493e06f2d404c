// Who acts for a workspace: core's routes of members, under the helpdesk's paths and credentials.
import { defineRoute } from '../../core/http/route.ts';
import * as core from '../../core/routes/members.ts';
import { v1 } from './wire.ts';

const managed = v1('manage:workspace');
const texts = {
  grant_exceeded: 'An API key gives to others at most what it has itself',
  owner_required: 'Only an owner may invite, change or remove an owner',
  last_owner: 'A workspace keeps at least one owner',
  already_member: 'This person is a member of this workspace already, or of as many as a person may be',
  team_limit: 'The team has as many members or open invitations as it may have',
} as const;
const member = { ...texts, not_found: 'Member not found' } as const;
const invitation = { ...texts, not_found: 'Invitation not found' } as const;

/** Agents see who the others are. */
export const listMembers = defineRoute({
  ...core.listMembers,
  ...managed,
  path: '/api/v1/members',
  auth: { key: 'manage:workspace', keyHeader: 'x-api-key', session: 'see:helpdesk' },
});

export const inviteMember = defineRoute({
  ...core.inviteMember,
  ...managed,
  path: '/api/v1/members/invitations',
  texts,
});

export const acceptInvitation = defineRoute({
  ...core.acceptInvitation,
  ...managed,
  path: '/api/v1/members/invitations/accept',
  summary: 'Join the workspace an invitation is of, as whoever is signed in',
  // A key that is sent decides alone, and no key joins.
  auth: { keyHeader: 'x-api-key', session: 'anyone' },
  texts: { ...texts, invitation_not_found: 'Invitation not found' },
});

export const withdrawInvitation = defineRoute({
  ...core.withdrawInvitation,
  ...managed,
  path: '/api/v1/members/invitations/:id',
  texts: invitation,
});

export const changeMember = defineRoute({
  ...core.changeMember,
  ...managed,
  path: '/api/v1/members/:id',
  texts: member,
});

export const removeMember = defineRoute({
  ...core.removeMember,
  ...managed,
  path: '/api/v1/members/:id',
  texts: member,
});

export const HELPDESK_MEMBER_ROUTES = [
  listMembers,
  inviteMember,
  acceptInvitation,
  withdrawInvitation,
  changeMember,
  removeMember,
] as const;
