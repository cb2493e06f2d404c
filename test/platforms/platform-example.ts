// One worked example of a platform: what goes in, what is sent, what comes back, what it means. Written before the
// code; drives its tests and its reference page.
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { BuildContext, HttpResult } from '#lib/events/platforms/platform.ts';

export interface PlatformExample<Credentials = unknown> {
  readonly title: string;
  readonly events: readonly NormalizedEvent[];
  readonly credentials: Credentials;
  readonly context: BuildContext;
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The body, parsed. */
    readonly body: unknown;
  };
  readonly response: HttpResult;
  readonly outcomes: readonly Outcome[];
}
