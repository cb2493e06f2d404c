// What every HTTP application here does alike, whoever carries the request. A request is refused in this order:
//   404 no such path · 405 + Allow, or the answer to a preflight · 401, then 403 · 429 too many calls · 415 type, then
//   encoding of the body · 413 too large, as it came or inflated · 400 not strict JSON · 404 an id that cannot exist ·
//   400 query, then body · what the route itself refuses.
// Nothing of the body is looked at before the caller is known.
import { gunzipSync } from 'node:zlib';
import type { ErrorCode, ErrorDetail } from './errors.ts';

/** On every answer. Answers are data: nothing in them may run, be framed, be guessed to be a page, or be kept. */
export const REPLY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

export const RETRY_AFTER_SEC = 1;
export const WWW_AUTHENTICATE = 'Bearer';

/** For logs: what a client calls a method may be any text of its own. */
export const plainMethod = (method: string): string => (/^[A-Z]{3,7}$/.test(method) ? method : 'other');

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const BEARER = /^Bearer[ \t]+([\x21-\x7e]+)[ \t]*$/i;

/** The caller's own name for the request where it is short and plain, so that both logs can be laid side by side. */
export function requestIdOf(given: string | undefined, ours: string): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : ours;
}

/** The token of an `Authorization` header; the scheme's case and the spaces around do not matter (RFC 9110, 11.1). */
export function bearerOf(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

const BASIC = /^Basic[ \t]+([A-Za-z0-9+/]+={0,2})[ \t]*$/i;

/** The user name of an `Authorization: Basic` header (RFC 7617), undefined where there is none or it is empty. */
export function basicUserOf(authorization: string | undefined): string | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const user = Buffer.from(encoded, 'base64').toString().split(':', 1)[0];
  return user === '' ? undefined : user;
}

/** `app;dur=12.3`: milliseconds from the arrival of the request to its answer (https://www.w3.org/TR/server-timing/). */
export function serverTiming(tookMs: number): string {
  return `app;dur=${tookMs.toFixed(1)}`;
}

/** Media type without parameters, lowercase; empty where there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export type BodyEncoding = 'identity' | 'gzip';

/** Null for an encoding that is not taken. */
export function encodingOf(contentEncoding: string | undefined): BodyEncoding | null {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return 'identity';
  return encoding === 'gzip' || encoding === 'x-gzip' ? 'gzip' : null;
}

export const UNKNOWN_ENCODING: readonly ErrorDetail[] = [
  { path: 'content-encoding', message: 'must be gzip, or absent' },
];
/** Says what could be sent instead (RFC 7694). */
export const ENCODINGS_HEADER = { 'accept-encoding': 'gzip' } as const;

export type BodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: ErrorCode; readonly details: readonly ErrorDetail[] };

/**
 * The body as it was before its encoding. Inflating stops at the limit, so that what a small body can cost is bounded by
 * what a large one may.
 */
export function readBody(bytes: Uint8Array, encoding: BodyEncoding, sizeMaxBytes: number): BodyResult {
  if (bytes.byteLength > sizeMaxBytes) return tooLarge(sizeMaxBytes);
  if (encoding === 'identity' || bytes.byteLength === 0) return { ok: true, bytes };
  try {
    return { ok: true, bytes: gunzipSync(bytes, { maxOutputLength: sizeMaxBytes }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(sizeMaxBytes);
    const details = [{ path: '', message: 'must be gzip, as Content-Encoding says' }];
    return { ok: false, code: 'invalid_json', details };
  }
}

export function sizeDetails(sizeMaxBytes: number): readonly ErrorDetail[] {
  return [{ path: '', message: `must be at most ${sizeMaxBytes} bytes, not compressed` }];
}

function tooLarge(sizeMaxBytes: number): BodyResult {
  return { ok: false, code: 'payload_too_large', details: sizeDetails(sizeMaxBytes) };
}
