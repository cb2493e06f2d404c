import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { SAMPLE_HASHED, sampleEvent } from '#test/support/sample-event.ts';
import { packHashed, unpackHashed } from './hashed-codec.ts';
import { packPersonal, unpackPersonal } from './personal-codec.ts';

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => Buffer.from(b).toString('hex'));

describe('hashed codec', () => {
  const roundTrip = (hashed: Parameters<typeof packHashed>[0]) => {
    const { text, digests } = packHashed(hashed);
    return unpackHashed(text, (i) => Buffer.from(digests[i] ?? []).toString('hex'));
  };

  it('gives back what it was given', () => {
    expect(roundTrip(SAMPLE_HASHED)).toEqual(SAMPLE_HASHED);
    expect(roundTrip({})).toEqual({});
  });

  it('gives back any combination of variants and ids', () => {
    const genders = { gender: digest, genderOrN: digest };
    const others = {
      emailPlain: digest,
      emailGa4: digest,
      phoneE164: digest,
      country: digest,
      madid: digest,
    };
    const variants = fc.record({ ...others, ...genders }, { requiredKeys: [] });
    const list = fc.array(digest, { minLength: 1, maxLength: 20 });
    const ids = fc.record({ externalIds: list, externalIdsCased: list }, { requiredKeys: [] });
    fc.assert(
      fc.property(variants, ids, (v, i) => {
        // A gender of f or m is stored once, for both variants: rows of before the second one read as it too.
        const genderOrN = v.genderOrN ?? v.gender;
        const both = genderOrN === undefined ? {} : { genderOrN };
        expect(roundTrip({ ...v, ...i })).toEqual({ ...v, ...both, ...i });
      }),
    );
  });

  it('stores each distinct digest once, and the digest of a code as the code', () => {
    const { text, digests } = packHashed(SAMPLE_HASHED);
    const distinct = new Set(Object.values(SAMPLE_HASHED).flat());
    expect(digests.length).toBe(distinct.size - 3);
    expect(text.split('|')[3]).toBe('f,ca,us');
  });
});

describe('personal codec', () => {
  const { eventSourceUrl = '', referrerUrl = '', hashed, raw, plaintext } = sampleEvent();
  const whole = { eventSourceUrl, referrerUrl, customData: { coupon: 'A' }, hashed, raw, plaintext };

  it('gives back what it was given, the smallest part too', () => {
    for (const part of [whole, { hashed: {}, raw: {}, plaintext: {} }, { ...whole, customData: {} }])
      expect(unpackPersonal(packPersonal(part))).toEqual(part);
  });

  it('makes the digest of an advertising id again only where it is that of the id', () => {
    const madid = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
    for (const digest of [hash('sha256', madid), hash('sha256', 'another')]) {
      const part = { hashed: { madid: digest }, raw: { madid }, plaintext: {} };
      expect(unpackPersonal(packPersonal(part))).toEqual(part);
    }
    const hashedOnly = { hashed: { madid: hash('sha256', madid) }, raw: {}, plaintext: {} };
    expect(unpackPersonal(packPersonal(hashedOnly))).toEqual(hashedOnly);
  });

  it('gives back any URL and any custom data', () => {
    const custom = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: ANY_CHARACTER }), custom, (eventSourceUrl, customData) => {
        const part = { ...whole, eventSourceUrl, customData };
        expect(unpackPersonal(packPersonal(part))).toEqual(JSON.parse(JSON.stringify(part)));
      }),
    );
  });
});
