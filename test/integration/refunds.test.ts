// A purchase and its refunds at all platforms: what each was sent, what the others say in its place, and what platforms have when
// refunds come twice, before their order, or are sent in another order than they came in.
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { createVerdictReader, explain } from '../../services/events/api/events/verdicts.ts';
import { KEYLESS, withReplays } from '../support/replaying.ts';
import { sampleRule } from '../support/sample-rule.ts';
import { closeShops, GRANTED, openShop, SHOPPER } from '../support/sandbox-shop.ts';

const SENT = Date.UTC(2026, 10, 21, 11, 59, 0) / 1000;
const MINUTE_MS = 60_000;
afterEach(closeShops);

const purchase = (over: Record<string, unknown> = {}) => ({
  event_id: 'order-1234',
  event_name: 'Purchase',
  event_time: SENT,
  event_source_url: 'https://shop.example/thanks',
  user_data: SHOPPER,
  consent: GRANTED,
  ...{ order_id: '1234', value: 99.5, currency: 'USD' },
  ...over,
});
const refund = (event_id: string, value?: number, over: Record<string, unknown> = {}) => ({
  ...{ event_id, event_name: 'Refund', event_time: SENT + 30, order_id: '1234' },
  ...{ event_source_url: 'https://shop.example/account', user_data: SHOPPER, consent: GRANTED },
  ...(value === undefined ? {} : { value, currency: 'USD' }),
  ...over,
});

/** Microsoft takes refunds where the connection has access to its Ads API. */
const ADS_API = {
  ...{ purchase_goal: 'Purchases', customer_id: '21012345', account_id: '150012345' },
  ...{ developer_token: 'ads-developer-token', client_id: 'ads-client-0123456789' },
  ...{ client_secret: 'ads-secret-0123456789', refresh_token: 'ads-refresh-token-0123456789' },
};

async function open(options: Parameters<typeof openShop>[1] = {}, adsApi: Partial<typeof ADS_API> = ADS_API) {
  const credentials = { ...samples, microsoft: { ...samples.microsoft, ...adsApi } };
  const { pipeline, pass } = await openShop({}, { credentials, ...options });
  const send = async (body: Record<string, unknown>, channel?: 'browser') => {
    await pipeline.accept(body, channel);
    await pipeline.drain();
  };
  /** Bodies of requests to a host, from the first refund on. */
  const at = (host: string): Fields[] =>
    pipeline.requests
      .filter(({ url, method }) => method !== 'GET' && new URL(url).host.includes(host))
      .map(({ body }) => JSON.parse(body) as Fields);
  const google = () =>
    at('datamanager').flatMap(({ events = [] }) =>
      events.map((each) => ({
        id: each.transactionId,
        value: each.conversionValue,
        to: (each.destinationReferences as string[])[0],
        at: each.eventTimestamp,
      })),
    );
  const microsoft = () =>
    at('campaign.api.bingads').flatMap(({ OnlineConversionAdjustments: all }) =>
      (all as readonly Fields[]).map((each) => [
        each.TransactionId,
        each.AdjustmentType,
        each.AdjustmentValue,
      ]),
    );
  const ga4 = () =>
    at('google-analytics').flatMap(({ events = [] }) =>
      events.map(({ name, params }) => [name, (params as Fields).transaction_id, (params as Fields).value]),
    );
  const klaviyo = () =>
    at('klaviyo').map(({ data }) => {
      const { attributes } = data as { attributes: Fields };
      return [attributes.unique_id, attributes.value];
    });
  const webhook = () =>
    at('hooks.shop').map(({ type, data }) => [type, (data as Fields).order_id, (data as Fields).value]);
  const s3 = () => at('amazonaws').map(({ event_name, order_id, value }) => [event_name, order_id, value]);
  /** What `explain` says of the event at each platform. */
  const said = (eventId: string, channel = 'server'): Record<string, string> => {
    const row = pipeline.events.rows().find(({ key }) => key.eventId === eventId && key.channel === channel);
    if (row === undefined) throw new Error(`no event ${eventId}`);
    const read = createVerdictReader(PLATFORMS, [...pipeline.connections.values()]).read(row);
    return Object.fromEntries(read.map((verdict) => [verdict.platform.slug, explain(verdict)]));
  };
  return { pipeline, pass, send, google, microsoft, ga4, klaviyo, webhook, s3, said };
}

/** Two refunds, while the host is down and after; what is sent then is the first, tried again. */
async function refundedAround(host: string) {
  let isDown = false;
  const shop = await open({
    answer: ({ url }) => (isDown && url.includes(host) ? reply(503, '{}') : ANSWERS.taken(url)),
  });
  await shop.send(purchase());
  isDown = true;
  await shop.send(refund('r1', 30));
  isDown = false;
  await shop.send(refund('r2', 20));
  shop.pipeline.requests.length = 0;
  await shop.pass(90);
  return shop;
}

interface Fields {
  readonly [key: string]: unknown;
  readonly events?: readonly Fields[];
}

const WAYS = ['google_ads', 'ga4', 'klaviyo', 'microsoft', 's3', 'webhook'];
const NO_WAY = PLATFORMS.filter(({ slug }) => !WAYS.includes(slug));
const LABELS = new Map<string, string>(PLATFORMS.map(({ slug, label }) => [slug, label]));

it('is taken back in parts and to the end where platforms can, and nowhere sent as anything else', async () => {
  const { pipeline, send, google, microsoft, ga4, klaviyo, webhook, s3, said } = await open();
  await send(purchase());
  const [bought] = google();
  pipeline.requests.length = 0;
  await send(refund('r1', 30));
  await send(refund('r2', 20.25));
  // Whatever is left.
  await send(refund('r3'));
  const sale = { id: 'order-1234', to: bought?.to, at: bought?.at };
  expect(google()).toEqual([
    { ...sale, value: 69.5 },
    { ...sale, value: 49.25 },
    { ...sale, value: 0 },
  ]);
  expect(microsoft()).toEqual([
    ['1234', 'Restate', 69.5],
    ['1234', 'Restate', 49.25],
    ['1234', 'Retract', undefined],
  ]);
  expect(ga4()).toEqual([
    ['refund', '1234', 30],
    ['refund', '1234', 20.25],
    ['refund', '1234', 49.25],
  ]);
  expect(klaviyo()).toEqual([
    ['r1', 30],
    ['r2', 20.25],
    ['r3', 49.25],
  ]);
  expect(webhook()).toEqual([
    ['refund', '1234', 30],
    ['refund', '1234', 20.25],
    ['refund', '1234', 49.25],
  ]);
  expect(s3()).toEqual([
    ['Refund', '1234', 30],
    ['Refund', '1234', 20.25],
    ['Refund', '1234', 49.25],
  ]);
  const hosts = new Set(pipeline.requests.map(({ url }) => new URL(url).host));
  expect([...hosts].sort()).toEqual([
    'a.klaviyo.com',
    'campaign.api.bingads.microsoft.com',
    'datamanager.googleapis.com',
    'hooks.shop.example',
    'login.microsoftonline.com',
    'shop-events.s3.eu-central-1.amazonaws.com',
    'www.google-analytics.com',
  ]);
  expect(NO_WAY).toHaveLength(10);
  for (const id of ['r1', 'r2', 'r3']) {
    for (const { slug, label, insteadOfRefunds } of NO_WAY) {
      const instead = insteadOfRefunds === undefined ? '' : ` ${insteadOfRefunds}`;
      expect(said(id)[slug]).toBe(`Not taken back by ${label}: it takes no refunds.${instead}`);
    }
    expect(said(id).meta).toContain('custom_data.net_revenue');
    for (const slug of ['google_ads', 'microsoft'])
      expect(said(id)[slug]).toContain('The platform accepted the event');
  }
  expect(pipeline.problems).toEqual([]);
});

describe('a refund takes nothing back', () => {
  const nothing = (slug: string) => `Not taken back by ${LABELS.get(slug)}: it takes nothing back.`;

  it.each<[string, Record<string, unknown>[], string]>([
    ['that was taken before', [refund('r1', 10), { ...refund('r1', 10) }], 'r1 again'],
    ['in another currency', [refund('r1', 10, { currency: 'EUR' })], 'r1'],
    ['where nothing is left', [refund('r1'), refund('r2', 5)], 'r2'],
  ])('%s', async (_, refunds, last) => {
    const { pipeline, send, google, microsoft, ga4, said } = await open();
    await send(purchase());
    for (const [i, body] of refunds.entries()) {
      if (i === refunds.length - 1) pipeline.requests.length = 0;
      // Its event id may be sent again after a day.
      if (last === 'r1 again' && i === 1) pipeline.clock.advance(25 * 60 * MINUTE_MS);
      await send(body);
    }
    expect([...google(), ...microsoft(), ...ga4()]).toEqual([]);
    for (const slug of ['google_ads', 'microsoft', 'ga4', 'klaviyo'])
      expect(said(last.slice(0, 2))[slug]).toBe(nothing(slug));
  });

  it('that is larger than what is left takes back what is left', async () => {
    const { pipeline, send, google, microsoft, ga4 } = await open();
    await send(purchase());
    await send(refund('r1', 90));
    pipeline.requests.length = 0;
    await send(refund('r2', 90));
    expect(google()).toMatchObject([{ value: 0 }]);
    expect(microsoft()).toEqual([['1234', 'Retract', undefined]]);
    expect(ga4()).toEqual([['refund', '1234', 9.5]]);
  });

  it('that a page says, at any platform', async () => {
    const { pipeline, send, said } = await open();
    await send(purchase());
    pipeline.requests.length = 0;
    await send(refund('r1', 10), 'browser');
    expect(pipeline.requests).toEqual([]);
    for (const slug of ['google_ads', 'ga4', 'klaviyo'])
      expect(said('r1', 'browser')[slug]).toBe(
        `Not taken back by ${LABELS.get(slug)}: only servers say what is refunded.`,
      );
  });
});

describe('refunds before their order', () => {
  /** In minor units, as slots count them. */
  const counted = async ({ pipeline, pass }: Awaited<ReturnType<typeof open>>) => {
    await pass(30);
    const days = pipeline.counters.rows().filter(({ key }) => key.grain === 'day');
    return days.map(({ counters: { refunds, credits } }) => [
      refunds?.USD?.minor,
      Object.values(credits ?? {}).map((each) => each.refunds?.USD?.minor),
    ]);
  };

  it.each<[string, Record<string, unknown>[], number, string | undefined]>([
    ['one', [refund('r1', 10)], 89.5, '1000'],
    ['two', [refund('r1', 30), refund('r2', 20.25)], 49.25, '5025'],
    ['one larger than it', [refund('r1', 120)], 0, '9950'],
    ['two larger than it', [refund('r1', 60), refund('r2', 60)], 0, '9950'],
    ['the whole', [refund('r1')], 0, '9950'],
    ['one in another currency', [refund('r1', 10, { currency: 'EUR' })], 99.5, undefined],
  ])(
    '%s: the order goes out as what is left of it, and is counted as that',
    async (_, refunds, left, minor) => {
      const shop = await open();
      for (const body of refunds) await shop.send(body);
      shop.pipeline.requests.length = 0;
      await shop.send(purchase());
      expect(shop.google()).toMatchObject([{ id: 'order-1234', value: left }]);
      expect(shop.ga4()).toEqual([['purchase', '1234', 99.5]]);
      const uet = shop.pipeline.requests.filter(({ url }) => url.includes('capi.uet'));
      expect(uet.map(({ body }) => JSON.parse(body).data[0].customData.value)).toEqual([left]);
      // Once more a day later, under an id that was taken: nothing.
      shop.pipeline.requests.length = 0;
      shop.pipeline.clock.advance(25 * 60 * MINUTE_MS);
      const [first] = refunds;
      if (minor !== undefined) await shop.send({ ...first });
      expect([...shop.google(), ...shop.microsoft(), ...shop.ga4()]).toEqual([]);
      expect(await counted(shop)).toContainEqual([minor, [minor]]);
      expect(shop.pipeline.problems).toEqual([]);
    },
  );

  it('that a page reports first, and a server after it has gone out', async () => {
    const shop = await open();
    await shop.send(refund('r1', 10));
    await shop.send(purchase({ event_id: 'page' }), 'browser');
    await shop.pass(10);
    expect(shop.google().map(({ value }) => value)).toEqual([89.5]);
    await shop.send(purchase());
    await shop.send(refund('r2', 20));
    expect(shop.google().map(({ value }) => value)).toEqual([89.5, 89.5, 69.5]);
    expect(await counted(shop)).toEqual([['3000', ['3000']]]);
  });
});

describe('a refund of a purchase that Google does not have', () => {
  it('before its order is taken by its own value where it names the order', async () => {
    const { send, google, microsoft, ga4, said } = await open();
    await send(refund('r1', 10));
    expect([...google(), ...microsoft()]).toEqual([]);
    expect(said('r1').microsoft).toBe(
      'Not taken back by Microsoft Advertising: its order, or what that was worth, is not known.',
    );
    expect(ga4()).toEqual([['refund', '1234', 10]]);
    expect(said('r1').google_ads).toBe(
      'Not taken back by Google Ads: its order, or what that was worth, is not known.',
    );
  });

  it('because it was refused, is no new purchase there', async () => {
    const { send, google, said, pipeline } = await open({ answer: refusedBy('datamanager') });
    await send(purchase());
    pipeline.requests.length = 0;
    await send(refund('r1', 10));
    expect(google()).toEqual([]);
    expect(said('r1').google_ads).toBe(
      'Not taken back by Google Ads: it did not get the purchase from here.',
    );
  });

  it('because the connection is another one since, is no new purchase there', async () => {
    const { send, google, said, pipeline } = await open();
    await send(purchase());
    pipeline.clock.advance(MINUTE_MS);
    const known = pipeline.connections.get('google_ads');
    if (known === undefined) throw new Error('no connection');
    pipeline.connections.set('google_ads', { ...known, updatedAtMs: pipeline.clock.now() });
    pipeline.requests.length = 0;
    await send(refund('r1', 10));
    expect(google()).toEqual([]);
    expect(said('r1').google_ads).toBe(
      'It was not sent. Not taken back by Google Ads: the connection was changed after the purchase.',
    );
  });

  it('under its value, because a rule changed that, is not restated by another', async () => {
    const margin = sampleRule({
      ...{ platforms: ['google_ads'], match: { event_name: ['Purchase'] } },
      action: { type: 'transform', changes: [{ op: 'scale_value', factor: 0.5 }] },
    });
    const { send, google, said } = await open({ rules: () => [margin] });
    await send(purchase());
    await send(refund('r1', 10));
    expect(google().map(({ value }) => value)).toEqual([49.75]);
    expect(said('r1').google_ads).toBe('Not taken back by Google Ads: a rule changed the purchase.');
  });

  it('yet, waits until it has', async () => {
    let isDown = true;
    const { send, google, said, pipeline, pass } = await open({
      answer: (request) =>
        isDown && request.url.includes('datamanager') ? reply(503, '{}') : ANSWERS.taken(request.url),
    });
    await send(purchase());
    await send(refund('r1', 10));
    expect(said('r1').google_ads).toBe('It waits: its purchase has not arrived there yet.');
    isDown = false;
    pipeline.requests.length = 0;
    await pass(90);
    expect(google().map(({ value }) => value)).toEqual([89.5, 89.5]);
  });
});

describe('Microsoft, which takes refunds by another grant than purchases,', () => {
  it('takes none without it', async () => {
    const { pipeline, send, microsoft, said } = await open({}, {});
    await send(purchase());
    await send(refund('r1', 10));
    expect(microsoft()).toEqual([]);
    expect(said('r1').microsoft).toBe(
      'It was not sent. Not taken back by Microsoft Advertising: the connection lacks the access that refunds need.',
    );
    expect(pipeline.requests.some(({ url }) => url.includes('login.microsoftonline'))).toBe(false);
  });

  it.each([
    ['of its token endpoint', 'login.microsoftonline', 400, '{"error":"invalid_grant"}'],
    ['of its Ads API', 'bingads', 401, '{"Errors":[{"ErrorCode":"UserIsNotAuthorized","Message":"m"}]}'],
  ])(
    'takes purchases while a refusal %s keeps refunds back, until that is mended',
    async (_, host, ...said) => {
      let isRefused = true;
      const { pipeline, send, microsoft, pass } = await open({
        answer: ({ url }) => (isRefused && url.includes(host) ? reply(...said) : ANSWERS.taken(url)),
      });
      const purchases = () => pipeline.requests.filter(({ url }) => url.includes('capi.uet')).length;
      await send(purchase());
      for (let i = 1; i <= 12; i++) await send(refund(`r${i}`, 1));
      await send(purchase({ event_id: 'order-2', order_id: '2' }));
      expect(pipeline.connections.get('microsoft')?.status).toBe('active');
      expect(purchases()).toBe(2);
      isRefused = false;
      pipeline.requests.length = 0;
      await pass(90);
      expect(new Set(microsoft().map(([, , value]) => value))).toEqual(new Set([87.5]));
      expect(microsoft()).toHaveLength(12);
    },
  );

  it('takes them of purchases from before its access was renewed', async () => {
    const { send, microsoft, pipeline } = await open();
    await send(purchase());
    pipeline.clock.advance(MINUTE_MS);
    const known = pipeline.connections.get('microsoft');
    if (known === undefined) throw new Error('no connection');
    pipeline.connections.set('microsoft', { ...known, updatedAtMs: pipeline.clock.now() });
    await send(refund('r1', 10));
    expect(microsoft()).toEqual([['1234', 'Restate', 89.5]]);
  });

  it('is left the smallest value, in whatever order refunds are sent', async () => {
    const { microsoft } = await refundedAround('bingads');
    expect(microsoft()).toEqual([['1234', 'Restate', 49.5]]);
  });
});

it('leaves the smallest value with Google, in whatever order its refunds are sent', async () => {
  const { google } = await refundedAround('datamanager');
  // The first, tried again after the second.
  expect(google().map(({ value }) => value)).toEqual([49.5]);
});

describe('what is left stays with Google', () => {
  it('when the order is reported again after its refund', async () => {
    const { send, google } = await open();
    await send(purchase());
    await send(refund('r1', 30));
    await send(purchase({ event_id: 'again' }));
    expect(google()).toMatchObject([{ value: 99.5 }, { value: 69.5 }, { id: 'order-1234', value: 69.5 }]);
  });

  it('when the purchase is replayed after its refund', async () => {
    const { pipeline, send, google } = await open();
    await send(purchase());
    await send(refund('r1', 30));
    const { api } = withReplays(pipeline, PLATFORMS);
    const again = { params: { id: 'order-1234' }, body: { dedupe: 'original' } } as const;
    expect(await api.replayEvent({ ...KEYLESS, ...again })).toMatchObject({ status: 202 });
    await pipeline.drain();
    expect(google()).toMatchObject([{ value: 99.5 }, { value: 69.5 }, { id: 'order-1234', value: 69.5 }]);
  });
});

const reply = (status: number, body: string): HttpResult =>
  ({
    ...{ kind: 'response', status, headers: {}, body },
    latencyMs: 1,
  }) as HttpResult;

/** Answers as the platforms that are asked about here word them. */
const ANSWERS = {
  taken: (url: string): HttpResult => {
    if (url.includes('bingads')) return reply(200, '{"PartialErrors":[]}');
    if (url.includes('capi.uet')) return reply(200, '{"eventsReceived":1,"traceId":"t"}');
    if (url.includes('oauth2')) return reply(200, '{"access_token":"t","expires_in":3600}');
    if (url.includes('datamanager')) return reply(200, '{"requestId":"r"}');
    return reply(204, '');
  },
};

const refusedBy =
  (host: string) =>
  (request: { readonly url: string }): HttpResult =>
    request.url.includes(host)
      ? reply(400, '{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"no"}}')
      : ANSWERS.taken(request.url);
