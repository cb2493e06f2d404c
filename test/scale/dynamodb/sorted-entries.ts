// Entries in the order of a key, in blocks: a partition of an index may hold a million of them, and they come, go and are
// read in ranges all the time.

const BLOCK_MAX = 1_024;

export interface SortedEntries<Entry> {
  readonly size: () => number;
  insert(entry: Entry): void;
  /** False where no entry compares equal. */
  remove(entry: Entry): boolean;
  /** Entries from the first for which `isBefore` is false, in order. */
  from(isBefore: (entry: Entry) => boolean): Generator<Entry>;
  /** Entries backwards, from the last for which `isAfter` is false. */
  backFrom(isAfter: (entry: Entry) => boolean): Generator<Entry>;
}

export function createSortedEntries<Entry>(compare: (a: Entry, b: Entry) => number): SortedEntries<Entry> {
  const blocks: Entry[][] = [[]];
  let size = 0;
  /** The last block whose first entry is not after this one. */
  const blockOf = (entry: Entry): number => {
    const at = firstWhere(blocks, (block) => {
      const [first] = block;
      return first !== undefined && compare(first, entry) > 0;
    });
    return Math.max(0, at - 1);
  };
  const placeOf = (block: readonly Entry[], entry: Entry): number =>
    firstWhere(block, (other) => compare(other, entry) >= 0);
  return {
    size: () => size,
    insert(entry) {
      const index = blockOf(entry);
      const block = blocks[index] as Entry[];
      block.splice(placeOf(block, entry), 0, entry);
      size += 1;
      if (block.length > BLOCK_MAX) blocks.splice(index + 1, 0, block.splice(BLOCK_MAX / 2));
    },
    remove(entry) {
      const index = blockOf(entry);
      const block = blocks[index] as Entry[];
      const place = placeOf(block, entry);
      const found = block[place];
      if (found === undefined || compare(found, entry) !== 0) return false;
      block.splice(place, 1);
      size -= 1;
      if (block.length === 0 && blocks.length > 1) blocks.splice(index, 1);
      return true;
    },
    *from(isBefore) {
      const start = firstWhere(blocks, (block) => block.length > 0 && !isBefore(block.at(-1) as Entry));
      for (let index = start; index < blocks.length; index++) {
        const block = blocks[index] as Entry[];
        const first = index === start ? firstWhere(block, (entry) => !isBefore(entry)) : 0;
        for (let place = first; place < block.length; place++) yield block[place] as Entry;
      }
    },
    *backFrom(isAfter) {
      const end = firstWhere(blocks, (block) => block.length > 0 && isAfter(block[0] as Entry));
      for (let index = end - 1; index >= 0; index--) {
        const block = blocks[index] as Entry[];
        const stop = index === end - 1 ? firstWhere(block, isAfter) : block.length;
        for (let place = stop - 1; place >= 0; place--) yield block[place] as Entry;
      }
    },
  };
}

/** Index of the first for which `holds`, the length where there is none; it must hold for all that follow. */
function firstWhere<T>(list: readonly T[], holds: (value: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
