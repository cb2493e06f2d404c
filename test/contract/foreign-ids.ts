// How another merchant comes to have what an id names, for every kind of id that a route takes, and requests that are otherwise
// in order, so that nothing but the id can be refused. A route that takes an id and is not covered here fails a test.
import type { Delivery } from '../../lib/events/domain/delivery.ts';
import { connectPlatform } from '../../lib/events/routes/platforms.ts';
import { type ApiHost, bodyOf, NOW, THEIRS } from './api-host.ts';
import { normalizedRow, store } from './stored-rows.ts';

type Maker = (host: ApiHost) => Promise<string>;

let made = 0;

const DELIVERED: Delivery = { state: 'DELIVERED', attempts: 1, unknowns: 0, updatedAtMs: NOW, history: [] };

const event: Maker = async ({ events }) => {
  made += 1;
  const eventId = `order-${made}`;
  await store(events, normalizedRow({ eventId, merchantId: THEIRS, deliveries: { meta: DELIVERED } }));
  return eventId;
};

const connection: Maker = async (host) => {
  const reply = await host.call('/v1/platforms', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: 'x'.repeat(20) } },
  });
  return bodyOf(connectPlatform, reply).platform.id;
};

const apiKey: Maker = async (host) => (await host.keyFor(['events:read'], THEIRS)).keyId;

/** By the path up to the id. */
export const IDS_IN_PATHS: Readonly<Record<string, Maker>> = {
  '/v1/events/:id': event,
  '/v1/platforms/:id': connection,
  '/v1/api-keys/:id': apiKey,
};

/** Bodies for routes that take an id in their path and a body. */
export const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/events/:id/forward': { platforms: ['meta'] },
  'PATCH /v1/platforms/:id': { name: 'Main shop' },
};

export interface IdInBody {
  readonly maker: Maker;
  readonly body: (id: string) => unknown;
}

/** Ids in bodies, by route and property. */
export const IDS_IN_BODIES: Readonly<Record<string, Readonly<Record<string, IdInBody>>>> = {
  'POST /v1/platforms/preview': {
    event_id: { maker: event, body: (event_id) => ({ platform: 'meta', event_id }) },
    connection_id: {
      maker: connection,
      body: (connection_id) => ({
        platform: 'meta',
        connection_id,
        event: { event_id: 'e', event_name: 'Purchase', event_time: 1_795_000_000, user_data: {} },
      }),
    },
  },
};

const twoEvents: (host: ApiHost) => Promise<unknown> = async (host) => [await event(host), await event(host)];

/** How another merchant comes to have two of what a list shows, so that its first page of one has a cursor. */
export const LISTS: Readonly<Record<string, (host: ApiHost) => Promise<unknown>>> = {
  'GET /v1/events': twoEvents,
  'GET /v1/deliveries': async (host) => [await connection(host), await twoEvents(host)],
};
