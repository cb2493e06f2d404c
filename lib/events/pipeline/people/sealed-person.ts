// The conversions and click ids of a person, as they rest under one identifier: sealed under the key of the day on which the newest was
// received, so that they end as what is personal in its event does.
import { NO_CLICKS, type PersonClicks, readClicks, writeClicks } from '../../domain/people/clicks.ts';
import { NO_ORDERS, type PersonOrders } from '../../domain/people/person.ts';
import { readOrders, writeOrders } from '../../domain/people/written-orders.ts';
import type { SealedClicks, SealedOrders, StoredPerson } from '../../ports/attribution-store.ts';
import { type EventVault, UnreadablePart } from '../../ports/event-vault.ts';

type Seals = Pick<EventVault, 'sealText'>;
type Opens = Pick<EventVault, 'openText'>;

export async function sealOrders(
  merchantId: string,
  key: string,
  person: PersonOrders,
  vault: Seals,
): Promise<SealedOrders> {
  const newestAtMs = Math.max(
    ...[...person.orders, ...person.conversions].map(({ receivedAtMs }) => receivedAtMs),
  );
  const place = placeOf(merchantId, 'orders of a person', key, newestAtMs);
  return { sealed: await vault.sealText(place, writeOrders(person)), newestAtMs };
}

/** None once the key of their day is gone. Throws `UnreadablePart`. */
export async function openOrders(
  merchantId: string,
  key: string,
  { orders }: Pick<StoredPerson, 'orders'>,
  vault: Opens,
): Promise<PersonOrders> {
  if (orders === undefined) return NO_ORDERS;
  const place = placeOf(merchantId, 'orders of a person', key, orders.newestAtMs);
  return readAs(await vault.openText(place, orders.sealed), readOrders, NO_ORDERS);
}

export async function sealClicks(
  merchantId: string,
  key: string,
  { clicks, writtenAtMs }: { readonly clicks: PersonClicks; readonly writtenAtMs: number },
  vault: Seals,
): Promise<SealedClicks> {
  const place = placeOf(merchantId, 'clicks of a person', key, writtenAtMs);
  return { sealed: await vault.sealText(place, writeClicks(clicks)), writtenAtMs };
}

/** None once the key of their day is gone. Throws `UnreadablePart`. */
export async function openClicks(
  merchantId: string,
  key: string,
  { clicks }: Pick<StoredPerson, 'clicks'>,
  vault: Opens,
): Promise<PersonClicks> {
  if (clicks === undefined) return NO_CLICKS;
  const place = placeOf(merchantId, 'clicks of a person', key, clicks.writtenAtMs);
  return readAs(await vault.openText(place, clicks.sealed), readClicks, NO_CLICKS);
}

/** `instead` of what is stored and cannot be read, which is reported. */
export async function openedOr<T>(
  opening: Promise<T>,
  instead: T,
  report: (error: UnreadablePart) => void,
): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof UnreadablePart)) throw error;
    report(error);
    return instead;
  }
}

function readAs<T>(text: string | null, read: (text: string) => T | null, none: T): T {
  if (text === null) return none;
  const found = read(text);
  if (found === null) throw new UnreadablePart('what is known of a person cannot be read');
  return found;
}

const placeOf = (merchantId: string, what: string, key: string, atMs: number) => ({
  ...{ merchantId, name: `${what}/${key}`, atMs },
});
