import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiKeyPrefix, formatApiKey, hashApiKey, isWellFormedApiKey } from '#lib/core/tenancy/api-key.ts';
import { keysOf, packPointers } from '../pointer.ts';
import {
  currencyExponent,
  isCurrency,
  scaleAmount,
  scaleUnitPrice,
  toAmount,
  toDecimal,
  toMinorUnits,
  toUnitPrice,
} from './decimal.ts';
import { canonicalEventName, EVENT_NAMES } from './names.ts';

describe('decimals', () => {
  it('read back as the same number, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = toDecimal(value);
        expect(text).toMatch(/^\d+(\.\d+)?$/);
        if (value === 0 || value >= 1e-6) expect(Number(text)).toBe(value);
      }),
    );
  });

  it.each([
    ['29.99', 'USD', 2999n],
    ['0.1', 'USD', 10n],
    ['1200', 'JPY', 1200n],
    ['1200.5', 'JPY', 1201n],
    ['1.2345', 'KWD', 1235n],
    ['19.995', 'EUR', 2000n],
    ['0', 'EUR', 0n],
    ['999999999999999.99', 'USD', 99999999999999999n],
  ])('%s %s is %s minor units', (amount, currency, minor) => {
    expect(toMinorUnits(amount, currency)).toBe(minor);
  });

  it.each([
    [0.1 + 0.2, 'USD', '0.30', '0.3'],
    [1.1 * 1.15, 'EUR', '1.27', '1.265'],
    [29.99, 'USD', '29.99', '29.99'],
    [0.3, 'USD', '0.3', '0.3'],
    [1.005, 'USD', '1.01', '1.005'],
    [99.995, 'USD', '100.00', '99.995'],
    [0.005, 'USD', '0.01', '0.005'],
    [0.0049, 'USD', '0.00', '0.0049'],
    [1e-7, 'USD', '0.00', '0.0000001'],
    [1200.5, 'JPY', '1201', '1200.5'],
    [0.1 + 0.7, 'JPY', '1', '0.8'],
    [1.2345, 'KWD', '1.235', '1.2345'],
    [12_345_678_901_234.56, 'USD', '12345678901234.56', '12345678901234.6'],
    [1e15, 'JPY', '1000000000000000', '1000000000000000'],
  ])('%d %s leaves as %s, and as a unit price as %s', (value, currency, amount, price) => {
    expect([toAmount(value, currency), toUnitPrice(value)]).toEqual([amount, price]);
  });

  it.each([
    ...'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SLL SOS SYP YER USD SLE VED'
      .split(' ')
      .map((c) => [c, 2]),
    ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((c) => [c, 3]),
    ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((c) => [c, 0]),
  ] as [string, number][])(
    'of %s have %i digits, as ISO 4217 says and whatever this runtime does',
    (currency, digits) => {
      expect([isCurrency(currency), currencyExponent(currency)]).toEqual([true, digits]);
      const sent = Number(`99.${'123456'.slice(0, digits)}`);
      expect(toAmount(sent, currency)).toBe(String(sent));
      expect(toMinorUnits(String(sent), currency)).toBe(BigInt(String(sent).replace('.', '')));
      expect(toMinorUnits(toAmount(99.9996, currency), currency)).toBe(100n * 10n ** BigInt(digits));
    },
  );

  it('are taken in every currency this runtime knows, and in nothing that is none', () => {
    expect(Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code))).toEqual([]);
    for (const code of ['XAU', 'XTS', 'XXX', 'usd', 'US', 'EURO', '', 'toString'])
      expect(isCurrency(code)).toBe(false);
  });

  it('sent as whole minor units are never changed, and never counted as another amount', () => {
    const currencies = fc.constantFrom('USD', 'JPY', 'KWD');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), currencies, (minor, currency) => {
        const value = minor / 10 ** currencyExponent(currency);
        expect(toAmount(value, currency)).toBe(toDecimal(value));
        expect(toMinorUnits(toAmount(value, currency), currency)).toBe(BigInt(minor));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), currencies, (value, currency) => {
        const amount = toAmount(value, currency);
        const digits = currencyExponent(currency);
        expect(amount).toMatch(/^\d+(\.\d+)?$/);
        expect(amount.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(digits);
        const allowed = 0.5000001 / 10 ** digits + value * 1e-14;
        expect(Math.abs(Number(amount) - value)).toBeLessThanOrEqual(allowed);
      }),
    );
  });

  it('knows how many digits a currency has', () => {
    expect([currencyExponent('JPY'), currencyExponent('USD'), currencyExponent('KWD')]).toEqual([0, 2, 3]);
  });
});

describe('event names', () => {
  it('has 32 of them, each its own canonical name in any spelling', () => {
    expect(new Set(EVENT_NAMES).size).toBe(32);
    for (const name of EVENT_NAMES) {
      const snake = name.replace(/(?<!^)([A-Z])/g, '_$1');
      for (const spelling of [name, name.toLowerCase(), snake, snake.toUpperCase(), snake.replace(/_/g, ' ')])
        expect(canonicalEventName(spelling)).toBe(name);
    }
  });

  it.each([
    ['Order Completed', 'Purchase'],
    ['checkout_completed', 'Purchase'],
    ['product_viewed', 'ViewContent'],
    ['sign-up', 'CompleteRegistration'],
    ['gift_card_redeemed', 'Custom'],
    ['constructor', 'Custom'],
    ['', 'Custom'],
  ])('%s is %s', (name, canonical) => {
    expect(canonicalEventName(name)).toBe(canonical);
  });
});

describe('API keys', () => {
  const bytes = new Uint8Array(32).map((_, i) => i);
  const key = formatApiKey('evk_live', bytes);

  it('have the documented shape and verify themselves', () => {
    expect(key).toMatch(/^evk_live_[0-9A-Za-z]{49}$/);
    expect(isWellFormedApiKey(key, 'evk')).toBe(true);
    expect(apiKeyPrefix(key)).toBe(key.slice(0, 13));
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(isWellFormedApiKey(formatApiKey('evk_test', new Uint8Array(32)), 'evk')).toBe(true);
    expect(() => formatApiKey('evk_live', new Uint8Array(31))).toThrow(RangeError);
  });

  it('refuse every change of one character', () => {
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'0aZ_9zQ'), (at, letter) => {
        const changed = key.slice(0, at) + letter + key.slice(at + 1);
        expect(isWellFormedApiKey(changed, 'evk')).toBe(changed === key);
      }),
    );
  });

  it('refuse anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isWellFormedApiKey(text, 'evk')).toBe(false);
      }),
    );
  });
});

describe('pointers', () => {
  it('group by merchant, keep the order, hold at most 100 rows', () => {
    const keys = Array.from({ length: 250 }, (_, i) => ({
      merchantId: i % 2 === 0 ? 'a' : 'b',
      channel: i % 3 === 0 ? ('browser' as const) : ('server' as const),
      eventId: `e${i}`,
    }));
    const messages = packPointers(keys, 'first');
    const sizes = messages.map(({ merchant, rows }) => `${merchant} ${rows.length}`);
    expect(sizes).toEqual(['a 100', 'a 25', 'b 100', 'b 25']);
    const of = (merchantId: string) => keys.filter((key) => key.merchantId === merchantId);
    expect(messages.flatMap(keysOf)).toEqual([...of('a'), ...of('b')]);
    expect(packPointers(keys.slice(0, 1))[0]).not.toHaveProperty('first');
    expect(packPointers([], 'first')).toEqual([]);
  });
});

describe('an amount that is scaled', () => {
  it.each<readonly [string, number, string, string]>([
    ['59.98', 0.3, 'USD', '17.99'],
    ['100', 0.3, 'USD', '30'],
    ['0.05', 0.1, 'USD', '0.01'],
    ['0.04', 0.1, 'USD', '0'],
    ['1.005', 1, 'USD', '1.01'],
    ['1200', 0.00125, 'JPY', '2'],
    ['10', 1.1, 'KWD', '11'],
    ['0.001', 1_000, 'KWD', '1'],
    ['999999999999999.99', 3, 'USD', '2999999999999999.97'],
    ['10', 1e-7, 'USD', '0'],
    ['0', 0.5, 'USD', '0'],
  ])('%s times %d in %s is %s, exactly', (amount, factor, currency, scaled) => {
    expect(scaleAmount(amount, factor, currency)).toBe(scaled);
  });

  it('is what whole numbers say', () => {
    for (let minor = 0; minor < 3_000; minor += 7)
      for (const percent of [1, 30, 50, 99, 150]) {
        const wanted = Math.floor((2 * minor * percent + 100) / 200);
        const scaled = scaleAmount(toDecimal(minor / 100), percent / 100, 'USD');
        expect(toMinorUnits(scaled, 'USD'), `${minor} ${percent}`).toBe(BigInt(wanted));
      }
    expect(scaleUnitPrice('0.005', 0.3)).toBe('0.0015');
  });
});
