// What operators hear of deliveries. Names merchants, connections and codes, never an event or a person.
import type { Trace } from '../../core/record/trace.ts';
import type { Connection, PauseReason } from '../domain/connections/connection.ts';
import type { Outcome } from '../domain/deliveries/delivery.ts';

export type SignalledConnection = Pick<Connection, 'merchantId' | 'id' | 'platform'>;

/** Events that were sent together. */
export interface AnsweredCall {
  /** One for each event. */
  readonly outcomes: readonly (Pick<Outcome, 'kind' | 'code'> & {
    /** Canonical name of the event. */
    readonly name: string;
    /** Since the event was accepted. */
    readonly ageMs: number;
    /** Of that: for how long it waited for its page. Absent: it did not. */
    readonly pageWaitMs?: number;
  })[];
  /** The requests it took: more than one where a platform refused some of the events. */
  readonly calls: readonly SentCall[];
  /** Of the events, the first few; with the span of sending each. */
  readonly traces: readonly (Trace & { readonly spanId: string })[];
}

export interface SentCall {
  /** Absent where no answer came. */
  readonly status?: number | undefined;
  readonly latencyMs: number;
  /** Of the body. */
  readonly bytes: number;
  /** What the answer says about the end of the API's version, as `name: value` of its header. */
  readonly deprecation?: string;
}

export interface DeliverySignals {
  /** Of one batch of events, when what came of each is known. */
  answered(connection: SignalledConnection, call: AnsweredCall): void;
  /** A connection takes no events from now on. */
  paused(connection: SignalledConnection, reason: PauseReason): void;
}
