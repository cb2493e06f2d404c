// The row of a replay, as it enters the pipe. Pure. The replay is an event of its own
// with the content of its original; platforms deduplicate it on the original's id, unless the caller wants it counted
// again.
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { DEDUP_WINDOW_MS } from '../../domain/event/dedup-window.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { AcceptedRow, NormalizedRow } from '../../domain/event/row.ts';
import type { Dedupe } from '../../domain/replays/replay-id.ts';

export interface ReplayWish {
  readonly eventId: string;
  readonly dedupe: Dedupe;
  /** Absent: every platform that is connected when it is normalized. */
  readonly onlyPlatforms?: readonly string[] | undefined;
  readonly takesOver?: boolean;
}

export interface Acceptance {
  readonly ingestId: string;
  readonly receivedAtMs: number;
}

export function replayRow(
  original: NormalizedRow,
  { eventId, dedupe, onlyPlatforms, takesOver = false }: ReplayWish,
  { ingestId, receivedAtMs }: Acceptance,
): AcceptedRow {
  const { event, key } = original;
  return {
    key: { merchantId: key.merchantId, channel: key.channel, eventId },
    ingestId,
    receivedAtMs,
    expiresAtMs: receivedAtMs + DEDUP_WINDOW_MS,
    payloadHash: original.payloadHash,
    state: 'accepted',
    body: {
      event_id: eventId,
      event_name: event.customName ?? event.sentName ?? event.name,
      event_time: event.eventTimeSec,
      source: event.source,
      user_data: {},
      ...(event.value === undefined ? {} : { value: Number(event.value) }),
      ...withoutUndefined({ currency: event.currency, order_id: event.orderId }),
      internal: {
        replay: true,
        dedup_id: dedupe === 'new' ? eventId : event.dedupId,
        ...(event.bot === true ? { bot: true } : {}),
        ...(onlyPlatforms === undefined ? {} : { only_platforms: onlyPlatforms }),
      },
    },
    replayOf: {
      eventId: key.eventId,
      ingestId: original.ingestId,
      event: { ...event, originalReceivedAtMs: event.originalReceivedAtMs ?? original.receivedAtMs },
      ...(takesOver ? { takesOver: true } : {}),
    },
  };
}

/** The event as platforms are to see it, decided under the merchant's routing of today. */
export function replayedEvent(
  original: Omit<NormalizedEvent, 'replay'>,
  row: Pick<AcceptedRow, 'key' | 'body' | 'receivedAtMs'>,
): NormalizedEvent {
  // The original waited for its page, not the replay.
  const { onlyPlatforms: _, pageWait: _w, ...said } = original;
  const { dedup_id: dedupId = row.key.eventId, only_platforms: only } = row.body.internal ?? {};
  return {
    ...said,
    eventId: row.key.eventId,
    dedupId,
    receivedAtMs: row.receivedAtMs,
    replay: true,
    ...(only === undefined ? {} : { onlyPlatforms: only }),
  };
}
