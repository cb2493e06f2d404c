// Which text a digest was made of. Imported before anything that hashes: from then on whatever this process hashes with
// SHA-256, our code or other people's, is remembered, so that a difference between two digests can be read and judged.
import * as crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const origins = new Map<string, string>();

/** The text the digest (lowercase hex) was made of in this process; undefined where it came in as it is. */
export const originOf = (digest: string): string | undefined => origins.get(digest);

/** A text, or the text behind it where it is a digest. */
export const revealed = (text: string): string => origins.get(text) ?? text;

/** Remembers what a library hashes by means of its own. */
export function remember(text: string): void {
  origins.set(sha256(text), text);
}

const nodeCrypto = createRequire(import.meta.url)('node:crypto') as {
  -readonly [K in 'hash' | 'createHash']: (typeof crypto)[K];
};
const { hash, createHash } = crypto;
const sha256 = (text: string): string => hash('sha256', text, 'hex');

nodeCrypto.hash = ((algorithm: string, data: string, encoding: 'hex') => {
  const digest = hash(algorithm, data, encoding);
  if (algorithm === 'sha256') origins.set(digest, String(data));
  return digest;
}) as typeof crypto.hash;

nodeCrypto.createHash = ((algorithm: string, options?: crypto.HashOptions) => {
  const made = createHash(algorithm, options);
  if (algorithm !== 'sha256') return made;
  const update = made.update.bind(made) as (data: unknown, encoding?: unknown) => crypto.Hash;
  made.update = ((data: unknown, encoding?: unknown) => {
    remember(typeof data === 'string' ? data : Buffer.from(data as Uint8Array).toString('utf8'));
    return update(data, encoding);
  }) as typeof made.update;
  return made;
}) as typeof crypto.createHash;

syncBuiltinESMExports();
