// How many shards a merchant's rows are to be spread over: a hint to whoever stores rows, in the merchant's profile. Nobody
// reads or counts by it. Guarantees: every change is one conditional write to one item.

export interface ShardStore {
  /** Raises the number to at least `wanted` and says that it was needed by rows of `atMs`. Never makes a merchant. */
  raiseShards(merchantId: string, wanted: number, atMs: number): Promise<void>;
  /** Says that the number was needed by rows of `atMs`, where it is more than one. */
  keepShards(merchantId: string, atMs: number): Promise<void>;
  /** Halves the number where it was last needed a day before `atMs`, or earlier. */
  halveShards(merchantId: string, atMs: number): Promise<void>;
}
