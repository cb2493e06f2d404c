// Stores clicks, credits orders to them, and notes whose orders they are, while an event is normalized. The credit is stored with
// the event, so that counting it again, in any order and any number of times, gives the same result.
// Guarantees: every order is credited by all clicks stored before it. A failure is thrown: the event is tried again. Nothing is
// stored or looked up for a person who denied analytics, for crawlers, and for replays.
import { DIRECT, isWithinWindow, type OrderCredit, type Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { AttributionStore, StoredPerson } from '../../ports/attribution-store.ts';
import { createOrderNotes, isKept, type NotePorts } from '../people/note-order.ts';
import { clickOf, happenedAtMs, identityKeys, type OrderKeys, orderKeys } from './clicks.ts';

export interface CreditPorts extends NotePorts {
  readonly attribution: Pick<AttributionStore, 'people' | 'addTouch' | 'writeOrders'>;
  readonly platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[];
}

/** Undefined if the event is not an order. `keptDays`: for how long the merchant keeps personal data. */
export type CreditOrders = (event: NormalizedEvent, keptDays: number) => Promise<OrderCredit | undefined>;

/** Clicks this process has stored or seen stored: visitors send their click ids with each event. */
const REMEMBERED_MAX = 20_000;

const NO_KEYS: OrderKeys = { looked: [], clicked: [], named: [] };

export function createCreditOrders(ports: CreditPorts): CreditOrders {
  const { attribution, platforms } = ports;
  const noteOrder = createOrderNotes(ports);
  const remembered = new Map<string, number>();

  const remember = (keys: readonly string[], { atMs }: Touch): void => {
    if (remembered.size + keys.length > REMEMBERED_MAX) remembered.clear();
    for (const key of keys) remembered.set(key, atMs);
  };
  const isKnown = (key: string, click: Touch): boolean => {
    const atMs = remembered.get(key);
    return atMs !== undefined && isWithinWindow({ atMs }, click.atMs);
  };
  const addTouches = async (
    { merchantId, receivedAtMs }: NormalizedEvent,
    keys: readonly string[],
    click: Touch,
    people: ReadonlyMap<string, StoredPerson>,
  ): Promise<void> => {
    const fresh = keys.filter((key) => !isKept(people.get(key), click));
    await Promise.all(fresh.map((key) => attribution.addTouch(merchantId, key, click, receivedAtMs)));
  };

  const creditClick = async (event: NormalizedEvent, click: Touch): Promise<void> => {
    const keys = identityKeys(event);
    if (keys.every((key) => isKnown(key, click))) return;
    await addTouches(event, keys, click, await attribution.people(event.merchantId, keys, 'eventual'));
    remember(keys, click);
  };

  const creditOrder = async (event: NormalizedEvent, click: Touch | null, keptDays: number) => {
    const { looked, clicked, named } = isDenied(event) ? NO_KEYS : orderKeys(event);
    // An order finds every click that was stored before it, also a moment before.
    const people = await attribution.people(event.merchantId, looked, 'strong');
    const others = clicked.filter((key) => !named.includes(key));
    await Promise.all([
      ...(click === null ? [] : [addTouches(event, others, click, people)]),
      noteOrder(event, { keys: named, people, click, keptDays }),
    ]);
    if (click !== null) remember(clicked, click);
    const touches = [...people.values()].flatMap(({ touch }) => touch ?? []);
    const first = earliest([...(click === null ? [] : [click]), ...touches], happenedAtMs(event));
    return { touch: first?.platform ?? DIRECT };
  };

  return async (event, keptDays) => {
    if (event.bot === true || event.replay === true) return undefined;
    const click = clickOf(event, platforms);
    if (event.name === 'Purchase') return await creditOrder(event, click, keptDays);
    if (click !== null && !isDenied(event)) await creditClick(event, click);
    return undefined;
  };
}

const isDenied = ({ consent }: NormalizedEvent): boolean => consent.analytics === 'denied';

function earliest(touches: readonly Touch[], orderedMs: number): Touch | null {
  const counting = touches.filter((touch) => isWithinWindow(touch, orderedMs));
  return counting.reduce<Touch | null>(
    (first, touch) => (first === null || touch.atMs < first.atMs ? touch : first),
    null,
  );
}
