// What an event does not say of its visit: where it happened, who sent it, whose click stands in its address. One answer, and
// every platform is sent the same.
import { describe, expect, it } from 'vitest';
import { CALLER, loadPlatformModules } from '#test/conformance/platforms/platform-modules.ts';
import type { EventBody } from '../domain/event/event.ts';
import { toOutgoing } from '../domain/privacy/outgoing-event.ts';
import { PLATFORMS } from '../platforms/registry.ts';
import { clickOf } from './attribution/clicks.ts';
import { normalizeEvent } from './normalize-event.ts';

const MERCHANT = '11111111-1111-4111-8111-111111111111';
const NOW = Date.UTC(2026, 10, 21, 12);
const LOOKUPS = { nationalPhone: () => null, countryCode: () => null, regionCode: () => null };
const ROUTING = {
  merchantId: MERCHANT,
  version: 1,
  connections: PLATFORMS.map(({ slug }) => ({ id: slug, platform: slug })),
  rules: [],
};

function normalized(more: Partial<EventBody> = {}, channel: 'server' | 'browser' = 'server') {
  const body: EventBody = {
    event_id: 'e1',
    event_name: 'Purchase',
    event_time: NOW / 1_000 - 60,
    user_data: {
      client_ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0',
    },
    value: 10,
    currency: 'EUR',
    order_id: '1001',
    ...more,
  };
  const key = { merchantId: MERCHANT, channel, eventId: 'e1' };
  return normalizeEvent({ key, body, receivedAtMs: NOW }, ROUTING, PLATFORMS, LOOKUPS);
}

/** Interface of a platform → its request for the event; undefined where it takes none. */
const modules = await loadPlatformModules();
function requestsFor(more: Partial<EventBody>): Readonly<Record<string, string | undefined>> {
  const event = toOutgoing(normalized(more).event);
  return Object.fromEntries(
    modules.map(({ name, platform, examples }) => {
      const credentials = platform.credentials.parse(examples[0].credentials);
      if (platform.unsendable(event, credentials) !== null) return [name, undefined];
      return [name, platform.buildRequest([event], credentials, CALLER).body];
    }),
  );
}

describe('an event that does not say', () => {
  it('where it happened, happened on a website', () => {
    expect(normalized().event.actionSource).toBe('website');
    expect(normalized({ action_source: 'app' }).event.actionSource).toBe('app');
    const event_source_url = 'https://shop.example/thanks';
    const requests = requestsFor({ event_source_url });
    expect(requests).toEqual(requestsFor({ event_source_url, action_source: 'website' }));
    expect(requests.meta).toContain('"action_source":"website"');
    expect(requests.pinterest).toContain('"action_source":"web"');
    expect(requests.snapchat).toContain('"action_source":"WEB"');
    expect(requests.reddit).toContain('"action_source":"WEBSITE"');
  });

  it.each(['server', 'browser'] as const)('who sent it, came from a %s', (channel) => {
    expect(normalized({}, channel).event.source).toBe(channel);
    expect(normalized({ source: 'pos' }, channel).event.source).toBe('pos');
  });
});

describe('a time', () => {
  it.each([
    [540, 0],
    [1, 0],
    [0, 0],
    [-1, -1],
    [-86_400, -86_400],
  ])('%i s after the event was received leaves as %i s, to every platform', (sent, leaves) => {
    const at = NOW / 1_000;
    expect(normalized({ event_time: at + sent }).event.eventTimeSec).toBe(at + leaves);
    const ids = { gclid: 'g', li_fat_id: 'l', kx: 'k', msclkid: 'm' };
    const user_data = { email: 'jane@example.com', browser_ids: ids };
    expect(requestsFor({ event_time: at + sent, user_data })).toEqual(
      requestsFor({ event_time: at + leaves, user_data }),
    );
  });

  it('in milliseconds is cut off at the time of receipt as well', () => {
    expect(normalized({ event_time: NOW + 540_000 }).event.eventTimeSec).toBe(NOW / 1_000);
  });
});

it('the session of Google Analytics reaches GA4, as the pixel finds it in its cookie', () => {
  for (const ga_session_id of ['1795175000', 'GS1.1.1795175000.3.1', 'GS2.1.s1795175000$o3$g1']) {
    const requests = requestsFor({ user_data: { browser_ids: { ga_client_id: '1.2', ga_session_id } } });
    expect(requests.ga4).toContain('"session_id":"1795175000"');
    expect(requests.ga4_other).toContain('{"parameterName":"session_id","value":"1795175000"}');
  }
});

describe('the click in the address of a server event', () => {
  const query =
    'gclid=G1&fbclid=F1&ttclid=T1&ScCid=S1&msclkid=6d92078a82464ba4ae5b76104861e7dc&twclid=X1&rdt_cid=R1&epik=E1&li_fat_id=L1&_kx=K1';
  const CLICKS = {
    google_ads: 'G1',
    meta: `fb.1.${NOW - 60_000}.F1`,
    tiktok: 'T1',
    snapchat: 'S1',
    microsoft: '6d92078a82464ba4ae5b76104861e7dc',
    x: 'X1',
    reddit: 'R1',
    pinterest: 'E1',
    linkedin: 'L1',
    klaviyo: 'K1',
  };
  const page = { event_source_url: `https://shop.example/t?${query}` };
  const before = {
    event_source_url: 'https://shop.example/t',
    referrer_url: `https://shop.example/?${query}`,
  };
  /** With the address cut off: it leaves as well, with all that stands in it. */
  const holds = (request: string | undefined, click: string): boolean =>
    request?.replaceAll(query, '').includes(`"${click}"`) === true;

  it.each([
    ['page', page],
    ['page before', before],
  ])('the %s reaches each platform whose it is', (_, more) => {
    const requests = requestsFor(more);
    for (const [slug, click] of Object.entries(CLICKS))
      expect([slug, holds(requests[slug], click)]).toEqual([slug, true]);
    expect(normalized(more).event.issues).toEqual([]);
  });

  it('makes matchable what Google Ads, Microsoft, LinkedIn and Klaviyo withheld', () => {
    const needy = ['google_ads', 'microsoft', 'linkedin', 'klaviyo'];
    const without = requestsFor({ event_source_url: 'https://shop.example/t' });
    expect(needy.filter((slug) => without[slug] !== undefined)).toEqual([]);
    const found = requestsFor(page);
    expect(needy.filter((slug) => found[slug] !== undefined)).toEqual(needy);
  });

  it('is credited with the order, at each of them', () => {
    for (const [parameter, platform] of [
      ['gclid=g', 'google_ads'],
      ['fbclid=f', 'meta'],
      ['ttclid=t', 'tiktok'],
      ['msclkid=m', 'microsoft'],
    ] as const) {
      const { event } = normalized({ event_source_url: `https://shop.example/?${parameter}` });
      expect(clickOf(event, PLATFORMS)).toEqual({ platform, atMs: NOW - 60_000 });
    }
  });

  it('is not read where reading the device was denied', () => {
    const { event } = normalized({ ...page, consent: { ad_storage: 'denied' } });
    expect(event.raw.browserIds).toBeUndefined();
    expect(clickOf(event, PLATFORMS)).toBeNull();
  });

  it('of an event from a browser is read as well', () => {
    expect(normalized(page, 'browser').event.raw.browserIds).toMatchObject({ gclid: 'G1' });
  });
});
