// What queue messages may say about events: where to look, never what is there.
// Refuses: a message of another shape, which is a defect of ours or a stray hand in the queue.
import * as z from 'zod';

/** `[trust, event id]`; the merchant is said once per message. */
const pointerSchema = z.tuple([z.enum(['s', 'b']), z.string().min(1)]);

/** Rows of one merchant. At most `POINTERS_MAX` of them. */
export const pointersSchema = z.object({
  merchant: z.string().min(1),
  rows: z.array(pointerSchema).min(1),
  /**
   * True only on the one message that follows the commit itself: then nobody can have sent for these rows
   * before, unless this very message was received before.
   */
  first: z.boolean().optional(),
  /** True when whoever sends this knows that platforms nothing was tried at yet were forgotten. */
  untouched: z.boolean().optional(),
});
export type Pointers = z.output<typeof pointersSchema>;

/** Keeps a message far below the 256 KiB a queue takes, even with the longest event ids. */
export const POINTERS_MAX = 100;

export interface PointedKey {
  readonly merchantId: string;
  readonly trust: 'server' | 'browser';
  readonly eventId: string;
}

export function keysOf(message: Pointers): readonly PointedKey[] {
  return message.rows.map(([trust, eventId]) => ({
    merchantId: message.merchant,
    trust: trust === 's' ? 'server' : 'browser',
    eventId,
  }));
}

/** One message per merchant and `POINTERS_MAX` rows, in the order given. */
export function packPointers(keys: readonly PointedKey[], mark?: 'first' | 'untouched'): Pointers[] {
  const byMerchant = new Map<string, PointedKey[]>();
  for (const key of keys) {
    const group = byMerchant.get(key.merchantId);
    if (group === undefined) byMerchant.set(key.merchantId, [key]);
    else group.push(key);
  }
  const messages: Pointers[] = [];
  for (const [merchant, group] of byMerchant) {
    for (let at = 0; at < group.length; at += POINTERS_MAX) {
      const rows = group
        .slice(at, at + POINTERS_MAX)
        .map((key): Pointers['rows'][number] => [key.trust === 'server' ? 's' : 'b', key.eventId]);
      messages.push(mark === undefined ? { merchant, rows } : { merchant, rows, [mark]: true });
    }
  }
  return messages;
}
