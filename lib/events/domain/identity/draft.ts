// What the field modules fill while one event's identity is normalized, and how they read a value.
// Guarantees: an empty, null or poisoned value never gets past `readText` and `readHashable`.
// Refuses: lone surrogates (no two encoders agree on their bytes).
import type { EventBody } from '../event/event.ts';
import type { Visit } from './browser-ids.ts';
import type { HashedIdentity, IdentityIssue, PlaintextIdentity, RawIdentity, Sha256Hex } from './identity.ts';
import type { IdentityLookups } from './lookups.ts';
import { digestOfNothing, isEmptyWord } from './placeholder-values.ts';

export type UserData = EventBody['user_data'];
type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface IdentityDraft {
  readonly userData: UserData;
  readonly lookups: IdentityLookups;
  /** When the event came in, Unix milliseconds. */
  readonly nowMs: number;
  readonly visit: Visit | undefined;
  readonly hashed: Writable<HashedIdentity>;
  readonly raw: Writable<RawIdentity>;
  readonly plain: Writable<PlaintextIdentity>;
  readonly issues: IdentityIssue[];
}

export function createDraft(
  userData: UserData,
  lookups: IdentityLookups,
  nowMs: number,
  visit: Visit | undefined,
): IdentityDraft {
  return { userData, lookups, nowMs, visit, hashed: {}, raw: {}, plain: {}, issues: [] };
}

/** Records that something about a field was noticed, once per field and code. */
export function note(draft: IdentityDraft, field: string, code: IdentityIssue['code']): void {
  if (!draft.issues.some((issue) => issue.code === code && issue.field === field)) {
    draft.issues.push({ field, code });
  }
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Soft hyphen, zero-width space, direction marks, byte order mark: copied along, never seen, never meant. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** The value trimmed and without invisible characters; null when absent, empty or standing for "no value". */
export function readText(
  draft: IdentityDraft,
  field: string,
  value: string | null | undefined,
): string | null {
  if (value === undefined) return null;
  const trimmed = value === null ? '' : value.trim();
  if (!trimmed.isWellFormed()) {
    note(draft, field, 'malformed');
    return null;
  }
  const text = isPrintableAscii(trimmed) ? trimmed : trimmed.replace(INVISIBLE, '').trim();
  if (text === '') {
    note(draft, field, 'empty');
    return null;
  }
  if (isEmptyWord(text)) {
    note(draft, field, 'literal_null');
    return null;
  }
  return text;
}

/** Either a text to normalize and hash, or a SHA-256 the sender computed: that is used as it is. */
interface Hashable {
  readonly text: string;
  readonly digest: Sha256Hex | null;
}

const HEX_SHA256 = /^[0-9a-fA-F]{64}$/;
const BASE64_SHA256 = /^[A-Za-z0-9+/]{43}=$/;
const HEX_SHA1_OR_MD5 = /^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{32})$/;

/**
 * As `readText`, and distinguishes a SHA-256 (64 hex digits, or its 44 characters of Base64) from a text. Digests of
 * "no value" are dropped. SHA-1 and MD5 are dropped too, no platform takes them, unless `opaque`: the value may be any
 * string.
 */
export function readHashable(
  draft: IdentityDraft,
  field: string,
  value: string | null | undefined,
  opaque = false,
): Hashable | null {
  const text = readText(draft, field, value);
  if (text === null) return null;
  if (text.length < 32 || text.length > 64) return { text, digest: null };
  const isSha256 = HEX_SHA256.test(text);
  const isOther = !isSha256 && HEX_SHA1_OR_MD5.test(text);
  const digest = isSha256 || isOther ? text.toLowerCase() : opaque ? null : hexOfBase64(text);
  if (digest === null) return { text, digest };
  const nothing = digestOfNothing(digest);
  if (nothing !== null) {
    note(draft, field, nothing === 'once' ? 'hash_of_empty' : 'double_hashed');
    return null;
  }
  if (!isOther) {
    note(draft, field, 'already_hashed');
    return { text, digest };
  }
  if (opaque) return { text, digest: null };
  note(draft, field, 'malformed');
  return null;
}

function hexOfBase64(text: string): Sha256Hex | null {
  if (!BASE64_SHA256.test(text)) return null;
  return Array.from(atob(text), (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
