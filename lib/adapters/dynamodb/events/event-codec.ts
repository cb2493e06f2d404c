// How an event is packed into one binary attribute: JSON, deflated against a dictionary of the field names. One write
// unit is 1 KiB of item; an ordinary normalized event stays under it. A format is its dictionary's for ever: another
// dictionary gets another number, and a file of its own.
import { packedFormat, packJson, unpackJson } from '../../../core/packing/packed-json.ts';
import { FORMAT_1 } from './dictionaries/format-1.ts';
import { FORMAT_2 } from './dictionaries/format-2.ts';

const BODY = FORMAT_1;
const CLEAR = FORMAT_2;

export const packBody = (body: unknown): Uint8Array => packJson(BODY, body);
export const unpackBody = (packed: Uint8Array): unknown => unpackJson(BODY, packed).value;
/** Counters of a slot, which have no dictionary of their own. */
export const packCounters = (counters: unknown): Uint8Array => packJson(BODY, counters);
export const unpackCounters = (packed: Uint8Array): unknown => unpackJson(BODY, packed).value;
export const packClear = (event: unknown): Uint8Array => packJson(CLEAR, event);

/** Throws on bytes of another format: those of 1 hold personal values that no deletion of a key would end. */
export function unpackClear(packed: Uint8Array): unknown {
  if (packedFormat(packed) === FORMAT_1.format)
    throw new Error('unknown encoding 1 of a normalized event: its personal part is not sealed');
  return unpackJson(CLEAR, packed).value;
}
