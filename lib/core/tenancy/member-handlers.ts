// Members and invitations. Guarantees: what may be changed is decided on the team as it is when the change is written, the
// caller's own role included, so a merchant never loses its last owner; e-mail addresses are stored sealed; the token of an
// invitation is in one answer and nowhere else (with an Idempotency-Key that answer is kept sealed for a day).
import { hash } from 'node:crypto';
import { audit } from '../audit-log/audit.ts';
import { type AuditPorts, audited, requestOf } from '../audit-log/audited.ts';
import type { Handlers } from '../http/handler.ts';
import type { Vault } from '../ports/vault.ts';
import type { InvitationView, MemberRoute, MemberView } from '../routes/members.ts';
import { actorOf } from './caller.ts';
import type { Limits, ProductAccess } from './grant.ts';
import { formatInvitationToken, readInvitationToken } from './invitation-token.ts';
import type { MemberStore } from './member-store.ts';
import { PRODUCTS } from './role.ts';
import {
  changeRole,
  INVITATION_LASTS_MS,
  type Invitation,
  invitationOf,
  invite,
  join,
  MEMBER_EMAIL,
  type Member,
  openInvitations,
  remove,
  withdraw,
} from './team.ts';

export interface MemberPorts extends AuditPorts {
  readonly config: AuditPorts['config'] & Pick<MemberStore, 'team' | 'changeTeam' | 'claimSubject'>;
  /** For addresses. */
  readonly vault: Pick<Vault, 'seal' | 'open'>;
}

type MemberHandlers = Handlers<MemberRoute>;
/** By what calls hold, so that those of any product's paths fit. */
type Shape<T> = { readonly [Key in keyof T]: T[Key] };
type Members = {
  readonly [Id in keyof MemberHandlers]: (
    call: Shape<Parameters<MemberHandlers[Id]>[0]>,
  ) => ReturnType<MemberHandlers[Id]>;
};

const iso = (ms: number): string => new Date(ms).toISOString();
const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** `access`: of the product that serves the routes. */
export function memberHandlers(ports: MemberPorts, access: ProductAccess): Members {
  const { config, clock } = ports;
  return {
    async listMembers({ caller }) {
      const { merchantId } = caller;
      const team = await config.team(merchantId);
      const self = caller.kind === 'session' ? caller.sub : undefined;
      const members = await Promise.all(
        team.members.map((member) => memberView(merchantId, member, self, ports)),
      );
      const open = openInvitations(team, clock.now());
      const invitations = await Promise.all(open.map((one) => invitationView(merchantId, one, ports)));
      return { status: 200, body: { success: true, members, invitations } };
    },

    inviteMember: (call) => sendInvitation(call, ports, access),
    acceptInvitation: (call) => joinTeam(call, ports, access),

    async withdrawInvitation({ caller, params }) {
      const nowMs = clock.now();
      const result = await config.changeTeam(caller.merchantId, (team) =>
        withdraw(team, { caller, access }, params.id, nowMs),
      );
      if (result !== 'withdrawn') return { failure: refusalOf(result, WITHDRAWING) };
      await audit(caller, 'invitation.withdraw', params.id, ports);
      return { status: 200, body: { success: true, id: params.id } };
    },

    async changeMember({ caller, params, body }) {
      const result = await config.changeTeam(caller.merchantId, (team) =>
        changeRole(team, { caller, access }, { sub: params.id, role: body.role }),
      );
      if (typeof result === 'string') return { failure: refusalOf(result, CHANGING) };
      if (result.isNew) await audit(caller, `member.role_${body.role}`, params.id, ports);
      const self = caller.kind === 'session' ? caller.sub : undefined;
      const member = await memberView(caller.merchantId, result.member, self, ports);
      return { status: 200, body: { success: true, member } };
    },

    async removeMember({ caller, params }) {
      const result = await config.changeTeam(caller.merchantId, (team) =>
        remove(team, { caller, access }, params.id),
      );
      if (result !== 'removed') return { failure: refusalOf(result, REMOVING) };
      await audit(caller, 'member.remove', params.id, ports);
      return { status: 200, body: { success: true, id: params.id } };
    },
  };
}

async function sendInvitation(
  { caller, body }: Parameters<Members['inviteMember']>[0],
  ports: MemberPorts,
  access: ProductAccess,
): ReturnType<Members['inviteMember']> {
  const { config, clock, random, vault } = ports;
  const { merchantId } = caller;
  const nowMs = clock.now();
  const token = formatInvitationToken(merchantId, random);
  const invitation: Omit<Invitation, 'limits'> = {
    id: `inv_${random.uuidv7(nowMs)}`,
    role: body.role,
    sealedEmail: await vault.seal(merchantId, MEMBER_EMAIL, body.email),
    tokenSha256: sha256(token),
    invitedBy: actorOf(caller),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + INVITATION_LASTS_MS,
  };
  const team = await config.team(merchantId);
  const isSame = async (one: Member | Invitation): Promise<boolean> =>
    (await openEmail(merchantId, one, ports))?.toLowerCase() === body.email.toLowerCase();
  if ((await Promise.all(team.members.map(isSame))).includes(true)) return { failure: 'already_member' };
  const isReplaced = await Promise.all(team.invitations.map(isSame));
  const replaces = new Set(team.invitations.filter((_, i) => isReplaced[i]).map(({ id }) => id));
  const result = await config.changeTeam(merchantId, (now) =>
    invite(now, { caller, access }, invitation, replaces),
  );
  if (result !== 'invited') return { failure: refusalOf(result, INVITING) };
  await audit(caller, 'invitation.create', invitation.id, ports);
  const { sealedEmail: _, ...shown } = { ...invitation, limits: caller.grant.limits };
  return {
    status: 201,
    body: { success: true, invitation: { ...wireOf(shown), email: body.email }, token },
  };
}

async function joinTeam(
  call: Parameters<Members['acceptInvitation']>[0],
  ports: MemberPorts,
  access: ProductAccess,
): ReturnType<Members['acceptInvitation']> {
  const { config, clock } = ports;
  const {
    caller: { sub },
    body,
  } = call;
  const merchantId = readInvitationToken(body.token);
  if (merchantId === null) return { failure: 'invitation_not_found' };
  const tokenSha256 = sha256(body.token);
  const invitation = invitationOf(await config.team(merchantId), tokenSha256, clock.now());
  if (invitation === undefined) return { failure: 'invitation_not_found' };
  const intent = {
    merchantId,
    actor: `user:${sub}`,
    action: 'acceptInvitation',
    subject: invitation.id,
    ...requestOf(call, ports),
  };
  return await audited(
    intent,
    async (note) => {
      const nowMs = clock.now();
      if (!(await config.claimSubject(sub, merchantId, nowMs))) return { failure: 'already_member' };
      const joined = await config.changeTeam(merchantId, (team) =>
        join(team, sub, tokenSha256, { access, nowMs }),
      );
      if (typeof joined === 'string') return { failure: refusalOf(joined, JOINING) };
      note('member.join', sub);
      return { status: 200, body: { success: true, merchant_id: merchantId, role: joined.role } };
    },
    ports,
  );
}

const INVITING = ['owner_required', 'team_limit', 'forbidden', 'grant_exceeded'] as const;
const JOINING = ['invitation_not_found', 'already_member', 'team_limit'] as const;
const WITHDRAWING = ['not_found', 'owner_required', 'forbidden'] as const;
const REMOVING = ['not_found', 'owner_required', 'last_owner', 'forbidden'] as const;
const CHANGING = [...REMOVING, 'grant_exceeded'] as const;

/** One of those this route may answer; another one is a defect. */
function refusalOf<Code extends string>(result: string, codes: readonly Code[]): Code {
  const code = codes.find((one) => one === result);
  if (code === undefined) throw new Error(`a team refused with ${result}`);
  return code;
}

/** Null, and reported, when the vault cannot open it: the rest is worth showing without. */
async function openEmail(
  merchantId: string,
  { sealedEmail }: { readonly sealedEmail?: string },
  { vault, report }: MemberPorts,
): Promise<string | null> {
  if (sealedEmail === undefined) return null;
  try {
    return await vault.open(merchantId, MEMBER_EMAIL, sealedEmail);
  } catch (error) {
    report('the e-mail address of a member could not be opened', error);
    return null;
  }
}

async function memberView(
  merchantId: string,
  member: Member,
  self: string | undefined,
  ports: MemberPorts,
): Promise<MemberView> {
  return {
    id: member.sub,
    email: await openEmail(merchantId, member, ports),
    role: member.role,
    joined_at: member.joinedAtMs === 0 ? null : iso(member.joinedAtMs),
    is_caller: member.sub === self,
    ...limitsView(member.limits),
  };
}

const invitationView = async (
  merchantId: string,
  invitation: Invitation,
  ports: MemberPorts,
): Promise<InvitationView> => ({
  ...wireOf(invitation),
  email: await openEmail(merchantId, invitation, ports),
});

const wireOf = ({
  id,
  role,
  invitedBy,
  createdAtMs,
  expiresAtMs,
  limits,
}: Omit<Invitation, 'sealedEmail'>): Omit<InvitationView, 'email'> => ({
  id,
  role,
  invited_by: invitedBy,
  created_at: iso(createdAtMs),
  expires_at: iso(expiresAtMs),
  ...limitsView(limits),
});

const limitsView = (limits: Limits = {}) => ({
  only: limits.product === undefined ? null : PRODUCTS[limits.product].name,
  ends_at: limits.expiresAtMs === undefined ? null : iso(limits.expiresAtMs),
});
