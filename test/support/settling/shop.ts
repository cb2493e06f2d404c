// A shop whose events are normalized in another order than that in which they happened, and what says afterwards to whom its orders
// are credited: counters of every grain, orders, and the recount of both.
import { expect } from 'vitest';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { creditsBy } from '#lib/events/domain/analytics/credit-models.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { CreditPorts } from '#services/events/api/analytics/recount-credit.ts';
import { verify } from '#services/events/api/analytics/verify-analytics.ts';
import { SYNTHETIC_PLATFORMS } from '../../simulation/synthetic-platforms.ts';
import { allTaken } from '../delivery.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '../memory-pipeline.ts';

export interface ShopOptions {
  readonly merchant?: Merchant;
  /** A platform that takes everything: events that are normalized together form batches. */
  readonly isConnected?: boolean;
}

const CAROL = SYNTHETIC_PLATFORMS.filter(({ slug }) => slug === 'carol');

export function openSettlingShop({ merchant, isConnected = false }: ShopOptions = {}) {
  const platforms = [...PLATFORMS, ...CAROL];
  const pipeline = createMemoryPipeline({
    platforms,
    credentials: isConnected ? { carol: { token: 'c' } } : {},
    answer: allTaken,
    ...(merchant === undefined ? {} : { merchant }),
  });
  const { clock } = pipeline;
  const startMs = clock.now();
  let sent = 0;
  /** Stored, and not normalized before the queue is drained. */
  const accept = async (body: Record<string, unknown>, channel: 'server' | 'browser' = 'server') => {
    sent += 1;
    const event_time = Math.floor(clock.now() / 1_000);
    await pipeline.accept({ event_id: `e${sent}`, event_time, user_data: {}, ...body }, channel);
  };
  const send = async (...event: Parameters<typeof accept>) => {
    await accept(...event);
    await pipeline.drain();
  };
  const pass = async (minutes: number) => {
    for (let i = 0; i < minutes; i += 10) {
      clock.advance(Math.min(10, minutes - i) * MINUTE_MS);
      await pipeline.sweep();
      await pipeline.drain();
    }
  };
  /** Until every slot that is due has seen its rows. */
  const follow = async () => {
    for (let i = 0; i < 4; i++) {
      clock.advance(2 * MINUTE_MS);
      await pipeline.sweep();
      await pipeline.drain();
    }
  };
  const ports: CreditPorts = {
    orders: pipeline.orders,
    counters: pipeline.counters,
    stored: { events: pipeline.storedRows, batches: pipeline.batches, orders: pipeline.orders },
    platforms,
    people: pipeline.attribution,
    eventVault: pipeline.eventVault,
    clock,
    report: (problem, error) => expect.unreachable(`${problem}: ${String(error)}`),
  };
  const recount = (isSettling: boolean, own: CreditPorts = ports) =>
    verify(PIPELINE_MERCHANT, { fromMs: startMs, toMs: clock.now() }, isSettling, own);
  const order = async (id: string) => {
    const found = await pipeline.orders.read(PIPELINE_MERCHANT, orderDigest(id), clock.now());
    if (found === 'unreadable' || found.order === undefined) return undefined;
    const { touch, last = touch } = found.order;
    return [touch, last];
  };
  /** By model and platform: orders, revenue less refunds in minor units; the same in every grain. */
  const counted = () => {
    const [minute, hour, day] = (['minute', 'hour', 'day'] as const).map((grain) => {
      const counters = sumCounters(
        pipeline.counters
          .rows()
          .filter(({ key }) => key.grain === grain)
          .map((row) => row.counters),
      );
      return Object.fromEntries(
        (['first_click', 'last_click'] as const).map((model) => [model, netOf(creditsBy(model, counters))]),
      );
    });
    expect([hour, day]).toEqual([minute, minute]);
    return minute as Record<'first_click' | 'last_click', Record<string, readonly [number, number]>>;
  };
  const normalized = (orderId: string): NormalizedRow => {
    const row = pipeline.storedRows
      .rows()
      .find((each) => each.state === 'normalized' && each.event.orderId === orderId);
    if (row?.state !== 'normalized') throw new Error(`${orderId} is not normalized`);
    return row;
  };
  return { ...pipeline, normalized, startMs, ports, accept, send, pass, follow, recount, order, counted };
}

function netOf(credits: ReturnType<typeof creditsBy>): Record<string, readonly [number, number]> {
  const sum = (money: Readonly<Record<string, { readonly minor: string }>> = {}): number =>
    Object.values(money).reduce((total, { minor }) => total + Number(minor), 0);
  return Object.fromEntries(
    Object.entries(credits)
      .map(
        ([platform, { orders, revenue, refunds }]) =>
          [platform, [orders, sum(revenue) - sum(refunds)]] as const,
      )
      .filter(([, [orders, net]]) => orders !== 0 || net !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
