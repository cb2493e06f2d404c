import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { explainEvent, readEvent } from '#lib/events/routes/events.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import {
  acceptedRow,
  connectionOf,
  deliveryIn,
  normalizedRow,
  sha256,
  store,
} from '#test/contract/stored-rows.ts';
import { testMerchant } from '#test/support/ingestion.ts';

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('member');
});
const read = async (id: string, query = '') =>
  bodyOf(readEvent, await host.call(`/v1/events/${encodeURIComponent(id)}${query}`, { token }));
const explain = async (id: string) =>
  bodyOf(explainEvent, await host.call(`/v1/events/${encodeURIComponent(id)}/explain`, { token }));
const verdictAt = async (slug: string, id: string) =>
  (await explain(id)).verdicts.find(({ platform }) => platform === slug);
const connect = (platform: string) => connectionOf(host, platform, { atMs: NOW - 120_000 });
const at = (ms: number): string => new Date(ms).toISOString();
const daysAfter = (ms: number, days: number): string => at(ms + days * 86_400_000);

const DELIVERED: Delivery = {
  state: 'DELIVERED',
  attempts: 2,
  unknowns: 1,
  updatedAtMs: NOW,
  deliveredAtMs: NOW,
  history: [
    { atMs: NOW - 10_000, latencyMs: 10_000, outcome: 'retry', code: 'timeout', batchSize: 3 },
    { atMs: NOW, latencyMs: 81, status: 200, outcome: 'delivered', batchSize: 1 },
  ],
};
const RETRY: Delivery = deliveryIn('RETRY', { nextAttemptAtMs: NOW + 60_000, reason: 'tiktok.40100' });

describe('GET /v1/events/:id', () => {
  it('shows the event with one row per targeted platform', async () => {
    await connect('meta');
    await connect('tiktok');
    const event = {
      value: '29.99',
      currency: 'EUR',
      orderId: 'o-1',
      items: [{ id: 'sku', quantity: '2', price: '0.1' }],
      consent: { ad_storage: 'granted' as const },
      customData: { gift: true },
      eventSourceUrl: 'https://shop.example/thanks?email=jane@example.com#top',
      issues: [{ field: 'phone', code: 'not_a_phone' as const }],
    };
    const deliveries = { meta: DELIVERED, tiktok: RETRY };
    await store(host.events, normalizedRow({ eventId: 'order 1/ä', event, deliveries }));
    const body = await read('order 1/ä');
    expect(body.event).toMatchObject({
      event_id: 'order 1/ä',
      trust: 'server',
      event_name: 'Purchase',
      state: 'normalized',
      received_at: at(NOW - 60_000),
      value: 29.99,
      currency: 'EUR',
      order_id: 'o-1',
      items: [{ id: 'sku', quantity: 2, price: 0.1 }],
      consent: { ad_storage: 'granted' },
      custom_data: { gift: true },
      event_source_url: 'https://shop.example/thanks',
      issues: [{ field: 'phone', code: 'not_a_phone' }],
      copies: { server: true, browser: false },
    });
    expect(body.deliveries).toMatchObject([
      {
        platform: 'meta',
        label: 'Meta',
        status: 'DELIVERED',
        attempts: 2,
        maybe_delivered: true,
        delivered_at: at(NOW),
        confirmation: { word: 'none' },
        history: [
          { at: at(NOW - 10_000), latency_ms: 10_000, outcome: 'retry', code: 'timeout', batch_size: 3 },
          { at: at(NOW), latency_ms: 81, http_status: 200, outcome: 'delivered', batch_size: 1 },
        ],
      },
      {
        platform: 'tiktok',
        label: 'TikTok',
        status: 'RETRY',
        attempts: 1,
        maybe_delivered: false,
        next_attempt_at: at(NOW + 60_000),
        window_closes_at: daysAfter(NOW - 60_000, 7),
        platform_takes_until: daysAfter(NOW - 60_000, 7),
        reason: 'tiktok.40100',
        history: [],
      },
    ]);
  });

  it('shows nothing plain about a person, before and after normalization', async () => {
    const [email, phone, first_name] = ['canary@example.com', '+15550001111', 'Canaria'];
    const [client_ip, fbp, customer_id] = ['203.0.113.77', 'fb.1.99.canaryfbp', 'canary-id'];
    const canaries = [email, phone, first_name, client_ip, fbp, customer_id];
    const raw = { clientIp: client_ip, leadId: 'lead-canary-4711', browserIds: { fbp } };
    const hashed = { emailPlain: sha256(email), externalIds: [sha256(customer_id)] };
    const user_data = { email, phone, first_name, client_ip, customer_id, browser_ids: { fbp } };
    await store(
      host.events,
      acceptedRow({ eventId: 'raw', body: { user_data } }),
      normalizedRow({ eventId: 'hashed', event: { raw, hashed } }),
      normalizedRow({ eventId: 'v6', event: { raw: { clientIp: '2001:db8:1:2:3:4:5:6' } } }),
    );
    for (const path of ['/v1/events/raw', '/v1/events/hashed', '/v1/events']) {
      const { text } = await host.call(path, { token });
      for (const canary of [...canaries, sha256(email), 'lead-canary-4711'])
        expect(text).not.toContain(canary);
    }
    expect((await read('raw')).event.identity).toEqual({
      fields: ['browser_ids', 'client_ip', 'customer_id', 'email', 'first_name', 'phone'],
      hashed: {},
      raw: {},
    });
    expect((await read('hashed')).event.identity).toEqual({
      fields: ['client_ip', 'email_plain', 'external_ids', 'fbp', 'lead_id'],
      hashed: {
        email_plain: `${sha256(email).slice(0, 8)}…`,
        external_ids: [`${sha256(customer_id).slice(0, 8)}…`],
      },
      raw: { client_ip: '203.0.113.x', lead_id: 'lead…', fbp: 'fb.1…' },
    });
    expect((await read('v6')).event.identity.raw).toEqual({ client_ip: '2001:db8:1::x' });
  });

  it('says until when each platform takes what is still to be delivered', async () => {
    await connect('meta');
    await connect('ga4');
    const eventTimeSec = Math.floor(NOW / 1000) - 86_400;
    const old = { eventTimeSec, raw: { browserIds: { ga_client_id: '1.2' } } };
    const connected = ['meta', 'ga4'];
    const inStore = { ...old, actionSource: 'physical_store' } as const;
    const over = { meta: DELIVERED, ga4: { ...DELIVERED, state: 'ERROR' as const } };
    await store(
      host.events,
      normalizedRow({ eventId: 'old', connected, event: old }),
      normalizedRow({ eventId: 'in-store', connected, event: inStore }),
      normalizedRow({ eventId: 'over', connected, event: old, deliveries: over }),
    );
    const closes = async (eventId: string) => {
      const { deliveries } = await read(eventId);
      return Object.fromEntries(deliveries.map((one) => [one.platform, one.window_closes_at ?? null]));
    };
    const [sentMs, receivedMs] = [eventTimeSec * 1000, NOW - 60_000];
    // GA4 takes three days; Meta seven, and 62 of what happened in a shop, of which we try seven.
    expect(await closes('old')).toEqual({ ga4: daysAfter(sentMs, 3), meta: daysAfter(sentMs, 7) });
    expect(await closes('in-store')).toEqual({ ga4: daysAfter(sentMs, 3), meta: daysAfter(receivedMs, 7) });
    expect(await closes('over')).toEqual({ ga4: null, meta: null });
    // Whose limit it is: absent where it is the platform's.
    const [meta] = (await read('in-store')).deliveries.filter((one) => one.platform === 'meta');
    const until = { platform_takes_until: daysAfter(sentMs, 62), we_try_until: daysAfter(receivedMs, 7) };
    expect(meta).toMatchObject(until);
    expect((await read('old')).deliveries.map((one) => one.we_try_until ?? null)).toEqual([null, null]);
  });

  it('says of what waits for a paused connection that it waits as long as the platform takes it', async () => {
    const connection = await connect('x');
    await host.config.pauseConnection(connection, 'auth', NOW);
    const parked = { ...DELIVERED, state: 'RETRY' as const, reason: 'connection_paused' };
    const waits = { eventId: 'waits', connected: ['x'], deliveries: { x: parked } };
    await store(host.events, normalizedRow(waits));
    const [first] = (await read('waits')).deliveries;
    expect(first?.window_closes_at).toBe(first?.platform_takes_until);
    expect(first).not.toHaveProperty('we_try_until');
    await host.config.putMerchant({ ...testMerchant(), merchantId: MINE, retentionDays: 10 });
    const [kept] = (await read('waits')).deliveries;
    expect(kept?.we_try_until).toBe(daysAfter(NOW - 60_000, 10));
  });

  it('says of what ended by our own limit whose it was, and until when it can be sent again', async () => {
    await connect('x');
    const ended = { ...DELIVERED, state: 'ERROR' as const, reason: 'gave_up', attempts: 20 };
    const receivedAtMs = NOW - 8 * 86_400_000;
    await store(
      host.events,
      normalizedRow({ eventId: 'tried', receivedAtMs, connected: ['x'], deliveries: { x: ended } }),
    );
    const until = daysAfter(Math.floor(receivedAtMs / 1_000) * 1_000, 90);
    expect((await read('tried')).deliveries).toMatchObject([{ reason: 'gave_up', replay_until: until }]);
    const said = (await verdictAt('x', 'tried'))?.explanation;
    expect(said).toContain('Gave up after seven days of attempts, which is a limit of ours');
    expect(said).toContain(`It can be sent again until ${until}.`);
  });

  it('prefers the server copy, and shows the other when asked', async () => {
    await store(
      host.events,
      normalizedRow({ eventId: 'twin', channel: 'browser', event: { source: 'browser' } }),
      normalizedRow({ eventId: 'twin' }),
      normalizedRow({ eventId: 'lone', channel: 'browser', event: { source: 'browser' } }),
    );
    const copies = { server: true, browser: true };
    expect((await read('twin')).event).toMatchObject({ trust: 'server', copies });
    expect((await read('twin', '?trust=browser')).event).toMatchObject({ trust: 'browser', copies });
    const alone = { trust: 'browser', copies: { server: false, browser: true } };
    expect((await read('lone')).event).toMatchObject(alone);
    expect((await host.call('/v1/events/lone?trust=server', { token })).status).toBe(404);
  });
});

describe('GET /v1/events/:id/explain', () => {
  const words = async (id: string) =>
    Object.fromEntries((await explain(id)).verdicts.map(({ platform, verdict }) => [platform, verdict]));

  it('gives exactly one verdict per platform of the registry, whatever became of the event', async () => {
    await connect('meta');
    await store(
      host.events,
      acceptedRow({ eventId: 'accepted' }),
      normalizedRow({ eventId: 'normalized', connected: ['meta'] }),
      normalizedRow({ eventId: 'bot', connected: ['meta'], event: { bot: true } }),
      normalizedRow({ eventId: 'closed', verdicts: { meta: 'rule_excluded:r1' } }),
    );
    for (const id of ['accepted', 'normalized', 'bot', 'closed']) {
      const { verdicts } = await explain(id);
      expect(verdicts.map(({ platform }) => platform)).toEqual(PLATFORMS.map(({ slug }) => slug));
      for (const { explanation } of verdicts) expect(explanation).toMatch(/^[A-Z].*\.$/);
    }
    expect(new Set(Object.values(await words('accepted')))).toEqual(new Set(['processing']));
    expect(new Set(Object.values(await words('bot')))).toEqual(new Set(['bot']));
    expect(await words('normalized')).toMatchObject({ meta: 'pending', ga4: 'not_connected' });
  });

  it('says how far a pending delivery is, and what a verdict is about', async () => {
    await connect('meta');
    await connect('tiktok');
    const consent = { ad_user_data: 'denied' } as const;
    await store(
      host.events,
      normalizedRow({ eventId: 'sent', deliveries: { meta: DELIVERED, tiktok: RETRY } }),
      normalizedRow({ eventId: 'denied', connected: ['meta', 'tiktok'], event: { consent } }),
      normalizedRow({ eventId: 'closed', verdicts: { meta: 'rule_excluded:r1' } }),
    );
    const delivered = { verdict: 'delivered', delivery: 'DELIVERED' };
    expect(await verdictAt('meta', 'sent')).toMatchObject(delivered);
    expect((await verdictAt('tiktok', 'sent'))?.explanation).toBe(
      'An attempt failed: the platform said “40100”; there will be another.',
    );
    const denied = { platform: 'meta', verdict: 'consent_denied', subject: 'ad_user_data' };
    expect(await verdictAt('meta', 'denied')).toMatchObject(denied);
    expect(await verdictAt('meta', 'closed')).toMatchObject({ verdict: 'rule_excluded', subject: 'r1' });
    expect(await explain('sent')).toMatchObject({ event_id: 'sent', trust: 'server' });
  });

  it('says of a removed platform at once, and for good, that nothing more is sent', async () => {
    const connection = await connect('meta');
    await connect('tiktok');
    const deliveries = { meta: RETRY, tiktok: RETRY };
    await store(
      host.events,
      normalizedRow({ eventId: 'retried', deliveries, routingVersion: 2 }),
      normalizedRow({ eventId: 'queued', connected: ['meta', 'tiktok'], routingVersion: 2 }),
      normalizedRow({ eventId: 'sent', deliveries: { meta: DELIVERED }, routingVersion: 2 }),
    );
    const owner = host.session('owner');
    const path = `/v1/platforms/${connection.id}`;
    expect((await host.call(path, { method: 'DELETE', token: owner })).status).toBe(200);
    const saysSo = async () => {
      for (const id of ['retried', 'queued']) {
        expect(await verdictAt('meta', id)).toMatchObject({
          verdict: 'skipped',
          subject: 'not_connected',
          explanation: 'The platform was disconnected: nothing more is sent.',
          delivery: 'SKIPPED',
        });
        const shown = (await read(id)).deliveries.find(({ platform }) => platform === 'meta');
        expect(shown).toMatchObject({ status: 'SKIPPED', reason: 'not_connected' });
        expect(shown).not.toHaveProperty('next_attempt_at');
      }
      expect(await verdictAt('tiktok', 'retried')).toMatchObject({ verdict: 'pending', delivery: 'RETRY' });
      expect(await verdictAt('meta', 'sent')).toMatchObject({ verdict: 'delivered' });
    };
    await saysSo();
    // Connected anew it starts with its own events.
    await connect('meta');
    await saysSo();
    await store(host.events, normalizedRow({ eventId: 'new', connected: ['meta'], routingVersion: 4 }));
    expect(await verdictAt('meta', 'new')).toMatchObject({ verdict: 'pending', delivery: 'QUEUED' });
  });

  it.each([
    ['not_connected', 'The platform was disconnected: nothing more is sent.'],
    ['invalid:user_data', 'It was not sent. The event lacks what the platform requires (user_data).'],
    ['consent_denied:ad_storage', 'It was not sent. Consent was denied (ad_storage).'],
    ['too_old:604800s', 'It was not sent. It is older than the platform accepts (7 days).'],
    ['unmapped:Lead', 'It was not sent. The platform has no use for this event name (Lead).'],
  ])('names the reason of a delivery we did not send: %s', async (reason, explanation) => {
    await connect('meta');
    const skipped = deliveryIn('SKIPPED', { attempts: 0, reason });
    await store(host.events, normalizedRow({ eventId: 'e', deliveries: { meta: skipped } }));
    expect(await verdictAt('meta', 'e')).toMatchObject({
      platform: 'meta',
      label: 'Meta',
      verdict: 'skipped',
      subject: reason,
      explanation,
      delivery: 'SKIPPED',
    });
    expect((await read('e')).deliveries).toMatchObject([{ status: 'SKIPPED', reason }]);
  });

  it('reports a paused connection over what is still to be delivered, and nothing else', async () => {
    const connection = await connect('meta');
    await store(
      host.events,
      normalizedRow({ eventId: 'waiting', connected: ['meta'] }),
      normalizedRow({ eventId: 'done', connected: ['meta'], deliveries: { meta: DELIVERED } }),
    );
    await host.config.pauseConnection(connection, 'auth', NOW);
    const [waiting, done] = [await verdictAt('meta', 'waiting'), await verdictAt('meta', 'done')];
    expect(waiting).toMatchObject({ verdict: 'connection_paused', subject: 'auth', delivery: 'QUEUED' });
    expect(done).toMatchObject({ verdict: 'delivered', delivery: 'DELIVERED' });
    const queued = { status: 'QUEUED', reason: 'connection_paused:auth' };
    expect((await read('waiting')).deliveries).toMatchObject([queued]);
  });
});
