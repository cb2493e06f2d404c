// How events, and what batches of them share, are packed into binary attributes: JSON, deflated against a dictionary of the
// field names. One write unit is 1 KiB of item; an ordinary normalized event stays under it. A format is its dictionary's for
// ever: another dictionary gets another number, and a file of its own.
import { packedFormat, packJson, unpackJson } from '../../../core/packing/packed-json.ts';
import { EMPTY_COUNTERS, type SlotCounters } from '../../../events/domain/analytics.ts';
import { FORMAT_1 } from './dictionaries/format-1.ts';
import { FORMAT_2 } from './dictionaries/format-2.ts';
import { FORMAT_3 } from './dictionaries/format-3.ts';
import { FORMAT_4 } from './dictionaries/format-4.ts';
import { FORMAT_5 } from './dictionaries/format-5.ts';
import { FORMAT_6 } from './dictionaries/format-6.ts';

const BODY = FORMAT_1;
const CLEAR = FORMAT_2;
const CLEAR_IN_BATCH = FORMAT_3;
const BATCH = FORMAT_4;
const COUNTERS = FORMAT_5;
const MANIFEST = FORMAT_6;

export const packBody = (body: unknown): Uint8Array => packJson(BODY, body);
export const unpackBody = (packed: Uint8Array): unknown => unpackJson(BODY, packed).value;
export const packCounters = (counters: unknown): Uint8Array => packJson(COUNTERS, counters);
/** Also those of format 1, which had no dictionary of their own and no credits. */
export const unpackCounters = (packed: Uint8Array): unknown =>
  unpackJson(packedFormat(packed) === BODY.format ? BODY : COUNTERS, packed).value;

/** True for what has the parts of counters; a value of another shape is no reason to throw. */
export function isCounters(value: unknown): value is SlotCounters {
  return Object.entries(EMPTY_COUNTERS).every(
    ([name, empty]) => typeof (value as SlotCounters | null)?.[name as keyof SlotCounters] === typeof empty,
  );
}

/** Fates of a batch's rows. */
export const packShared = (value: unknown): Uint8Array => packJson(BATCH, value);
export const unpackShared = (packed: Uint8Array): unknown => unpackJson(BATCH, packed).value;

export const packManifest = (value: unknown): Uint8Array => packJson(MANIFEST, value);
/** Also those of format 4, as fates have it. */
export const unpackManifest = (packed: Uint8Array): unknown =>
  unpackJson(packedFormat(packed) === BATCH.format ? BATCH : MANIFEST, packed).value;

/** `inBatch`: what becomes of the event is not in its row. */
export const packClear = (event: unknown, inBatch = false): Uint8Array =>
  packJson(inBatch ? CLEAR_IN_BATCH : CLEAR, event);

/**
 * Throws on bytes of another format: those of 1 hold personal values that no deletion of a key would end, and a row whose
 * bytes and place disagree on where its deliveries are could be sent again.
 */
export function unpackClear(packed: Uint8Array, inBatch = false): unknown {
  if (packedFormat(packed) === FORMAT_1.format)
    throw new Error('unknown encoding 1 of a normalized event: its personal part is not sealed');
  return unpackJson(inBatch ? CLEAR_IN_BATCH : CLEAR, packed).value;
}
