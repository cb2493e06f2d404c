// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';
import { FORMAT_5 } from './format-5.ts';

/** Counters of a slot, as in format 5, with minor units as ISO 4217 has them: of HUF a hundredth, of IQD a thousandth. */
export const FORMAT_7: PackFormat = { format: 7, dictionary: FORMAT_5.dictionary };
