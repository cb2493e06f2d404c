// What erasing leaves of a row. Counters, deliveries and the event's value stay. The digest of the whole body goes too:
// with the rest of the body it would allow finding the missing e-mail address or number by trial.
import type { EventBody } from '../event/event.ts';
import type { AcceptedRow, EventRow, NormalizedRow } from '../event/row.ts';

/** The payload hash of an erased body. */
export const NO_PAYLOAD_HASH = '0'.repeat(32);

export function withoutPerson(row: AcceptedRow, erasedBy: string): AcceptedRow;
export function withoutPerson(row: NormalizedRow, erasedBy: string): NormalizedRow;
export function withoutPerson(row: EventRow, erasedBy: string): EventRow;
export function withoutPerson(row: EventRow, erasedBy: string): EventRow {
  const marked = { payloadHash: NO_PAYLOAD_HASH, erasedBy };
  if (row.state === 'accepted') {
    const { replayOf } = row;
    const body = bodyWithoutPerson(row.body);
    if (replayOf === undefined) return { ...row, ...marked, body };
    const { sealed: _, ...event } = replayOf.event;
    return { ...row, ...marked, body, replayOf: { ...replayOf, event } };
  }
  const { sealed: _, ...event } = row.event;
  return { ...row, ...marked, event };
}

/** Keeps names, money, order and items; leaves out what normalization would encrypt. */
export function bodyWithoutPerson({
  user_data: _u,
  event_source_url: _e,
  referrer_url: _r,
  custom_data: _c,
  app,
  ...clear
}: EventBody): EventBody {
  // It says where the event happened, too.
  const where = app === undefined ? {} : { action_source: clear.action_source ?? ('app' as const) };
  return { ...clear, ...where, user_data: {} };
}
