// Erases what is stored of one person: a job, and once it is done its receipt. It reads all rows of the merchant that
// may still have something, pass after pass, until a pass finds nothing and could read everything. Guarantees: the
// person's identifiers are stored encrypted until the job is done; afterwards only a digest is left, salted with the id
// of the receipt. While there are unreadable rows the job is not done: it rests, and tries again.
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { growingWait } from '#lib/core/work/retry-policy.ts';

/** Of the current pass, or of the last one. */
const counts = z.looseObject({
  seen: z.number(),
  /**
   * Acceptances with this erasure's mark, including those of earlier passes, so that a repeated page counts the same.
   */
  erased: z.number(),
  /** Rows that were not written, because another process wrote them first. */
  missed: z.number(),
  /** Rows that still had data from before the erasure was requested: another pass must follow. */
  again: z.number(),
  /** Rows that cannot be read: whether they are the person's is unknown. */
  unreadable: z.number(),
});
export type ErasureCounts = StoredAs<typeof counts>;

/** The deletion at one connection. */
const passing = z.looseObject({
  connectionId: z.string(),
  /** Its place (target.ts). */
  slot: z.string(),
  platform: z.string(),
  name: z.string(),
  /**
   * `waiting`: no answer yet that says yes or no · `refused`: in the platform's words, and tried again · `not_offered`: the platform
   * documents none · `no_rights`: it does, for other rights · `not_named`: it finds people by other names than those given · `removed`: the
   * connection is gone.
   */
  state: z.enum(['waiting', 'passed_on', 'refused', 'not_offered', 'no_rights', 'not_named', 'removed']),
  /** How many of its requests the platform has taken, in their order. */
  taken: z.number(),
  /** It is not asked again. */
  isFinal: z.literal(true).exactOptional(),
  /** Of the last answer. */
  atMs: z.number().exactOptional(),
  /** Not tried before. */
  nextAtMs: z.number().exactOptional(),
  status: z.number().exactOptional(),
  code: z.string().exactOptional(),
  /** The platform's own words, without what is personal. */
  message: z.string().exactOptional(),
});
export type Passing = StoredAs<typeof passing>;

export const STORED_ERASURE = z.looseObject({
  merchantId: z.string(),
  /** UUIDv7. */
  id: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** When the receipt itself is deleted. */
  expiresAtMs: z.number(),
  state: z.enum(['running', 'done']),
  /** Moves with every write; a message that names another one is out of date. */
  version: z.number(),
  subjectDigest: z.string(),
  /** The person was put on the list of suppressed people. */
  suppresses: z.literal(true).exactOptional(),
  /** Digests of the person, under the merchant's data key; gone when the job is done. */
  sealedSubject: z.string().exactOptional(),
  /** Who is to be deleted at platforms, as they want it, under the merchant's data key; gone when none is to be asked any more. */
  sealedPerson: z.string().exactOptional(),
  /** The deletion at each connection there was when it was asked for. */
  passing: z.array(passing).exactOptional(),
  /** From when on platforms were asked: once nothing of the person was on its way to them. */
  passingSinceMs: z.number().exactOptional(),
  /** Since then nothing is left here; what follows is of platforms alone. */
  ownDoneAtMs: z.number().exactOptional(),
  /** The current pass, from 1. */
  pass: z.number(),
  /** The pass does not begin before this time. */
  notBeforeMs: z.number(),
  /** The pass reads rows received in [fromMs, toMs); `toMs` is set once the pass has begun. */
  fromMs: z.number(),
  toMs: z.number().exactOptional(),
  /** The last row it has read. */
  cursor: z.looseObject({ receivedAtMs: z.number(), ingestId: z.string() }).exactOptional(),
  counts,
});
export type Erasure = StoredAs<typeof STORED_ERASURE>;

export const NO_COUNTS: ErasureCounts = { seen: 0, erased: 0, missed: 0, again: 0, unreadable: 0 };

export const ERASURE_LIMITS = {
  /** Per merchant at once; each reads all of its rows. */
  runningMax: 20,
  /** Days for which a receipt can be read. */
  keptDays: 400,
} as const;

/** By then every row is in the time index. */
export const SETTLED_MS = 15_000;
/**
 * Rest between two passes: longer than the run time of any function that copies personal data from one row into another
 * (an id taken again, a replay, a normalization).
 */
export const IN_FLIGHT_MS = 120_000;

/** The pass found nothing that might have been copied while it ran. */
export function isClean({ pass, counts }: Pick<Erasure, 'pass' | 'counts'>): boolean {
  return counts.again === 0 && counts.missed === 0 && (pass > 1 || counts.erased === 0);
}

/** Unreadable rows may have the person: the erasure reads them again once a later release, or a repair, can. */
export const waitsForRows = ({ state, toMs, counts }: Erasure): boolean =>
  state === 'running' && toMs === undefined && counts.unreadable > 0;

/** Nothing is left of the person here, whatever platforms say. */
export const isOwnDone = ({ state, ownDoneAtMs }: Pick<Erasure, 'state' | 'ownDoneAtMs'>): boolean =>
  state === 'done' || ownDoneAtMs !== undefined;

/** A platform that refuses, or does not answer, is asked again for as long as an event is tried. */
export const PASSING_MS = 7 * 86_400_000;
const PASSING_REST = { share: 1 / 4, minMs: 5 * 60_000, maxMs: 12 * 3_600_000 };

export const passingRestMs = (sinceMs: number, nowMs: number): number =>
  growingWait(PASSING_REST, nowMs - sinceMs);

/** It is asked, or asked again. */
export const isOpen = ({ state, isFinal }: Pick<Passing, 'state' | 'isFinal'>): boolean =>
  isFinal !== true && (state === 'waiting' || state === 'refused');

const UNREADABLE_REST = { share: 1 / 4, minMs: 6 * 3_600_000, maxMs: 24 * 3_600_000 };

/** The rest until unreadable rows are tried again. It grows, because each pass reads all rows of the merchant. */
export const unreadableRestMs = ({ createdAtMs }: Pick<Erasure, 'createdAtMs'>, nowMs: number): number =>
  growingWait(UNREADABLE_REST, nowMs - createdAtMs);

/** Proves that a receipt belongs to a person, to a reader who knows both; the person cannot be found by it. */
export function receiptDigest(erasureId: string, digests: readonly string[]): string {
  return hash('sha256', JSON.stringify([erasureId, ...[...digests].sort()]), 'hex');
}
