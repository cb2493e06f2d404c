// API keys: `evk_live_` + 43 base62 characters (256 bits) + 6 base62 characters of CRC-32 over what precedes.
// The checksum refuses typos and scanners before any table is asked; only the SHA-256 of the key is ever stored.
// Each product's keys begin with letters of their own and open nothing of another product.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { StoredAs } from '../record/stored-type.ts';

/** Which product a key is of; what products are called and what they open is in role.ts. */
export type KeyProduct = 'evk' | 'hdk';

export const STORED_API_KEY = z.looseObject({
  sha256: z.string(),
  keyId: z.string(),
  merchantId: z.string(),
  name: z.string(),
  /** What is shown after creation, e.g. `evk_live_3fK9`. */
  prefix: z.string(),
  /** Of the product's own list. */
  scopes: z.array(z.string()),
  createdAtMs: z.number(),
  /** Who made it, as the audit trail names callers; absent for what a deployment starts with. */
  createdBy: z.string().exactOptional(),
  /** From then on it is refused. Absent: never. */
  expiresAtMs: z.number().exactOptional(),
  revokedAtMs: z.number().exactOptional(),
  /** Its merchant is suspended since then. */
  suspendedAtMs: z.number().exactOptional(),
  /** What the operator lets its merchant send in a minute with keys. Absent: what holds for all. */
  eventsPerMinute: z.number().exactOptional(),
  /** In a UTC day, likewise. */
  eventsPerDay: z.number().exactOptional(),
});
export type ApiKeyRecord = StoredAs<typeof STORED_API_KEY>;

/** What is sent with it is meant, or a test; both open the same merchant. */
export const API_KEY_ENVIRONMENTS = ['live', 'test'] as const;
export type ApiKeyEnvironment = (typeof API_KEY_ENVIRONMENTS)[number];

/** Keys of a merchant that may be used at one time, of each product: with limits by key they bound what it may ask for. */
export const ACTIVE_KEYS_MAX: Readonly<Record<KeyProduct, number>> = { evk: 50, hdk: 20 };
/** With those that were revoked or have expired, as long as they are listed. */
export const LISTED_KEYS_MAX = 500;
/** How long a key that ended is listed. */
export const ENDED_KEY_LISTED_MS = 90 * 86_400_000;

/** When it stopped being good for anything; undefined while it is. */
export function keyEndedAtMs(
  { revokedAtMs, expiresAtMs }: Pick<ApiKeyRecord, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): number | undefined {
  return revokedAtMs ?? (expiresAtMs !== undefined && expiresAtMs <= nowMs ? expiresAtMs : undefined);
}

/** False for a key that was revoked or has expired. */
export const isUsableKey = (key: Pick<ApiKeyRecord, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean =>
  keyEndedAtMs(key, nowMs) === undefined;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERNS: Readonly<Record<KeyProduct, RegExp>> = {
  evk: /^evk_(?:live|test)_[0-9A-Za-z]{49}$/,
  hdk: /^hdk_(?:live|test)_[0-9A-Za-z]{49}$/,
};
const CHECKSUM_LENGTH = 6;
const SECRET_LENGTH = 43;

/** Builds a key from 32 random bytes supplied by the caller. */
export function formatApiKey(mode: `${KeyProduct}_${ApiKeyEnvironment}`, random: Uint8Array): string {
  if (random.byteLength !== 32) throw new RangeError('an API key needs 32 random bytes');
  const secret = base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_LENGTH);
  const body = `${mode}_${secret}`;
  return body + checksum(body);
}

/** True when the shape of this product's keys and the checksum hold; says nothing about whether the key exists. */
export function isWellFormedApiKey(key: string, product: KeyProduct): boolean {
  if (!KEY_PATTERNS[product].test(key)) return false;
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** A key that is to be made: its secret, which is shown once, and the record that is kept. `random`: 32 bytes. */
export function newApiKey(
  mode: `${KeyProduct}_${ApiKeyEnvironment}`,
  random: Uint8Array,
  given: Omit<ApiKeyRecord, 'sha256' | 'prefix'>,
): { readonly secret: string; readonly record: ApiKeyRecord } {
  const secret = formatApiKey(mode, random);
  return { secret, record: { ...given, sha256: hashApiKey(secret), prefix: apiKeyPrefix(secret) } };
}

export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export function apiKeyPrefix(key: string): string {
  return key.slice(0, 13);
}

/** Read off what is shown of the key. */
export const environmentOf = (prefix: string): ApiKeyEnvironment =>
  prefix.slice(3).startsWith('_test_') ? 'test' : 'live';

/** Read off what is shown of the key. */
export const productOf = (prefix: string): KeyProduct => (prefix.startsWith('hdk_') ? 'hdk' : 'evk');

/** 32 bits in base62: plain numbers, because this runs on every request. */
const checksum = (text: string): string => {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = ALPHABET.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
};

function base62(value: bigint, length: number): string {
  let rest = value;
  let out = '';
  for (let i = 0; i < length; i++) {
    out = ALPHABET.charAt(Number(rest % 62n)) + out;
    rest /= 62n;
  }
  return out;
}
