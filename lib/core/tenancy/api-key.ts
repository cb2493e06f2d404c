// API keys: `evk_live_` + 43 base62 characters (256 bits) + 6 base62 characters of CRC-32 over what precedes.
// The checksum refuses typos and scanners before any table is asked; only the SHA-256 of the key is ever stored.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const API_KEY_SCOPES = ['events:write', 'events:read', 'platforms:read', 'admin'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

export interface ApiKeyRecord {
  readonly sha256: string;
  readonly keyId: string;
  readonly merchantId: string;
  readonly name: string;
  /** What is shown after creation, e.g. `evk_live_3fK9`. */
  readonly prefix: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdAtMs: number;
  /** Who made it, as the audit trail names callers; absent for what a deployment starts with. */
  readonly createdBy?: string;
  /** From then on it is refused. Absent: never. */
  readonly expiresAtMs?: number;
  readonly revokedAtMs?: number;
}

/** Says where a key is meant to be used; both open the same merchant. */
export const API_KEY_ENVIRONMENTS = ['live', 'test'] as const;
export type ApiKeyEnvironment = (typeof API_KEY_ENVIRONMENTS)[number];

/** Keys of a merchant that may be used at one time. */
export const ACTIVE_KEYS_MAX = 50;
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
const KEY_PATTERN = /^evk_(?:live|test)_[0-9A-Za-z]{49}$/;
const CHECKSUM_LENGTH = 6;
const SECRET_LENGTH = 43;

/** Builds a key from 32 random bytes supplied by the caller. */
export function formatApiKey(mode: ApiKeyEnvironment, random: Uint8Array): string {
  if (random.byteLength !== 32) throw new RangeError('an API key needs 32 random bytes');
  const secret = base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_LENGTH);
  const body = `evk_${mode}_${secret}`;
  return body + checksum(body);
}

/** True when the shape and the checksum hold; says nothing about whether the key exists. */
export function isWellFormedApiKey(key: string): boolean {
  if (!KEY_PATTERN.test(key)) return false;
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export function apiKeyPrefix(key: string): string {
  return key.slice(0, 13);
}

/** Read off what is shown of the key. */
export const environmentOf = (prefix: string): ApiKeyEnvironment =>
  prefix.startsWith('evk_test_') ? 'test' : 'live';

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
