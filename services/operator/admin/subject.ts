// Whose tokens a person has, and whom the person acts for.
import type { OperatorPorts } from './ports.ts';
import type { Refused } from './refused.ts';

/** `field`: what names the person. */
export const actsForAnother = (field: 'owner' | 'email'): Refused => ({
  refused: 'conflict',
  field,
  sentence: 'is a member of another merchant, and a person acts for one: take another address',
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

/** Twice: the one that fails may have met the same request, made at the same time. */
export const claimed = async (
  sub: string,
  merchantId: string,
  { config, clock }: Pick<OperatorPorts, 'config' | 'clock'>,
): Promise<boolean> =>
  (await config.claimSubject(sub, merchantId, clock.now())) ||
  (await config.claimSubject(sub, merchantId, clock.now()));
