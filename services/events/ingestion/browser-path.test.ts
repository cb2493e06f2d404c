import { describe, expect, it } from 'vitest';
import {
  BROWSER,
  MERCHANT,
  NOW_MS,
  purchase,
  request,
  send,
  testIngestion,
  testMerchant,
} from '#test/support/ingestion.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createBrowserWindows } from './browser-limits.ts';

const fromBrowser = (body: unknown, headers: Record<string, string> = {}) => {
  const message = request('/v1/browser/events', body, {
    'user-agent': BROWSER,
    'content-type': 'text/plain',
    ...headers,
  });
  const { authorization: _, ...open } = message.headers as Record<string, string>;
  return { ...message, headers: open };
};
const batchOf = (...events: readonly unknown[]) => fromBrowser({ merchant_id: MERCHANT, events });
const statusesOf = ({ json }: { readonly json: Record<string, unknown> }) =>
  (json.results as { status: number }[]).map(({ status }) => status);
const refusal = (status: number, code: string) => ({ status, json: { code } });
const view = (id: string, extra: Record<string, unknown> = {}) =>
  purchase({ event_id: id, merchant_id: MERCHANT, user_data: {}, ...extra });

describe('POST /v1/browser/events', () => {
  it('accepts without a credential, fills address and agent from the request, allows any origin', async () => {
    const { app, events } = testIngestion();
    const reply = await send(app, fromBrowser(view('v1')));
    expect(reply.status).toBe(202);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const [row] = events.rows();
    expect(row).toMatchObject({
      key: { channel: 'browser' },
      body: { user_data: { client_ip: '203.0.113.7', user_agent: BROWSER } },
    });
  });

  const nobody = '8f14e45f-ceea-467f-a111-0000000000aa';
  const withMerchant = (
    settings: Parameters<typeof testMerchant>[0],
    more: Parameters<typeof testIngestion>[0] = {},
  ) => {
    const config = { apiKey: async () => null, merchant: async () => testMerchant(settings) };
    return testIngestion({ config, ...more });
  };

  it('says which merchant there is not, and writes nothing for it, in a batch neither', async () => {
    const { app, events, rings, leases } = testIngestion();
    for (const body of [
      view('v1', { merchant_id: nobody }),
      { merchant_id: nobody, events: [view('v1')] },
      // Another merchant's id in the events does not help.
      { merchant_id: nobody, events: [view('v1', { merchant_id: MERCHANT })] },
    ]) {
      const reply = await send(app, fromBrowser(body));
      expect(reply).toMatchObject(refusal(404, 'unknown_merchant'));
      expect(reply.headers['access-control-allow-origin']).toBe('*');
    }
    expect([events.rows().length, rings.size, leases.leased()]).toEqual([0, 0, 0]);
  });

  it('says when a merchant takes nothing from browsers, or nothing from this origin', async () => {
    const off = withMerchant({ enabled: false });
    const disabled = refusal(403, 'browser_ingestion_disabled');
    expect(await send(off.app, fromBrowser(view('v1')))).toMatchObject(disabled);
    const strict = withMerchant({ origins: ['https://shop.example'] });
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
      expect(await send(strict.app, fromBrowser(view('v1'), headers))).toMatchObject(
        refusal(403, 'origin_not_allowed'),
      );
    expect([strict.events.rows().length, strict.rings.size, off.rings.size]).toEqual([0, 0, 0]);
    const listed = fromBrowser(view('v1'), { origin: 'https://shop.example' });
    expect((await send(strict.app, listed)).status).toBe(202);
  });

  it('keeps what headless browsers send, marked, and merchants cannot mark events themselves', async () => {
    const { app, events } = testIngestion();
    expect((await send(app, fromBrowser(view('v1'), { 'user-agent': 'HeadlessChrome' }))).status).toBe(202);
    await send(app, fromBrowser(view('v2', { internal: { bot: true, only_platforms: [] } })));
    const rows = events.rows().map((row) => row.state === 'accepted' && row.body.internal);
    expect(rows).toEqual([{ bot: true }, undefined]);
  });

  it('grants 30 in any minute, tells the rest when to come back, and grants again', async () => {
    const { app, clock } = testIngestion();
    const views = Array.from({ length: 40 }, (_, i) => view(`v${i}`));
    const first = await send(app, batchOf(...views.slice(0, 20)));
    expect(first.headers['ratelimit-remaining']).toBe('10');
    const second = await send(app, batchOf(...views.slice(20)));
    expect(statusesOf(second)).toEqual([...Array(10).fill(202), ...Array(10).fill(429)]);
    const third = await send(app, fromBrowser(view('v99')));
    expect(third.status).toBe(429);
    expect(third.headers['retry-after']).toBe('60');
    clock.advanceTo(NOW_MS + 60_000);
    expect((await send(app, fromBrowser(view('v99')))).status).toBe(202);
  });

  it('never blocks a server event, and is answered as accepted where one has the id, alone and in a batch', async () => {
    const { app, events } = testIngestion();
    expect((await send(app, fromBrowser(view('order-1')))).status).toBe(202);
    expect((await send(app, request('/v1/events', purchase()))).status).toBe(202);
    expect(events.rows()).toHaveLength(2);
    expect((await send(app, request('/v1/events', purchase({ event_id: 'order-2' })))).status).toBe(202);
    const fresh = await send(app, fromBrowser(view('order-3')));
    const copy = await send(app, fromBrowser(view('order-2')));
    expect([copy.status, copy.json]).toEqual([202, { ...fresh.json, event_id: 'order-2' }]);
    const batch = await send(app, batchOf(view('order-2')));
    expect(batch.json).toEqual({ success: true, results: [{ event_id: 'order-2', status: 202 }] });
    expect(events.rows()).toHaveLength(5);
  });

  it('refuses its own duplicate with 409, and says nothing of the event that was first', async () => {
    const { app } = testIngestion();
    await send(app, fromBrowser(view('v1')));
    const again = await send(app, fromBrowser(view('v1', { value: 1 })));
    expect(again.status).toBe(409);
    const duplicate = { event_id: 'v1', code: 'duplicate_event', error: expect.any(String) as string };
    expect(again.json).toEqual(duplicate);
    const batch = await send(app, batchOf(view('v1'), view('v2')));
    const results = [
      { ...duplicate, status: 409 },
      { event_id: 'v2', status: 202 },
    ];
    expect(batch.json).toEqual({ success: false, results });
  });

  it('takes an event of 16 KiB and a request of 64 KiB, refuses more by naming the limit, and spoils no other', async () => {
    const { app, events } = testIngestion();
    const sized = (id: string, bytes: number) => {
      const empty = JSON.stringify(view(id, { custom_data: { pad: '' } })).length;
      return view(id, { custom_data: { pad: 'x'.repeat(bytes - empty) } });
    };
    expect((await send(app, fromBrowser(sized('fits', 16_384)))).status).toBe(202);
    const large = await send(app, fromBrowser(sized('large', 16_385)));
    expect(large).toMatchObject(refusal(413, 'payload_too_large'));
    expect(large.json).toMatchObject({ details: [{ message: expect.stringContaining('16384') }] });
    const mixed = await send(app, batchOf(sized('a', 200), sized('b', 16_385), sized('c', 200)));
    expect(statusesOf(mixed)).toEqual([202, 413, 202]);
    const many = Array.from({ length: 5 }, (_, i) => sized(`e${i}`, 14_000));
    const details = [{ message: expect.stringContaining('65536') as string }];
    expect(await send(app, batchOf(...many))).toMatchObject({ status: 413, json: { details } });
    expect(events.rows()).toHaveLength(3);
  });

  it('has a ceiling per merchant, whoever sends: what is above costs no write, is counted, and ends with the minute', async () => {
    const { app, clock, events, rings, counted } = withMerchant({ eventsPerMinuteMax: 40 });
    const from = (i: number) => ({ ...fromBrowser(view(`v${i}`)), clientIp: `203.0.113.${i}` });
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await send(app, from(i))).status);
    // One process: the free events and one share of 30; a second share does not fit under 40.
    expect(statuses.filter((status) => status === 202)).toHaveLength(31);
    expect(events.rows()).toHaveLength(31);
    // The next address found it full; no later one wrote anything.
    expect(rings.size).toBe(32);
    expect(counted.filter((metric) => metric === 'browser_limit_reached')).toHaveLength(1);
    expect(counted.filter((metric) => metric === `reached ${MERCHANT}`)).toHaveLength(1);
    const refused = await send(app, from(99));
    expect(refused).toMatchObject(refusal(429, 'browser_limit_reached'));
    expect(refused.headers['retry-after']).toBe('60');
    clock.advanceTo(NOW_MS + 60_000);
    expect((await send(app, from(99))).status).toBe(202);
  });

  it('lets no merchant have a higher ceiling than the operator, whatever it set before', async () => {
    const windows = createBrowserWindows(createMemoryLeaseStore(), { reached: async () => undefined }, 40);
    const { app, events } = withMerchant({ eventsPerMinuteMax: 600_000 }, { windows });
    for (let i = 0; i < 60; i++)
      await send(app, { ...fromBrowser(view(`v${i}`)), clientIp: `203.0.113.${i}` });
    expect(events.rows()).toHaveLength(31);
  });

  it('limits one address over all merchants, whatever its headers call it, and no other address with it', async () => {
    const shop = (n: number) => `8f14e45f-ceea-467f-a111-0000000001${String(n).padStart(2, '0')}`;
    const config = {
      apiKey: async () => null,
      merchant: async (merchantId: string) => ({ ...testMerchant(), merchantId }),
    };
    const { app, clock, rings } = testIngestion({ config });
    const from = (i: number, clientIp: string) => {
      const spoofed = `198.51.100.${i % 250}`;
      const headers = { 'x-forwarded-for': spoofed, 'cloudfront-viewer-address': `${spoofed}:443` };
      return { ...fromBrowser(view(`${clientIp}-${i}`, { merchant_id: shop(i % 40) }), headers), clientIp };
    };
    const grantedTo = async (clientIp: string, events: number): Promise<number> => {
      let granted = 0;
      for (let i = 0; i < events; i++) if ((await send(app, from(i, clientIp))).status !== 429) granted += 1;
      return granted;
    };
    expect(await grantedTo('203.0.113.9', 400)).toBe(310);
    const known = rings.size;
    const refused = await send(app, from(400, '203.0.113.9'));
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(refused.headers['retry-after']).toBe('60');
    // It was not written down any more.
    expect(rings.size).toBe(known);
    expect(await grantedTo('203.0.113.10', 20)).toBe(20);
    clock.advanceTo(NOW_MS + 60_000);
    expect(await grantedTo('203.0.113.9', 20)).toBe(20);
  });

  it('limits an IPv6 /48 besides each /64 in it, and no other network with it', async () => {
    const { app } = testIngestion();
    const from = (block: string, i: number) => ({
      ...fromBrowser(view(`${block}-${i}`)),
      clientIp: `2001:db8:${block}:${i.toString(16)}::1`,
    });
    let accepted = 0;
    for (let i = 0; i < 400; i++) if ((await send(app, from('1', i))).status === 202) accepted += 1;
    expect(accepted).toBe(310);
    expect((await send(app, from('2', 1))).status).toBe(202);
    expect((await send(app, fromBrowser(view('v4')))).status).toBe(202);
  });

  it.each([
    ['nothing', undefined],
    ['everything granted', { ad_user_data: 'granted', ad_personalization: 'granted', ad_storage: 'granted' }],
    ['a part', { ad_storage: 'granted', analytics: 'granted' }],
  ])(
    'takes Global Privacy Control for a refusal of advertising where the page stated %s',
    async (_said, consent) => {
      const { app, events } = testIngestion();
      const refused = { ad_user_data: 'denied', ad_personalization: 'denied', ad_storage: 'denied' };
      const stated = consent === undefined ? {} : { consent };
      const batch = { merchant_id: MERCHANT, events: [view('in a batch', stated)] };
      for (const body of [view('alone', stated), batch])
        await send(app, fromBrowser(body, { 'sec-gpc': '1' }));
      const bodies = events.rows().map((row) => row.state === 'accepted' && row.body.consent);
      expect(bodies).toEqual(Array(2).fill({ ...consent, ...refused }));
    },
  );

  it.each(['0', '', 'true', '1, 1'])('hears no refusal in Sec-GPC: %s', async (value) => {
    const { app, events } = testIngestion();
    const consent = { ad_user_data: 'granted' };
    await send(app, fromBrowser(view('v1', { consent }), { 'sec-gpc': value }));
    expect(events.rows()[0]).toMatchObject({ body: { consent } });
  });

  it('hears none from a server, whose headers are not those of a person', async () => {
    const { app, events } = testIngestion();
    const consent = { ad_storage: 'granted' };
    await send(app, request('/v1/events', purchase({ consent }), { 'sec-gpc': '1' }));
    expect(events.rows()[0]).toMatchObject({ body: { consent } });
  });

  it.each([
    ['no merchant', { ...view('v'), merchant_id: undefined }],
    ['a merchant that is no UUID', view('v', { merchant_id: 'shop' })],
    ['an empty batch', { merchant_id: MERCHANT, events: [] }],
    ['31 events', { merchant_id: MERCHANT, events: Array.from({ length: 31 }, (_, i) => view(`v${i}`)) }],
  ])('400 for %s, at no cost to the allowance', async (_name, body) => {
    const { app } = testIngestion();
    expect((await send(app, fromBrowser(body))).status).toBe(400);
    expect((await send(app, fromBrowser(view('next')))).headers['ratelimit-remaining']).toBe('29');
  });

  it('is served by the function for browsers only, and servers by theirs: the other one says so', async () => {
    const [server, browser] = [testIngestion({}, 'server'), testIngestion({}, 'browser')];
    const elsewhere = refusal(421, 'misdirected_request');
    for (const message of [fromBrowser(view('v1')), { ...request('/v1/pixel.js', ''), method: 'GET' }])
      expect(await send(server.app, message)).toMatchObject(elsewhere);
    for (const path of ['/v1/events', '/v1/ingest'])
      expect(await send(browser.app, request(path, purchase()))).toMatchObject(elsewhere);
    expect((await send(browser.app, fromBrowser(view('v1')))).status).toBe(202);
    expect((await send(server.app, request('/v1/events', purchase()))).status).toBe(202);
    expect((await send(browser.app, request('/v1/nothing', ''))).status).toBe(404);
  });

  it('answers the preflight', async () => {
    const { app } = testIngestion();
    const reply = await app({ ...fromBrowser(''), method: 'OPTIONS' });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('POST'),
    });
  });
});

describe('GET /v1/pixel.js', () => {
  it('is cacheable and revalidates', async () => {
    const { app } = testIngestion();
    const message = { ...request('/v1/pixel.js', ''), method: 'GET' };
    const reply = await app(message);
    expect(reply).toMatchObject({ status: 200, body: 'pixel()' });
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=300, s-maxage=3600',
      'content-type': 'text/javascript; charset=utf-8',
      etag: '"abc"',
    });
    const again = await app({ ...message, headers: { 'if-none-match': 'W/"abc"' } });
    expect(again).toMatchObject({ status: 304, body: '' });
  });
});
