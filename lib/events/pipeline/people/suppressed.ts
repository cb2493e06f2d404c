// Whether an event is of a person on the merchant's list. Pure. Guarantees: an event is of a person here exactly where an erasure of
// that person would find it (`isOf`); the list holds digests under a key of the merchant's own, so that who reads it without that
// key can try no addresses.
import { createHmac } from 'node:crypto';
import type { PersonalPart } from '../../domain/event/normalized-event.ts';
import type { IdentityIssue } from '../../domain/identity/identity.ts';
import { type Identified, named, type Subject, wasHashed } from '../erasure/subject.ts';

type Digests = readonly (string | undefined)[];

/** `plain` of what came unhashed, `hashed` of what its sender hashed: several people may share a spelling of the latter. */
const names = (kind: string, digests: Digests = []): readonly string[] =>
  digests.flatMap((digest) => (digest === undefined ? [] : [`${kind}:${digest}`]));

export interface SubjectNames {
  readonly by: 'email' | 'phone' | 'external_id';
  /** The first stands for the identifier where they are counted. */
  readonly names: readonly string[];
}

/** By the words of a request: an entry for each that is given. */
export function namesOfSubject({ email, phone, externalId }: Subject): readonly SubjectNames[] {
  const all: readonly SubjectNames[] = [
    { by: 'email', names: [...names('email', email?.exact), ...names('hashed email', email?.hashed)] },
    {
      by: 'phone',
      names: [
        ...names('phone', phone?.exact),
        ...names('hashed phone', phone?.hashed),
        ...names('national phone', phone?.national),
      ],
    },
    {
      by: 'external_id',
      names: [
        ...names('id', externalId?.exact),
        ...names('hashed id', externalId?.hashed),
        ...(externalId?.anyCase === true ? names('id in any case', externalId.exact) : []),
      ],
    },
  ];
  return all.filter((one) => one.names.length > 0);
}

/** Empty where the event names no person: one that carries ids of a browser alone is not recognised. */
export function namesOfEvent(event: Pick<Identified, 'hashed' | 'issues'>): readonly string[] {
  const { hashed: said } = event;
  const isHashed = (...fields: readonly string[]) => fields.some((field) => wasHashed(event, field));
  const email = isHashed('email') ? 'hashed email' : 'email';
  const phone = isHashed('phone') ? 'hashed phone' : 'phone';
  const id = isHashed('customer_id', 'external_ids') ? 'hashed id' : 'id';
  const ids = named(said, 'id');
  return [
    ...new Set([
      ...names(email, named(said, 'mailbox')),
      ...names(phone, named(said, 'number')),
      ...(said.phoneE164 === undefined ? names('national phone', [said.phoneDigits]) : []),
      ...names(id, ids),
      ...names(
        'id in any case',
        named(said, 'id in any case').filter((digest) => !ids.includes(digest)),
      ),
    ]),
  ];
}

/** As they stand on the list: 132 bits of each. */
export const listed = (merchantId: string, key: string, all: readonly string[]): readonly string[] =>
  all.map((name) =>
    createHmac('sha256', key).update(`${merchantId}/${name}`).digest('base64url').slice(0, 22),
  );

/** What an event is without its person. */
export const NO_PERSON: PersonalPart = { hashed: {}, raw: {}, plaintext: {} };

const ISSUE: IdentityIssue = { field: 'user_data', code: 'person_suppressed' };

/** Nothing of it is left to know the person by: its copies and replays are theirs all the same. */
export const wasSuppressed = ({ issues }: Pick<Identified, 'issues'>): boolean =>
  issues.some(({ code }) => code === ISSUE.code);

/** The event, which is without its person, with the word for why. */
export const asSuppressed = <Event extends Pick<Identified, 'issues'>>(event: Event): Event =>
  wasSuppressed(event)
    ? event
    : { ...event, issues: [...event.issues.filter(({ code }) => code !== 'page_missing'), ISSUE] };
