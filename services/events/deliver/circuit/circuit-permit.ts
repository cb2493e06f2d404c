// What a gate does with the deliveries of a job, of rows and batches alike: send, park, or leave parked.
// Guarantees: parking takes one write and no lease; if another process has written the delivery in the meantime, its
// write stays.
import type { Delivery, ParkingReason } from '#lib/events/domain/deliveries/delivery.ts';
import { isParked, isSendable } from '#lib/events/domain/deliveries/progress.ts';
import { isLastChance, isUnaccounted, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { DeliveryWindow } from '#lib/events/domain/deliveries/window.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { type Pursuit, windowOf } from '#lib/events/pipeline/acceptance-window.ts';
import type { JobPace } from '#lib/events/pipeline/connections/pace.ts';
import { outgoingFor } from '#lib/events/pipeline/outgoing.ts';
import { closedEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { Gate } from '../gate.ts';
import type { DeliverPorts } from '../ports.ts';
import type { Transition } from '../transitions.ts';

/** The gate, whether it allows one more event, and how long the connection's events are pursued. */
export interface CircuitPermit {
  readonly gate: Gate;
  readonly pursuit: Pursuit;
  readonly allows: () => boolean;
  /** Whether the platform's quota has room for it. */
  readonly hasRoom: JobPace['hasRoom'];
}

/** A delivery to park instead of sending. It takes no lease. */
export interface Parked {
  readonly event: OutgoingEvent;
  readonly window: DeliveryWindow;
  readonly parking: Parking;
}

export interface Parking {
  readonly reason: ParkingReason;
  /** Another worker may have sent it without a trace, and no lease has recorded that yet. */
  readonly unaccounted: boolean;
}

/** True if it is worth reading: it is due, or the gate may release parked ones. */
export function isSendableNow(
  delivery: Delivery | undefined,
  { gate }: CircuitPermit,
  nowMs: number,
): boolean {
  return isSendable(delivery, nowMs) || (gate.pass !== 'none' && isParked(delivery));
}

/** Null if it is to be sent. At the last chance before its window closes it is sent even if the platform is down. */
export async function parkIfClosed(
  row: NormalizedRow,
  delivery: Delivery | undefined,
  { platform, target, isFirst, permit }: ParkIfClosed,
  ports: DeliverPorts,
): Promise<Parked | 'parked already' | null> {
  const { gate, allows, hasRoom, pursuit } = permit;
  // It is no probe of the circuit.
  if (row.event.test === true) return null;
  const seen = () => outgoingFor(target, closedEvent(row));
  const isAllowed = allows();
  if (isAllowed && (await hasRoom(seen, isParked(delivery)))) return null;
  const nowMs = ports.clock.now();
  if (isParked(delivery) && !isSendable(delivery, nowMs)) return 'parked already';
  const reason = isAllowed ? 'platform_limit' : gate.reason;
  const event = seen();
  const window = windowOf(event, platform, pursuit, ports);
  if (reason === 'circuit_open' && isLastChance(window.windowEndsAtMs, nowMs)) return null;
  return { event, window, parking: { reason, unaccounted: !isFirst && isUnaccounted(delivery) } };
}

interface ParkIfClosed {
  readonly platform: Platform;
  readonly target: string;
  /** No worker can have sent it before. */
  readonly isFirst: boolean;
  readonly permit: CircuitPermit;
}

/** True if the delivery was not written since it was read. */
export function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}

/** One write in place of a lease and an outcome. */
export function withoutLease(
  seen: Delivery | undefined,
  { unaccounted }: Parking,
  nowMs: number,
  transition: (previous: Delivery | undefined) => Delivery,
): Transition {
  return (previous) => {
    if (!sameDelivery(previous, seen)) return null;
    return transition(unaccounted ? lease(previous, nowMs, true) : previous);
  };
}
