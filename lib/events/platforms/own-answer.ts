// Only the vendor's own words may pause a connection or end an event. Between us and it stand edges, firewalls and proxies,
// whose pages come with any status: what they refuse goes again, and counts for the circuit.
import type { Outcome } from '../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import {
  type Answer,
  type Fields,
  failureOutcome,
  isSuccess,
  objectIn,
  outcome,
  retryAfter,
} from './answer.ts';
import type { HttpResult, Platform, PlatformDefinition } from './platform.ts';

/** `readResponse` of a definition: none of the outcomes is final or a pause where the answer did not come from the vendor. */
export function responseReader({
  readAnswer,
  isOwnError,
  errorIn = objectIn,
}: Pick<PlatformDefinition<never>, 'readAnswer' | 'isOwnError' | 'errorIn'>): Platform['readResponse'] {
  return (result: HttpResult, events: readonly NormalizedEvent[]) => {
    if (result.kind === 'failure') return events.map(() => failureOutcome(result));
    return ownOutcomes(result, events.length, { isOwnError, errorIn }, (body) => {
      const read = readAnswer(result, body, events);
      return 'kind' in read ? events.map(() => read) : read;
    });
  };
}

/** What `read` makes of an answer to a request for `count` things. */
export function ownOutcomes(
  answer: Answer,
  count: number,
  { isOwnError, errorIn = objectIn }: Pick<PlatformDefinition<never>, 'isOwnError' | 'errorIn'>,
  read: (body: Fields | undefined) => readonly Outcome[],
): readonly Outcome[] {
  const body = answer.truncated === true ? undefined : errorIn(answer.body);
  const outcomes = read(body);
  if (isSuccess(answer) || (body !== undefined && isOwnError(body, answer.status))) return outcomes;
  return outcomes.map((one) => (isTooMuch(one, answer, count) ? one : passing(one, answer)));
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
