// Keeps secrets and personal data out of every log line. Guarantees: values under the names below never appear, at any
// depth and in any spelling (`clientIp`, `client_ip`, `Client-IP`); e-mail addresses, API keys and tokens are masked
// inside free text. Total: takes any value, cyclic ones too, and never throws. It is only a safety net: stages log
// figures and ids.

import { FIELD_FACTS } from '../../events/domain/identity/field-facts.ts';
import { BROWSER_ID_KEYS } from '../../events/domain/identity/identity.ts';

export const REDACTED = '[redacted]';

const folded = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Names of personal data, credentials and payloads; compared in lower case without `_` and `-`. */
export const REDACTED_NAMES: ReadonlySet<string> = new Set([
  // Identity, with the field names of events.
  ...Object.entries(FIELD_FACTS).flatMap(([name, { isHiddenInLogs }]) =>
    isHiddenInLogs ? folded(name) : [],
  ),
  ...BROWSER_ID_KEYS.map(folded),
  ...['instanceid', 'vendorid', 'campaignids', 'extinfo'],
  // Identity, with the field names of platforms and headers.
  ...['emails', 'em', 'phones', 'phonenumber', 'ph', 'fn', 'ln', 'fullname', 'dob', 'birthday'],
  ...['street', 'address', 'externalid', 'clientipaddress', 'ipaddress', 'remoteaddress', 'sourceip'],
  ...['xforwardedfor', 'clientuseragent'],
  ...['userdata', 'identity', 'hashed', 'raw', 'sealed'],
  // Payloads, which contain the above.
  ...['body', 'rawbody', 'payload', 'customdata', 'requestbody', 'responsebody'],
  // Secrets.
  ...[
    'authorization',
    'cookie',
    'setcookie',
    'password',
    'passwd',
    'secret',
    'secrets',
    'clientsecret',
    'apisecret',
  ],
  ...['token', 'accesstoken', 'refreshtoken', 'idtoken', 'sessiontoken', 'apikey', 'xapikey', 'credentials'],
  ...['sealedcredentials', 'privatekey', 'secretaccesskey', 'plaintext', 'datakey', 'signature', 'jwt'],
]);

/** Deeper values are cut off. */
const DEPTH_MAX = 8;
const ITEMS_MAX = 50;
const TEXT_MAX_CHARS = 2_000;

// The quantifiers are bounded, so that hostile text costs linear time.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu, '[email]'],
  [/\b(?:evk|hdk)_(?:live|test)_[0-9A-Za-z]{8,}/g, '[api-key]'],
  [/\bevi_[\w-]{1,120}\.[\w-]{8,43}/g, '[invitation]'],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, '[jwt]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [secret]'],
  [
    /\b((?:access_token|refresh_token|api_secret|api_key|client_secret|password|token|secret)["']?\s*[=:]\s*["']?)[^&\s"',;}]+/gi,
    '$1[secret]',
  ],
];

/** Text with addresses, keys and tokens masked, at most 2,000 characters of it. */
export function maskText(text: string): string {
  let masked = text.length > TEXT_MAX_CHARS ? `${text.slice(0, TEXT_MAX_CHARS)}…` : text;
  for (const [pattern, replacement] of PATTERNS) masked = masked.replace(pattern, replacement);
  return masked;
}

/** A copy of the fields of a log line that is safe to write. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactObject(fields, 0, new Set());
}

function redactObject(value: object, depth: number, ancestors: Set<object>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  ancestors.add(value);
  for (const [name, inner] of Object.entries(value)) {
    out[name] =
      isRedacted(name) && inner !== undefined && inner !== null
        ? REDACTED
        : redactValue(inner, depth + 1, ancestors);
  }
  ancestors.delete(value);
  return out;
}

function redactValue(value: unknown, depth: number, ancestors: Set<object>): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.has(value)) return '[circular]';
  if (depth > DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return describeError(value, depth, ancestors);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return redactObject(Object.fromEntries(value), depth, ancestors);
  const list = value instanceof Set ? [...value] : value;
  if (!Array.isArray(list)) return redactObject(value, depth, ancestors);
  ancestors.add(value);
  const out = list.slice(0, ITEMS_MAX).map((inner) => redactValue(inner, depth + 1, ancestors));
  if (list.length > ITEMS_MAX) out.push(`[${list.length - ITEMS_MAX} more]`);
  ancestors.delete(value);
  return out;
}

/** Type, masked message, code, HTTP status, where it was thrown and why; not the other fields an error may carry. */
function describeError(error: Error, depth: number, ancestors: Set<object>): Record<string, unknown> {
  const { code, status, statusCode } = error as { code?: unknown; status?: unknown; statusCode?: unknown };
  ancestors.add(error);
  const out: Record<string, unknown> = { type: error.name, message: maskText(String(error.message)) };
  if (typeof code === 'string' || typeof code === 'number') out.code = code;
  const httpStatus = statusCode ?? status;
  if (typeof httpStatus === 'number') out.status = httpStatus;
  const frames = framesOf(error);
  if (frames.length > 0) out.at = frames;
  if (error.cause !== undefined) out.cause = redactValue(error.cause, depth + 1, ancestors);
  ancestors.delete(error);
  return out;
}

/** Frames only: the first line of a stack repeats the message. */
function framesOf(error: Error): string[] {
  return String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim().slice(3));
}

const isRedacted = (name: string): boolean => REDACTED_NAMES.has(folded(name));
