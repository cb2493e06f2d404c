/** A merchant's data key, sealed under the wrapping key of this number. */
export interface SealedDataKey {
  readonly under: number;
  readonly bytes: Uint8Array;
}

/** Bytes alone: wrapped by KMS or the key file itself, as releases before decision 0071 did. */
export type WrappedDataKey = Uint8Array | SealedDataKey;

/** Where merchants' data keys rest, wrapped, and the wrapping keys: useless without the key over all of them. */
export interface DataKeyStore {
  /** Consistent read. */
  read(merchantId: string): Promise<WrappedDataKey | null>;
  /** Stores the key unless there is one; answers the one that is stored afterwards. */
  create(merchantId: string, wrapped: WrappedDataKey): Promise<WrappedDataKey>;
  /** Those that were replaced, the newest first: what they sealed still opens. Consistent read. */
  former(merchantId: string): Promise<readonly WrappedDataKey[]>;
  readonly wrappingKeys: WrappingKeyStore;
}

/** Keys of the deployment, by number. */
export interface WrappingKeyStore {
  /** How often all of them were replaced by others. Consistent read. */
  generation(): Promise<number>;
  /** Consistent read. */
  read(number: number): Promise<Uint8Array | null>;
  /** Stores the key unless there is one; answers the one that is stored afterwards. */
  create(number: number, wrapped: Uint8Array): Promise<Uint8Array>;
}
