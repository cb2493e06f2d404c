// What goes to a platform. Apart from rules, so that functions that only read events do not load the finders.
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import { type OutgoingEvent, toOutgoing } from '../domain/privacy/outgoing-event.ts';
import { seenBy } from './rules/rewrite.ts';

/** The event as it goes to this platform: changed by rules, and without what is personal beside declared identity. */
export const outgoingFor = (slug: string, event: NormalizedEvent): OutgoingEvent =>
  toOutgoing(seenBy(slug, event));
