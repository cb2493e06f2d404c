// The due index of a table as its users see it: what somebody must look at again. It may lag behind what it points to.
// Guarantees: entries of a group stand beside each other, the longest due first, so that a reader steps over a group of any size.

export interface DueIndex<Key> {
  /** Each has entries of many merchants. */
  readonly dueShards: number;
  /** Entries of a shard, group after group, whenever they are due, behind the group `past`. */
  dueGroups(shard: number, past: DueGroup | undefined, limit: number): Promise<DueGroups<Key>>;
  /** Entries of one group that are due before `beforeMs`, in pages. */
  dueOf(query: DueQuery): Promise<DuePage<Key>>;
}

/** What is due together: what a merchant has due, or what one of its connections has parked. */
export interface DueGroup {
  readonly merchantId: string;
  /** Places at platforms, sorted, with a plus between. */
  readonly parkedFor?: string | undefined;
}

export interface DueEntry<Key> {
  readonly key: Key;
  readonly dueAtMs: number;
  readonly parkedFor?: string;
}

export interface DueGroups<Key> {
  readonly entries: readonly DueEntry<Key>[];
  /** There are more entries than these, perhaps of the last one's group. */
  readonly isCut: boolean;
}

export interface DueQuery {
  readonly shard: number;
  readonly group: DueGroup;
  /** Infinity: whenever they are due. */
  readonly beforeMs: number;
  readonly limit: number;
  /** Opaque, from a previous page. */
  readonly cursor?: string;
}

export interface DuePage<Key> {
  readonly entries: readonly DueEntry<Key>[];
  readonly cursor?: string;
}
