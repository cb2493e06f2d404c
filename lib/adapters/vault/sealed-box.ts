// AES-256-GCM as one text: base64 of nonce, ciphertext and tag. Guarantees: what was sealed opens only under the
// same key and the same associated data, bit by bit. Nonces are random: one key is good for 2^32 boxes.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Node converts bytes into a key object at every call, which takes three times as long as encrypting an event with it.
 */
const prepared = new WeakMap<Uint8Array, KeyObject>();

function prepare(key: Uint8Array): KeyObject {
  const known = prepared.get(key) ?? createSecretKey(key);
  prepared.set(key, known);
  return known;
}

export function sealBox(key: Uint8Array, associated: string, plaintext: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, prepare(key), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(associated));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when anything differs from what was sealed. */
export function openBox(key: Uint8Array, associated: string, sealed: Uint8Array): Uint8Array {
  if (sealed.byteLength < NONCE_BYTES + TAG_BYTES) throw new Error('too short to be sealed');
  const decipher = createDecipheriv(ALGORITHM, prepare(key), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(associated));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
