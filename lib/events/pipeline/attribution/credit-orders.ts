// Stores clicks, credits orders to them, and notes whose orders they are, while an event is normalized. The credit is stored with
// the event, so that counting it again, in any order and any number of times, gives the same result; settle-credit.ts settles it.
// Guarantees: every order is credited by all clicks stored before it. A failure is thrown: the event is tried again. Nothing is
// stored or looked up for a person who denied analytics, for crawlers, and for replays.
import { hash } from 'node:crypto';
import { isWithinWindow, type OrderCredit, type Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { clickText, type SeenClick } from '../../domain/people/clicks.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { AttributionStore, StoredPerson } from '../../ports/attribution-store.ts';
import { purchasedOrder } from '../orders/order-reports.ts';
import { noteClicks } from '../people/note-clicks.ts';
import { createOrderNotes, type NotePorts } from '../people/note-order.ts';
import {
  clickOf,
  identityKeys,
  isDenied,
  keptClicksIn,
  type OrderKeys,
  orderKeys,
  recentIn,
} from './clicks.ts';
import { creditBy } from './credit.ts';

export interface CreditPorts extends NotePorts {
  readonly attribution: Pick<AttributionStore, 'people' | 'addTouch' | 'writeOrders' | 'writeClicks'>;
  readonly platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[];
}

/**
 * Undefined if the event is not an order. `keptDays`: for how long the merchant keeps personal data. `people`: those of an order's
 * keys, where they were read already.
 */
export type CreditOrders = (
  event: NormalizedEvent,
  keptDays: number,
  people?: ReadonlyMap<string, StoredPerson>,
) => Promise<OrderCredit | undefined>;

/** Clicks this process has stored or seen stored: visitors send their click ids with each event. */
const REMEMBERED_MAX = 20_000;

const NO_KEYS: OrderKeys = { looked: [], clicked: [], named: [] };

export function createCreditOrders(ports: CreditPorts): CreditOrders {
  const { attribution, platforms } = ports;
  const noteOrder = createOrderNotes(ports);
  const remembered = new Map<string, { readonly atMs: number; readonly ids: string }>();

  const remember = (keys: readonly string[], { atMs }: Touch, ids: string): void => {
    if (remembered.size + keys.length > REMEMBERED_MAX) remembered.clear();
    for (const key of keys) remembered.set(key, { atMs, ids });
  };
  const isKnown = (key: string, click: Touch, ids: string): boolean => {
    const known = remembered.get(key);
    return known?.ids === ids && isWithinWindow(known, click.atMs);
  };
  const creditClick = async (event: NormalizedEvent, click: Touch, keptDays: number): Promise<void> => {
    const keys = identityKeys(event);
    const carried = keptClicksIn(event);
    const ids = digestOf(carried);
    if (keys.every((key) => isKnown(key, click, ids))) return;
    const people = await attribution.people(event.merchantId, keys, 'eventual');
    const noted = { click, carried, keptDays };
    const done = await Promise.all(keys.map((key) => noteClicks(key, people.get(key), event, noted, ports)));
    if (done.every(Boolean)) remember(keys, click, ids);
  };

  const creditOrder = async (
    event: NormalizedEvent,
    click: Touch | null,
    keptDays: number,
    read: ReadonlyMap<string, StoredPerson> | undefined,
  ) => {
    const { looked, clicked, named } = isDenied(event) ? NO_KEYS : orderKeys(event);
    // An order finds every click that was stored before it, also a moment before.
    const people = read ?? (await attribution.people(event.merchantId, looked, 'strong'));
    const orderId = purchasedOrder(event);
    const carried = keptClicksIn(event);
    const others = orderId === undefined ? clicked : clicked.filter((key) => !named.includes(key));
    const noteOwn = async (key: string, person: StoredPerson | undefined): Promise<unknown> =>
      click === null ? undefined : await noteClicks(key, person, event, { click, carried, keptDays }, ports);
    const notes: Promise<unknown>[] = others.map((key) => noteOwn(key, people.get(key)));
    if (orderId !== undefined) {
      const recent = recentIn(carried, platforms);
      notes.push(
        noteOrder(event, orderId, { keys: named, people, click, recent, noteClicks: noteOwn, keptDays }),
      );
    }
    await Promise.all(notes);
    return creditBy(event, [...people.values()], platforms);
  };

  return async (event, keptDays, people) => {
    if (event.bot === true || event.replay === true) return undefined;
    const click = clickOf(event, platforms);
    if (event.name === 'Purchase') return await creditOrder(event, click, keptDays, people);
    if (click !== null && !isDenied(event)) await creditClick(event, click, keptDays);
    return undefined;
  };
}

/** Of the ids, not of their times. */
const digestOf = (carried: readonly SeenClick[]): string =>
  carried.length === 0
    ? ''
    : hash(
        'sha256',
        JSON.stringify(carried.map((click) => [click.key, clickText(click)])),
        'base64url',
      ).slice(0, 8);
