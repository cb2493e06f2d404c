// Why an event is not sent, for the reasons most platforms share.
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import type { NotTakenBack } from '../domain/orders/refund.ts';
import type { EventIds } from './credential-fields.ts';
import type { EventNames } from './event-name.ts';
import { isDecimal } from './json-body.ts';
import type { Unsendable } from './platform.ts';

export const invalid = (detail: string): Unsendable => ({ verdict: 'invalid', detail });

/** Null where the platform has a name for the event. */
export const nameFault = (name: string | null, { name: detail }: NormalizedEvent): Unsendable | null => {
  if (name !== null) return null;
  return detail === 'Refund' ? notTakenBack('no_way') : { verdict: 'unmapped', detail };
};

export const notTakenBack = (detail: NotTakenBack): Unsendable => ({ verdict: 'not_taken_back', detail });

/** Null where the platform has a use for the event, and the connection, once it is known, an id for it. */
export function eventIdFault(event: NormalizedEvent, names: EventNames, ids?: EventIds): Unsendable | null {
  const hasId = ids === undefined || ids[event.name] !== undefined;
  return nameFault(hasId ? names[event.name] : null, event);
}

/** Null where the amount is a plain decimal with a currency; or there is none and none is needed. */
export function moneyFault({ value, currency }: NormalizedEvent, isNeeded = false): Unsendable | null {
  if (value === undefined) return isNeeded ? invalid('value') : null;
  if (!isDecimal(value)) return invalid('value');
  return currency === undefined ? invalid('currency') : null;
}

/** Null where the platform can try to match a person. */
export const personFault = (isMatchable: boolean): Unsendable | null =>
  isMatchable ? null : invalid('user_data');
