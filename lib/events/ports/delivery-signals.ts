// What operators hear of deliveries that fail. Names merchants, connections and codes, never an event or a person.
import type { Connection, PauseReason } from '../domain/connections/connection.ts';
import type { Outcome } from '../domain/deliveries/delivery.ts';

export type SignalledConnection = Pick<Connection, 'merchantId' | 'id' | 'platform'>;

export interface DeliverySignals {
  /** Of one request: what came of its events, those delivered among them. */
  answered(connection: SignalledConnection, outcomes: readonly Pick<Outcome, 'kind' | 'code'>[]): void;
  /** A connection takes no events from now on. */
  paused(connection: SignalledConnection, reason: PauseReason): void;
}
