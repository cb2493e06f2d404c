// What the helpdesk's routes read and write alike. Guarantees: lengths are counted in code points; ids and addresses come
// lowercase; a free-form object is small enough to be kept. Refuses texts of nothing but white space where one is required.
import * as z from 'zod';
import { TEXT_LIMITS } from '../domain/account/limits.ts';
import type { HelpdeskScope } from '../domain/account/scopes.ts';

/** Of older paths: they take an API key only. */
export const older = (scope: HelpdeskScope) =>
  ({
    part: 'helpdesk',
    auth: { key: scope, keyHeader: 'x-api-key' },
    rateLimit: { perMinute: 60 },
  }) as const;

/** Of v1 paths: they take an API key, or the session of a member whose role has the scope, and pages call them. */
export const v1 = (scope: HelpdeskScope, perMinute = 60) =>
  ({
    part: 'helpdesk',
    auth: { key: scope, keyHeader: 'x-api-key', session: 'by_scope' },
    rateLimit: { perMinute },
    cors: 'listed',
  }) as const;

/** A UUID of any version: an id that does not exist is a 404, not a 400. */
export const id = z.guid().toLowerCase();
export const idParams = z.object({ id });

// Spelled out for those who read it in the OpenAPI document: classes such as \P{Cc} are not known to every language.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const NOT_BLANK = z.string().regex(/\S/, 'must not be empty').trim();

/** Text of many lines. */
export const text = (maxChars: number) => NOT_BLANK.max(maxChars);

/** Text of one line. */
export const line = (maxChars: number) =>
  NOT_BLANK.max(maxChars).regex(NO_CONTROLS, 'must not hold control characters');

/** Text of one line that may be empty. */
export const openLine = (maxChars: number) =>
  z.string().trim().max(maxChars).regex(NO_CONTROLS, 'must not hold control characters');

/** ASCII only, as HTML forms take it, and no dots but between signs; other addresses come in their punycode form. */
const ADDRESS =
  /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const LOCAL_PART_MAX_CHARS = 64;

/** One that mail can be sent to, as far as its spelling says. */
export const email = z
  .email({ pattern: ADDRESS, error: 'must be an e-mail address' })
  .refine((address) => address.indexOf('@') <= LOCAL_PART_MAX_CHARS, 'must be an e-mail address')
  .max(TEXT_LIMITS.emailChars)
  .toLowerCase();

/** A time with its offset → milliseconds. */
export const timeMs = z.iso
  .datetime({ offset: true, error: 'must be a time with its offset, like 2026-01-31T12:00:00Z' })
  .transform((written) => Date.parse(written));

/** An object of anything, of at most so many bytes as JSON. */
export const freeForm = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown(), { error: 'must be an object' })
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
      `must be at most ${maxBytes} bytes as JSON`,
    );

export const ifMatch = z.object({ 'if-match': z.string().max(200).optional() });
export const ifNoneMatch = z.object({ 'if-none-match': z.string().max(2_000).optional() });

export const ETAG = { etag: 'The version, as If-Match takes it.' } as const;
export const CAPPED = {
  'x-total-capped': '`true` where there may be more than `total`: counting ends there.',
} as const;

export const time = z.iso.datetime();
export const timeOrNull = time.nullable();
export const count = z.int().min(0);
export const success = z.literal(true);

export const successReply = z.object({ success, id: z.string().optional() }).meta({ id: 'SuccessResponse' });

export const paged = { total: count, limit: count, offset: count } as const;

/** Reads one record. */
export const reads = <Shown extends z.ZodType>(shown: Shown) =>
  ({
    method: 'GET',
    params: idParams,
    headers: ifNoneMatch,
    replies: { 200: shown, 304: null },
    replyHeaders: ETAG,
    errors: ['not_found'],
  }) as const;

/** Changes what is given of one record. */
export const changes = <Shown extends z.ZodType>(shown: Shown) =>
  ({
    method: 'PATCH',
    params: idParams,
    headers: ifMatch,
    replies: { 200: shown },
    replyHeaders: ETAG,
    errors: ['not_found', 'precondition_failed'],
  }) as const;

/** Creates one record. */
export const creates = <Shown extends z.ZodType>(shown: Shown, noun: string) =>
  ({
    method: 'POST',
    idempotent: true,
    replies: { 201: shown },
    replyHeaders: { ...ETAG, location: `Path of the ${noun}.` },
  }) as const;
