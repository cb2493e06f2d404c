// Stores clicks, and credits orders to them, while an event is normalized. The credit is stored with the event, so that
// counting it again, in any order and any number of times, gives the same result.
// Guarantees: a failed lookup delays no event: the order is then credited by its own click alone. Nothing is stored or
// looked up for a person who denied analytics, for crawlers, and for replays.
import type { Clock } from '#lib/core/ports/clock.ts';
import { DIRECT, isWithinWindow, type OrderCredit, type Touch } from '../../domain/analytics/attribution.ts';
import { DEDUP_WINDOW_MS } from '../../domain/event/dedup-window.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { AcceptedRow } from '../../domain/event/row.ts';
import { isEmptyWord } from '../../domain/identity/placeholder-values.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { AttributionStore } from '../../ports/attribution-store.ts';
import { orderDigest } from '../repeated-orders.ts';
import { type Allowance, CLICK_ALLOWANCE, createAllowance } from './allowance.ts';
import { clickOf, happenedAtMs, identifiersOf, identityKeys } from './clicks.ts';

export interface CreditPorts {
  readonly attribution: Pick<AttributionStore, 'touches' | 'addTouch' | 'claimOrder'>;
  readonly platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[];
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
  /** For orders. By default unlimited for every merchant. */
  readonly allowance?: Allowance | undefined;
  /** For clicks without an order, in the same way. */
  readonly clickAllowance?: Allowance | undefined;
}

type Row = Pick<AcceptedRow, 'key' | 'ingestId' | 'receivedAtMs'>;

/** Undefined if the event is not an order. */
export type CreditOrders = (row: Row, event: NormalizedEvent) => Promise<OrderCredit | undefined>;

/** Clicks this process has stored already: visitors send their click ids with each event. */
const REMEMBERED_MAX = 20_000;

export function createCreditOrders(ports: CreditPorts): CreditOrders {
  const { attribution, platforms, clock, report } = ports;
  const { allowance = createAllowance(clock), clickAllowance = createAllowance(clock, CLICK_ALLOWANCE) } =
    ports;
  const remembered = new Map<string, number>();

  const unknown = (keys: readonly string[], click: Touch): readonly string[] =>
    keys.filter((key) => {
      const knownMs = remembered.get(key);
      return knownMs === undefined || !isWithinWindow({ ...click, atMs: knownMs }, click.atMs);
    });
  const remember = async (merchantId: string, fresh: readonly string[], click: Touch): Promise<void> => {
    await Promise.all(fresh.map((key) => attribution.addTouch(merchantId, key, click)));
    if (remembered.size + fresh.length > REMEMBERED_MAX) remembered.clear();
    for (const key of fresh) remembered.set(key, click.atMs);
  };

  const creditOrder = async (row: Row, event: NormalizedEvent, own: Touch | null): Promise<OrderCredit> => {
    const { merchantId } = event;
    const isDenied = event.consent.analytics === 'denied';
    // Digests are computed only when needed: above its allowance a merchant has few orders looked up.
    const identifiers = isDenied ? 0 : identifiersOf(event).length;
    const alone: OrderCredit = { touch: own?.platform ?? DIRECT, unlinked: true };
    const orderId = isNamed(event.orderId) ? event.orderId : undefined;
    const writes = (orderId === undefined ? 0 : 1) + (own === null ? 0 : identifiers);
    if (writes + identifiers === 0) return { touch: alone.touch };
    if (!allowance.take(merchantId, Math.max(1, writes))) return alone;
    const keys = isDenied ? [] : identityKeys(event);
    try {
      const [isFirst, touches] = await Promise.all([
        orderId === undefined ? true : claim(row, orderId),
        attribution.touches(merchantId, keys),
      ]);
      if (own !== null) await remember(merchantId, unknown(keys, own), own);
      const first = earliest([...(own === null ? [] : [own]), ...touches.values()], happenedAtMs(event));
      return { touch: first?.platform ?? DIRECT, ...(isFirst ? {} : { repeat: true as const }) };
    } catch (error) {
      report('an order was not linked with what came before it', error);
      return alone;
    }
  };

  const claim = async ({ key, ingestId, receivedAtMs }: Row, orderId: string): Promise<boolean> => {
    const wanted = { eventId: key.eventId, ingestId, receivedAtMs };
    const standing = await attribution.claimOrder(key.merchantId, orderDigest(orderId), wanted);
    if (standing.ingestId === ingestId) return true;
    // The other copy of the same logical event: counters count one of the two.
    return (
      standing.eventId === key.eventId && Math.abs(standing.receivedAtMs - receivedAtMs) < DEDUP_WINDOW_MS
    );
  };

  return async (row, event) => {
    if (event.bot === true || event.replay === true) return undefined;
    const click = clickOf(event, platforms);
    if (event.name === 'Purchase') return await creditOrder(row, event, click);
    if (click === null || event.consent.analytics === 'denied') return undefined;
    const fresh = unknown(identityKeys(event), click);
    if (fresh.length === 0 || !clickAllowance.take(event.merchantId, fresh.length)) return undefined;
    try {
      await remember(event.merchantId, fresh, click);
    } catch (error) {
      report('a click was not remembered', error);
    }
    return undefined;
  };
}

function earliest(touches: readonly Touch[], orderedMs: number): Touch | null {
  const counting = touches.filter((touch) => isWithinWindow(touch, orderedMs));
  return counting.reduce<Touch | null>(
    (first, touch) => (first === null || touch.atMs < first.atMs ? touch : first),
    null,
  );
}

/** Placeholders that programs send for an order without a number do not make two orders one. */
const isNamed = (orderId: string | undefined): orderId is string =>
  orderId !== undefined && orderId !== '0' && !isEmptyWord(orderId);
