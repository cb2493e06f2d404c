// Notes under an identifier of a person that a conversion is theirs, and the click that came with it, in one write. Guarantees: what is
// noted twice is there once, whatever is written at the same time; a failure is thrown, and the event is tried again.
import { hash } from 'node:crypto';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { isWithinWindow, type Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  isConversion,
  NO_ORDERS,
  PERSON_ORDERS_MAX,
  type PersonOrders,
  withConversion,
  withOrder,
} from '../../domain/people/person.ts';
import { type RecentClick, readRecent, withRecent, writeRecent } from '../../domain/people/recent-clicks.ts';
import {
  type AttributionStore,
  NO_VERSION,
  type RecentWrite,
  type StoredPerson,
} from '../../ports/attribution-store.ts';
import type { EventVault } from '../../ports/event-vault.ts';
import { openedOr, openOrders, sealOrders } from './sealed-person.ts';

export interface NotePorts {
  readonly attribution: Pick<AttributionStore, 'people' | 'writeOrders'>;
  readonly eventVault: Pick<EventVault, 'sealText' | 'openText'>;
  readonly report: (problem: string, error: unknown) => void;
}

export interface Noted {
  /** Of the identifiers. */
  readonly keys: readonly string[];
  /** As they were read. */
  readonly people: ReadonlyMap<string, StoredPerson>;
  readonly click: Touch | null;
  /** The clicks that came with it. */
  readonly recent: readonly RecentClick[];
  /** Notes those alone: the conversion is known under this identifier. */
  readonly noteClicks: (key: string, person: StoredPerson | undefined) => Promise<unknown>;
  readonly keptDays: number;
}

/** Each conflict is another order of the person or an earlier click; so many orders at once are no person's. */
const WRITES_MAX = { what: 'the conversions of a person', triesMax: 2 * PERSON_ORDERS_MAX } as const;

/** Digest of a page's event: it says which of an order's reports it is. */
export const reportDigest = (eventId: string): string => hash('sha256', eventId, 'base64url').slice(0, 8);

export function createOrderNotes({ attribution, eventVault, report }: NotePorts) {
  const known = async (merchantId: string, key: string, person: StoredPerson) =>
    await openedOr(openOrders(merchantId, key, person, eventVault), NO_ORDERS, (error) =>
      report('conversions of a person could not be read, and begin anew', error),
    );

  const noteUnder = async (
    key: string,
    { merchantId, receivedAtMs: nowMs }: NormalizedEvent,
    own: Conversion,
    { people, click, recent, noteClicks, keptDays }: Noted,
  ): Promise<void> => {
    let person = people.get(key);
    await retryConflicts(WRITES_MAX, async () => {
      const touch = click === null || isKept(person, click) ? undefined : click;
      // Most people are new.
      const before = person?.orders === undefined ? NO_ORDERS : await known(merchantId, key, person);
      const after = own(before, keptDays);
      if (after === before) {
        if (click !== null) await noteClicks(key, person);
        return;
      }
      const orders = await sealOrders(merchantId, key, after, eventVault);
      const version = person?.version ?? NO_VERSION;
      const how = { version, touch, recent: recentWrite(person, recent), nowMs };
      if (await attribution.writeOrders(merchantId, key, orders, how)) return;
      const seen = person;
      person = (await attribution.people(merchantId, [key], 'strong')).get(key);
      // Refused, and nothing is there: it cannot be read, which the store has reported, and is left as it is.
      return seen === undefined && person === undefined ? undefined : CONFLICT;
    });
  };

  return async (event: NormalizedEvent, own: Conversion, noted: Noted): Promise<void> => {
    await Promise.all(noted.keys.map((key) => noteUnder(key, event, own, noted)));
  };
}

/** What is known of a person once it is known that the conversion is theirs. */
export type Conversion = (known: PersonOrders, keptDays: number) => PersonOrders;

export function conversionOf(event: NormalizedEvent, orderId: string | undefined): Conversion | undefined {
  const { receivedAtMs, channel, eventId, name } = event;
  const isOfPage = channel !== 'server';
  if (orderId !== undefined) {
    const own = { orderId, receivedAtMs, ...(isOfPage ? { page: reportDigest(eventId) } : {}) };
    return (known, keptDays) => withOrder(known, own, keptDays);
  }
  if (!isConversion(name)) return undefined;
  const own = { eventId, name, receivedAtMs, ...(isOfPage ? { isOfPage } : {}) } as const;
  return (known, keptDays) => withConversion(known, own, keptDays);
}

/** The click that is stored stays: it was first, and its window is not over. */
export const isKept = (person: StoredPerson | undefined, { atMs }: Touch): boolean =>
  person?.touch !== undefined && isWithinWindow(person.touch, atMs);

/** Undefined where all of them are known. */
export function recentWrite(
  person: StoredPerson | undefined,
  clicks: readonly RecentClick[],
): RecentWrite | undefined {
  const known = readRecent(person?.recent);
  const after = withRecent(known, clicks);
  return after === known ? undefined : { seen: person?.recent, next: writeRecent(after) };
}
