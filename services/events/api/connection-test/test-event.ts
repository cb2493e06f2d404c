// The made-up event of a test send. Guarantees: it goes through the real schema, the real normalization and the platform's own
// checks, so that what is tested is what will be sent; it is about nobody, and new each time.
import { EVENT_NAMES, type EventName } from '#lib/events/domain/event/names.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { type OutgoingEvent, toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { BROWSER_IDS, PERSON } from '../events/sample-person.ts';

/** What most merchants wait for first; then whatever the connection has an id for. */
const NAMES: ReadonlySet<EventName> = new Set(['Purchase', 'Lead', 'PageView', ...EVENT_NAMES]);

export interface TestEventParts {
  readonly merchantId: string;
  readonly eventId: string;
  readonly nowMs: number;
  readonly lookups: IdentityLookups;
}

/** The first event the platform would take with these credentials; null where it would take none. */
export function testEvent(
  platform: Platform,
  credentials: unknown,
  parts: TestEventParts,
): OutgoingEvent | null {
  for (const name of NAMES) {
    const event = made(name, platform, parts);
    if (platform.unsendable(event, credentials) === null) return event;
  }
  return null;
}

function made(
  name: EventName,
  platform: Platform,
  { merchantId, eventId, nowMs, lookups }: TestEventParts,
): OutgoingEvent {
  const { event } = normalizeEvent(
    {
      key: { merchantId, channel: 'server', eventId },
      receivedAtMs: nowMs,
      body: {
        event_id: eventId,
        event_name: name,
        event_time: Math.floor(nowMs / 1_000),
        source: 'test',
        action_source: 'website',
        event_source_url: 'https://shop.example/millrace-test',
        value: 1,
        currency: 'USD',
        order_id: eventId,
        items: [{ id: 'MILLRACE-TEST', quantity: 1, price: 1 }],
        consent: {
          ad_user_data: 'granted',
          ad_personalization: 'granted',
          ad_storage: 'granted',
          analytics: 'granted',
        },
        user_data: { ...PERSON, browser_ids: { ...BROWSER_IDS, fbc: `fb.1.${nowMs}.millracetest` } },
      },
    },
    { merchantId, version: 0, connections: [{ id: 'test', platform: platform.slug }], rules: [] },
    [platform],
    lookups,
  );
  return toOutgoing(event);
}
