// What queue messages may say about events: where to look, never what is there.
// Refuses: a message of another shape, which is a defect of ours or a stray hand in the queue.
import * as z from 'zod';

/** `[channel, event id]`; the merchant is said once per message. */
const pointerSchema = z.tuple([z.enum(['s', 'b']), z.string().min(1)]);

/** Rows of one merchant. */
export const pointersSchema = z.object({
  merchant: z.string().min(1),
  rows: z.array(pointerSchema).min(1),
  /**
   * True only on the one message that follows the commit itself: then nobody can have sent for these rows
   * before, unless this very message was received before.
   */
  first: z.boolean().optional(),
  /** True when whoever sends this knows that platforms nothing was tried at yet were forgotten. */
  unattempted: z.boolean().optional(),
});
export type Pointers = z.output<typeof pointersSchema>;

/** As many as one read takes. Messages to a platform that takes larger batches hold more. */
export const POINTERS_MAX = 100;

export interface PointedKey {
  readonly merchantId: string;
  readonly channel: 'server' | 'browser';
  readonly eventId: string;
}

export function keysOf(message: Pointers): readonly PointedKey[] {
  return message.rows.map(([channel, eventId]) => ({
    merchantId: message.merchant,
    channel: channel === 's' ? 'server' : 'browser',
    eventId,
  }));
}

/** A message holds no more, whatever its rows are called; a queue takes 256 KiB. */
const MESSAGE_MAX_BYTES = 200_000;

/** Messages of one merchant and at most `rowsMax` rows each, in the order given. */
export function packPointers(
  keys: readonly PointedKey[],
  mark?: 'first' | 'unattempted',
  rowsMax = POINTERS_MAX,
): Pointers[] {
  const messages: Pointers[] = [];
  for (const [merchant, group] of Map.groupBy(keys, (key) => key.merchantId)) {
    for (const rows of chunks(group.map(toPointer), rowsMax))
      messages.push(mark === undefined ? { merchant, rows } : { merchant, rows, [mark]: true });
  }
  return messages;
}

const toPointer = (key: PointedKey): Pointers['rows'][number] => [
  key.channel === 'server' ? 's' : 'b',
  key.eventId,
];

function* chunks(rows: readonly Pointers['rows'][number][], rowsMax: number): Generator<Pointers['rows']> {
  let chunk: Pointers['rows'] = [];
  let sizeBytes = 0;
  for (const row of rows) {
    const rowBytes = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (chunk.length === rowsMax || (chunk.length > 0 && sizeBytes + rowBytes > MESSAGE_MAX_BYTES)) {
      yield chunk;
      chunk = [];
      sizeBytes = 0;
    }
    chunk.push(row);
    sizeBytes += rowBytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** As a queue takes them: each in its merchant's group, so that one merchant's backlog does not delay the others'. */
export function grouped<Body extends { readonly merchant: string }>(
  bodies: readonly Body[],
): { readonly body: Body; readonly groupId: string }[] {
  return bodies.map((body) => ({ body, groupId: body.merchant }));
}
