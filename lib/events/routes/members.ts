// Who acts for a merchant: core's routes of members, under the paths and credentials of the event product.
import * as core from '../../core/routes/members.ts';
import { defineRoute, MANAGES, SEES } from './define-route.ts';

export const listMembers = defineRoute({ ...core.listMembers, ...SEES, path: '/v1/members' });
export const inviteMember = defineRoute({
  ...core.inviteMember,
  ...MANAGES,
  path: '/v1/members/invitations',
});
export const acceptInvitation = defineRoute({
  ...core.acceptInvitation,
  ...MANAGES,
  path: '/v1/members/invitations/accept',
  auth: { session: 'anyone' },
});
export const changeMember = defineRoute({ ...core.changeMember, ...MANAGES, path: '/v1/members/:id' });

export const MEMBER_ROUTES = [
  listMembers,
  inviteMember,
  acceptInvitation,
  defineRoute({ ...core.withdrawInvitation, ...MANAGES, path: '/v1/members/invitations/:id' }),
  changeMember,
  defineRoute({ ...core.removeMember, ...MANAGES, path: '/v1/members/:id' }),
] as const;
