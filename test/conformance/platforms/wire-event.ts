// An event on its real way: JSON text as a server sends it, through the strict reader, the schema and normalization, to
// the request of a platform; and the request's values with the digits they have on the wire.
import { expect } from 'vitest';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { parseStrictJson } from '#lib/core/http/strict-json.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { readEvent } from '#services/events/ingestion/read-event.ts';
import { CALLER, NOW_MS, type PlatformModule } from './platform-modules.ts';

const MERCHANT = '11111111-1111-4111-8111-111111111111';
const ROUTING = {
  merchantId: MERCHANT,
  version: 1,
  connections: PLATFORMS.map(({ slug }) => ({ id: `con_${slug}`, platform: slug })),
  rules: [],
};

/** As platforms see it, with the values opened that any of them takes unhashed. */
export function fromWire(json: string): NormalizedEvent {
  const parsed = parseStrictJson(Buffer.from(json));
  if (!parsed.ok) throw new Error(`not JSON: ${parsed.reason}`);
  const read = readEvent(parsed.value, NOW_MS);
  if (!read.ok) throw new Error(JSON.stringify(read.details));
  const key = { merchantId: MERCHANT, channel: 'server' as const, eventId: read.body.event_id };
  // Of the row, normalization looks at these three alone.
  const row = { key, body: read.body, receivedAtMs: NOW_MS } as Parameters<typeof normalizeEvent>[0];
  return normalizeEvent(row, ROUTING, PLATFORMS, { nationalPhone, countryCode, regionCode }).event;
}

/** A complete order, with these changes. */
export const wireOrder = (changes: object): NormalizedEvent =>
  fromWire(
    JSON.stringify({
      event_id: 'order-1',
      event_name: 'Purchase',
      event_time: 1_795_176_000,
      value: 59.98,
      currency: 'USD',
      order_id: '1001',
      items: [ITEM],
      event_source_url: 'https://shop.example/thank-you',
      user_data: {
        email: 'jane@example.com',
        country: 'US',
        client_ip: '203.0.113.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        browser_ids: { ga_client_id: '1.2', irclickid: 'click-1' },
      },
      ...changes,
    }),
  );

/** Of the order. */
export const ITEM = { id: 'SKU-1', quantity: 2, price: 29.99 } as const;

export interface Sent {
  readonly path: string;
  /** As it stands in the request: `"59.98"` or `59.98`. */
  readonly source: string;
}

/** Every value of the request, or null where the platform does not take the event. */
export function sentTo(module: PlatformModule, event: NormalizedEvent): readonly Sent[] | null {
  const { platform, examples } = module;
  const credentials = platform.credentials.parse(examples[0].credentials);
  if (platform.unsendable(event, credentials) !== null) return null;
  const { body } = platform.buildRequest([toOutgoing(event)], credentials, CALLER);
  const values = leaves(withSources(body), '');
  expect(values.length).toBeGreaterThan(0);
  return values;
}

class Source {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

// JSON.parse hands the digits of a number to its reviver; the compiler's library does not say so yet.
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

const withSources = (body: string): unknown =>
  parse(body, (_key, value, { source }) => (source === undefined ? value : new Source(source)));

function leaves(value: unknown, path: string): readonly Sent[] {
  if (value instanceof Source) return [{ path, source: value.text }];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, `${path}[]`));
  return Object.entries(value as object).flatMap(([key, item]) =>
    leaves(item, path === '' ? key : `${path}.${key}`),
  );
}
