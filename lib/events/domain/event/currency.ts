// Currencies, and how many digits each has after the point, as ISO 4217 has them
// (https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html, list one,
// amendment 179). A table of our own, because amounts are rounded to these digits and counters are stored in them: what a
// runtime knows is how amounts are usually shown (HUF, IQD and 15 more without digits), and changes with its version.

/** Those that have two. Withdrawn ones stay: shops go on sending them, and what was stored is read with them. */
const TWO_DIGITS = [
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC',
  'CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR',
  'JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO',
  'NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL',
  'THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG XDR XSU YER ZAR ZMW ZWG ZWL',
];
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND';

/** Digits after the point by code, in capitals: every currency that is taken. */
export const CURRENCY_DIGITS: ReadonlyMap<string, number> = new Map([
  ...withDigits(TWO_DIGITS.join(' '), 2),
  ...withDigits(NO_DIGITS, 0),
  ...withDigits(THREE_DIGITS, 3),
]);

function withDigits(codes: string, digits: number): readonly (readonly [string, number])[] {
  return codes.split(' ').map((code) => [code, digits]);
}
