// A row as the normalize stage leaves it, for proofs that begin behind it.
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import type { EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';

const DAY_MS = 86_400_000;

export function normalizedRow(
  key: EventKey,
  nonce: string,
  ingestId: string,
  receivedAtMs: number,
  targets: readonly string[] = [],
): NormalizedRow {
  return {
    key,
    ingestId,
    receivedAtMs,
    expiresAtMs: receivedAtMs + DAY_MS,
    payloadHash: 'hash',
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
      issues: [],
      known: [],
    },
    routingVersion: 1,
    verdicts: Object.fromEntries(targets.map((slug) => [slug, PENDING])),
    deliveries: {},
    revision: 0,
  };
}
