// What a platform says later of an event that it took, where it can be asked: a success of the first answer is `accepted`, and
// only this makes it `confirmed`. Pure.

/** From the time of delivery on: https://developers.google.com/data-manager/api/devguides/diagnostics wants 30 minutes, and up to a day. */
const ASKED_AFTER_SEC = [1_800, 5_400, 12_600, 27_000, 55_800, 86_400] as const;

/** Of one request. Longer ids, and ids with other characters, are not kept. */
const REQUEST_ID = /^[\w.:/+=~-]{1,100}$/;

/**
 * `waiting`: accepted, and asked at `askAtMs` · `confirmed` · `partly`: events of its request were rejected, and the platform
 * does not say which · `rejected`: the delivery has FAILED · `never`: it could not be learnt, for `reason`.
 */
export const CONFIRMATION_WORDS = ['waiting', 'confirmed', 'partly', 'rejected', 'never'] as const;

export interface Confirmation {
  readonly word: (typeof CONFIRMATION_WORDS)[number];
  /** The platform's id of the request. */
  readonly request: string;
  /** Of `waiting`. */
  readonly askAtMs?: number;
  /** Of `partly`, where the platform counts them. */
  readonly rejected?: number;
  readonly of?: number;
  /** Of `partly` and `never`: a stable machine word. */
  readonly reason?: string;
}

/** What one answer about a request says of an event in it. */
export type Said =
  | { readonly word: 'confirmed' }
  | { readonly word: 'rejected'; readonly reason: string }
  | {
      readonly word: 'partly';
      readonly reason: string;
      readonly rejected?: number;
      readonly of?: number;
    }
  | { readonly word: 'never'; readonly reason: string }
  /** Ask again. */
  | { readonly word: 'waiting' };

/** Why it ended without a word, where a day of questions has passed. */
export const NEVER_DONE = 'never_done';

/** Undefined for an id that is none. */
export const waitingFor = (request: string, deliveredAtMs: number): Confirmation | undefined =>
  REQUEST_ID.test(request)
    ? { word: 'waiting', request, askAtMs: deliveredAtMs + ASKED_AFTER_SEC[0] * 1_000 }
    : undefined;

/** The next one after an answer at `nowMs`. */
export function afterAnswer(
  { request }: Confirmation,
  said: Said,
  deliveredAtMs: number,
  nowMs: number,
): Confirmation {
  if (said.word !== 'waiting') {
    const { word, ...rest } = said;
    return word === 'rejected' ? { word, request } : { word, request, ...rest };
  }
  const next = ASKED_AFTER_SEC.map((sec) => deliveredAtMs + sec * 1_000).find((atMs) => atMs > nowMs);
  if (next === undefined) return { word: 'never', request, reason: NEVER_DONE };
  return { word: 'waiting', request, askAtMs: next };
}

/** The same text for equal ones, with any order of their keys. */
export const spelledConfirmation = (confirmation: Confirmation | undefined): string => {
  if (confirmation === undefined) return '';
  const { word, request, askAtMs, rejected, of, reason } = confirmation;
  return JSON.stringify([word, request, askAtMs, rejected, of, reason]);
};
