// What a shop's year comes to, kept by hand from the contract: orders once, the first report of a server before any of a page;
// refunds on the day they came, at most what is left; those that came before their order with it, on its day. Shares nothing with the pipeline: no sums, no days, no currencies of it.

export type Channel = 'server' | 'browser';

export interface Report {
  readonly what: 'purchase' | 'refund' | 'crawler';
  readonly atMs: number;
  readonly eventId: string;
  readonly channel: Channel;
  readonly orderId?: string;
  /** As text; a refund without one takes back what is left. */
  readonly value?: string;
  readonly currency?: string;
}

interface Sale {
  readonly report: Report;
  readonly minor: bigint;
}

interface Refund {
  readonly eventId: string;
  readonly minor: bigint;
}

interface OrderBook {
  /** Absent: no purchase has named it. */
  sale?: Sale;
  /** As they came, before any sale. */
  readonly early: Report[];
  readonly late: Refund[];
}

interface SoldOrder extends OrderBook {
  readonly sale: Sale;
}

const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };
const DAY_MS = 86_400_000;

export const unitOf = (currency: string): number => 10 ** (DIGITS[currency] ?? 2);

export function minorOf(value: string, currency: string): bigint {
  const [whole = '0', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(DIGITS[currency] ?? 2, '0'));
}

/** Day → currency → minor units. */
type Ledger = Map<string, Map<string, bigint>>;

export interface Books {
  take(report: Report): void;
  /** Of days from the one up to the other, without that one. */
  sum(
    from: string,
    to: string,
  ): Readonly<Record<string, { gross: bigint; refunded: bigint; orders: number }>>;
  /** In one currency; `rates` by currency and day. */
  reported(from: string, to: string, into: string, rates: Rates): { gross: bigint; refunded: bigint };
  /** Every order of these days, by the id of the event that is counted: what it said, and what is left. */
  orders(from: string, to: string): ReadonlyMap<string, { minor: bigint; left: bigint; currency: string }>;
  /** Events that count as one each, received in [fromMs, toMs). */
  events(fromMs: number, toMs: number): number;
}

export type Rates = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function openBooks(zone: string): Books {
  const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  const dayOf = (atMs: number): string => dayFormat.format(atMs);
  const taken: Report[] = [];
  const takenOf = new Map<string, Report[]>();
  const orders = new Map<string, OrderBook>();
  const refunded: Ledger = new Map();
  const isCopyOn = (channel: Channel, { eventId, atMs }: Report): boolean =>
    (takenOf.get(eventId) ?? []).some((one) => one.channel === channel && Math.abs(one.atMs - atMs) < DAY_MS);
  /** A page's event of an id that a server's event has. */
  const isMerged = (report: Report): boolean => report.channel === 'browser' && isCopyOn('server', report);

  const sell = (report: Report): void => {
    const { value = '0', currency = 'EUR' } = report;
    const id = report.orderId ?? `event ${report.channel} ${report.eventId} ${report.atMs}`;
    const book = bookOf(id);
    const isBetter = report.channel === 'server' && book.sale?.report.channel === 'browser';
    if (book.sale === undefined || isBetter) book.sale = { report, minor: minorOf(value, currency) };
  };

  const takeBack = (report: Report): void => {
    const book = bookOf(report.orderId ?? '');
    const { sale, early, late } = book;
    if (sale === undefined) return void early.push(report);
    const own = worthOf(report, { ...book, sale }, [...late, ...earlyOf({ ...book, sale })]);
    if (own === undefined) return;
    late.push(own);
    add(refunded, dayOf(report.atMs), sale.report.currency ?? 'EUR', own.minor);
  };

  const bookOf = (id: string): OrderBook => {
    const book = orders.get(id) ?? { early: [], late: [] };
    orders.set(id, book);
    return book;
  };

  const sales = (from: string, to: string): readonly SoldOrder[] =>
    [...orders.values()].flatMap(({ sale, ...book }) => {
      if (sale === undefined || isMerged(sale.report)) return [];
      const day = dayOf(sale.report.atMs);
      return day >= from && day < to ? [{ ...book, sale }] : [];
    });

  const books: Books = {
    take(report) {
      if (isCopyOn(report.channel, report)) return;
      const isCopy = isMerged(report);
      taken.push(report);
      takenOf.set(report.eventId, [...(takenOf.get(report.eventId) ?? []), report]);
      if (isCopy || report.what === 'crawler') return;
      if (report.what === 'purchase') sell(report);
      else if (report.channel === 'server') takeBack(report);
    },
    sum(from, to) {
      const sums: Record<string, { gross: bigint; refunded: bigint; orders: number }> = {};
      const of = (currency: string) => (sums[currency] ??= { gross: 0n, refunded: 0n, orders: 0 });
      for (const book of sales(from, to)) {
        const own = of(book.sale.report.currency ?? 'EUR');
        own.gross += book.sale.minor;
        own.orders += 1;
        own.refunded += sumOf(earlyOf(book));
      }
      for (const [day, byCurrency] of refunded)
        if (day >= from && day < to)
          for (const [currency, minor] of byCurrency) of(currency).refunded += minor;
      return sums;
    },
    reported(from, to, into, rates) {
      const gross: Ledger = new Map();
      const within: Ledger = new Map();
      for (const [day, sums] of refunded)
        if (day >= from && day < to) for (const [currency, minor] of sums) add(within, day, currency, minor);
      for (const book of sales(from, to)) {
        const { report, minor } = book.sale;
        const [day, currency] = [dayOf(report.atMs), report.currency ?? 'EUR'];
        add(gross, day, currency, minor);
        add(within, day, currency, sumOf(earlyOf(book)));
      }
      return { gross: changed(gross, into, rates), refunded: changed(within, into, rates) };
    },
    orders: (from, to) =>
      new Map(
        sales(from, to).map((book) => {
          const { report, minor } = book.sale;
          const left = minor - sumOf([...earlyOf(book), ...book.late]);
          return [report.eventId, { minor, left, currency: report.currency ?? 'EUR' }];
        }),
      ),
    events: (fromMs, toMs) =>
      taken.filter(
        (report) =>
          report.atMs >= fromMs && report.atMs < toMs && report.what !== 'crawler' && !isMerged(report),
      ).length,
  };
  return books;
}

const sumOf = (refunds: readonly Refund[]): bigint => refunds.reduce((sum, { minor }) => sum + minor, 0n);

/** What the refund takes of the order beside the others; nothing where it is one of them, or of another currency. */
function worthOf(
  { eventId, value, currency }: Report,
  { sale }: SoldOrder,
  others: readonly Refund[],
): Refund | undefined {
  const own = sale.report.currency ?? 'EUR';
  if (others.some((one) => one.eventId === eventId)) return undefined;
  if (currency !== undefined && currency !== own) return undefined;
  const gone = sumOf(others);
  const left = sale.minor > gone ? sale.minor - gone : 0n;
  const wanted = value === undefined ? left : minorOf(value, own);
  return { eventId, minor: wanted < left ? wanted : left };
}

/** Refunds that came before the sale, by what it is by now: what came since stands. */
function earlyOf(book: SoldOrder): readonly Refund[] {
  const taken: Refund[] = [];
  for (const report of book.early) {
    const own = worthOf(report, book, [...taken, ...book.late]);
    if (own !== undefined) taken.push(own);
  }
  return taken;
}

function add(ledger: Ledger, day: string, currency: string, minor: bigint): void {
  const own = ledger.get(day) ?? new Map<string, bigint>();
  own.set(currency, (own.get(currency) ?? 0n) + minor);
  ledger.set(day, own);
}

/** Each currency's sum of a day at the newest rate there is by then, rounded half up; nothing without one. */
function changed(ledger: Ledger, into: string, rates: Rates): bigint {
  const MILLION = 1_000_000n;
  let sum = 0n;
  for (const [day, byCurrency] of ledger)
    for (const [currency, minor] of byCurrency) {
      const days = [...(rates.get(currency) ?? [])].filter(([one]) => one <= day).sort();
      const rate = currency === into ? '1' : days.at(-1)?.[1];
      if (rate === undefined) continue;
      const [whole = '0', fraction = ''] = rate.split('.');
      const millionths = BigInt(whole + fraction.padEnd(6, '0'));
      // In units of the smallest coin of `into`, times a million and the other currency's units.
      const top = minor * millionths * BigInt(unitOf(into));
      const bottom = MILLION * BigInt(unitOf(currency));
      sum += (top * 2n + bottom) / (bottom * 2n);
    }
  return sum;
}
