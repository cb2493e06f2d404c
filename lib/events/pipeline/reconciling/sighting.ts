// A stored event as a reconciliation sees it: its order, and its outcome at each compared place. Guarantees: nothing is
// decrypted; a row that is not normalized yet counts as waiting at every place.
import { hash } from 'node:crypto';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { PlaceSighting, Sighting } from '../../domain/analytics/order-standing.ts';
import { isWithdrawn } from '../../domain/connections/connection.ts';
import { TERMINAL_STATES } from '../../domain/deliveries/delivery.ts';
import { PENDING } from '../../domain/deliveries/progress.ts';
import { toAmount } from '../../domain/event/decimal.ts';
import { canonicalEventName } from '../../domain/event/names.ts';
import type { AcceptedRow, EventRow, NormalizedRow, StoredEvent } from '../../domain/event/row.ts';
import type { ComparedPlace } from '../../domain/reconciliation/reconciliation.ts';
import { rootOf } from '../../domain/replays/replay-id.ts';
import { SERVER_COPY } from '../server-copies.ts';
import { NOT_CONNECTED } from '../verdicts.ts';

/**
 * The names of an order in a row: its order id if the event is a purchase, and the event id, of the original for a
 * replay.
 */
export interface OrderNames {
  readonly orderId?: string;
  readonly eventId: string;
}

export function namesOf(row: EventRow): OrderNames {
  const eventId = rootOf(row.key.eventId);
  const event = eventOf(row);
  if (event !== undefined) return { eventId, ...orderId(event.name, event.orderId) };
  const { body } = row as AcceptedRow;
  return { eventId, ...orderId(canonicalEventName(body.event_name), body.order_id) };
}

function orderId(name: string, sent: string | undefined): Pick<OrderNames, 'orderId'> {
  const id = sent?.trim();
  return name === 'Purchase' && id !== undefined && id !== '' ? { orderId: id } : {};
}

/** An original purchase: not of a crawler, not a replay, not a copy that yielded to a server event. */
export function ownPurchaseAtMs(row: EventRow): number | undefined {
  if (namesOf(row).orderId === undefined) return undefined;
  if (row.state === 'accepted') {
    const { event_time: time, internal } = row.body;
    return internal?.bot === true || internal?.replay === true ? undefined : eventTimeMs(time);
  }
  const { event, verdicts } = row;
  const hasYielded = Object.values(verdicts).includes(SERVER_COPY);
  return event.bot === true || event.replay === true || hasYielded ? undefined : event.eventTimeSec * 1_000;
}

const MILLISECONDS_FROM = 1_000_000_000_000;
const eventTimeMs = (time: number): number => (time >= MILLISECONDS_FROM ? time : time * 1_000);

/** Of a row with its outcomes. */
export function sightingOf(row: EventRow, places: readonly ComparedPlace[]): Sighting {
  const event = eventOf(row);
  const base = { eventId: rootOf(row.key.eventId), channel: row.key.channel };
  if (event === undefined)
    return { ...base, ...saidByBody(row as AcceptedRow), places: waiting(row, places) };
  const { value, currency, noOrderDedup } = event;
  return {
    ...base,
    dedupKey: shortened(row.state === 'normalized' ? event.dedupId : dedupIdOf(row)),
    ...withoutUndefined({ value, currency }),
    ...(noOrderDedup === true ? { noOrderDedup } : {}),
    places:
      row.state === 'accepted'
        ? waiting(row, places)
        : Object.fromEntries(places.map((place) => [place.slot, placeOf(row, place)])),
  };
}

const eventOf = (row: EventRow): StoredEvent | undefined =>
  row.state === 'normalized' ? row.event : row.replayOf?.event;

const dedupIdOf = ({ body, key }: AcceptedRow): string => body.internal?.dedup_id ?? key.eventId;

function saidByBody(row: AcceptedRow): Pick<Sighting, 'dedupKey' | 'value' | 'currency'> {
  const { value, currency } = row.body;
  return {
    dedupKey: shortened(dedupIdOf(row)),
    ...(value === undefined || currency === undefined ? {} : { value: toAmount(value, currency), currency }),
  };
}

/** 60 bits: enough to distinguish the few events of one order. */
const shortened = (dedupId: string): string => hash('sha256', dedupId, 'base64url').slice(0, 10);

function waiting(row: EventRow, places: readonly ComparedPlace[]): Record<string, PlaceSighting> {
  const isBot = row.state === 'accepted' && row.body.internal?.bot === true;
  const at: PlaceSighting = isBot ? { kind: 'kept', reason: 'bot' } : { kind: 'waits' };
  return Object.fromEntries(places.map(({ slot }) => [slot, at]));
}

function placeOf(row: NormalizedRow, { slot, sinceVersion }: ComparedPlace): PlaceSighting {
  const verdict = row.verdicts[slot] ?? NOT_CONNECTED;
  const delivery = row.deliveries[slot];
  if (delivery?.state === 'DELIVERED')
    return { kind: 'taken', atMs: delivery.deliveredAtMs ?? delivery.updatedAtMs };
  if (verdict !== PENDING && delivery === undefined) return { kind: 'kept', reason: verdict };
  if (delivery !== undefined && TERMINAL_STATES.has(delivery.state))
    return { kind: 'kept', reason: delivery.reason ?? delivery.state.toLowerCase() };
  if (delivery?.state !== 'SENDING' && isWithdrawn({ sinceVersion }, row.routingVersion))
    return { kind: 'kept', reason: NOT_CONNECTED };
  return { kind: 'waits' };
}

/** Its server event is the same order, even under another order id. */
export const hasServerCopy = (row: EventRow): boolean =>
  row.key.channel === 'browser' &&
  row.state === 'normalized' &&
  Object.values(row.verdicts).includes(SERVER_COPY);
