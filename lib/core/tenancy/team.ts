// Who acts for a merchant, and how that changes. Pure: each change is decided on the team as it is, the caller's own role
// included, so that what was decided holds when it is written.
// Refuses: a team without an owner; an owner made, changed or removed by anybody but an owner; an invitation used twice; a
// role, a product, an environment or a life that exceeds what the caller has itself.
import type { Caller } from './caller.ts';
import { isOver, isWithin, type Limits } from './key-grant.ts';
import { MEMBER_ROLES, type MemberRole } from './merchant.ts';

export interface Member {
  readonly sub: string;
  readonly role: MemberRole;
  /** Where the invitation went, sealed. Absent for members nobody invited. */
  readonly sealedEmail?: string;
  /** 0 where it is not known. */
  readonly joinedAtMs: number;
  /** As the audit trail names callers. Absent for members nobody invited. */
  readonly invitedBy?: string;
  /** Of a member whom a key invited: ends with the key. A person who changes the role vouches, and takes them away. */
  readonly limits?: Limits;
}

export interface Invitation {
  readonly id: string;
  readonly role: MemberRole;
  readonly sealedEmail: string;
  /** The token itself is shown once and kept nowhere. */
  readonly tokenSha256: string;
  /** As the audit trail names callers. */
  readonly invitedBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly limits?: Limits | undefined;
}

export interface Team {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

/** What a member's address is sealed as. */
export const MEMBER_EMAIL = 'member-email';

export const NO_TEAM: Team = { members: [], invitations: [] };
export const MEMBERS_MAX = 100;
export const INVITATIONS_MAX = 100;
export const INVITATION_LASTS_MS = 7 * 86_400_000;

export type TeamRefusal =
  | 'not_found'
  | 'forbidden'
  | 'grant_exceeded'
  | 'owner_required'
  | 'last_owner'
  | 'already_member'
  | 'team_limit'
  | 'invitation_not_found';

/** `team: null`: nothing changes. */
export type TeamDecision<Result> = { readonly team: Team | null; readonly result: Result | TeamRefusal };

const refuse = (result: TeamRefusal): { readonly team: null; readonly result: TeamRefusal } => ({
  team: null,
  result,
});

/** Of a key with the scope `admin`: what an admin is. An owner's rights are no key's. */
const roleNow = (team: Team, caller: Caller): MemberRole | undefined =>
  caller.kind === 'key' ? 'admin' : team.members.find(({ sub }) => sub === caller.sub)?.role;

/** Null where the caller may deal with members of these roles. */
function hindrance(team: Team, caller: Caller, roles: readonly MemberRole[]): TeamRefusal | null {
  const role = roleNow(team, caller);
  // Meanwhile removed, or made a member: the request was let in before.
  if (role === undefined || MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf('admin')) return 'forbidden';
  return roles.includes('owner') && role !== 'owner' ? 'owner_required' : null;
}

/** What a role opens: of the product whose caller asks. */
export type ScopesOfRole = (role: MemberRole) => readonly string[];

/** True where the role, within these limits, opens something that the caller does not. */
function exceeds(
  { kind, scopes, limits: own }: Caller,
  role: MemberRole,
  limits: Limits | undefined,
  scopesOfRole: ScopesOfRole,
): boolean {
  if (kind === 'key' && scopesOfRole(role).some((scope) => !scopes.includes(scope))) return true;
  return !isWithin(limits, own);
}

const ownersOf = (members: readonly Member[]): number =>
  members.filter(({ role }) => role === 'owner').length;

export const openInvitations = ({ invitations }: Team, nowMs: number): readonly Invitation[] =>
  invitations.filter(({ expiresAtMs }) => expiresAtMs > nowMs);

/** `replaces`: open invitations of the same address, whose tokens end here. The invitation gets the caller's own limits. */
export function invite(
  team: Team,
  caller: Caller,
  wanted: Omit<Invitation, 'limits'>,
  { replaces, scopesOfRole }: { readonly replaces: ReadonlySet<string>; readonly scopesOfRole: ScopesOfRole },
): TeamDecision<'invited'> {
  const refused = hindrance(team, caller, [wanted.role]);
  if (refused !== null) return refuse(refused);
  if (exceeds(caller, wanted.role, caller.limits, scopesOfRole)) return refuse('grant_exceeded');
  const invitation = { ...wanted, ...(caller.limits === undefined ? {} : { limits: caller.limits }) };
  const open = openInvitations(team, invitation.createdAtMs).filter(({ id }) => !replaces.has(id));
  if (team.members.length >= MEMBERS_MAX || open.length >= INVITATIONS_MAX) return refuse('team_limit');
  return { team: { ...team, invitations: [...open, invitation] }, result: 'invited' };
}

export function withdraw(team: Team, caller: Caller, id: string, nowMs: number): TeamDecision<'withdrawn'> {
  const open = openInvitations(team, nowMs);
  const found = open.find((invitation) => invitation.id === id);
  if (found === undefined) return refuse('not_found');
  const refused = hindrance(team, caller, [found.role]);
  if (refused !== null) return refuse(refused);
  const invitations = open.filter((invitation) => invitation !== found);
  return { team: { ...team, invitations }, result: 'withdrawn' };
}

/** The invitation this token is of, unless it has expired. */
export const invitationOf = (team: Team, tokenSha256: string, nowMs: number): Invitation | undefined =>
  openInvitations(team, nowMs).find((invitation) => invitation.tokenSha256 === tokenSha256);

export function join(team: Team, sub: string, tokenSha256: string, nowMs: number): TeamDecision<Member> {
  const invitation = invitationOf(team, tokenSha256, nowMs);
  if (invitation === undefined || isOver(invitation.limits, nowMs)) return refuse('invitation_not_found');
  if (team.members.some((member) => member.sub === sub)) return refuse('already_member');
  if (team.members.length >= MEMBERS_MAX) return refuse('team_limit');
  const { role, sealedEmail, invitedBy, limits } = invitation;
  const member: Member = {
    sub,
    role,
    sealedEmail,
    joinedAtMs: nowMs,
    invitedBy,
    ...(limits === undefined ? {} : { limits }),
  };
  const invitations = openInvitations(team, nowMs).filter((one) => one !== invitation);
  return { team: { members: [...team.members, member], invitations }, result: member };
}

/** The member as it is then, and whether that is new. What a person grants without limits of their own has none. */
export function changeRole(
  team: Team,
  caller: Caller,
  { sub, role }: Pick<Member, 'sub' | 'role'>,
  scopesOfRole: ScopesOfRole,
): TeamDecision<{ readonly member: Member; readonly isNew: boolean }> {
  const old = team.members.find((member) => member.sub === sub);
  if (old === undefined) return refuse('not_found');
  const refused = hindrance(team, caller, [old.role, role]);
  if (refused !== null) return refuse(refused);
  const isRaised = MEMBER_ROLES.indexOf(role) > MEMBER_ROLES.indexOf(old.role);
  if (isRaised && exceeds(caller, role, old.limits, scopesOfRole)) return refuse('grant_exceeded');
  const isVouchedFor = caller.limits === undefined && old.limits !== undefined;
  if (old.role === role && !isVouchedFor) return { team: null, result: { member: old, isNew: false } };
  const { limits, ...others } = old;
  const member: Member = { ...others, role, ...(isVouchedFor || limits === undefined ? {} : { limits }) };
  const members = team.members.map((one) => (one === old ? member : one));
  if (ownersOf(members) === 0) return refuse('last_owner');
  return { team: { ...team, members }, result: { member, isNew: true } };
}

export function remove(team: Team, caller: Caller, sub: string): TeamDecision<'removed'> {
  const old = team.members.find((member) => member.sub === sub);
  if (old === undefined) return refuse('not_found');
  const refused = hindrance(team, caller, [old.role]);
  if (refused !== null) return refuse(refused);
  const members = team.members.filter((one) => one !== old);
  if (ownersOf(members) === 0) return refuse('last_owner');
  return { team: { ...team, members }, result: 'removed' };
}

/** The team in which the subject has this role. */
export function withMember(team: Team, sub: string, role: MemberRole): Team {
  const old = team.members.find((one) => one.sub === sub);
  if (old === undefined) return { ...team, members: [...team.members, { sub, role, joinedAtMs: 0 }] };
  return { ...team, members: team.members.map((one) => (one === old ? { ...old, role } : one)) };
}

/** The team without those whom one of these callers invited, and only they vouch for. */
export function withoutInvitedBy(
  team: Team,
  callers: ReadonlySet<string>,
): {
  readonly team: Team | null;
  readonly result: { readonly subs: readonly string[]; readonly invitations: readonly string[] };
} {
  const isOf = ({
    invitedBy,
    limits,
  }: {
    readonly invitedBy?: string;
    readonly limits?: Limits | undefined;
  }): boolean => limits !== undefined && invitedBy !== undefined && callers.has(invitedBy);
  const subs = team.members.filter(isOf).map(({ sub }) => sub);
  const invitations = team.invitations.filter(isOf).map(({ id }) => id);
  if (subs.length + invitations.length === 0) return { team: null, result: { subs, invitations } };
  return {
    team: {
      members: team.members.filter((one) => !isOf(one)),
      invitations: team.invitations.filter((one) => !isOf(one)),
    },
    result: { subs, invitations },
  };
}

/** The first owner of a team. Refuses a team that has other members; one that has this member stays as it is. */
export function found(team: Team, owner: Omit<Member, 'role'>): TeamDecision<'founded' | 'known'> {
  if (team.members.some(({ sub }) => sub === owner.sub)) return { team: null, result: 'known' };
  if (team.members.length > 0) return refuse('owner_required');
  return { team: { ...team, members: [{ ...owner, role: 'owner' }] }, result: 'founded' };
}
