// A part of a reconciliation's orders as text: compressed, and cut into pieces that an item can hold.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { OrderSeen } from '../analytics/order-standing.ts';
import { RECONCILIATION_LIMITS, type UploadedOrder } from './reconciliation.ts';

export interface ReconciledOrder {
  readonly order: UploadedOrder;
  /** Absent: no event of it was seen. */
  readonly seen?: OrderSeen;
}

/** An item holds 400 KB. */
const PIECE_MAX_CHARS = 300_000;

export function inParts<T>(orders: readonly T[]): readonly (readonly T[])[] {
  const { partOrders } = RECONCILIATION_LIMITS;
  return Array.from({ length: Math.ceil(orders.length / partOrders) }, (_, i) =>
    orders.slice(i * partOrders, (i + 1) * partOrders),
  );
}

/** Base64. */
export function packPart(orders: readonly ReconciledOrder[]): string {
  return deflateRawSync(JSON.stringify(orders)).toString('base64');
}

export function unpackPart(text: string): readonly ReconciledOrder[] {
  const json = inflateRawSync(Buffer.from(text, 'base64')).toString();
  return JSON.parse(json) as readonly ReconciledOrder[];
}

export function cutPieces(text: string): readonly string[] {
  return Array.from({ length: Math.max(1, Math.ceil(text.length / PIECE_MAX_CHARS)) }, (_, i) =>
    text.slice(i * PIECE_MAX_CHARS, (i + 1) * PIECE_MAX_CHARS),
  );
}
