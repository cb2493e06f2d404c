// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';
import { FORMAT_2 } from './format-2.ts';

/**
 * As format 2, of rows that were normalized as one of a batch. A number of its own, because a reader that knows nothing of
 * batches would find no deliveries in such a row and send it again.
 */
export const FORMAT_3: PackFormat = { format: 3, dictionary: FORMAT_2.dictionary };
