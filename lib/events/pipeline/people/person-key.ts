// Under which key a person is found, by the one word that is said of them.
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { IdentityLookups } from '../../domain/identity/lookups.ts';
import { normalizeIdentity } from '../../domain/identity/normalize.ts';
import { namedKeys } from '../attribution/clicks.ts';
import { type SubjectProblem, type SubjectWords, subjectOf } from '../erasure/subject.ts';

/** Problems where it is not exactly one, or does not name one person. */
export function personKey(
  merchantId: string,
  { email, phone, external_id }: SubjectWords,
  lookups: IdentityLookups,
): { readonly key: string } | { readonly problems: readonly SubjectProblem[] } {
  const said = Object.values({ email, phone, external_id }).filter((word) => word !== undefined);
  if (said.length !== 1)
    return { problems: [{ path: 'email', message: 'exactly one of email, phone and external_id' }] };
  const read = subjectOf({ email, phone, external_id }, lookups);
  if ('problems' in read) return read;
  const { hashed } = normalizeIdentity(withoutUndefined({ email, phone, customer_id: external_id }), lookups);
  const [key] = namedKeys({ merchantId, hashed });
  return key === undefined ? { problems: [{ path: 'email', message: 'names no person' }] } : { key };
}
