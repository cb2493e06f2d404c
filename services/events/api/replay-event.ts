// One event, sent once more. Guarantees: what is refused has stored nothing; a retry by hand that is asked for twice at once is
// one event.
import type { Failure } from '../../../lib/core/http/handler.ts';
import type { NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import { replayIdOf } from '../../../lib/events/domain/replay-id.ts';
import { claimReplay, tellReplays } from '../../../lib/events/pipeline/replay/claim-replay.ts';
import { openOriginal } from '../../../lib/events/pipeline/replay/original.ts';
import { type ReplayWish, replayRow } from '../../../lib/events/pipeline/replay/replay-row.ts';
import { retriable } from '../../../lib/events/pipeline/replay/take-over.ts';
import { findEvent } from './find-event.ts';
import type { ApiPorts } from './ports.ts';
import { iso } from './wire-time.ts';

type Unsendable = Failure<'not_found' | 'event_processing' | 'event_erased' | 'event_unreadable'>;

/** The event that counts: the server's, or the browser's where there is no other. */
export async function findOriginal(
  merchantId: string,
  eventId: string,
  ports: ApiPorts,
): Promise<NormalizedRow | Unsendable> {
  const found = await findEvent(merchantId, eventId, undefined, ports);
  if (found === null) return { failure: 'not_found' };
  const original = await openOriginal(found.row, ports.eventVault);
  if (original.kind === 'there') return original.row;
  return { failure: `event_${original.kind}` };
}

export interface Replayed {
  readonly ok: true;
  readonly replayed_at: string;
  readonly event_id: string;
}

export async function sendAgain(
  original: NormalizedRow,
  wish: Omit<ReplayWish, 'eventId'>,
  seed: readonly string[],
  ports: ApiPorts,
): Promise<Replayed> {
  const eventId = replayIdOf(original.key.eventId, [original.key.channel, original.ingestId, ...seed]);
  const nowMs = ports.clock.now();
  const acceptance = { ingestId: ports.random.uuidv7(nowMs), receivedAtMs: nowMs };
  const row = replayRow(original, { ...wish, eventId }, acceptance);
  const merchant = await ports.config.merchant(row.key.merchantId);
  const { clock, report } = ports;
  const head = { ...ports.replaying, clock, report };
  await claimReplay(row, merchant?.shards ?? 1, head);
  // Also one that was there: whoever asks again heals a lost message.
  await tellReplays([row.key], head);
  return { ok: true, replayed_at: iso(nowMs), event_id: eventId };
}

/** The same for two that look at the same deliveries. */
export function retrySeed(original: NormalizedRow): readonly string[] {
  const seen = retriable(original).map((slug) => `${slug}@${original.deliveries[slug]?.updatedAtMs}`);
  return ['retry', ...seen];
}
