// What a connection asks of events itself. It is asked after the platform's own consent, so that it can only withhold more.
import type { OwnRules } from '../../domain/connections/connection.ts';
import type { UnopenedEvent } from '../../domain/event/normalized-event.ts';
import { compileMatch, type Matcher } from './rule-match.ts';

export interface OwnVerdict {
  readonly code: 'consent_denied' | 'consent_missing' | 'event_not_listed';
  readonly detail: string;
}

/** Why the connection is not to have the event; undefined where nothing of its own keeps it back. */
export function ownVerdict(event: UnopenedEvent, { events, consent }: OwnRules): OwnVerdict | undefined {
  const missing = consent === undefined ? undefined : missingConsent(event, consent);
  if (missing !== undefined) return missing;
  if (events === undefined || testOf(events, 'event_name')(event)) return undefined;
  return { code: 'event_not_listed', detail: event.customName ?? event.name };
}

/** Asked again before an event is sent: consent may have been made stricter while it waited. */
export function missingConsent(
  event: Pick<UnopenedEvent, 'consent' | 'hashed'>,
  { require, countries }: NonNullable<OwnRules['consent']>,
): OwnVerdict | undefined {
  const signal = require.find((one) => event.consent[one] !== 'granted');
  if (signal === undefined) return undefined;
  // Of a person whose country is not known it is required: they may be there.
  const isElsewhere =
    countries !== undefined &&
    event.hashed.country !== undefined &&
    !testOf(countries, 'country')(event as UnopenedEvent);
  if (isElsewhere) return undefined;
  return { code: event.consent[signal] === 'denied' ? 'consent_denied' : 'consent_missing', detail: signal };
}

/** By list: reading the routing again gives another one. */
const TESTS = new WeakMap<readonly string[], Matcher>();

function testOf(list: readonly string[], field: 'event_name' | 'country'): Matcher {
  const known = TESTS.get(list);
  if (known !== undefined) return known;
  const test = compileMatch({ [field]: [...list] });
  TESTS.set(list, test);
  return test;
}
