// Where an event went, or is to go: one place for a platform, or one for each of its connections where there are several.

import { count, duration } from '#dashboard/parts/written.tsx';
import { reasonWords } from '#lib/client/reason-words.ts';
import type { PlatformList } from '../platform-list.ts';
import { outcomeWords } from '../words.ts';
import type { EventAnswer } from './event.tsx';

export type Delivery = EventAnswer['deliveries'][number];
type Fate = Pick<Delivery, 'connection_id' | 'connection_name' | 'account' | 'removed_at'>;
export type OneAttempt = Delivery['history'][number];

export interface Place {
  readonly key: string;
  readonly name: string;
  readonly status: string;
  readonly history: readonly OneAttempt[];
  readonly next: string | undefined;
  /** When the delivery ends by itself. */
  readonly closes: string | undefined;
  /** By a limit of ours: the platform would take it for longer. */
  readonly isOurEnd: boolean;
}

export function placesOf(delivery: Delivery, list: PlatformList | undefined): readonly Place[] {
  const { platform, label, connections, window_closes_at, we_try_until } = delivery;
  const end = { closes: window_closes_at, isOurEnd: we_try_until !== undefined };
  if (connections === undefined) {
    const gone = delivery.removed_at === undefined ? '' : ` · ${nameOf(delivery)}`;
    return [placeOf(platform, `${label}${gone}`, delivery, end)];
  }
  return connections.map((fate, index) => {
    const known = list?.platforms.find(({ id }) => id === fate.connection_id);
    const which = known?.name ?? nameOf(fate) ?? `connection ${index + 1}`;
    const own = isOver(fate.status) ? { closes: undefined, isOurEnd: false } : end;
    return placeOf(`${platform} ${fate.connection_id ?? index}`, `${label} · ${which}`, fate, own);
  });
}

/** Of one that is not listed any more. */
function nameOf({ connection_id, connection_name, account, removed_at }: Fate): string | undefined {
  if (connection_id === null) return 'removed';
  const of = account === undefined ? '' : ` (${account})`;
  const gone = removed_at === undefined ? '' : `, removed on ${removed_at.slice(0, 10)}`;
  return connection_name === undefined ? undefined : `${connection_name}${of}${gone}`;
}

const isOver = (status: string): boolean => /^(?:DELIVERED|FAILED|ERROR|SKIPPED)$/.test(status);

function placeOf(
  key: string,
  name: string,
  { status, history, next_attempt_at }: Pick<Delivery, 'status' | 'history' | 'next_attempt_at'>,
  end: Pick<Place, 'closes' | 'isOurEnd'>,
): Place {
  return { key, name, status, history, next: next_attempt_at, ...end };
}

/** Whether there is a time to draw. */
export const hasTimes = ({ history, next, closes }: Place): boolean =>
  history.length > 0 || next !== undefined || closes !== undefined;

export const isGood = ({ outcome }: OneAttempt): boolean =>
  outcome === 'delivered' || outcome === 'duplicate';

export function attemptText({
  latency_ms,
  http_status,
  outcome,
  code,
  message,
  batch_size,
}: OneAttempt): string {
  const answer = http_status === undefined ? 'no answer' : `HTTP ${http_status}`;
  const words = [
    answer,
    outcomeWords(outcome),
    code === undefined ? code : reasonWords(code),
    message,
  ].filter((word) => word !== undefined && word !== '');
  const together = batch_size > 1 ? `, with ${count(batch_size - 1)} others` : '';
  return `${words.join(' · ')} in ${duration(latency_ms)}${together}`;
}
