// Idempotency-Key (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, read 2026-11-22): a request
// that is repeated with its key gets the first one's answer and does nothing. Guarantees: of requests with one key, one runs
// at a time; a key belongs to one caller and route, and to one path, query and body; a key whose request died may be repeated
// once its lease has ended. What a request did before it died is done: it runs once more then, with the same id root, so that
// a handler that makes its ids from it meets what is there. Answers of 500 and above are not kept: such a request may be
// repeated at once, and runs, with the same root as well, for nobody knows what it did.
import { hash } from 'node:crypto';
import type { Clock, Random } from '../ports/clock.ts';
import type { Vault } from '../ports/vault.ts';
import { actorOf, type Caller } from '../tenancy/caller.ts';
import { type ErrorDetail, type Errors, errorOf } from './errors.ts';
import type { AnyFailure, AnySuccess } from './handler.ts';
import { IDEMPOTENCY_KEY_MAX_CHARS } from './idempotency-key.ts';

/** How long an answer is kept. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;
/** Longer than any request may take. */
export const IDEMPOTENCY_LEASE_MS = 60_000;
/** A larger answer is not kept: its key says for a day that the request was done. */
export const IDEMPOTENT_ANSWER_MAX_BYTES = 256_000;
export const REPLAYED_HEADER = { 'idempotent-replayed': 'true' } as const;

/** Printable ASCII, as a header can carry it. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export type IdempotentAnswer = AnySuccess | AnyFailure;

export interface KeptRequest {
  /** Of path, query and body. */
  readonly digest: string;
  /** Sealed; null while it runs, or after it died. */
  readonly answer: string | null;
}

/** One record for each key, gone after `untilMs`. */
export interface IdempotencyStore {
  /**
   * Takes the key for `holder` until `leaseEndMs`: where it is unknown, expired, or held by a request of the same digest
   * whose lease has ended. Else what is kept of it. `idRoot`: the holder that began it first, of all attempts.
   */
  begin(
    id: string,
    claim: {
      readonly digest: string;
      readonly holder: string;
      readonly leaseEndMs: number;
      readonly untilMs: number;
    },
    nowMs: number,
  ): Promise<{ readonly idRoot: string } | KeptRequest>;
  /** Keeps the answer, unless somebody else has taken the key meanwhile. */
  finish(id: string, holder: string, answer: string): Promise<void>;
  /** Ends the lease, unless somebody else has taken the key meanwhile: a request of the same digest may begin. */
  release(id: string, holder: string): Promise<void>;
}

export interface IdempotencyParts {
  readonly store: IdempotencyStore;
  /** Answers may hold secrets, such as a new API key. */
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  /** Of the product. */
  readonly errors: Errors;
  readonly report: (problem: string, error: unknown) => void;
}

export interface KeyedRequest {
  readonly key: string;
  readonly caller: Caller;
  readonly routeId: string;
  /** With query, as sent. */
  readonly url: string;
  readonly body: Uint8Array;
}

/** What is wrong with a key; undefined where nothing is. */
export function keyProblem(key: string): readonly ErrorDetail[] | undefined {
  if (KEY.test(key)) return undefined;
  const message = `must be 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters of ASCII, without spaces`;
  return [{ path: 'idempotency-key', message }];
}

export async function runOnce(
  request: KeyedRequest,
  run: (idRoot: string) => Promise<IdempotentAnswer>,
  parts: IdempotencyParts,
): Promise<IdempotentAnswer> {
  const { store, clock, random } = parts;
  const { merchantId } = request.caller;
  const id = sha256(
    JSON.stringify([merchantId, actorOf(request.caller), request.routeId, sha256(request.key)]),
  );
  const digest = sha256(Buffer.concat([Buffer.from(`${request.url}\n`), request.body]));
  const nowMs = clock.now();
  const holder = random.uuidv7(nowMs);
  const claim = {
    digest,
    holder,
    leaseEndMs: nowMs + IDEMPOTENCY_LEASE_MS,
    untilMs: nowMs + IDEMPOTENCY_KEPT_MS,
  };
  const begun = await store.begin(id, claim, nowMs);
  if (!('idRoot' in begun)) return await keptAnswer(id, begun, digest, merchantId, parts);
  let answer: IdempotentAnswer;
  try {
    answer = await run(begun.idRoot);
  } catch (error) {
    await quietly('an idempotency key could not be freed', store.release(id, holder), parts);
    throw error;
  }
  if ('failure' in answer && isFreed(answer, parts.errors))
    await quietly('an idempotency key could not be freed', store.release(id, holder), parts);
  else await quietly('an answer could not be kept', keep(id, holder, answer, merchantId, parts), parts);
  return answer;
}

/** What says "again": it did nothing, or not all. */
function isFreed({ failure }: AnyFailure, errors: Errors): boolean {
  const { status } = errorOf(errors, failure);
  return status >= 500 || status === 429;
}

async function keptAnswer(
  id: string,
  kept: KeptRequest,
  digest: string,
  merchantId: string,
  { vault }: IdempotencyParts,
): Promise<IdempotentAnswer> {
  if (kept.digest !== digest) return { failure: 'idempotency_key_reused' };
  if (kept.answer === null) return { failure: 'idempotency_key_in_use', headers: { 'retry-after': '1' } };
  const opened = await vault.open(merchantId, contextOf(id), kept.answer);
  const answer = JSON.parse(opened) as IdempotentAnswer;
  return { ...answer, headers: { ...answer.headers, ...REPLAYED_HEADER } };
}

async function keep(
  id: string,
  holder: string,
  answer: IdempotentAnswer,
  merchantId: string,
  { store, vault }: IdempotencyParts,
): Promise<void> {
  const whole = JSON.stringify(answer);
  const isLarge = Buffer.byteLength(whole) > IDEMPOTENT_ANSWER_MAX_BYTES;
  const kept = isLarge ? JSON.stringify(TOO_LARGE) : whole;
  await store.finish(id, holder, await vault.seal(merchantId, contextOf(id), kept));
}

const TOO_LARGE: AnyFailure = { failure: 'idempotent_answer_too_large' };

/** The effect is there: whoever made it is told so, whatever becomes of the record. */
async function quietly(problem: string, work: Promise<void>, { report }: IdempotencyParts): Promise<void> {
  try {
    await work;
  } catch (error) {
    report(problem, error);
  }
}

const contextOf = (id: string): string => `idempotency|${id}`;
const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
