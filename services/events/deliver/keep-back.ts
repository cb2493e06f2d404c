// What a gate lets through of the deliveries a job meets, rows' and batches' alike: which may go, which are parked, which are
// parked already. Guarantees: what is parked is written once, without a lease; who wrote it meanwhile has it, and keeps it.
import type { Delivery, ParkingReason } from '#lib/events/domain/deliveries/delivery.ts';
import { isParked, isSendable } from '#lib/events/domain/deliveries/progress.ts';
import { isLastChance, isUnaccounted, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { DeliveryWindow } from '#lib/events/domain/deliveries/window.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { type Pursuit, windowOf } from '#lib/events/pipeline/acceptance-window.ts';
import { seenBy } from '#lib/events/pipeline/rules/rewrite.ts';
import { closedEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { Gate } from './gate.ts';
import type { DeliverPorts } from './ports.ts';
import type { Transition } from './record.ts';

/** A gate, whether one more event may pass it, and for how long the events of its connection are pursued. */
export interface Entrance {
  readonly gate: Gate;
  readonly pursuit: Pursuit;
  readonly admits: () => boolean;
}

/** What is not sent now but parked, for which no lease is taken. */
export interface Kept {
  readonly event: NormalizedEvent;
  readonly window: DeliveryWindow;
  readonly parking: Parking;
}

export interface Parking {
  readonly reason: ParkingReason;
  /** Somebody may have sent it before without leaving a trace, and no lease has recorded that. */
  readonly unaccounted: boolean;
}

/** True for what is worth reading: its time has come, or the gate may let out what is parked. */
export function mayGo(delivery: Delivery | undefined, { gate }: Entrance, nowMs: number): boolean {
  return isSendable(delivery, nowMs) || (gate.pass !== 'none' && isParked(delivery));
}

/** Null where it is to be sent. A platform that is down is tried rather than the window let close. */
export function keepBack(
  row: NormalizedRow,
  delivery: Delivery | undefined,
  { platform, isFirst, entrance }: KeepBack,
  ports: DeliverPorts,
): Kept | 'parked already' | null {
  const { gate, admits, pursuit } = entrance;
  if (admits()) return null;
  const nowMs = ports.clock.now();
  if (isParked(delivery) && !isSendable(delivery, nowMs)) return 'parked already';
  const { reason } = gate;
  const event = seenBy(platform.slug, closedEvent(row));
  const window = windowOf(event, platform, pursuit, ports);
  if (reason === 'circuit_open' && isLastChance(window.windowEndsAtMs, nowMs)) return null;
  return { event, window, parking: { reason, unaccounted: !isFirst && isUnaccounted(delivery) } };
}

interface KeepBack {
  readonly platform: Platform;
  /** Nobody can have sent it before. */
  readonly isFirst: boolean;
  readonly entrance: Entrance;
}

/** True where nobody has written the delivery since it was read. */
export function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}

/** One write in the place of a lease and what follows it. */
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
