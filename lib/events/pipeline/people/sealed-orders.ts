// The orders of a person, as they rest under one identifier: sealed under the key of the day on which the newest was received, so
// that they end as what is personal in its event does.
import { NO_ORDERS, type PersonOrders } from '../../domain/people/person.ts';
import { readOrders, writeOrders } from '../../domain/people/written-orders.ts';
import type { SealedOrders, StoredPerson } from '../../ports/attribution-store.ts';
import { type EventVault, UnreadablePart } from '../../ports/event-vault.ts';

export async function sealOrders(
  merchantId: string,
  key: string,
  person: PersonOrders,
  vault: Pick<EventVault, 'sealText'>,
): Promise<SealedOrders> {
  const newestAtMs = Math.max(...person.orders.map(({ receivedAtMs }) => receivedAtMs));
  const sealed = await vault.sealText(placeOf(merchantId, key, newestAtMs), writeOrders(person));
  return { sealed, newestAtMs };
}

/** None once the key of their day is gone. Throws `UnreadablePart`. */
export async function openOrders(
  merchantId: string,
  key: string,
  { orders }: Pick<StoredPerson, 'orders'>,
  vault: Pick<EventVault, 'openText'>,
): Promise<PersonOrders> {
  if (orders === undefined) return NO_ORDERS;
  const text = await vault.openText(placeOf(merchantId, key, orders.newestAtMs), orders.sealed);
  if (text === null) return NO_ORDERS;
  const read = readOrders(text);
  if (read === null) throw new UnreadablePart('the orders of a person cannot be read');
  return read;
}

const placeOf = (merchantId: string, key: string, newestAtMs: number) => ({
  ...{ merchantId, name: `orders of a person/${key}`, atMs: newestAtMs },
});
