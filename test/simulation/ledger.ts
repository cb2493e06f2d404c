// What the run's observer writes down: what callers were told, what the stores agreed to, what workers got to see.
// The system under test never reads it.
import type { EventKey } from '../../lib/events/domain/event/row.ts';

/** The store agreed to a new acceptance. */
export interface Acceptance {
  readonly key: EventKey;
  readonly ingestId: string;
  readonly receivedAtMs: number;
  readonly nonce: string;
}

/** One request of a caller and what came back. */
export interface Answer {
  readonly key: EventKey;
  /** Identifies the body; the same caller's repetitions carry the same one. */
  readonly nonce: string;
  readonly kind: 'accepted' | 'duplicate' | 'server_copy' | 'unavailable' | 'none';
  /** The accepting host's clock when the request arrived there. */
  readonly hostClockMs: number;
  /** What the caller was told in a 409. */
  readonly acceptedAtMs?: number;
  readonly ingestId?: string;
}

/** A worker saw a platform say yes to this body. */
export interface SeenSuccess {
  readonly platform: string;
  readonly nonce: string;
  readonly invocation: number;
}

export interface Ledger {
  readonly acceptances: Acceptance[];
  readonly answers: Answer[];
  readonly successes: SeenSuccess[];
  /** Ingest id → how often the store agreed to normalize it. */
  readonly normalizations: Map<string, number>;
  /** Invocations that ended and told their queue that all was well. */
  readonly endedWell: Set<number>;
  /** Invocations of the fan-out: what they could not record is left to the queues. */
  readonly sentAtOnce: Set<number>;
  /** Deliveries written. */
  transitions: number;
  /** Ingest id + platform → what was written over a DELIVERED one. */
  readonly overwritten: string[];
  /** What stages reported as going wrong, with its count. */
  readonly problems: Map<string, number>;
  auditDrift: number;
}

export function createLedger(): Ledger {
  return {
    acceptances: [],
    answers: [],
    successes: [],
    normalizations: new Map(),
    endedWell: new Set(),
    sentAtOnce: new Set(),
    transitions: 0,
    overwritten: [],
    problems: new Map(),
    auditDrift: 0,
  };
}

export function keyId(key: EventKey): string {
  return `${key.merchantId}/${key.channel}/${key.eventId}`;
}
