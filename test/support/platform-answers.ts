import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { sampleEvent } from './sample-event.ts';

/** The verdict on an event that lacks this. */
export const invalid = (detail: string) => ({ verdict: 'invalid', detail });

export const sampleEvents = (...dedupIds: readonly string[]): readonly NormalizedEvent[] =>
  dedupIds.map((dedupId) => sampleEvent({ dedupId }));

/** What a platform says of the events of a request once it has this answer; text goes out as it is, all else as JSON. */
export function answersOf(
  { readResponse }: Pick<Platform, 'readResponse'>,
  events: readonly NormalizedEvent[],
  headers: Readonly<Record<string, string>> = { 'retry-after': '5' },
) {
  const read = (status: number, answer: unknown, sent = events) => {
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return readResponse({ kind: 'response', status, headers, body }, sent);
  };
  const kinds = (status: number, answer: unknown) => read(status, answer).map(({ kind }) => kind);
  return { read, kinds };
}
