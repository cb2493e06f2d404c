/** Where merchants' data keys rest, wrapped: useless without the key that wraps them. */
export interface DataKeyStore {
  /** Consistent read. */
  read(merchantId: string): Promise<Uint8Array | null>;
  /** Stores the key unless there is one; answers the one that is stored afterwards. */
  create(merchantId: string, wrapped: Uint8Array): Promise<Uint8Array>;
}
