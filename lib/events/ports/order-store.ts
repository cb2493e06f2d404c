// What is known of orders, one item each. Keys are digests of order ids; gone when no event of them may be left.
import type { Order } from '../domain/orders/order.ts';
import type { WaitingRefund } from '../domain/orders/refund.ts';

export interface StoredOrder {
  /** Of the store's own making: what `write` asks for. */
  readonly version: number;
  /** Absent as well where it is too old. */
  readonly order?: Order;
  /** Refunds that came before it. */
  readonly waiting?: readonly WaitingRefund[];
}

export interface OrderStore {
  /** Consistent. `digest`: see `orderDigest`. `nowMs`: the report's time of receipt. An unreadable item has been set aside. */
  read(merchantId: string, digest: string, nowMs: number): Promise<StoredOrder | 'unreadable'>;
  /** By digest, eventually consistent. Those that are not known or cannot be read are left out. */
  readMany(
    merchantId: string,
    digests: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, Order>>;
  /** False where there is one: then read it. */
  create(merchantId: string, digest: string, order: Order): Promise<boolean>;
  /** False where another write came between: then read again. */
  write(merchantId: string, digest: string, order: Order, version: number): Promise<boolean>;
  /** In the place of an order that is not known. */
  writeWaiting(
    merchantId: string,
    digest: string,
    waiting: readonly WaitingRefund[],
    version: number,
  ): Promise<boolean>;
}
