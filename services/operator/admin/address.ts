import { MEMBER_EMAIL } from '#lib/core/tenancy/team.ts';
import type { OperatorPorts } from './ports.ts';

/** Null where it cannot be opened, which is reported, or there is none. */
export async function addressOf(
  merchantId: string,
  sealedEmail: string | undefined,
  { vault, report }: Pick<OperatorPorts, 'vault' | 'report'>,
): Promise<string | null> {
  if (sealedEmail === undefined) return null;
  try {
    return await vault.open(merchantId, MEMBER_EMAIL, sealedEmail);
  } catch (error) {
    report('the e-mail address of a member could not be opened', error, { merchant: merchantId });
    return null;
  }
}
