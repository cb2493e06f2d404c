/** The key over all data keys: makes them, and opens the wrapped ones. It never leaves where it lives. */
export interface KeyWrapper {
  /** A new data key of 32 bytes, in the clear and wrapped for this merchant. */
  generate(merchantId: string): Promise<{ readonly plain: Uint8Array; readonly wrapped: Uint8Array }>;
  /** Rejects when the key was wrapped for another merchant or by another key. */
  unwrap(merchantId: string, wrapped: Uint8Array): Promise<Uint8Array>;
}

export const DATA_KEY_BYTES = 32;
