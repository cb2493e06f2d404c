// Orders on DynamoDB. Every write is conditional on the version that was read.
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { ORDER_KEPT_MS } from '#lib/events/domain/event/row-expiry.ts';
import type { Order } from '#lib/events/domain/orders/order.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import { type Condition, type Db, getItem, putItem } from '../core/items/commands.ts';
import { readItems } from '../core/items/read-items.ts';
import { itemOf, ORDER, type OrderItem, orderOf, waitingIn, waitingItem } from './order-item.ts';

export function createOrderStore(db: Db, table: string, quarantine: ItemQuarantine = () => {}): OrderStore {
  const analytics = { db, table };
  const keyOf = (merchantId: string, digest: string) => ({ pk: `${merchantId}#order#${digest}`, sk: '~' });
  const put = async (merchantId: string, digest: string, item: object, version: number): Promise<boolean> => {
    const v = Math.max(version, FIRST_RELEASE) + 1;
    return await putItem(analytics, { ...keyOf(merchantId, digest), ...item, v }, unchanged(version));
  };
  const write: OrderStore['write'] = (merchantId, digest, order, version) =>
    put(merchantId, digest, itemOf(order), version);
  return {
    async read(merchantId, digest, nowMs) {
      const item = await getItem(analytics, keyOf(merchantId, digest));
      if (item === undefined) return { version: NONE };
      const stored = decodeOrSetAside(ORDER, item, quarantine);
      if (stored === undefined) return 'unreadable';
      const version = stored.v ?? FIRST_RELEASE;
      if (!isOver(stored, nowMs)) return { version, order: orderOf(stored) };
      const waiting = waitingIn(stored).filter(({ receivedAtMs }) => !isOver({ t: receivedAtMs }, nowMs));
      return waiting.length === 0 ? { version } : { version, waiting };
    },
    async readMany(merchantId, digests, nowMs) {
      const prefix = keyOf(merchantId, '').pk;
      const wanted = digests.map((digest) => keyOf(merchantId, digest));
      const items = await readItems(db, table, wanted, false);
      return new Map(
        items.flatMap((item): [string, Order][] => {
          const stored = decodeOrSetAside(ORDER, item, quarantine);
          if (stored === undefined || isOver(stored, nowMs)) return [];
          return [[String(item.pk).slice(prefix.length), orderOf(stored)]];
        }),
      );
    },
    create: (merchantId, digest, order) => write(merchantId, digest, order, NONE),
    write,
    writeWaiting: (merchantId, digest, waiting, version) =>
      put(merchantId, digest, waitingItem(waiting), version),
  };
}

const isOver = ({ t }: Pick<OrderItem, 't'>, nowMs: number): boolean => nowMs - t > ORDER_KEPT_MS;

/** There is no item, or one of the first release, which has no version. */
const [NONE, FIRST_RELEASE] = [-1, 0];

function unchanged(version: number): Condition {
  if (version === NONE) return { condition: 'attribute_not_exists(pk)' };
  if (version === FIRST_RELEASE) return { condition: 'attribute_exists(pk) AND attribute_not_exists(v)' };
  return { condition: 'v = :seen', values: { ':seen': version } };
}
