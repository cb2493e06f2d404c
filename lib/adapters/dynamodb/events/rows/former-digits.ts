// Counters as they were stored while the digits of a currency were those that the runtime shows amounts with → the same
// amounts in the minor units of ISO 4217. Guarantees: a value of another shape comes back as it is, for its reader to refuse.
import { currencyExponent } from '#lib/events/domain/event/decimal.ts';

/** Were stored in whole units. All other currencies had the digits they have. */
const FORMERLY_WHOLE: ReadonlySet<string> = new Set(
  'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SLL SOS SYP YER'.split(' '),
);

type Json = Readonly<Record<string, unknown>>;

export function inIsoDigits(counters: unknown): unknown {
  if (!isObject(counters)) return counters;
  const { revenue, credits } = counters;
  const whole = { ...counters, revenue: moneyOf(revenue) };
  if (!isObject(credits)) return whole;
  return {
    ...whole,
    credits: mapped(credits, (credit) =>
      isObject(credit) ? { ...credit, revenue: moneyOf(credit.revenue) } : credit,
    ),
  };
}

function moneyOf(money: unknown): unknown {
  if (!isObject(money) || !Object.keys(money).some((currency) => FORMERLY_WHOLE.has(currency))) return money;
  return mapped(money, (amount, currency) => {
    if (!FORMERLY_WHOLE.has(currency) || !isObject(amount) || !/^[1-9]\d*$/.test(String(amount.minor)))
      return amount;
    return { ...amount, minor: String(amount.minor) + '0'.repeat(currencyExponent(currency)) };
  });
}

/** `fromEntries` makes an own property of any name, `__proto__` too. */
const mapped = (record: Json, of: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value, name)]));

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
