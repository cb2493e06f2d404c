// What counts as one client: an IPv4 address, or the /64 an IPv6 household is given. And what counts as one network: the
// /48 an IPv6 site is given, which holds 65,536 of them.

/** Canonical text of the block; IPv4-mapped IPv6 is its IPv4 address. Unreadable text is its own block. */
export function addressBlock(address: string): string {
  return blockOf(address, 4);
}

/** The /48 of an IPv6 address; null for IPv4, whose addresses are scarce enough. */
export function networkBlock(address: string): string | null {
  const block = blockOf(address, 3);
  return block.includes(':') ? block : null;
}

function blockOf(address: string, groupsKept: 3 | 4): string {
  if (!address.includes(':')) return address;
  const [bare = ''] = address.split('%');
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = bare.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups
    .slice(0, groupsKept)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/${groupsKept * 16}`;
}
