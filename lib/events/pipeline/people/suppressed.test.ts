// Goal: a person whom an erasure would find is found on the list, and no other; however the words and the event spell it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { sha256 } from '../../domain/identity/digest.ts';
import { normalizeIdentity } from '../../domain/identity/normalize.ts';
import { isOf, type SubjectWords, subjectOf } from '../erasure/subject.ts';
import { listed, namesOfEvent, namesOfSubject } from './suppressed.ts';

const LOOKUPS = { nationalPhone, countryCode, regionCode };

/** Few values, so that they meet; as they are, in other spellings, and hashed by their sender. */
const spelled = (...values: readonly string[]) =>
  fc.option(
    fc
      .tuple(fc.constantFrom(...values), fc.constantFrom('as it is', 'shouted', 'hashed'))
      .map(([value, how]) =>
        how === 'as it is' ? value : how === 'shouted' ? ` ${value.toUpperCase()} ` : sha256(value),
      ),
    { nil: undefined },
  );
const EMAIL = spelled(
  ...['jane.q@gmail.com', 'janeq@gmail.com', 'janeq+shop@gmail.com', 'jane.q@googlemail.com'],
  ...['jane.q@shop.example', 'janeq@shop.example', 'janeq+news@shop.example'],
);
const PHONE = spelled('+447700900123', '447700900123', '07700900123', '7700900123', '+33700900123');
const ID = spelled('C-1', 'c-1', 'C-2');

const given = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const words = fc.record({ email: EMAIL, phone: PHONE, external_id: ID }).map((said): SubjectWords => said);
const userData = fc
  .record({
    ...{ email: EMAIL, phone: PHONE, customer_id: ID, other: ID },
    country: fc.constantFrom(undefined, 'gb'),
  })
  .map(({ other, ...said }) => given({ ...said, external_ids: other === undefined ? undefined : [other] }));

it('finds an event exactly where an erasure would', () => {
  let found = 0;
  fc.assert(
    fc.property(words, userData, (said, event) => {
      const read = subjectOf(said, LOOKUPS);
      fc.pre('subject' in read);
      const identity = normalizeIdentity(event, LOOKUPS);
      const list = listed(
        'm',
        'key',
        namesOfSubject(read.subject).flatMap((one) => one.names),
      );
      const isFound = listed('m', 'key', namesOfEvent(identity)).some((digest) => list.includes(digest));
      expect(isFound).toBe(isOf(identity, read.subject));
      if (isFound) found += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(found).toBeGreaterThan(500);
});

it('lists what only the merchant and its key lead to, and nothing of the words', () => {
  const read = subjectOf({ email: 'jane@shop.example' }, LOOKUPS);
  if (!('subject' in read)) throw new Error('no subject');
  const names = namesOfSubject(read.subject).flatMap((one) => one.names);
  const lists = [listed('m', 'key', names), listed('n', 'key', names), listed('m', 'other', names)];
  expect(new Set(lists.flat()).size).toBe(3 * names.length);
  for (const digest of lists.flat()) expect(digest).toMatch(/^[\w-]{22}$/);
});

it('asks for one digest of an ordinary address or id, two of a number, and none of ids of a browser', () => {
  const named = (user: Parameters<typeof normalizeIdentity>[0]) =>
    namesOfEvent(normalizeIdentity(user, LOOKUPS));
  expect(named({ email: 'jane@shop.example' })).toHaveLength(1);
  expect(named({ customer_id: 'c-1' })).toHaveLength(1);
  expect(named({ phone: '+44 7700 900123' })).toHaveLength(2);
  expect(
    named({ browser_ids: { fbp: 'fb.1.1700000000000.123' }, client_ip: '192.0.2.1', city: 'Rome' }),
  ).toEqual([]);
});
