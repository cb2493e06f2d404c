/** Envelope encryption under one data key per merchant (AES-256-GCM; KMS in AWS, a key file on a laptop). */
export interface Vault {
  /** Base64 of nonce, ciphertext and tag. `context` is authenticated: opening under another one fails. */
  seal(merchantId: string, context: string, plaintext: string): Promise<string>;
  open(merchantId: string, context: string, sealed: string): Promise<string>;
}
