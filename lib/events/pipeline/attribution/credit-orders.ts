// Stores clicks, and credits orders to them, while an event is normalized. The credit is stored with the event, so that
// counting it again, in any order and any number of times, gives the same result.
// Guarantees: every order is credited by all clicks stored before it. A failure is thrown: the event is tried again. Nothing is
// stored or looked up for a person who denied analytics, for crawlers, and for replays.
import { DIRECT, isWithinWindow, type OrderCredit, type Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { AttributionStore } from '../../ports/attribution-store.ts';
import { clickOf, happenedAtMs, identityKeys } from './clicks.ts';

export interface CreditPorts {
  readonly attribution: Pick<AttributionStore, 'touches' | 'addTouch'>;
  readonly platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[];
}

/** Undefined if the event is not an order. */
export type CreditOrders = (event: NormalizedEvent) => Promise<OrderCredit | undefined>;

/** Clicks this process has stored or seen stored: visitors send their click ids with each event. */
const REMEMBERED_MAX = 20_000;

export function createCreditOrders({ attribution, platforms }: CreditPorts): CreditOrders {
  const remembered = new Map<string, number>();

  const remember = (keys: readonly string[], { atMs }: Touch): void => {
    if (remembered.size + keys.length > REMEMBERED_MAX) remembered.clear();
    for (const key of keys) remembered.set(key, atMs);
  };
  const store = async (
    { merchantId }: NormalizedEvent,
    keys: readonly string[],
    click: Touch,
    stored: ReadonlyMap<string, Touch>,
  ): Promise<void> => {
    const fresh = keys.filter((key) => !isEarlier(stored.get(key), click));
    await Promise.all(fresh.map((key) => attribution.addTouch(merchantId, key, click)));
    remember(keys, click);
  };

  return async (event) => {
    if (event.bot === true || event.replay === true) return undefined;
    const click = clickOf(event, platforms);
    const isOrder = event.name === 'Purchase';
    if (!isOrder && click === null) return undefined;
    const keys = event.consent.analytics === 'denied' ? [] : identityKeys(event);
    // An order needs what is stored; of a click only that it is stored has to be known.
    const isKnown = (key: string): boolean =>
      click !== null && isEarlier(touchAt(remembered.get(key)), click);
    if (!isOrder && keys.every(isKnown)) return undefined;
    // An order finds every click that was stored before it, also a moment before.
    const touches = await attribution.touches(event.merchantId, keys, isOrder ? 'strong' : 'eventual');
    if (click !== null) await store(event, keys, click, touches);
    if (!isOrder) return undefined;
    const first = earliest([...(click === null ? [] : [click]), ...touches.values()], happenedAtMs(event));
    return { touch: first?.platform ?? DIRECT };
  };
}

const touchAt = (atMs: number | undefined): Pick<Touch, 'atMs'> | undefined =>
  atMs === undefined ? undefined : { atMs };

/** The one that is stored stays: it was first, and its window is not over. */
const isEarlier = (stored: Pick<Touch, 'atMs'> | undefined, { atMs }: Touch): boolean =>
  stored !== undefined && isWithinWindow(stored, atMs);

function earliest(touches: readonly Touch[], orderedMs: number): Touch | null {
  const counting = touches.filter((touch) => isWithinWindow(touch, orderedMs));
  return counting.reduce<Touch | null>(
    (first, touch) => (first === null || touch.atMs < first.atMs ? touch : first),
    null,
  );
}
