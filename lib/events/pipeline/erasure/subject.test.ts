// Goal: a person is found by every spelling of their identifiers, and no other person matches.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LOOKUPS } from '#test/support/erasing.ts';
import type { EventBody } from '../../domain/event/event.ts';
import { normalizeIdentity } from '../../domain/identity/normalize.ts';
import { isOf, type SubjectWords, subjectOf } from './subject.ts';

const sha = (text: string): string => hash('sha256', text, 'hex');

function matches(words: SubjectWords, person: EventBody['user_data']): boolean {
  const read = subjectOf(words, LOOKUPS);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return isOf(normalizeIdentity(person, LOOKUPS), read.subject);
}

describe('a person', () => {
  it.each<readonly [SubjectWords, EventBody['user_data']]>([
    [{ email: ' Jane.Doe@Shop.example' }, { email: 'jane.doe@shop.EXAMPLE ' }],
    [{ email: sha('jane@shop.example') }, { email: 'Jane@shop.example' }],
    [{ email: sha('jane@shop.example').toUpperCase() }, { email: sha('jane@shop.example') }],
    [{ email: 'jane@shop.example' }, { email: sha('jane@shop.example') }],
    // One mailbox.
    [{ email: 'j.a.n.e+news@gmail.com' }, { email: 'jane@gmail.com' }],
    // Its sender may have hashed what a platform asks for.
    [{ email: 'jane.doe+a@shop.example' }, { email: sha('janedoe@shop.example') }],
    [{ phone: '+44 7700 900123' }, { phone: '07700 900123', country: 'GB' }],
    [{ phone: '+44 7700 900123' }, { phone: sha('447700900123') }],
    [{ phone: '+447700900123' }, { phone: sha('+447700900123') }],
    [{ phone: sha('+447700900123') }, { phone: '00447700900123' }],
    // The country is unknown: it may be this number.
    [{ phone: '+44 7700 900123' }, { phone: '07700 900123' }],
    [{ external_id: 'Cust-1' }, { customer_id: ' Cust-1 ' }],
    [{ external_id: 'Cust-1' }, { customer_id: 'x', external_ids: ['y', 'Cust-1'] }],
    [{ external_id: 'Cust-1' }, { external_ids: [sha('cust-1')] }],
    [{ external_id: sha('cust-1') }, { customer_id: 'Cust-1' }],
    [{ external_id: 'Cust-1', email: 'nobody@shop.example' }, { customer_id: 'Cust-1' }],
  ])('asked for as %j is found in %j', (words, person) => {
    expect(matches(words, person)).toBe(true);
  });

  it.each<readonly [SubjectWords, EventBody['user_data']]>([
    // Microsoft and Reddit hash these alike; they are two people.
    [{ email: 'jane.doe@shop.example' }, { email: 'janedoe@shop.example' }],
    [{ email: 'janedoe@shop.example' }, { email: 'jane.doe@shop.example' }],
    [{ email: 'jane@shop.example' }, { email: 'jane@shop.example.org' }],
    [{ phone: '+44 7700 900123' }, { phone: '+49 7700 900123' }],
    [{ external_id: 'abc' }, { customer_id: 'ABC' }],
    [{ external_id: 'jane@shop.example' }, { email: 'jane@shop.example' }],
    [{ email: 'jane@shop.example' }, { customer_id: 'jane@shop.example' }],
    [{ email: 'jane@shop.example' }, {}],
  ])('asked for as %j is not taken for %j', (words, person) => {
    expect(matches(words, person)).toBe(false);
  });

  it.each<readonly [string, SubjectWords]>([
    ['email', { email: 'not an address' }],
    ['email', { email: sha('') }],
    ['phone', { phone: '07700 900123' }],
    ['phone', { phone: '447700900123' }],
    ['phone', { phone: '+12' }],
    ['external_id', { external_id: ' ' }],
    ['external_id', { external_id: 'null' }],
    ['external_id', { external_id: '0' }],
  ])('cannot be asked for by a bad %s: %j', (path, words) => {
    expect(subjectOf(words, LOOKUPS)).toMatchObject({ problems: [{ path }] });
  });
});
