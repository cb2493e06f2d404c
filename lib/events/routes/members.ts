// Who acts for a merchant: core's routes of members, under the paths and credentials of the event product.
import { CHANGES, READS } from '../../core/routes/call-limits.ts';
import * as core from '../../core/routes/members.ts';
import { defineRoute } from './define-route.ts';

const shared = { part: 'api', rateLimit: CHANGES, cors: 'listed' } as const;
const managed = { ...shared, auth: { key: 'admin', session: 'manage:events' } } as const;

export const listMembers = defineRoute({
  ...core.listMembers,
  ...shared,
  rateLimit: READS,
  path: '/v1/members',
  auth: { key: 'admin', session: 'see:events' },
});

export const inviteMember = defineRoute({
  ...core.inviteMember,
  ...managed,
  path: '/v1/members/invitations',
});

export const acceptInvitation = defineRoute({
  ...core.acceptInvitation,
  ...shared,
  path: '/v1/members/invitations/accept',
  auth: { session: 'anyone' },
});

export const changeMember = defineRoute({ ...core.changeMember, ...managed, path: '/v1/members/:id' });

export const MEMBER_ROUTES = [
  listMembers,
  inviteMember,
  acceptInvitation,
  defineRoute({ ...core.withdrawInvitation, ...managed, path: '/v1/members/invitations/:id' }),
  changeMember,
  defineRoute({ ...core.removeMember, ...managed, path: '/v1/members/:id' }),
] as const;
