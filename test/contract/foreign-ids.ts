// How another merchant comes to have what an id names, for every kind of id that a route takes, and requests that are otherwise
// in order, so that nothing but the id can be refused. A route that takes an id and is not covered here fails a test.

import { createOrderReports } from '../../lib/events/pipeline/orders/order-reports.ts';
import { inviteMember } from '../../lib/events/routes/members.ts';
import { createReconciliation } from '../../lib/events/routes/orders/reconciliations.ts';
import { connectPlatform } from '../../lib/events/routes/platforms/platforms.ts';
import { createErasure } from '../../lib/events/routes/privacy.ts';
import { createReplay } from '../../lib/events/routes/replays.ts';
import { createRule } from '../../lib/events/routes/rules.ts';
import { type ApiHost, bodyOf, THEIRS } from './api-host.ts';
import { peopleOf } from './people-rows.ts';
import { reconciled } from './reconciled.ts';
import { deliveryIn, normalizedRow, store } from './stored-rows.ts';

type Maker = (host: ApiHost) => Promise<string>;

let made = 0;

const DELIVERED = deliveryIn('DELIVERED');

const event: Maker = async ({ events }) => {
  made += 1;
  const eventId = `order-${made}`;
  await store(events, normalizedRow({ eventId, merchantId: THEIRS, deliveries: { meta: DELIVERED } }));
  return eventId;
};

const order: Maker = async ({ events, orders }) => {
  made += 1;
  const orderId = `A-${made}`;
  const draft = { eventId: `order-${made}`, merchantId: THEIRS, event: { orderId } };
  const row = normalizedRow({ ...draft, deliveries: { meta: DELIVERED } });
  await store(events, row);
  await createOrderReports({ orders, platforms: [] }).report(row, row.event, row.verdicts);
  return orderId;
};

const connection: Maker = async (host) => {
  const reply = await host.call('/v1/platforms', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: 'x'.repeat(20) } },
  });
  return bodyOf(connectPlatform, reply).platform.id;
};

const member: Maker = async ({ config }) => {
  made += 1;
  const sub = `colleague-${made}`;
  await config.putMember({ sub, merchantId: THEIRS, role: 'member' });
  return sub;
};

const invitation: Maker = async (host) => {
  made += 1;
  const reply = await host.call('/v1/members/invitations', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { email: `colleague-${made}@shop.example`, role: 'member' },
  });
  return bodyOf(inviteMember, reply).invitation.id;
};

const rule: Maker = async (host) => {
  const reply = await host.call('/v1/rules', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { name: 'No tests', action: { type: 'exclude' } },
  });
  return bodyOf(createRule, reply).rule.id;
};

const apiKey: Maker = async (host) => (await host.keyFor(['events:read'], THEIRS)).keyId;

const replay: Maker = async (host) => {
  const reply = await host.call('/v1/replays', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { only: 'all', filter: { event_ids: ['order-1'] } },
  });
  return bodyOf(createReplay, reply).replay.id;
};

const erasure: Maker = async (host) => {
  made += 1;
  const reply = await host.call('/v1/privacy/erasures', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { email: `person-${made}@shop.example` },
  });
  return bodyOf(createErasure, reply).erasure.id;
};

const reconciliation: Maker = async (host) => {
  await connection(host);
  const reply = await host.call('/v1/reconciliations', {
    method: 'POST',
    token: host.session('owner', 'theirs'),
    body: { orders: [{ order_id: 'order-1' }] },
  });
  return bodyOf(createReconciliation, reply).reconciliation.id;
};

/** By the path up to the id. */
export const IDS_IN_PATHS: Readonly<Record<string, Maker>> = {
  '/v1/events/:id': event,
  '/v1/orders/:id': order,
  '/v1/platforms/:id': connection,
  '/v1/replays/:id': replay,
  '/v1/reconciliations/:id': reconciliation,
  '/v1/api-keys/:id': apiKey,
  '/v1/rules/:id': rule,
  '/v1/privacy/erasures/:id': erasure,
  '/v1/members/:id': member,
  '/v1/members/invitations/:id': invitation,
};

/** Bodies for routes that take an id in their path and a body. */
export const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/events/:id/replay': { dedupe: 'new' },
  'POST /v1/events/:id/forward': { platforms: ['meta'] },
  'PATCH /v1/platforms/:id': { name: 'Main shop' },
  'PATCH /v1/rules/:id': { enabled: false },
  'POST /v1/events/:id/retry-failed': {},
  'PATCH /v1/replays/:id': { rate: 7 },
  'POST /v1/reconciliations/:id/replay': { platform: 'meta' },
  'PATCH /v1/members/:id': { role: 'admin' },
};

export interface IdInBody {
  readonly maker: Maker;
  readonly body: (id: string) => unknown;
}

/** Ids in bodies, by route and property. */
export const IDS_IN_BODIES: Readonly<Record<string, Readonly<Record<string, IdInBody>>>> = {
  'POST /v1/rules/preview': { rule_id: { maker: rule, body: (rule_id) => ({ rule_id }) } },
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

export interface ListedRows {
  /**
   * Makes two of what the list shows, so that its first page of one has a cursor. Gives the id where they are parts of
   * something.
   */
  readonly make: (host: ApiHost) => Promise<unknown>;
  /** What the list has to be asked with, e.g. `&a=1`. */
  readonly query?: string;
  /** Stands in every page that shows one of them. */
  readonly shown: string;
}

const ofJane: ListedRows = {
  make: async (host) => {
    const take = peopleOf(host);
    for (const orderId of ['order-a', 'order-b'])
      await take({ eventId: orderId, merchantId: THEIRS, event: { orderId } }, { email: 'jane@example.com' });
  },
  query: '&email=jane%40example.com',
  shown: 'order-',
};

/** How another merchant comes to have what a list shows. */
export const LISTS: Readonly<Record<string, ListedRows>> = {
  'GET /v1/events': { make: twoEvents, shown: 'order-' },
  'GET /v1/deliveries': {
    make: async (host) => [await connection(host), await twoEvents(host)],
    shown: 'order-',
  },
  'GET /v1/orders': { make: twoEvents, shown: 'order-' },
  'GET /v1/people': ofJane,
  'GET /v1/people/report': ofJane,
  'GET /v1/replays': {
    make: async (host) => [await replay(host), await replay(host)],
    shown: 'order-',
  },
  'GET /v1/reconciliations': {
    make: async (host) => [await reconciliation(host), await reconciliation(host)],
    shown: 'with_currency',
  },
  'GET /v1/reconciliations/:id/orders': {
    make: async (host) => {
      await connection(host);
      return await reconciled(host, { owner: 'theirs', merchantId: THEIRS });
    },
    shown: 'order-7',
  },
  'GET /v1/privacy/erasures': {
    make: async (host) => [await erasure(host), await erasure(host)],
    shown: 'subject_digest',
  },
  'GET /v1/audit-log': {
    make: async (host) => [await invitation(host), await invitation(host)],
    shown: 'invitation.create',
  },
};
