// What an object is called. The name says which events are in it, so that another attempt at the same ones makes the same object.
import { createHash } from 'node:crypto';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { acceptedAtMs } from './line.ts';

const DIGEST_CHARS = 40;

/** `dt=2026-11-20/hour=12`, UTC: events of one object share it. */
export function partitionOf(event: NormalizedEvent): string {
  const [day, time = ''] = new Date(acceptedAtMs(event)).toISOString().split('T');
  return `dt=${day}/hour=${time.slice(0, 2)}`;
}

/** Of one partition, in any order. A test lies where the table does not look. */
export function objectName(
  events: readonly NormalizedEvent[],
  { prefix, test }: { readonly prefix: string | undefined; readonly test: boolean },
): string {
  const [first] = events;
  if (first === undefined) throw new RangeError('an object has at least one event');
  const ids = events.map(({ merchantId, channel, dedupId }) =>
    JSON.stringify([merchantId, channel, dedupId]),
  );
  const digest = createHash('sha256').update(ids.sort().join('\n')).digest('hex').slice(0, DIGEST_CHARS);
  const folder = `${test ? 'tests' : 'events'}/${partitionOf(first)}`;
  return `${prefix === undefined ? '' : `${prefix}/`}${folder}/${digest}.ndjson.gz`;
}
