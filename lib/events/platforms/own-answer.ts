// Only the vendor's own words may pause a connection or end an event. Between us and it stand edges, firewalls and proxies,
// whose pages come with any status: what they refuse goes again, and counts for the circuit.
import type { Outcome } from '../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import { type Answer, jsonObject, outcome, retryAfter } from './answer.ts';
import type { HttpResult, Platform } from './platform.ts';

/** The outcomes, but none of them final or a pause where the answer is somebody else's. */
export function ownOutcomes(
  { isOwnError }: Pick<Platform, 'isOwnError'>,
  result: HttpResult,
  outcomes: readonly Outcome[],
  events: readonly NormalizedEvent[],
): readonly Outcome[] {
  if (result.kind === 'failure' || (result.status >= 200 && result.status < 300)) return outcomes;
  const body = jsonObject(result);
  if (body !== undefined && isOwnError(body, result.status)) return outcomes;
  return outcomes.map((one) => (isTooMuch(one, result, events.length) ? one : passing(one, result)));
}

/**
 * A request of several that somebody on the way refuses may hold one event that it dislikes, or be too large: it is split, so
 * that the others pass. Not for 401 and 403, which are about who asks.
 */
const isTooMuch = ({ kind }: Outcome, { status }: Answer, events: number): boolean =>
  kind === 'batch_refused' && events > 1 && status !== 401 && status !== 403;

function passing(one: Outcome, answer: Answer): Outcome {
  if (one.kind !== 'auth' && one.kind !== 'permanent' && one.kind !== 'batch_refused') return one;
  return outcome({
    kind: 'retry',
    code: `http_${answer.status}`,
    message: 'the answer is not the platform’s own',
    retryAfterSec: retryAfter(answer),
  });
}
