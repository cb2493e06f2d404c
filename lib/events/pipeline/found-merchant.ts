// A new merchant and its first owner, made by an operator or by a person. Guarantees: each step is done once, so that whoever repeats
// it finishes what broke off.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import { found, MEMBER_EMAIL } from '#lib/core/tenancy/team.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { NewMerchantStore } from '../ports/merchant-store.ts';

/** Says what was done, for the audit log. */
type Note = (action: string, subject: string) => void;

export interface FoundingPorts {
  readonly config: NewMerchantStore & Pick<MemberStore, 'claimSubject' | 'changeTeam'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly clock: Clock;
}

type NewProfile = Omit<
  Merchant,
  'onboardingStep' | 'onboardingCompleted' | 'createdAtMs' | 'browserIngestion'
>;

/** False where there is a merchant of this id. */
export async function makeProfile(
  profile: NewProfile,
  note: Note,
  { config, clock }: FoundingPorts,
): Promise<boolean> {
  const isNew = await config.addMerchant({
    ...profile,
    onboardingStep: 'connect',
    onboardingCompleted: false,
    createdAtMs: clock.now(),
    browserIngestion: { enabled: true, origins: [] },
  });
  if (isNew) note('merchant.create', profile.merchantId);
  return isNew;
}

/** `others_own`: nothing is changed; `acts_for_most`: the person acts for as many merchants as one may. */
export async function makeOwner(
  { id, sub, email }: { readonly id: string; readonly sub: string; readonly email: string },
  note: Note,
  { config, vault, clock }: FoundingPorts,
): Promise<'others_own' | 'acts_for_most' | null> {
  const nowMs = clock.now();
  // Sealed once the merchant is there: sealing makes its data key.
  const sealedEmail = await vault.seal(id, MEMBER_EMAIL, email);
  if (!(await config.claimSubject(sub, id, nowMs))) return 'acts_for_most';
  const result = await config.changeTeam(id, (team) => found(team, { sub, sealedEmail, joinedAtMs: nowMs }));
  if (result === 'founded') note('member.add_owner', sub);
  return result === 'founded' || result === 'known' ? null : 'others_own';
}
