// A year of a shop through the whole pipeline, read with the API's own handlers, beside books kept by hand.
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { usageOf } from '#services/events/api/billing/usage.ts';
import type { ApiPorts } from '#services/events/api/ports.ts';
import { analyticsHandlers } from '#services/events/api/routes/analytics.ts';
import { orderHandlers } from '#services/events/api/routes/orders.ts';
import { acceptedRow } from '../../contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS } from '../../simulation/synthetic-platforms.ts';
import { testMerchant } from '../ingestion.ts';
import { createMemoryConfig } from '../memory/config-stores.ts';
import { createSeededRandom } from '../memory/random.ts';
import { PIPELINE_MERCHANT } from '../memory-pipeline.ts';
import { withReconciliations } from '../reconciling.ts';
import { KEYLESS, withReplays } from '../replaying.ts';
import { openSyntheticShop } from '../synthetic-shop.ts';
import { openBooks, type Report } from './books.ts';
import { reportsOfYear } from './shop-year.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface YearOptions {
  readonly seed: string;
  readonly zone: string;
  readonly orders: number;
  readonly days?: number;
}

export async function runYear({ seed, zone, orders, days = 365 }: YearOptions) {
  const random = createSeededRandom(seed);
  const merchant: Merchant = {
    ...testMerchant(),
    merchantId: PIPELINE_MERCHANT,
    timeZone: zone,
    reportingCurrency: 'EUR',
  };
  const shop = openSyntheticShop({ merchant });
  const { clock } = shop;
  const books = openBooks(zone);
  const startMs = clock.now();
  const midnights = Array.from({ length: days - 2 }, (_, i) => midnightOf(zone, startMs + (i + 1) * DAY_MS));
  const reports = reportsOfYear({ random, startMs, orders, days, midnights });
  const replays = withReplays(shop, SYNTHETIC_PLATFORMS);
  const replayedAtMs: number[] = [];
  let sweptAtMs = startMs;
  const sweep = async (): Promise<void> => {
    sweptAtMs = clock.now();
    await shop.sweep();
    await shop.drain();
  };
  for (const report of reports) {
    // A page's event that waits for its server copy is released by then.
    if (report.atMs - clock.now() > 3 * MINUTE_MS) {
      clock.advance(3 * MINUTE_MS);
      await sweep();
    }
    if (report.atMs > clock.now()) clock.advanceTo(report.atMs);
    if (clock.now() - sweptAtMs >= MINUTE_MS) await sweep();
    const own = { ...report, atMs: clock.now() };
    await tell(shop, own, random.below(5) * DAY_MS);
    await shop.drain();
    books.take(own);
    if (report.what === 'purchase' && random.chance(0.05)) {
      const call = { ...KEYLESS, params: { id: report.eventId }, body: { dedupe: 'original' } } as const;
      const answer = await replays.api.replayEvent(call);
      if (!('failure' in answer)) replayedAtMs.push(clock.now());
      await shop.drain();
    }
  }
  clock.advanceTo(Math.max(clock.now(), startMs + days * DAY_MS));
  for (let i = 0; i < 6; i++) {
    clock.advance(40 * MINUTE_MS);
    await sweep();
  }
  const timesOf = Map.groupBy(reports, ({ orderId }) => orderId);
  return {
    ...{ shop, books, startMs },
    /** Sales of orders that have one report and no refund. */
    once: reports.filter(
      ({ what, orderId }) =>
        what === 'purchase' && orderId !== undefined && timesOf.get(orderId)?.length === 1,
    ),
    replayed: (fromMs: number, toMs: number): number =>
      replayedAtMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length,
    ...apiOf(shop, merchant, replays),
  };
}

type Shop = ReturnType<typeof openSyntheticShop>;

/** `lateMs`: how long before it came it happened. */
async function tell(shop: Shop, report: Report, lateMs: number): Promise<void> {
  const { what, eventId, channel, orderId, value, currency, atMs } = report;
  const body = {
    event_id: eventId,
    event_name: what === 'refund' ? 'Refund' : 'Purchase',
    event_time: Math.floor((atMs - lateMs) / 1_000),
    user_data: { email: `${orderId ?? eventId}@example.com` },
    ...(orderId === undefined ? {} : { order_id: orderId }),
    ...(value === undefined ? {} : { value: Number(value), currency: currency ?? 'EUR' }),
  };
  if (what !== 'crawler') return void (await shop.accept(body, channel));
  // As ingestion stores what a crawler sends.
  const draft = {
    merchantId: PIPELINE_MERCHANT,
    eventId,
    channel,
    receivedAtMs: atMs,
    body: { ...body, internal: { bot: true } },
  };
  await shop.slots.markDue([{ merchantId: PIPELINE_MERCHANT, receivedAtMs: atMs }]);
  await shop.storedRows.claim(acceptedRow(draft as Parameters<typeof acceptedRow>[0]));
}

function apiOf(shop: Shop, merchant: Merchant, replays: ReturnType<typeof withReplays>) {
  const stores = createMemoryConfig();
  const ports = {
    ...shop,
    platforms: SYNTHETIC_PLATFORMS,
    stored: { events: shop.storedRows, batches: shop.batches, orders: shop.orders },
    config: {
      ...stores,
      merchant: async () => merchant,
      listConnections: async () => [...shop.connections.values()],
    },
    refusals: { sum: async () => new Map() },
    browserLimit: { reachedAtMs: async () => null },
    ceilings: { retentionDays: 400, browserEventsPerMinute: 600_000 },
    billing: { billing: async () => null },
    report: (_: string, error: unknown) => {
      throw error;
    },
  } as unknown as ApiPorts;
  return {
    ports,
    rates: stores,
    analytics: analyticsHandlers(ports),
    orders: orderHandlers(ports),
    usage: () => usageOf(PIPELINE_MERCHANT, false, ports),
    reconciling: withReconciliations(shop, SYNTHETIC_PLATFORMS, replays),
  };
}

export type Year = Awaited<ReturnType<typeof runYear>>;

const dayFormats = new Map<string, Intl.DateTimeFormat>();

export function dayIn(zone: string, atMs: number): string {
  const format =
    dayFormats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  dayFormats.set(zone, format);
  return format.format(atMs);
}

/** The first half hour of the day after the one that the moment is in. */
export function midnightOf(zone: string, atMs: number): number {
  const day = dayIn(zone, atMs);
  let at = Math.floor(atMs / (30 * MINUTE_MS)) * 30 * MINUTE_MS;
  while (dayIn(zone, at) === day) at += 30 * MINUTE_MS;
  return at;
}
