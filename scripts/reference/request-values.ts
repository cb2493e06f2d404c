// A platform's request as a list of values, and the difference between two of them: what the reference says of requests
// is found by building them.

import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { SAMPLE_TIME_SEC } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import { toOutgoing } from '../../lib/events/domain/privacy/outgoing-event.ts';
import type { HttpRequest, Platform } from '../../lib/events/platforms/platform.ts';

export interface Difference {
  /** `path: value` of what only the second has. */
  readonly came: readonly string[];
  /** `path: value` of what only the first has. */
  readonly gone: readonly string[];
}

/** With the credentials of the example, and everything a caller supplies at hand. */
export function requestFor(
  platform: Platform,
  example: PlatformExample,
  event: NormalizedEvent,
  test = false,
): HttpRequest {
  return platform.buildRequest([toOutgoing(event)], platform.credentials.parse(example.credentials), {
    test,
    nowMs: (SAMPLE_TIME_SEC + 60) * 1_000,
    nonce: 'a0b1c2d3e4f5a6b7',
    accessToken: 'access-token-0123456789',
  });
}

/** `path: value` of every value of a JSON text; positions in lists do not count. */
export const valuesOf = (json: string): readonly string[] => flat(JSON.parse(json), '');

function flat(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => flat(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, item]) => flat(item, path === '' ? key : `${path}.${key}`));
}

export const pathOf = (entry: string): string => entry.slice(0, entry.indexOf(': '));

export function difference(before: readonly string[], after: readonly string[]): Difference {
  return { came: without(after, before), gone: without(before, after) };
}

/** What `from` has more often than `other`. */
function without(from: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return from.filter((entry) => {
    const at = left.indexOf(entry);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
