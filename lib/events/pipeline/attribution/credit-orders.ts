// Stores clicks, credits orders to them, and notes whose conversions they are, while an event is normalized. The credit is stored with
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
import { type Conversion, conversionOf, createOrderNotes, type NotePorts } from '../people/note-order.ts';
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

interface Known {
  readonly click: Touch | null;
  /** By key, as they were read. */
  readonly people: ReadonlyMap<string, StoredPerson>;
  readonly keptDays: number;
}

const NO_KEYS: OrderKeys = { looked: [], clicked: [], named: [], noted: [] };

export function createCreditOrders(ports: CreditPorts): CreditOrders {
  const { attribution, platforms } = ports;
  const note = createNotes(ports);
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
    const keys = isDenied(event) ? NO_KEYS : orderKeys(event);
    // An order finds every click that was stored before it, also a moment before.
    const people = read ?? (await attribution.people(event.merchantId, keys.looked, 'strong'));
    const orderId = purchasedOrder(event);
    // A cookie's item takes the click ids that came with an order. Without an order id nothing is settled.
    const noted = orderId === undefined || click !== null ? keys.named : keys.noted;
    const own = conversionOf(event, orderId);
    await note(event, own, { ...keys, noted }, { click, people, keptDays });
    return creditBy(event, [...people.values()], platforms);
  };

  return async (event, keptDays, people) => {
    if (event.bot === true || event.replay === true) return undefined;
    const click = clickOf(event, platforms);
    if (event.name === 'Purchase') return await creditOrder(event, click, keptDays, people);
    if (isDenied(event)) return undefined;
    const own = conversionOf(event, undefined);
    const { clicked, named } = own === undefined ? NO_KEYS : orderKeys(event);
    if (named.length > 0) {
      const keys = click === null ? named : clicked;
      const people = await attribution.people(event.merchantId, keys, 'eventual');
      await note(event, own, { clicked: keys, noted: named }, { click, people, keptDays });
    } else if (click !== null) await creditClick(event, click, keptDays);
    return undefined;
  };
}

/** Writes once under each key: the click, and where it is one of `noted` the conversion with it. */
function createNotes(ports: CreditPorts) {
  const noteConversion = createOrderNotes(ports);
  return async (
    event: NormalizedEvent,
    own: Conversion | undefined,
    { clicked, noted }: Pick<OrderKeys, 'clicked' | 'noted'>,
    { click, people, keptDays }: Known,
  ): Promise<void> => {
    const carried = keptClicksIn(event);
    const keys = own === undefined ? [] : noted;
    const noteOwn = async (key: string, person: StoredPerson | undefined): Promise<unknown> =>
      click === null ? undefined : await noteClicks(key, person, event, { click, carried, keptDays }, ports);
    const notes = clicked.filter((key) => !keys.includes(key)).map((key) => noteOwn(key, people.get(key)));
    const recent = recentIn(carried, ports.platforms);
    const conversion = { keys, people, click, recent, noteClicks: noteOwn, keptDays };
    await Promise.all([...notes, own === undefined ? undefined : noteConversion(event, own, conversion)]);
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
