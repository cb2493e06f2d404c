import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventKey } from '#lib/events/domain/event/row.ts';
import { type ApiHost, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { MERCHANT, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';

const POISON: EventKey = { merchantId: MINE, channel: 'server', eventId: 'poison' };

describe('an event whose row cannot be read', () => {
  let host: ApiHost;
  let token: string;
  beforeAll(async () => {
    host = await openApi();
    token = host.session();
    const deliveries = { meta: deliveryIn('DELIVERED', { deliveredAtMs: NOW }) };
    const rows = ['a', 'poison', 'b'].map((eventId, i) =>
      normalizedRow({ eventId, receivedAtMs: NOW - 60_000 * (i + 1), deliveries }),
    );
    await store(host.events, ...rows);
    host.events.spoil(POISON);
  });
  afterAll(() => host.app.close());

  it.each([
    '/v1/events',
    '/v1/events?status=DELIVERED',
    '/v1/events?source=server',
    '/v1/events?orderBy=value',
    '/v1/events?orderBy=event_time&orderDirection=asc',
    '/v1/deliveries',
    '/v1/deliveries?status=DELIVERED',
  ])('is left out of GET %s, and nothing else is', async (url) => {
    const reply = await host.call(url, { token });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const body = reply.body as Record<string, { event_id: string }[]>;
    const ids = (body.events ?? body.deliveries ?? []).map((entry) => entry.event_id);
    expect([...ids].sort()).toEqual(['a', 'b']);
  });

  it.each(['/v1/events/poison', '/v1/events/poison/explain'])(
    'is said to be unavailable by GET %s: nobody knows what it holds',
    async (url) => {
      const reply = await host.call(url, { token });
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toBeDefined();
      expect((await host.call(url.replace('poison', 'a'), { token })).status).toBe(200);
    },
  );
});

describe('ingestion, meeting a row that cannot be read', () => {
  it('asks to come back for that id, and takes the others of the batch', async () => {
    const { app, events } = testIngestion();
    await send(app, request('/v1/events', purchase({ event_id: 'poison' })));
    events.spoil({ ...POISON, merchantId: MERCHANT });
    const alone = await send(app, request('/v1/events', purchase({ event_id: 'poison' })));
    expect([alone.status, alone.headers['retry-after']]).toEqual([503, '1']);
    const batch = { events: ['x', 'poison', 'y'].map((event_id) => purchase({ event_id })) };
    const reply = await send(app, request('/v1/ingest', batch));
    expect((reply.json.results as { status: number }[]).map(({ status }) => status)).toEqual([202, 503, 202]);
  });
});
