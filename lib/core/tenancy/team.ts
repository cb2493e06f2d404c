// Who acts for a merchant, and how that changes. Pure: each change is decided on the team as it is, the caller's own role
// included, so that what was decided holds when it is written.
// Refuses: a team without an owner; an owner made, changed or removed by anybody but an owner; an invitation used twice; a
// role, a product, an environment or a life that exceeds what the caller has itself.
import * as z from 'zod';
import type { StoredAs } from '../record/stored-type.ts';
import type { Caller } from './caller.ts';
import {
  ancestorOf,
  endsWith,
  type Grant,
  grantOfPerson,
  isOver,
  isWithin,
  type ProductAccess,
  STORED_LIMITS,
} from './grant.ts';
import { MEMBER_ROLES, type MemberRole, PRODUCTS } from './role.ts';

export const STORED_MEMBER = z.looseObject({
  sub: z.string(),
  role: z.enum(MEMBER_ROLES),
  /** Where the invitation went, sealed. Absent for members nobody invited. */
  sealedEmail: z.string().exactOptional(),
  /** 0 where it is not known. */
  joinedAtMs: z.number(),
  /** As the audit trail names callers. Absent for members nobody invited. */
  invitedBy: z.string().exactOptional(),
  /** Of a member whom a key invited: ends with the key. A person who changes the role vouches, and takes them away. */
  limits: STORED_LIMITS.exactOptional(),
});
export type Member = StoredAs<typeof STORED_MEMBER>;

export const STORED_INVITATION = z.looseObject({
  id: z.string(),
  role: z.enum(MEMBER_ROLES),
  sealedEmail: z.string(),
  /** The token itself is shown once and kept nowhere. */
  tokenSha256: z.string(),
  /** As the audit trail names callers. */
  invitedBy: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  limits: STORED_LIMITS.optional(),
});
export type Invitation = StoredAs<typeof STORED_INVITATION>;

export interface Team {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

/** Each of them may be what this release cannot read: they are read one by one. */
export const STORED_TEAM = z.looseObject({
  members: z.array(z.unknown()),
  invitations: z.array(z.unknown()),
});

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

/** Who changes the team, through which product. */
export interface By {
  readonly caller: Caller;
  readonly access: ProductAccess;
}

/** How the audit trail names people. */
const PERSON = 'user:';

/** What the caller has as the team is now; null where that is no more than to look on. */
function grantNow(team: Team, { caller, access }: By): Grant | null {
  // Its route asked for the scope, which no key gains or loses.
  if (caller.kind === 'key') return caller.grant;
  const member = team.members.find(({ sub }) => sub === caller.sub);
  // Meanwhile removed, or made a member: the request was let in before.
  const grant = member === undefined ? null : grantOfPerson(member, access);
  return grant?.opens.includes(PRODUCTS[access.product].manages) ? grant : null;
}

/** The caller's grant, where the caller may deal with people of these roles. Owners are an owner's matter, and no key's. */
function authorityOver(team: Team, by: By, roles: readonly MemberRole[]): Grant | TeamRefusal {
  const own = grantNow(team, by);
  if (own === null) return 'forbidden';
  return roles.includes('owner') && !own.opens.includes('own:merchant') ? 'owner_required' : own;
}

const isRefused = (authority: Grant | TeamRefusal): authority is TeamRefusal => typeof authority === 'string';

const ownersOf = (members: readonly Member[]): number =>
  members.filter(({ role }) => role === 'owner').length;

export const openInvitations = ({ invitations }: Team, nowMs: number): readonly Invitation[] =>
  invitations.filter(({ expiresAtMs }) => expiresAtMs > nowMs);

/** `replaces`: open invitations of the same address, whose tokens end here. The invitation gets the caller's own limits. */
export function invite(
  team: Team,
  by: By,
  wanted: Omit<Invitation, 'limits'>,
  replaces: ReadonlySet<string>,
): TeamDecision<'invited'> {
  const own = authorityOver(team, by, [wanted.role]);
  if (isRefused(own)) return refuse(own);
  const invitation: Invitation = { ...wanted, ...(own.limits === undefined ? {} : { limits: own.limits }) };
  const offered = grantOfPerson(invitation, by.access);
  if (offered.opens.length === 0 || !isWithin(offered, own)) return refuse('grant_exceeded');
  const open = openInvitations(team, invitation.createdAtMs).filter(({ id }) => !replaces.has(id));
  if (team.members.length >= MEMBERS_MAX || open.length >= INVITATIONS_MAX) return refuse('team_limit');
  return { team: { ...team, invitations: [...open, invitation] }, result: 'invited' };
}

export function withdraw(team: Team, by: By, id: string, nowMs: number): TeamDecision<'withdrawn'> {
  const open = openInvitations(team, nowMs);
  const found = open.find((invitation) => invitation.id === id);
  if (found === undefined) return refuse('not_found');
  const own = authorityOver(team, by, [found.role]);
  if (isRefused(own)) return refuse(own);
  const invitations = open.filter((invitation) => invitation !== found);
  return { team: { ...team, invitations }, result: 'withdrawn' };
}

/** The invitation this token is of, unless it has expired. */
export const invitationOf = (team: Team, tokenSha256: string, nowMs: number): Invitation | undefined =>
  openInvitations(team, nowMs).find((invitation) => invitation.tokenSha256 === tokenSha256);

/** False where the person who invited could not do so any more; what keys offered is withdrawn with them. */
function isBacked(team: Team, invitation: Invitation, access: ProductAccess): boolean {
  if (!invitation.invitedBy.startsWith(PERSON)) return true;
  const host = team.members.find(({ sub }) => invitation.invitedBy === PERSON + sub);
  if (host === undefined) return false;
  const own = grantOfPerson(host, access);
  const manages = Object.values(PRODUCTS).some((product) => own.opens.includes(product.manages));
  return manages && isWithin(grantOfPerson(invitation, access), own);
}

/** `access`: of the product through which the person joins. */
export function join(
  team: Team,
  sub: string,
  tokenSha256: string,
  { access, nowMs }: { readonly access: ProductAccess; readonly nowMs: number },
): TeamDecision<Member> {
  const invitation = invitationOf(team, tokenSha256, nowMs);
  if (invitation === undefined || isOver(invitation.limits, nowMs)) return refuse('invitation_not_found');
  if (!isBacked(team, invitation, access)) return refuse('invitation_not_found');
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
  by: By,
  { sub, role }: Pick<Member, 'sub' | 'role'>,
): TeamDecision<{ readonly member: Member; readonly isNew: boolean }> {
  const old = team.members.find((member) => member.sub === sub);
  if (old === undefined) return refuse('not_found');
  const own = authorityOver(team, by, [old.role, role]);
  if (isRefused(own)) return refuse(own);
  const { limits, ...others } = old;
  const isVouchedFor = own.limits === undefined && limits !== undefined;
  if (old.role === role && !isVouchedFor) return { team: null, result: { member: old, isNew: false } };
  const member: Member = { ...others, role, ...(isVouchedFor || limits === undefined ? {} : { limits }) };
  const [before, after] = [grantOfPerson(old, by.access), grantOfPerson(member, by.access)];
  const isGrantable = isWithin(after, before) || isWithin(after, own);
  if (after.opens.length === 0 || !isGrantable) return refuse('grant_exceeded');
  const members = team.members.map((one) => (one === old ? member : one));
  if (ownersOf(members) === 0) return refuse('last_owner');
  return { team: { ...team, members }, result: { member, isNew: true } };
}

export function remove(team: Team, by: By, sub: string): TeamDecision<'removed'> {
  const old = team.members.find((member) => member.sub === sub);
  if (old === undefined) return refuse('not_found');
  const own = authorityOver(team, by, [old.role]);
  if (isRefused(own)) return refuse(own);
  const members = team.members.filter((one) => one.sub !== sub);
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
  const isOf = (one: Member | Invitation): boolean => endsWith(ancestorOf(one), callers);
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

/** One more member, without an invitation. Refuses another role than the one a member has. */
export function enlist(team: Team, member: Member): TeamDecision<'joined' | 'known'> {
  const known = team.members.find(({ sub }) => sub === member.sub);
  if (known !== undefined)
    return known.role === member.role ? { team: null, result: 'known' } : refuse('already_member');
  if (team.members.length >= MEMBERS_MAX) return refuse('team_limit');
  return { team: { ...team, members: [...team.members, member] }, result: 'joined' };
}

/** The first owner of a team. Refuses a team that has other members; one that has this member stays as it is. */
export function found(team: Team, owner: Omit<Member, 'role'>): TeamDecision<'founded' | 'known'> {
  if (team.members.some(({ sub }) => sub === owner.sub)) return { team: null, result: 'known' };
  if (team.members.length > 0) return refuse('owner_required');
  return { team: { ...team, members: [{ ...owner, role: 'owner' }] }, result: 'founded' };
}
