// Whose tokens a person has, and how many merchants the person acts for.
import { MERCHANTS_MAX } from '#lib/core/tenancy/member-store.ts';
import type { OperatorPorts } from './ports.ts';
import type { Refused } from './refused.ts';

/** `field`: what names the person. */
export const actsForTooMany = (field: 'owner' | 'email'): Refused => ({
  refused: 'conflict',
  field,
  sentence: `is a member of ${MERCHANTS_MAX} merchants, and a person acts for no more: take another address`,
});

export function wrongSubject(
  subject: string | undefined,
  { people }: Pick<OperatorPorts, 'people'>,
): Refused | null {
  const refused = { refused: 'invalid', field: 'subject' } as const;
  if (people === null && subject === undefined)
    return {
      ...refused,
      sentence: 'is required: this deployment has no user pool of its own to make a person in',
    };
  if (people !== null && subject !== undefined)
    return {
      ...refused,
      sentence: 'must be left out: a person gets one from the user pool of this deployment',
    };
  return null;
}

/** True where the person can act for no other merchant than those the person acts for. */
export async function actsForMost(
  sub: string,
  merchantId: string,
  { config }: Pick<OperatorPorts, 'config'>,
): Promise<boolean> {
  const all = await config.memberships(sub);
  return all.length >= MERCHANTS_MAX && all.every((one) => one.merchantId !== merchantId);
}

/** Subject of the person with this address, or who is named by the own issuer's; null where there is none yet. */
export async function subjectOf(
  email: string,
  subject: string | undefined,
  field: 'owner' | 'email',
  { people }: Pick<OperatorPorts, 'people'>,
): Promise<string | null | Refused> {
  if (people === null) return subject ?? null;
  const known = await people.find(email);
  if (known === null || known.isConfirmed) return known?.sub ?? null;
  const sentence = 'is of an account that was signed up for and not confirmed: repeat this once it is';
  return { refused: 'conflict', field, sentence };
}
