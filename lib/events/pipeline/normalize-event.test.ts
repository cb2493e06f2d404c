// What of a person is kept unhashed: what a connected platform takes that may have the event, and nothing else.
import { describe, expect, it } from 'vitest';
import type { RoutingSnapshot, Rule } from '../domain/connection.ts';
import { platformOf } from '../domain/slot.ts';
import { PLATFORMS } from '../platforms/registry.ts';
import { normalizeEvent } from './normalize-event.ts';

const MERCHANT = '11111111-1111-4111-8111-111111111111';
const NOW = Date.UTC(2026, 10, 21, 12);
const LOOKUPS = { nationalPhone: () => null, countryCode: () => 'US', regionCode: () => 'CA' };
const EXCLUDE: Rule = {
  id: 'r1',
  name: 'No purchases',
  enabled: true,
  priority: 1,
  match: { eventName: 'Purchase' },
  action: 'exclude',
  platforms: [],
};

function kept(connected: readonly string[], more: Record<string, unknown> = {}, rules: readonly Rule[] = []) {
  const connections = connected.map((slot) => {
    const platform = platformOf(slot);
    return { id: slot, platform, ...(slot === platform ? {} : { slot }) };
  });
  const routing: RoutingSnapshot = { merchantId: MERCHANT, version: 1, connections, rules };
  const body = {
    event_id: 'e1',
    event_name: 'Purchase',
    event_time: NOW / 1_000,
    user_data: {
      email: 'jane@example.com',
      first_name: 'Jane',
      customer_id: 'C-1',
      zip: '94025',
      country: 'US',
    },
    ...more,
  };
  const key = { merchantId: MERCHANT, channel: 'server' as const, eventId: 'e1' };
  const { event } = normalizeEvent({ key, body, receivedAtMs: NOW }, routing, PLATFORMS, LOOKUPS);
  return Object.keys(event.plaintext).sort();
}

describe('values kept unhashed', () => {
  it('are those a connected platform takes', () => {
    expect(kept([])).toEqual([]);
    expect(kept(['meta', 'tiktok'])).toEqual([]);
    expect(kept(['google_ads'])).toEqual(['country', 'postalCode']);
    expect(kept(['meta', 'linkedin'])).toEqual(['country', 'externalId', 'firstName']);
    expect(kept(['klaviyo'])).toContain('email');
    expect(kept(['google_ads#2'])).toEqual(['country', 'postalCode']);
  });

  it('are kept where a rule withholds the event today: a replay may send it when the rule is gone', () => {
    expect(kept(['google_ads'], {}, [EXCLUDE])).toEqual(['country', 'postalCode']);
  });

  it('are not kept where consent withholds it, or it came from a bot', () => {
    const denied = { consent: { ad_user_data: 'denied' } };
    expect(kept(['linkedin'], denied)).toEqual([]);
    expect(kept(['linkedin'], { internal: { bot: true } })).toEqual([]);
  });
});
