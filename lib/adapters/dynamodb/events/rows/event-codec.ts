// How events, and what batches of them share, are packed into binary attributes: JSON, deflated against a dictionary of the
// field names. One write unit is 1 KiB of item; an ordinary normalized event stays under it. A format is its dictionary's for
// ever: another dictionary gets another number, and a file of its own.
import { packedFormat, packJson, unpackJson } from '#lib/core/packing/packed-json.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { type SeriesParts, seriesPart } from '#lib/events/domain/analytics/series.ts';
import { FORMAT_1 } from '../dictionaries/format-1.ts';
import { FORMAT_2 } from '../dictionaries/format-2.ts';
import { FORMAT_3 } from '../dictionaries/format-3.ts';
import { FORMAT_4 } from '../dictionaries/format-4.ts';
import { FORMAT_5 } from '../dictionaries/format-5.ts';
import { FORMAT_6 } from '../dictionaries/format-6.ts';
import { FORMAT_7 } from '../dictionaries/format-7.ts';
import { FORMAT_8 } from '../dictionaries/format-8.ts';
import { inIsoDigits } from './former-digits.ts';

const BODY = FORMAT_1;
const CLEAR = FORMAT_2;
const CLEAR_IN_BATCH = FORMAT_3;
const BATCH = FORMAT_4;
const COUNTERS = FORMAT_7;
const MANIFEST = FORMAT_8;
/** Those before: some of their currencies had other digits. */
const FORMER_COUNTERS = [FORMAT_1, FORMAT_5];
const FORMER_MANIFESTS = [FORMAT_4, FORMAT_6];

export const packBody = (body: unknown): Uint8Array => packJson(BODY, body);
export const unpackBody = (packed: Uint8Array): unknown => unpackJson(BODY, packed).value;
export const packCounters = (counters: unknown): Uint8Array => packJson(COUNTERS, counters);
/** Also those of formats 1, which had no dictionary of their own and no credits, and 5, in the minor units of today. */
export function unpackCounters(packed: unknown): unknown {
  if (!(packed instanceof Uint8Array)) throw new TypeError('counters are stored as bytes');
  const former = FORMER_COUNTERS.find(({ format }) => format === packedFormat(packed));
  if (former === undefined) return unpackJson(COUNTERS, packed).value;
  return inIsoDigits(unpackJson(former, packed).value);
}

/** True for what has the parts of counters; a value of another shape is no reason to throw. */
export const isCounters = (value: unknown): value is BucketCounters => isAs(EMPTY_COUNTERS, value);
export const isSeriesParts = (value: unknown): value is SeriesParts =>
  isAs({}, value) && Object.values(value).every((part) => isAs(EMPTY_PART, part));

const EMPTY_PART = seriesPart(EMPTY_COUNTERS);
const isAs = (empty: object, value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(empty).every(
    ([name, own]) => typeof (value as Readonly<Record<string, unknown>>)[name] === typeof own,
  );

/** Outcomes of a batch's rows. */
export const packShared = (value: unknown): Uint8Array => packJson(BATCH, value);
export const unpackShared = (packed: Uint8Array): unknown => unpackJson(BATCH, packed).value;

export const packManifest = (value: unknown): Uint8Array => packJson(MANIFEST, value);
/** Reads formats 4 (shared with outcomes) and 6 too, and converts their counters `c` to today's minor units. */
export function unpackManifest(packed: Uint8Array): unknown {
  const former = FORMER_MANIFESTS.find(({ format }) => format === packedFormat(packed));
  if (former === undefined) return unpackJson(MANIFEST, packed).value;
  const { c, ...rest } = unpackJson(former, packed).value as { readonly c?: unknown };
  return { ...rest, c: inIsoDigits(c) };
}

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
