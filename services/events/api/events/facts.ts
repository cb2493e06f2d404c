// One row, whatever its state, as the list sees it: what it is filtered, sorted and shown by.

import { eventTimeSec } from '#lib/events/domain/event/event.ts';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import { type EventRow, sourceOf } from '#lib/events/domain/event/row.ts';
import { isTestBody } from '#lib/events/domain/event/test-mode.ts';
import { iso } from '../wire-time.ts';

export function factsOf(row: EventRow) {
  if (row.state === 'normalized') {
    const { event } = row;
    return {
      canonicalName: event.name,
      /** The name as sent where it is not a canonical one or an alias. */
      customName: event.customName,
      eventTimeSec: event.eventTimeSec,
      source: event.source,
      value: event.value === undefined ? undefined : Number(event.value),
      currency: event.currency,
      orderId: event.orderId,
      bot: event.bot === true,
      test: event.test === true,
    };
  }
  const { body } = row;
  const canonicalName = canonicalEventName(body.event_name);
  return {
    canonicalName,
    customName: canonicalName === 'Custom' ? body.event_name : undefined,
    eventTimeSec: eventTimeSec(body.event_time),
    source: sourceOf(row),
    value: body.value,
    currency: body.currency,
    orderId: body.order_id,
    bot: body.internal?.bot === true && !isTestBody(body),
    test: isTestBody(body),
  };
}

/** What every list says of an event first. */
export function eventHead(row: EventRow) {
  const { customName, canonicalName } = factsOf(row);
  return {
    event_id: row.key.eventId,
    trust: row.key.channel,
    event_name: customName ?? canonicalName,
    received_at: iso(row.receivedAtMs),
  };
}
