// Shards of a merchant: parts of the time index and of the minute slots, so that one merchant may write more rows than one
// partition takes. A row's shard is the choice of whoever writes it, any at any time; nobody has to agree on a number.
// Guarantees: shard 0 is not written down anywhere, so what a merchant with one shard stores names none.

/** 64 partitions of the time index take 64,000 rows a second of one merchant. */
export const SHARDS_MAX = 64;

/** What names shard k > 0 in a stored key; empty for shard 0. */
export function shardSuffix(separator: '~' | '#', shard: number): string {
  return shard === 0 ? '' : separator + shard.toString(36);
}

/** The shard a stored key names, NaN where it names something else. */
export function parseShard(suffix: string | undefined): number {
  if (suffix === undefined) return 0;
  return /^[1-9a-z][0-9a-z]?$/.test(suffix) ? Number.parseInt(suffix, 36) : Number.NaN;
}

export const shardOf = ({ shard = 0 }: { readonly shard?: number | undefined }): number => shard;

/** The same in another shard; shard 0 is said by saying none. */
export function inShard<T extends object>(value: T, shard: number): T & { readonly shard?: number } {
  if (shard === 0 && !('shard' in value)) return value;
  const { shard: _, ...rest } = value as T & { readonly shard?: number };
  return (shard === 0 ? rest : { ...rest, shard }) as T & { readonly shard?: number };
}
