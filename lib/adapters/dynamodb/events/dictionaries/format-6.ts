// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';
import { FORMAT_4 } from './format-4.ts';
import { FORMAT_5 } from './format-5.ts';

/** Manifests of batches, with counters as format 5 has them. */
export const FORMAT_6: PackFormat = {
  format: 6,
  dictionary: Buffer.concat([FORMAT_5.dictionary, FORMAT_4.dictionary]),
};
