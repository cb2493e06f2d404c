/** What a wrapped key is: the encryption context of KMS, which CloudTrail shows. */
export type KeyName =
  | { readonly wrapping_key: string }
  /** A data key of a release before decision 0071, which is wrapped directly. */
  | { readonly merchant_id: string };

/** The key over all wrapping keys: makes them, and opens what it wrapped. It never leaves where it lives. */
export interface KeyWrapper {
  /** A new key of 32 bytes, in the clear and wrapped under this name. */
  generate(name: KeyName): Promise<{ readonly plain: Uint8Array; readonly wrapped: Uint8Array }>;
  /** Rejects when the key was wrapped under another name or by another key. */
  unwrap(name: KeyName, wrapped: Uint8Array): Promise<Uint8Array>;
}

export const DATA_KEY_BYTES = 32;
