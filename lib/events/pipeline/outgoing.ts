// What goes to a platform. Apart from rules, so that functions that only read events do not load the finders.
import { fromMinorUnits } from '../domain/event/decimal.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import { type OutgoingEvent, toOutgoing } from '../domain/privacy/outgoing-event.ts';
import { seenBy } from './rules/rewrite.ts';

/** The event as it goes to this place at a platform: changed by rules, and without what is personal beside declared identity. */
export const outgoingFor = (target: string, event: NormalizedEvent): OutgoingEvent =>
  toOutgoing(seenBy(target, asTakenBack(event)));

/** What a refund takes back goes out, which may be less than it says, and more than nothing where it says no amount. */
function asTakenBack(event: NormalizedEvent): NormalizedEvent {
  if (event.refund === undefined) return event;
  const { currency, minor } = event.refund;
  return { ...event, currency, value: fromMinorUnits(BigInt(minor), currency) };
}
