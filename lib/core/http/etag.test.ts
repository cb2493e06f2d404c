import { describe, expect, it } from 'vitest';
import { etagOf, hasCopy, meetsIfMatch, wantedVersion } from './etag.ts';

describe('etagOf', () => {
  it('quotes a version', () => expect([etagOf(7), etagOf('v1-a')]).toEqual(['"7"', '"v1-a"']));
  it.each(['', 'a"b', 'a b', 'a,b', 'ü', 'a\nb'])('refuses %j', (version) => {
    expect(() => etagOf(version)).toThrow();
  });
});

describe('If-Match', () => {
  it.each([
    [undefined, true],
    ['*', true],
    ['"7"', true],
    ['"6", "7"', true],
    ['"6"', false],
    ['W/"7"', false],
    ['7', false],
    ['', false],
    ['"7', false],
  ])('%j meets version 7: %j', (header, expected) => {
    expect(meetsIfMatch(header, etagOf(7))).toBe(expected);
  });

  it('is met by no record that is not there', () => {
    expect([meetsIfMatch('*', null), meetsIfMatch('"7"', null), meetsIfMatch(undefined, null)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    [undefined, null],
    ['*', null],
    ['"7"', '7'],
    ['W/"7"', undefined],
    ['"7","8"', undefined],
    ['7', undefined],
  ])('%j wants version %j', (header, version) => expect(wantedVersion(header)).toBe(version));
});

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['*', true],
    ['"7"', true],
    ['W/"7"', true],
    ['"6", W/"7"', true],
    ['"6"', false],
    ['7', false],
  ])('%j has version 7: %j', (header, expected) => expect(hasCopy(header, etagOf(7))).toBe(expected));
});
