// A year of a shop's orders, from a seed: late, doubled, by servers and pages under one id or several, refunded in parts, wholly and
// too much, in currencies of 0, 2 and 3 digits; often within minutes of midnight.
import type { SeededRandom } from '../memory/random.ts';
import type { Report } from './books.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CURRENCIES = ['EUR', 'EUR', 'USD', 'JPY', 'KWD'] as const;

export interface YearPlan {
  readonly random: SeededRandom;
  readonly startMs: number;
  readonly orders: number;
  readonly days: number;
  /** Midnights of the shop, near which much happens. */
  readonly midnights: readonly number[];
}

export function reportsOfYear(plan: YearPlan): readonly Report[] {
  const reports = Array.from({ length: plan.orders }, (_, i) => reportsOfOrder(`${i + 1}`, plan)).flat();
  const endMs = plan.startMs + plan.days * DAY_MS;
  return reports
    .filter(({ atMs }) => atMs > plan.startMs && atMs < endMs)
    .sort((a, b) => a.atMs - b.atMs)
    .map((report, i) => ({ ...report, atMs: Math.floor(report.atMs / 1_000) * 1_000 + (i % 1_000) }));
}

function reportsOfOrder(id: string, { random, startMs, days, midnights }: YearPlan): readonly Report[] {
  const anywhere = startMs + Math.floor(random.next() * days * DAY_MS);
  const firstMs = random.chance(0.4)
    ? random.pick(midnights) + (random.below(40) - 20) * MINUTE_MS
    : anywhere;
  const currency = random.pick(CURRENCIES);
  const value = amountIn(currency, random);
  const sale = (
    eventId: string,
    channel: Report['channel'],
    atMs: number,
    over: Partial<Report> = {},
  ): Report => ({
    ...{ what: 'purchase', eventId, channel, atMs, orderId: `order ${id}`, value, currency },
    ...over,
  });
  const gap = (): number =>
    random.pick([20_000, 90_000, 11 * MINUTE_MS, 7 * HOUR_MS, 3 * DAY_MS, 40 * DAY_MS]);
  const other = (): Partial<Report> => (random.chance(0.3) ? { value: amountIn(currency, random) } : {});
  const server = sale(`s${id}`, 'server', firstMs);
  const page = sale(`p${id}`, 'browser', firstMs);
  const kinds: readonly (() => readonly Report[])[] = [
    () => [server],
    () => [server],
    () => [page],
    () => [page, sale(`s${id}`, 'server', firstMs + gap(), other())],
    () => [server, sale(`p${id}`, 'browser', firstMs + gap(), other())],
    () => [
      sale(id, 'browser', firstMs),
      sale(id, 'server', firstMs + random.pick([20_000, 90_000, 5 * HOUR_MS])),
    ],
    () => [sale(id, 'server', firstMs), sale(id, 'browser', firstMs + random.pick([20_000, 5 * HOUR_MS]))],
    () => [server, sale(`t${id}`, 'server', firstMs + gap(), other())],
    // Once more after its id may be used again, and within that time.
    () => [
      server,
      sale(`s${id}`, 'server', firstMs + 30 * HOUR_MS),
      sale(`s${id}`, 'server', firstMs + HOUR_MS),
    ],
    // Two pages' reports that wait for a server's at one time would be counted in an order that is not defined.
    () => [
      page,
      sale(`q${id}`, 'browser', firstMs + random.pick([11 * MINUTE_MS, 7 * HOUR_MS, 3 * DAY_MS])),
      sale(`s${id}`, 'server', firstMs + 2 * gap(), other()),
    ],
    () => [{ ...withoutOrder(server) }],
    () => [{ ...page, what: 'crawler' }],
  ];
  return [...random.pick(kinds)(), ...refundsOf(id, firstMs, currency, random)];
}

function refundsOf(id: string, firstMs: number, currency: string, random: SeededRandom): readonly Report[] {
  if (random.chance(0.55)) return [];
  return Array.from({ length: 1 + random.below(3) }, (_, i): Report => {
    const atMs =
      firstMs +
      random.pick([-HOUR_MS, -3 * DAY_MS, -63 * HOUR_MS, 5 * MINUTE_MS, 26 * HOUR_MS, 45 * DAY_MS]) +
      i * 31 * HOUR_MS;
    const eventId = random.chance(0.2) ? `r${id}` : `r${id}.${i}`;
    const refund = { what: 'refund', atMs, eventId, channel: 'server', orderId: `order ${id}` } as const;
    if (random.chance(0.25)) return refund;
    const own = random.chance(0.1) ? 'USD' : currency;
    return { ...refund, value: amountIn(own, random), currency: own };
  });
}

function withoutOrder({ orderId: _, ...report }: Report): Report {
  return report;
}

function amountIn(currency: string, random: SeededRandom): string {
  const whole = String(random.below(500));
  const cents = String(random.below(100)).padStart(2, '0');
  if (currency === 'JPY') return whole;
  return currency === 'KWD' ? `${whole}.${cents}${random.below(10)}` : `${whole}.${cents}`;
}
