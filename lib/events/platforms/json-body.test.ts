import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, isDecimal, jsonBody, jsonNumber } from './json-body.ts';

describe('jsonBody', () => {
  it('writes decimals digit for digit, beyond what a float holds', () => {
    expect(
      jsonBody({
        a: jsonNumber('29.90'),
        b: jsonNumber('0.1'),
        c: jsonNumber('12345678901234567890.123456789'),
      }),
    ).toBe('{"a":29.90,"b":0.1,"c":12345678901234567890.123456789}');
  });

  it('leaves out what is empty, at any depth, and keeps zero and false', () => {
    const value = {
      a: undefined,
      b: null,
      c: '',
      d: [],
      e: {},
      f: [{}, [], '', null, { g: { h: [] } }],
      i: 0,
      j: false,
      '': 1,
      k: Number.NaN,
    };
    expect(jsonBody(value)).toBe('{"i":0,"j":false}');
    expect(jsonBody({})).toBe('{}');
  });

  it('does to compact values nothing at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = compact(value);
        expect(compact(once)).toEqual(once);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('keeps own keys named like built-in ones as data', () => {
    const body = jsonBody(JSON.parse('{"__proto__":{"x":1},"constructor":"y"}'));
    expect(JSON.parse(body).constructor).toBe('y');
    expect(body).toContain('"__proto__":{"x":1}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('isDecimal', () => {
  it.each(['0', '1', '10.00', '0.001', '999999999999.99'])('takes %s', (text) =>
    expect(isDecimal(text)).toBe(true),
  );
  it.each(['', '.5', '5.', '01', '-1', '+1', '1e3', '1,5', ' 1', 'NaN', 'Infinity', `1${'0'.repeat(64)}`])(
    'refuses %j',
    (text) => {
      expect(isDecimal(text)).toBe(false);
      expect(jsonNumber(text)).toBeUndefined();
    },
  );
});
