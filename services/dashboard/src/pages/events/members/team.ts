// Who is here and who is invited, what the roles are, and why one member cannot be changed by another.
import type { Answer } from '#dashboard/app/api.tsx';

export type Team = Answer<'listMembers'>;
export type Member = Team['members'][number];
export type Invitation = Team['invitations'][number];

export type Role = Member['role'];

/** What a change of the team changes: permissions too, also the person's own. */
export const TEAM = ['listMembers', 'getAccount'] as const;

export const ROLES: Readonly<Record<Role, string>> = {
  viewer: 'Reads events and tickets, and changes nothing. Sees no secrets and no billing.',
  agent: 'Answers customers in the helpdesk, and sees nothing else: no events, keys or billing.',
  member: 'Reads events as a viewer does, and answers customers as an agent does.',
  admin: 'Does all of this, connects platforms, makes keys and rules, erases, and invites.',
  owner: 'Does all that an admin does, pays, and makes and removes owners. There is always one.',
};

/** An owner is an owner's matter. */
export const rolesFor = (own: Role | null): readonly (readonly [Role, string])[] =>
  (Object.keys(ROLES) as Role[])
    .filter((role) => role !== 'owner' || own === 'owner')
    .map((role) => [role, role] as const);

/** Why the person cannot change or remove the member; undefined where the service may allow it. */
export function hindranceOf(
  member: Pick<Member, 'id' | 'role'>,
  members: readonly Pick<Member, 'id' | 'role'>[],
  own: Role | null,
): string | undefined {
  if (member.role !== 'owner') return undefined;
  if (own !== 'owner') return 'Only an owner may change or remove an owner.';
  if (members.filter(({ role }) => role === 'owner').length > 1) return undefined;
  return 'The last owner stays one. Make somebody else an owner first.';
}
