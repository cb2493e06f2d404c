// Pointers to events in queue messages: keys only, never content.
// Refuses: a message of another shape, which is a defect of ours or was put into the queue by hand.
import * as z from 'zod';
import { asciiJson } from '../../core/values/ascii-json.ts';
import { MINUTE_MS } from '../../core/work/time-slot.ts';
import { CHANNEL_LETTERS, channelOf, letterOf } from './analytics/channel-letter.ts';
import type { BatchKey } from './deliveries/batch.ts';
import type { Channel } from './event/normalized-event.ts';
import { SPARSE_SHARD } from './shard.ts';

/** Longest id of a stored event: the longest id of a caller, and the ending of a replay. */
const STORED_ID_MAX_CHARS = 256;

/**
 * `[channel, event id]`; the merchant is named once per message. A key that no row can have is refused here: it would
 * make the table refuse the whole read.
 */
const pointerSchema = z.tuple([
  z.enum(CHANNEL_LETTERS),
  z
    .string()
    .min(1)
    .max(STORED_ID_MAX_CHARS)
    .refine((id) => id.isWellFormed()),
]);

/** The separator of row keys cannot be part of a merchant's id, so no message can name another merchant's row. */
export const merchantSchema = z.string().regex(/^[^#]{1,64}$/);

/** The last minute a date can have. */
const MINUTE_MAX_MS = 8_640_000_000_000_000 - MINUTE_MS;
/** Start of a minute, UTC milliseconds. */
export const minuteSchema = z.int().nonnegative().max(MINUTE_MAX_MS).multipleOf(MINUTE_MS);

const marks = {
  /**
   * True only on the message that directly follows the commit: no worker can have sent these rows before, unless this
   * message was received before.
   */
  first: z.boolean().optional(),
  /** True if the sender knows that some platforms have no delivery yet because their pointers were lost. */
  unattempted: z.boolean().optional(),
};

/** Rows of one merchant. */
export const pointersSchema = z.object({
  merchant: merchantSchema,
  rows: z.array(pointerSchema).min(1),
  ...marks,
});
export type Pointers = z.output<typeof pointersSchema>;

const batchSchema = z.object({
  minute: minuteSchema,
  shard: z.int().nonnegative().max(SPARSE_SHARD),
  id: z.string().regex(/^[\w-]{8}$/),
});

/** Batches of rows of one merchant; their manifests name the rows. */
export const batchPointerSchema = z.object({
  merchant: merchantSchema,
  batches: z.array(batchSchema).min(1),
  /** The only platform it is for; absent: all that are to have rows of the batches. */
  platform: z.string().min(1).optional(),
  ...marks,
});
export type BatchPointer = z.output<typeof batchPointerSchema>;

/** As many as one read takes. Messages to a platform with larger batches have more. */
export const POINTERS_MAX = 100;

/**
 * In messages to normalize: an invocation gets hundreds of them (`ACCEPTED_MESSAGES_MAX`), and each row takes
 * milliseconds of its share of a core. Ten such messages share one request to the queue.
 */
export const ACCEPTED_POINTERS_MAX = 5;

export interface PointedKey {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly eventId: string;
}

export function keysOf(message: Pointers): readonly PointedKey[] {
  return message.rows.map(([channel, eventId]) => ({
    merchantId: message.merchant,
    channel: channelOf(channel),
    eventId,
  }));
}

export function batchesOf({ merchant, batches }: BatchPointer): readonly BatchKey[] {
  return batches.map(({ minute, shard, id }) => ({ merchantId: merchant, minuteMs: minute, shard, id }));
}

/** Messages of one merchant each, with up to `batchesMax` batches. */
export function packBatches(
  keys: readonly BatchKey[],
  mark?: 'first' | 'unattempted',
  batchesMax = 1,
): BatchPointer[] {
  const messages: BatchPointer[] = [];
  if (keys.length === 0) return messages;
  for (const [merchant, group] of Map.groupBy(keys, (key) => key.merchantId))
    for (let at = 0; at < group.length; at += batchesMax) {
      const some = group.slice(at, at + batchesMax);
      const batches = some.map(({ minuteMs, shard, id }) => ({ minute: minuteMs, shard, id }));
      messages.push(mark === undefined ? { merchant, batches } : { merchant, batches, [mark]: true });
    }
  return messages;
}

/** The limit of a message for ids of any length; a queue takes 256 KiB. */
const MESSAGE_MAX_BYTES = 200_000;

/** Messages of one merchant and at most `rowsMax` rows each, in the order given. */
export function packPointers(
  keys: readonly PointedKey[],
  mark?: 'first' | 'unattempted',
  rowsMax = POINTERS_MAX,
): Pointers[] {
  const messages: Pointers[] = [];
  if (keys.length === 0) return messages;
  for (const [merchant, group] of Map.groupBy(keys, (key) => key.merchantId)) {
    for (const rows of chunks(group.map(toPointer), rowsMax))
      messages.push(mark === undefined ? { merchant, rows } : { merchant, rows, [mark]: true });
  }
  return messages;
}

const toPointer = (key: PointedKey): Pointers['rows'][number] => [letterOf(key.channel), key.eventId];

function* chunks(rows: Pointers['rows'], rowsMax: number): Generator<Pointers['rows']> {
  // A single row makes a message of any size.
  if (rows.length === 1) {
    yield rows;
    return;
  }
  let chunk: Pointers['rows'] = [];
  let sizeBytes = 0;
  for (const row of rows) {
    const rowBytes = asciiJson(row).length + 1;
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

/** For the queue: each in its merchant's message group, so that one merchant's backlog does not delay the others. */
export function byTenant<Body extends { readonly merchant: string }>(
  bodies: readonly Body[],
): { readonly body: Body; readonly groupId: string }[] {
  return bodies.map((body) => ({ body, groupId: body.merchant }));
}
