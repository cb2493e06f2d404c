// Which shard of the due index a row lives in: stable across processes and releases, evenly spread, not secret.

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
