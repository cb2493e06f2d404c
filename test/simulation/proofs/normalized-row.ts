// A row as the normalize stage leaves it, for proofs that begin behind it.
import type { EventKey, NormalizedRow } from '../../../lib/ports/event-store.ts';

const DAY_MS = 86_400_000;

export function normalizedRow(
  key: EventKey,
  nonce: string,
  ingestId: string,
  receivedAtMs: number,
): NormalizedRow {
  return {
    key,
    ingestId,
    receivedAtMs,
    expiresAtMs: receivedAtMs + DAY_MS,
    payloadHash: 'hash',
    dueAtMs: receivedAtMs + 60_000,
    sweeps: 0,
    state: 'normalized',
    event: {
      ...key,
      dedupId: key.eventId,
      name: 'Lead',
      eventTimeSec: Math.floor(receivedAtMs / 1_000),
      receivedAtMs,
      source: 'server',
      actionSource: 'website',
      orderId: nonce,
      items: [],
      consent: {},
      hashed: {},
      raw: {},
      issues: [],
    },
    routingVersion: 1,
    deliveries: {},
    revision: 0,
  };
}
