// What of a person is kept unhashed: what a connected platform takes that may have the event, and nothing else.
import { describe, expect, it } from 'vitest';
import { normalizedEvent } from '#test/contract/stored-rows.ts';
import { sampleRule } from '#test/support/sample-rule.ts';
import type { RoutingSnapshot } from '../domain/connections/connection.ts';
import { platformOf } from '../domain/connections/target.ts';
import type { Rule } from '../domain/rules/rule.ts';
import { PLATFORMS } from '../platforms/registry.ts';
import { normalizeAgain, normalizeEvent } from './normalize-event.ts';

const MERCHANT = '11111111-1111-4111-8111-111111111111';
const NOW = Date.UTC(2026, 10, 21, 12);
const LOOKUPS = { nationalPhone: () => null, countryCode: () => 'US', regionCode: () => 'CA' };
const EXCLUDE = sampleRule({ match: { event_name: ['Purchase'] }, action: { type: 'exclude' } });

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
    expect(kept(['meta', 'reddit'])).toEqual([]);
    expect(kept(['meta', 'tiktok'])).toEqual(['country']);
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

it('changes a replay as the rules of today do, and not as those of its original did', () => {
  const lead = { type: 'transform' as const, changes: [{ op: 'rename_event' as const, name: 'Lead' }] };
  const connections = [{ id: 'c', platform: 'meta' }];
  const under = (rules: readonly Rule[]): RoutingSnapshot => ({
    merchantId: MERCHANT,
    version: 1,
    connections,
    rules,
  });
  const original = normalizedEvent({
    eventId: 'e1',
    event: { rewrites: [{ rule: 'gone', changes: [{ op: 'drop_field', field: 'value' }] }] },
  });
  const rewritesUnder = (rules: readonly Rule[]) =>
    normalizeAgain(original, under(rules), PLATFORMS).event.rewrites;
  expect(rewritesUnder([])).toBeUndefined();
  expect(rewritesUnder([sampleRule({ action: lead })])).toEqual([{ rule: 'rul_1', changes: lead.changes }]);
});

describe('an event of a website', () => {
  const issues = (more: Record<string, unknown>) => {
    const body = { event_id: 'e1', event_name: 'Lead', event_time: NOW / 1_000, user_data: {}, ...more };
    const key = { merchantId: MERCHANT, channel: 'server' as const, eventId: 'e1' };
    const routing = { merchantId: MERCHANT, version: 1, connections: [], rules: [] };
    const { event } = normalizeEvent({ key, body, receivedAtMs: NOW }, routing, PLATFORMS, LOOKUPS);
    const again = normalizeAgain(event, routing, PLATFORMS).event;
    expect(again.issues).toEqual(event.issues);
    return event.issues.map(({ field, code }) => `${field} ${code}`);
  };
  const missing = ['event_source_url page_missing'];

  it('without its page says so; what happened elsewhere has none', () => {
    expect(issues({})).toEqual(missing);
    expect(issues({ action_source: 'website', event_source_url: '/thanks' })).toEqual(missing);
    expect(issues({ event_source_url: 'https://shop.example/thanks' })).toEqual([]);
    expect(issues({ action_source: 'system_generated' })).toEqual([]);
    expect(issues({ internal: { only_platforms: [] } })).toEqual([]);
    expect(issues({ app: { id: 'com.example.shop' } })).toEqual([]);
  });
});
