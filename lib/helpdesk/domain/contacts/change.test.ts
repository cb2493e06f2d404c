// Goal: what is given of a contact changes it, what is not stays, and what is alike is no change.
import { describe, expect, it } from 'vitest';
import { changedContact, newContact, splitName } from './change.ts';
import { contactIdOf } from './contact-id.ts';

const KEY = { workspaceId: 'm_one', email: 'Ada@Example.com' };

describe('a name', () => {
  it.each([
    ['Ada', 'Ada', null],
    ['Ada Lovelace', 'Ada', 'Lovelace'],
    ['  Ada \t King  Lovelace ', 'Ada', 'King  Lovelace'],
    ['山田\u3000太郎', '山田', '太郎'],
    ['李', '李', null],
  ])('%j is %j and %j', (name, firstname, lastname) => {
    expect(splitName(name)).toEqual({ firstname, lastname });
  });

  it('is split where its parts are not given, and made of them where it is not', () => {
    const contact = newContact(KEY, { name: 'Ada Lovelace' }, 1);
    expect(contact).toMatchObject({ name: 'Ada Lovelace', firstname: 'Ada', lastname: 'Lovelace' });
    expect(changedContact(contact, { lastname: 'Byron' }, 2)).toMatchObject({ name: 'Ada Byron' });
    expect(changedContact(contact, { name: 'Lady A', firstname: 'Augusta' }, 2)).toMatchObject({
      name: 'Lady A',
      firstname: 'Augusta',
      lastname: 'Lovelace',
    });
    expect(changedContact(contact, { name: '' }, 2)).toMatchObject({
      name: null,
      firstname: null,
      lastname: null,
    });
    expect(changedContact(contact, { firstname: '', lastname: '' }, 2)).toMatchObject({ name: null });
  });
});

describe('a contact', () => {
  it('has the id of its address, whatever its case', () => {
    expect(newContact(KEY, {}, 7)).toEqual({
      id: contactIdOf('m_one', 'ada@example.com'),
      workspaceId: 'm_one',
      email: 'ada@example.com',
      name: null,
      firstname: null,
      lastname: null,
      company: null,
      phone: null,
      metadata: '{}',
      createdAtMs: 7,
      updatedAtMs: 7,
    });
  });

  it('that is given what it has is the same object', () => {
    const contact = newContact(KEY, { name: 'Ada', company: 'Engines', metadata: { a: [1], b: {} } }, 1);
    for (const facts of [
      {},
      { name: 'Ada' },
      { company: 'Engines' },
      { metadata: {} },
      { metadata: { a: [1] } },
    ])
      expect(changedContact(contact, facts, 2)).toBe(contact);
    expect(changedContact(contact, { metadata: { a: [2] } }, 2).updatedAtMs).toBe(2);
  });

  it('keeps keys of its metadata that are not given, and loses those that are null', () => {
    const contact = newContact(KEY, { metadata: { a: { x: 1 }, b: 1, toString: 'own' } }, 1);
    const { metadata } = changedContact(contact, { metadata: { a: { y: 2 }, b: null } }, 2);
    expect(JSON.parse(metadata)).toEqual({ a: { y: 2 }, toString: 'own' });
  });
});
