// One worked example of a platform: what goes in, what is sent, what comes back, what it means. Written before the
// code; drives its tests and its reference page.
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import type { BuildContext, HttpResult } from '#lib/events/platforms/platform.ts';

export interface PlatformExample<Credentials = unknown> {
  readonly title: string;
  readonly events: readonly OutgoingEvent[];
  readonly credentials: Credentials;
  readonly context: BuildContext;
  readonly request: {
    /** Absent: POST. */
    readonly method?: 'PUT' | 'GET';
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The body, parsed. */
    readonly body: unknown;
  };
  readonly response: HttpResult;
  readonly outcomes: readonly Outcome[];
}

/** What the examples of a platform share. */
interface Common<Credentials> {
  readonly credentials: Credentials;
  readonly context: BuildContext;
  readonly method?: 'PUT' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Case<Credentials> = Pick<PlatformExample, 'title' | 'events' | 'response'> &
  Partial<Common<Credentials>> & {
    readonly body: unknown;
    /** Absent: every event is delivered. */
    readonly outcomes?: readonly Outcome[];
  };

/** The examples, each with what they share unless it says otherwise. */
export function examplesOf<Credentials>(
  common: Common<Credentials>,
  cases: readonly Case<Credentials>[],
): readonly PlatformExample<Credentials>[] {
  return cases.map(({ title, events, body, response, outcomes, ...own }) => {
    const { credentials, context, ...sent } = { ...common, ...own };
    const delivered = events.map(() => ({ kind: 'delivered' }) as const);
    const request = { ...sent, body };
    return { title, events, credentials, context, request, response, outcomes: outcomes ?? delivered };
  });
}

/** An answer in JSON. */
export const answer = (
  status: number,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): HttpResult => ({
  kind: 'response',
  status,
  headers: { 'content-type': 'application/json', ...more },
  body: JSON.stringify(body),
});
