// Shards of a merchant: parts of the time index and of the minute slots, so that one merchant can write more rows than
// one partition takes. The process that writes a row picks any shard at any time, without agreement on a number of
// shards. Guarantees: shard 0 is never written into a key, so the items of a merchant with one shard name none.
// Rows of merchants with few events are in a shard of their own, whose buckets last ten minutes: to announce, count and seal
// a minute for one event costs more than the event.
import { floorTo, MINUTE_MS } from '../../core/work/time-slot.ts';

/** 64 partitions of the time index take 64,000 rows a second of one merchant. */
export const SHARDS_MAX = 64;

/** Behind the others: of merchants with few events. */
export const SPARSE_SHARD = 64;
export const SPARSE_BUCKET_MS = 10 * MINUTE_MS;

/** The suffix of shard k > 0 in a stored key; empty for shard 0. */
export function shardSuffix(separator: '~' | '#', shard: number): string {
  return shard === 0 ? '' : separator + shard.toString(36);
}

/** The shard in a stored key, NaN if the suffix is not a shard. */
export function parseShard(suffix: string | undefined): number {
  if (suffix === undefined) return 0;
  return /^[1-9a-z][0-9a-z]?$/.test(suffix) ? Number.parseInt(suffix, 36) : Number.NaN;
}

/** Those of a merchant that have rows, by those that say so of themselves: shard 0 never does. */
export const everyShard = (opened: readonly { readonly shard: number }[]): readonly number[] => [
  ...new Set([0, ...opened.map(({ shard }) => shard)]),
];

export const shardOf = ({ shard = 0 }: { readonly shard?: number | undefined }): number => shard;

/** The same value in another shard; shard 0 is expressed by an absent field. */
export function inShard<T extends object>(value: T, shard: number): T & { readonly shard?: number } {
  if (shard === 0 && !('shard' in value)) return value;
  const { shard: _, ...rest } = value as T & { readonly shard?: number };
  return (shard === 0 ? rest : { ...rest, shard }) as T & { readonly shard?: number };
}

export const isSparse = (key: { readonly shard?: number | undefined }): boolean =>
  shardOf(key) === SPARSE_SHARD;

/** How long a bucket of the shard lasts, milliseconds; hours begin with one. */
export const bucketMsOf = (shard: number): number => (shard === SPARSE_SHARD ? SPARSE_BUCKET_MS : MINUTE_MS);

/** Start of the bucket that counts a row received at this moment. */
export const bucketStartOf = (atMs: number, shard: number): number => floorTo(atMs, bucketMsOf(shard));

/** End of a bucket of the finest grain. */
export const bucketEndOf = (key: { readonly startMs: number; readonly shard?: number | undefined }): number =>
  key.startMs + bucketMsOf(shardOf(key));

/** Every sweep looks at such a bucket until it is over. */
export const isOpenSparse = (
  key: { readonly startMs: number; readonly shard?: number | undefined },
  nowMs: number,
): boolean => isSparse(key) && nowMs < bucketEndOf(key);
