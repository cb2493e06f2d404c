// Who acts for a merchant: core's routes of members, under the paths and credentials of the event product.
import * as core from '../../core/routes/members.ts';
import { defineRoute, MANAGES, SEES } from './define-route.ts';

export const listMembers = defineRoute({ ...SEES, ...core.listMembers, path: '/v1/members' });
export const inviteMember = defineRoute({
  ...MANAGES,
  ...core.inviteMember,
  path: '/v1/members/invitations',
});
export const acceptInvitation = defineRoute({
  ...MANAGES,
  ...core.acceptInvitation,
  path: '/v1/members/invitations/accept',
  auth: { session: 'anyone' },
});
export const changeMember = defineRoute({ ...MANAGES, ...core.changeMember, path: '/v1/members/:id' });

export const MEMBER_ROUTES = [
  listMembers,
  inviteMember,
  acceptInvitation,
  defineRoute({ ...MANAGES, ...core.withdrawInvitation, path: '/v1/members/invitations/:id' }),
  changeMember,
  defineRoute({ ...MANAGES, ...core.removeMember, path: '/v1/members/:id' }),
] as const;
