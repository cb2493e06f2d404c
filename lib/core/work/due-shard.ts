// Which shard of a due index an item stands in: stable across processes and releases, evenly spread, not secret.

/** Shards one group spreads over: a partition of an index takes 1,000 writes a second, and a sweep looks into each. */
const GROUP_SHARDS = 8;

/** FNV-1a, 32 bit, over the UTF-16 code units of `text`; 0 <= shard < shards. */
export function dueShard(text: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0) % shards;
}

/** The shard of an item that belongs to a group: one of a few of that group, which are its own among all of them. */
export function groupShard(group: string, item: string, shards: number): number {
  return (dueShard(group, shards) + dueShard(item, Math.min(GROUP_SHARDS, shards))) % shards;
}
