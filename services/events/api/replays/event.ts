// One event, sent once more. Guarantees: what is refused has stored nothing; a retry by hand that is asked for twice at once is
// one event.
import type { Failure } from '#lib/core/http/handler.ts';
import { IDEMPOTENCY_KEPT_MS } from '#lib/core/http/idempotency.ts';
import { actorOf, type Caller } from '#lib/core/tenancy/caller.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { isTestId } from '#lib/events/domain/event/test-mode.ts';
import { replayIdOf } from '#lib/events/domain/replays/replay-id.ts';
import { claimReplay, tellReplays } from '#lib/events/pipeline/replay/claim-replay.ts';
import { openOriginal } from '#lib/events/pipeline/replay/original.ts';
import { type ReplayWish, replayRow } from '#lib/events/pipeline/replay/replay-row.ts';
import { findEvent } from '../events/find-event.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type Unsendable = Failure<
  'not_found' | 'event_processing' | 'event_erased' | 'event_unreadable' | 'event_test'
>;

/** The event that counts: the server's, or the browser's where there is no other. */
export async function findOriginal(
  merchantId: string,
  eventId: string,
  ports: ApiPorts,
): Promise<NormalizedRow | Unsendable> {
  const found = await findEvent(merchantId, eventId, undefined, ports);
  if (found === null) return { failure: 'not_found' };
  if (isTestId(found.row.key.eventId)) return { failure: 'event_test' };
  const original = await openOriginal(found.row, ports.eventVault);
  if (original.kind === 'there') return original.row;
  return { failure: `event_${original.kind}` };
}

export interface Replayed {
  readonly success: true;
  readonly ok: true;
  readonly replayed_at: string;
  readonly event_id: string;
}

/** `seed`: of the same one, and within a day where it is a caller's key, there is one event. */
export async function sendAgain(
  original: NormalizedRow,
  wish: Omit<ReplayWish, 'eventId'>,
  seed: ReplaySeed,
  ports: ApiPorts,
): Promise<Replayed> {
  const nowMs = ports.clock.now();
  const acceptance = { ingestId: ports.random.uuidv7(nowMs), receivedAtMs: nowMs };
  const { clock, report } = ports;
  const head = { ...ports.replaying, clock, report };
  const { merchantId, channel, eventId: originalId } = original.key;
  const merchant = await ports.config.merchant(merchantId);
  for (let turn = 0; ; turn++) {
    const words = [channel, original.ingestId, ...seed.words, ...(turn === 0 ? [] : [String(turn)])];
    const eventId = replayIdOf(originalId, words);
    const row = replayRow(original, { ...wish, eventId }, acceptance);
    const isNew = (await claimReplay(row, merchant?.shards ?? 1, head)) === 'claimed';
    const atMs = isNew ? nowMs : ((await ports.events.read(row.key))?.receivedAtMs ?? nowMs);
    if (seed.endsAfterMs !== undefined && nowMs - atMs >= seed.endsAfterMs) continue;
    // Also one that was there: whoever asks again heals a lost message.
    await tellReplays([row.key], head);
    return { success: true, ok: true, replayed_at: iso(atMs), event_id: eventId };
  }
}

/** What makes a replay the one it is. */
export interface ReplaySeed {
  readonly words: readonly string[];
  /** After this time the same words make another one. */
  readonly endsAfterMs?: number;
}

/** With a key: the same replay for the same request; without one: another for each. */
export function requestSeed(
  key: string | undefined,
  { caller, wish }: { readonly caller: Caller; readonly wish: Omit<ReplayWish, 'eventId'> },
  { random, clock }: Pick<ApiPorts, 'random' | 'clock'>,
): ReplaySeed {
  if (key === undefined) return { words: [random.uuidv7(clock.now())] };
  const { dedupe, onlyPlatforms = ['every platform'] } = wish;
  const words = ['key', actorOf(caller), key, dedupe, ...onlyPlatforms];
  return { words, endsAfterMs: IDEMPOTENCY_KEPT_MS };
}
