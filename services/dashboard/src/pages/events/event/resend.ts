// An event that is sent once more, as its actions and their dialog know it.
import type { EventAnswer } from './event.tsx';

export type ResendMode = 'replay' | 'forward' | 'retry';

/** The new event and its original; `to`: null for every platform. */
export interface Resent {
  readonly of: string;
  readonly id: string;
  readonly to: readonly string[] | null;
}

/** What a retry takes, as the API decides it. */
export const hasFailed = ({ status }: EventAnswer['deliveries'][number]): boolean =>
  /^(?:FAILED|ERROR|RETRY)$/.test(status);
