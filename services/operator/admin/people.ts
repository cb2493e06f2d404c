// The people of a merchant: who they are, and one more, who is made in the user pool and a member at once.
// Guarantees: asked again, the same member, and what an attempt that broke off left out; who asked is in the merchant's audit log.
// Refuses, before anyone gets a mail: a person who acts for as many merchants as one may, or has another role.
import * as z from 'zod';
import { audited } from '#lib/core/audit-log/audited.ts';
import { line } from '#lib/core/routes/wire.ts';
import { MEMBER_ROLES, type MemberRole } from '#lib/core/tenancy/role.ts';
import { enlist, MEMBER_EMAIL, MEMBERS_MAX, openInvitations } from '#lib/core/tenancy/team.ts';
import { addressOf } from './address.ts';
import { iso, merchantId, personEmail } from './fields.ts';
import { noteLook } from './look.ts';
import type { OperatorPorts } from './ports.ts';
import { NO_MERCHANT, type Refused, suspendedBy } from './refused.ts';
import { actsForMost, actsForTooMany, subjectOf, wrongSubject } from './subject.ts';

export const personInvited = z.strictObject({
  merchant: merchantId,
  email: personEmail,
  role: z.enum(MEMBER_ROLES),
  /** Of the person's tokens, where another issuer than the deployment's own user pool signs them. */
  subject: line(255).optional(),
});
export const peopleListed = z.strictObject({ merchant: merchantId });

interface Invited {
  readonly email: string;
  readonly subject: string;
  readonly role: MemberRole;
  /** `invited`: by mail, just now. */
  readonly state: 'invited' | 'known';
  readonly is_new: boolean;
}

const HAS_ANOTHER_ROLE: Refused = {
  refused: 'conflict',
  field: 'role',
  sentence: 'is not the one this person has: an owner of the merchant changes it',
};
const TEAM_IS_FULL: Refused = {
  refused: 'conflict',
  field: 'merchant',
  sentence: `has ${MEMBERS_MAX} members, and no more are possible`,
};

export async function invitePerson(
  asked: z.output<typeof personInvited>,
  actor: string,
  ports: OperatorPorts,
): Promise<{ readonly person: Invited } | Refused> {
  const { config, people } = ports;
  const { merchant: id, email, role, subject } = asked;
  const wrong = wrongSubject(subject, ports);
  if (wrong !== null) return wrong;
  const merchant = await config.merchantNow(id);
  if (merchant === null) return NO_MERCHANT;
  if (merchant.suspension !== undefined) return suspendedBy(merchant.suspension, 'merchant');
  const known = await subjectOf(email, subject, 'email', ports);
  if (known !== null && typeof known !== 'string') return known;
  if (known !== null && (await actsForMost(known, id, ports))) return actsForTooMany('email');
  const [membership] = known === null ? [] : await config.memberships(known, id);
  if (membership !== undefined && membership.role !== role) return HAS_ANOTHER_ROLE;
  if (membership === undefined && (await config.team(id)).members.length >= MEMBERS_MAX) return TEAM_IS_FULL;
  const intent = { merchantId: id, actor, action: 'invitePerson', subject: id };
  return await audited(
    intent,
    async (note) => {
      const sub = known ?? (await people?.invite(email));
      if (sub === undefined) throw new Error('there is neither a subject nor a user pool');
      const joined = await join({ ...asked, sub }, actor, ports);
      if (typeof joined !== 'string') return joined;
      if (joined === 'joined') note(`member.add_${role}`, sub);
      const state = known === null ? 'invited' : 'known';
      return { person: { email, subject: sub, role, state, is_new: joined === 'joined' } };
    },
    ports,
  );
}

async function join(
  { merchant: id, email, role, sub }: z.output<typeof personInvited> & { readonly sub: string },
  actor: string,
  ports: OperatorPorts,
): Promise<'joined' | 'known' | Refused> {
  const { config, vault, clock } = ports;
  const sealedEmail = await vault.seal(id, MEMBER_EMAIL, email);
  if (!(await config.claimSubject(sub, id, clock.now()))) return actsForTooMany('email');
  const member = { sub, role, sealedEmail, joinedAtMs: clock.now(), invitedBy: actor };
  const result = await config.changeTeam(id, (team) => enlist(team, member));
  if (result === 'joined' || result === 'known') return result;
  return result === 'team_limit' ? TEAM_IS_FULL : HAS_ANOTHER_ROLE;
}

interface Person {
  /** Null where it cannot be opened, or was never given. */
  readonly email: string | null;
  readonly role: MemberRole;
  readonly subject: string;
  readonly joined_at: string | null;
}

export async function listPeople(
  { merchant: id }: z.output<typeof peopleListed>,
  actor: string,
  ports: OperatorPorts,
) {
  const { config, clock } = ports;
  if ((await config.merchantNow(id)) === null) return NO_MERCHANT;
  const team = await config.team(id);
  const people = await Promise.all(
    team.members.map(
      async ({ sub, role, joinedAtMs, sealedEmail }): Promise<Person> => ({
        email: await addressOf(id, sealedEmail, ports),
        role,
        subject: sub,
        joined_at: joinedAtMs === 0 ? null : iso(joinedAtMs),
      }),
    ),
  );
  const nowMs = clock.now();
  const invitations = await Promise.all(
    openInvitations(team, nowMs).map(async ({ role, sealedEmail, expiresAtMs }) => ({
      email: await addressOf(id, sealedEmail, ports),
      role,
      expires_at: iso(expiresAtMs),
    })),
  );
  await noteLook(id, { actor, action: 'member.list' }, ports);
  return { people, invitations };
}
