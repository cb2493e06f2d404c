// An event that is sent once more, as its actions and their dialog know it.
import type { EventAnswer } from './event.tsx';

export type ResendMode = 'replay' | 'forward' | 'retry';

/** The new event and its original; `to`: null for every platform. */
export interface Resent {
  readonly of: string;
  readonly id: string;
  readonly to: readonly string[] | null;
}

type Delivery = Pick<EventAnswer['deliveries'][number], 'status' | 'connections'>;

/** What a retry takes, as the API decides it: also what waits for a retry of its own. */
export const isRetried = ({ status }: Delivery): boolean => /^(?:FAILED|ERROR|RETRY)$/.test(status);

/** Only what has ended badly is a reason to offer one: what waits goes by itself. */
export const hasFailed = ({ status, connections = [] }: Delivery): boolean =>
  [status, ...connections.map((one) => one.status)].some((word) => /^(?:FAILED|ERROR)$/.test(word));
