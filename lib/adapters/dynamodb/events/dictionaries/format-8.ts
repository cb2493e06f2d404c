// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';
import { FORMAT_6 } from './format-6.ts';

/** Manifests of batches, with counters as format 7 has them. */
export const FORMAT_8: PackFormat = { format: 8, dictionary: FORMAT_6.dictionary };
