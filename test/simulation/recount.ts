// Analytics, counted a second time by other means: straight from the rows, without slots, folds or sums of the code
// under test. Every figure is one number under one name, so that two counts compare entry by entry.

import type { BucketCounters } from '../../lib/events/domain/analytics/analytics.ts';
import { currencyExponent } from '../../lib/events/domain/event/decimal.ts';
import type { EventRow, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { decideVerdicts } from '../../lib/events/pipeline/verdicts.ts';
import type { BucketKey } from '../../lib/events/ports/counter-store.ts';
import type { World } from './world.ts';

/** What a count needs to see. */
export type Counted = Pick<World, 'stores' | 'platforms'> & {
  readonly config: Pick<World['config'], 'snapshot'>;
};
type Figures = Map<string, bigint>;

const DAY_MS = 86_400_000;
const LENGTH_MS: Readonly<Record<BucketKey['grain'], number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
};
/** Rows of shard 64 are counted ten minutes together. */
const TEN_MINUTES_MS = 600_000;
const lengthOf = (grain: BucketKey['grain'], { shard }: EventRow): number =>
  grain === 'minute' && shard === 64 ? TEN_MINUTES_MS : LENGTH_MS[grain];
const GRAINS = ['minute', 'hour', 'day'] as const;

/** What the counter rows say, per merchant and slot of every grain. */
export function storedAnalytics(world: Counted): Figures {
  const figures: Figures = new Map();
  for (const { key, counters } of world.stores.counters.rows()) {
    const add = adder(figures, `${key.merchantId} ${key.grain} ${key.startMs}`);
    addCounters(counters, add);
  }
  return figures;
}

/** What they ought to say. */
export function recountAnalytics(world: Counted): Figures {
  const figures: Figures = new Map();
  const all = [...world.stores.events.rows(), ...world.stores.events.archived().values()];
  const settled = new Map(
    world.stores.counters.rows().flatMap((slot) => Object.entries(slot.settled?.credits ?? {})),
  );
  const rows = [...new Map(all.map((row) => [row.ingestId, asSettled(row, settled)])).values()];
  for (const row of rows) {
    for (const grain of GRAINS) {
      const lengthMs = lengthOf(grain, row);
      const startMs = Math.floor(row.receivedAtMs / lengthMs) * lengthMs;
      addRow(row, rows, world, adder(figures, `${row.key.merchantId} ${grain} ${startMs}`));
    }
  }
  addOrdersCountedTwice(rows, figures);
  return figures;
}

/** What was settled of an order stands with its slot: the row says what it was credited to at first. */
function asSettled(row: EventRow, settled: ReadonlyMap<string, string>): EventRow {
  const [touch, last] = settled.get(row.ingestId)?.split(' ') ?? [];
  if (touch === undefined || row.state !== 'normalized' || row.event.credit === undefined) return row;
  const { last: _, ...credit } = row.event.credit;
  return {
    ...row,
    event: { ...row.event, credit: { ...credit, touch, ...(last === undefined ? {} : { last }) } },
  };
}

/** Of an order, one event at most is its purchase; what says that nothing was looked up may be another. */
function addOrdersCountedTwice(rows: readonly EventRow[], figures: Figures): void {
  const counted = rows.filter(
    (row): row is NormalizedRow =>
      row.state === 'normalized' &&
      row.event.credit !== undefined &&
      row.event.credit.again !== true &&
      row.event.credit.repeat !== true &&
      row.event.credit.unlinked !== true,
  );
  const byOrder = Map.groupBy(
    counted,
    ({ key, event }) => `${key.merchantId} ${event.orderId ?? key.eventId}`,
  );
  for (const [order, own] of byOrder) {
    const lives = new Map(own.map(({ key, ingestId }) => [`${key.channel} ${key.eventId}`, ingestId]));
    const ids = new Set(own.map(({ key }) => key.eventId));
    if (ids.size > 1 || lives.size < own.length) adder(figures, order)('order counted twice', 1);
  }
}

type Add = (figure: string, amount: bigint | number) => void;

function adder(figures: Figures, prefix: string): Add {
  return (figure, amount) => {
    if (BigInt(amount) === 0n) return;
    const name = `${prefix} ${figure}`;
    figures.set(name, (figures.get(name) ?? 0n) + BigInt(amount));
  };
}

function addCounters(counters: BucketCounters, add: Add): void {
  add('events', counters.events);
  add('bots', counters.bots);
  add('merged', counters.merged);
  add('latency count', counters.latency.count);
  add('latency sum', counters.latency.sumMs);
  for (const [source, n] of Object.entries(counters.bySource)) add(`source ${source}`, n);
  for (const [name, n] of Object.entries(counters.byName)) add(`name ${name}`, n);
  for (const [currency, { orders, minor }] of Object.entries(counters.revenue)) {
    add(`orders ${currency}`, orders);
    add(`revenue ${currency}`, BigInt(minor));
  }
  add('repeated orders', counters.repeatedOrders ?? 0);
  add('replays', counters.replays ?? 0);
  for (const [currency, { minor }] of Object.entries(counters.refunds ?? {}))
    add(`refunds ${currency}`, BigInt(minor));
  const { orders = 0, clicked = 0, gained = 0, joined = 0 } = counters.serverOrders ?? {};
  add('server orders', orders);
  add('server orders clicked', clicked);
  add('server orders gained', gained);
  add('server orders joined', joined);
  const { completed = {}, ...waits } = counters.pageWaits ?? { orders: 0, sumMs: 0 };
  add('orders that waited', waits.orders);
  add('ms that orders waited', waits.sumMs);
  for (const [sec, n] of Object.entries(completed)) add(`orders completed after ${sec} s`, n);
  for (const [touch, { orders, unlinked, revenue }] of Object.entries(counters.credits ?? {})) {
    add(`credit ${touch} orders`, orders);
    add(`credit ${touch} unlinked`, unlinked);
    for (const [currency, money] of Object.entries(revenue)) {
      add(`credit ${touch} orders ${currency}`, money.orders);
      add(`credit ${touch} revenue ${currency}`, BigInt(money.minor));
    }
  }
  for (const [slug, names] of Object.entries(counters.deliveries))
    for (const [name, words] of Object.entries(names))
      for (const [code, n] of Object.entries(words)) add(`delivery ${slug} ${name} ${code}`, n);
}

function addRow(row: EventRow, rows: readonly EventRow[], world: Counted, add: Add): void {
  if (row.state === 'accepted') {
    add('not normalized', 1);
    return;
  }
  // A browser copy is the server event's shadow, whichever came first.
  const shadow =
    row.key.channel === 'browser' &&
    rows.some(
      (other) =>
        other.key.channel === 'server' &&
        other.key.merchantId === row.key.merchantId &&
        other.key.eventId === row.key.eventId &&
        Math.abs(other.receivedAtMs - row.receivedAtMs) < DAY_MS,
    );
  if (shadow) {
    add('merged', 1);
    return;
  }
  if (row.event.bot) {
    add('bots', 1);
    return;
  }
  add('events', 1);
  add(`source ${row.event.source}`, 1);
  add(`name ${row.event.name}`, 1);
  if (row.key.channel === 'server' && row.event.name === 'Purchase') {
    add('server orders', 1);
    const joined = row.event.fromEarlier !== undefined && !row.event.known.includes('click_id');
    add('server orders clicked', row.event.known.includes('click_id') || joined ? 1 : 0);
    const gained = row.event.fromPage?.some((field) =>
      /clid$|braid$|^fbc$|cid$|^(epik|kx|li_fat_id|sc_click_id)$/.test(field),
    );
    add('server orders gained', gained === true ? 1 : 0);
    add('server orders joined', joined ? 1 : 0);
  }
  addPageWait(row, add);
  const { value, currency } = row.event;
  const isCounted = row.event.credit?.again !== true;
  if (isCounted && row.event.name === 'Purchase' && value !== undefined && currency !== undefined) {
    add(`orders ${currency}`, 1);
    add(`revenue ${currency}`, minorUnits(Number(value), currency));
  }
  const { refund } = row.event;
  if (refund !== undefined) add(`refunds ${refund.currency}`, BigInt(refund.minor));
  for (const [early, { minor }] of Object.entries((isCounted && row.event.credit?.early) || {}))
    add(`refunds ${early}`, BigInt(minor));
  addCredit(row, add);
  addDeliveries(row, world, add);
}

function addPageWait({ event: { pageWait } }: NormalizedRow, add: Add): void {
  if (pageWait === undefined) return;
  add('orders that waited', 1);
  add('ms that orders waited', pageWait.endMs);
  if (pageWait.pageMs === undefined) return;
  const sec = Math.ceil(pageWait.pageMs / 1_000);
  add(`orders completed after ${Math.min(sec, 60)} s`, 1);
}

function addCredit({ event }: NormalizedRow, add: Add): void {
  const { credit, value, currency } = event;
  if (event.name === 'Purchase' && credit === undefined) add('orders without credit', 1);
  if (credit === undefined) return;
  if (credit.again || credit.repeat) {
    add('repeated orders', 1);
    return;
  }
  add(`credit ${credit.touch} orders`, 1);
  add(`credit ${credit.touch} unlinked`, credit.unlinked ? 1 : 0);
  if (value === undefined || currency === undefined) return;
  add(`credit ${credit.touch} orders ${currency}`, 1);
  add(`credit ${credit.touch} revenue ${currency}`, minorUnits(Number(value), currency));
}

function addDeliveries(row: NormalizedRow, world: Counted, add: Add): void {
  const snapshot = world.config.snapshot(row.key.merchantId, row.routingVersion);
  for (const [slug, { code }] of Object.entries(
    decideVerdicts(unidentified(row), snapshot, world.platforms),
  )) {
    const delivery = row.deliveries[slug];
    add(`delivery ${slug} ${row.event.name} ${code === 'pending' ? (delivery?.state ?? 'QUEUED') : code}`, 1);
    if (delivery?.state !== 'DELIVERED') continue;
    add('latency count', 1);
    add('latency sum', Math.max(0, (delivery.deliveredAtMs ?? 0) - row.receivedAtMs));
  }
}

/** What the synthetic platforms decide by lies in the clear. */
export const unidentified = ({ event }: NormalizedRow) => ({ ...event, hashed: {}, raw: {} });

/** Exact for the values of the traffic: at most three decimals, below 2^53 in minor units. */
function minorUnits(value: number, currency: string): bigint {
  return BigInt(Math.round(value * 1_000)) / 10n ** BigInt(3 - currencyExponent(currency));
}
