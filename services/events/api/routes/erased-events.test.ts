// What the API says of events whose personal part has been erased, or is damaged.
import { beforeEach, describe, expect, it } from 'vitest';
import { dayOf } from '#lib/core/work/utc-day.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { listEvents, readEvent } from '#lib/events/routes/events.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { deliveryIn, normalizedRow, sha256, store } from '#test/contract/stored-rows.ts';

const DAY_MS = 86_400_000;
const DELIVERED: Delivery = deliveryIn('DELIVERED', { deliveredAtMs: NOW });

let host: ApiHost;
let token = '';
const read = async (id: string) => bodyOf(readEvent, await host.call(`/v1/events/${id}`, { token }));
const list = async (query: string) =>
  bodyOf(listEvents, await host.call(`/v1/events${query}`, { token })).events.map((event) => event.event_id);
const preview = async (event_id: string) =>
  await host.call('/v1/platforms/preview', { method: 'POST', token, body: { platform: 'meta', event_id } });

const damaged = (row: NormalizedRow): NormalizedRow => ({ ...row, event: { ...row.event, sealed: 'AAAA' } });

beforeEach(async () => {
  host = await openApi();
  token = host.session('owner');
  const custom = { eventSourceUrl: 'https://shop.example/a?b=c', customData: { note: 'gift' } };
  const row = (eventId: string, receivedAtMs = NOW - 60_000) =>
    normalizedRow({ eventId, event: custom, receivedAtMs, deliveries: { meta: DELIVERED } });
  await store(host.events, row('kept'), row('erased', NOW - DAY_MS), damaged(row('damaged')));
  host.eventVault.eraseDay(MINE, dayOf(NOW - DAY_MS));
});

describe('an event whose personal part is gone', () => {
  it('says so, and still what was known of the person by name, and where the event went', async () => {
    const { event: kept } = await read('kept');
    expect(kept).toMatchObject({ personal_data: 'kept', event_source_url: 'https://shop.example/a' });
    for (const [id, personal_data] of [
      ['erased', 'erased'],
      ['damaged', 'unreadable'],
    ] as const) {
      const { event, deliveries } = await read(id);
      expect(event).toMatchObject({ personal_data, value: 10, currency: 'EUR', event_name: 'Purchase' });
      expect(event.identity).toEqual({ fields: ['client_ip', 'email', 'user_agent'], hashed: {}, raw: {} });
      for (const gone of ['event_source_url', 'custom_data']) expect(event).not.toHaveProperty(gone);
      expect(deliveries).toMatchObject([{ platform: 'meta', status: 'DELIVERED' }]);
      expect((await host.call(`/v1/events/${id}/explain`, { token })).status).toBe(200);
    }
  });

  it('is listed like any other, and found by its id, but by no address any more', async () => {
    const start = `start=${Math.floor((NOW - 2 * DAY_MS) / 1_000)}`;
    expect((await list(`?${start}`)).sort()).toEqual(['damaged', 'erased', 'kept']);
    expect(await list(`?${start}&search=erased`)).toEqual(['erased']);
    expect(await list(`?${start}&search=jane.doe@example.com`)).toEqual(['kept']);
    expect(await list(`?${start}&search=${sha256('jane.doe@example.com')}`)).toEqual(['kept']);
  });

  it('has no preview: 410 with a code of its own', async () => {
    expect((await preview('kept')).status).toBe(200);
    const gone = await preview('erased');
    expect([gone.status, codeOf(gone)]).toEqual([410, 'personal_data_erased']);
  });
});
