// Erasing what is known of one person: a job, and once it is done its receipt. It looks through all rows of the merchant that
// may still hold something, pass after pass, until a pass finds nothing and could read everything. Guarantees: who it is about
// lies in it sealed, until it is done; afterwards only a digest is left, salted with the id of the receipt. While there are rows
// that nobody can read it is not done: it rests, and looks again.
import { hash } from 'node:crypto';
import { growingWait } from '#lib/core/work/retry-policy.ts';

export interface ErasureCursor {
  readonly receivedAtMs: number;
  readonly ingestId: string;
}

export interface Erasure {
  readonly merchantId: string;
  /** UUIDv7. */
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When the receipt itself is deleted. */
  readonly expiresAtMs: number;
  readonly state: 'running' | 'done';
  /** Moves with every write; a message that names another one is out of date. */
  readonly version: number;
  readonly subjectDigest: string;
  /** Digests of the person, under the merchant's data key; gone when the job is done. */
  readonly sealedSubject?: string;
  /** The pass under way, from 1. */
  readonly pass: number;
  /** Nobody begins the pass before. */
  readonly notBeforeMs: number;
  /** It looks at what was received in [fromMs, toMs); `toMs` is there once the pass has begun. */
  readonly fromMs: number;
  readonly toMs?: number;
  /** The last row it has looked at. */
  readonly cursor?: ErasureCursor;
  readonly counts: ErasureCounts;
}

/** Of the pass under way, or of the last one. */
export interface ErasureCounts {
  readonly seen: number;
  /** Acceptances that bear this erasure's mark: those of earlier passes too, so that a repeated page counts the same. */
  readonly erased: number;
  /** Rows that could not be written, because somebody else wrote them. */
  readonly missed: number;
  /** Rows that still held what had come before the erasure was asked for: another pass must follow. */
  readonly again: number;
  /** Rows that nobody can read: whose they are cannot be said. */
  readonly unreadable: number;
}

export const NO_COUNTS: ErasureCounts = { seen: 0, erased: 0, missed: 0, again: 0, unreadable: 0 };

export const ERASURE_LIMITS = {
  /** Of one merchant at once; each reads all of its rows. */
  runningMax: 20,
  /** Days for which a receipt can be read. */
  keptDays: 400,
} as const;

/** By then every row is in the time index. */
export const SETTLED_MS = 15_000;
/**
 * Rest between two passes: longer than any function may run that takes what is personal out of one row and puts it into
 * another (an id taken again, a replay, a normalization).
 */
export const IN_FLIGHT_MS = 120_000;

/** The pass found nothing that might have been copied while it looked. */
export function isClean({ pass, counts }: Pick<Erasure, 'pass' | 'counts'>): boolean {
  return counts.again === 0 && counts.missed === 0 && (pass > 1 || counts.erased === 0);
}

/** Rows cannot be read, and may hold the person: it is looked for again when they may be, by a later release or mended. */
export const waitsForRows = ({ state, toMs, counts }: Erasure): boolean =>
  state === 'running' && toMs === undefined && counts.unreadable > 0;

const UNREADABLE_REST = { share: 1 / 4, minMs: 6 * 3_600_000, maxMs: 24 * 3_600_000 };

/** How long it rests until it looks again at rows that nobody could read: each pass reads all rows of the merchant. */
export const unreadableRestMs = ({ createdAtMs }: Pick<Erasure, 'createdAtMs'>, nowMs: number): number =>
  growingWait(UNREADABLE_REST, nowMs - createdAtMs);

/** Who knows the person and the receipt can tell that they belong together; nobody finds the person by it. */
export function receiptDigest(erasureId: string, digests: readonly string[]): string {
  return hash('sha256', JSON.stringify([erasureId, ...[...digests].sort()]), 'hex');
}
