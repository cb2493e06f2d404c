// What became of the events of a request, for its log line: counts by outcome and by canonical name. Nothing a sender wrote is in
// it: a name of its own counts as `Custom`.
import type { EventTally } from '#lib/core/http/http-message.ts';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import { batchOf } from './read-body.ts';
import type { Answer } from './replies.ts';

export function tallyOf(reply: Answer, value: unknown, list: 'events' | 'batch'): EventTally {
  const events = batchOf(value, list) ?? [value];
  const names: Record<string, number> = {};
  for (const event of events) {
    const name = nameOf(event);
    names[name] = (names[name] ?? 0) + 1;
  }
  const codes = reply.codes ?? [];
  const duplicates = codes.filter((code) => code === 'duplicate_event').length;
  const isRefused = reply.status >= 300 && duplicates === 0;
  const refused = isRefused ? events.length : codes.length - duplicates;
  return { accepted: Math.max(0, events.length - duplicates - refused), duplicates, refused, names };
}

/** Of a message of Segment's: `event` of a track. */
function nameOf(event: unknown): string {
  if (event === null || typeof event !== 'object') return 'Custom';
  const { event_name: name, event: segment } = event as { event_name?: unknown; event?: unknown };
  const said = name ?? segment;
  return typeof said === 'string' && said.length <= 100 ? canonicalEventName(said) : 'Custom';
}
