// Shards of a merchant: parts of the time index and of the minute slots, so that one merchant can write more rows than
// one partition takes. The process that writes a row picks any shard at any time, without agreement on a number of
// shards. Guarantees: shard 0 is never written into a key, so the items of a merchant with one shard name none.

/** 64 partitions of the time index take 64,000 rows a second of one merchant. */
export const SHARDS_MAX = 64;

/** The suffix of shard k > 0 in a stored key; empty for shard 0. */
export function shardSuffix(separator: '~' | '#', shard: number): string {
  return shard === 0 ? '' : separator + shard.toString(36);
}

/** The shard in a stored key, NaN if the suffix is not a shard. */
export function parseShard(suffix: string | undefined): number {
  if (suffix === undefined) return 0;
  return /^[1-9a-z][0-9a-z]?$/.test(suffix) ? Number.parseInt(suffix, 36) : Number.NaN;
}

export const shardOf = ({ shard = 0 }: { readonly shard?: number | undefined }): number => shard;

/** The same value in another shard; shard 0 is expressed by an absent field. */
export function inShard<T extends object>(value: T, shard: number): T & { readonly shard?: number } {
  if (shard === 0 && !('shard' in value)) return value;
  const { shard: _, ...rest } = value as T & { readonly shard?: number };
  return (shard === 0 ? rest : { ...rest, shard }) as T & { readonly shard?: number };
}
