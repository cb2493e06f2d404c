// POST /v1/platforms/preview for every platform there is: the request that would be sent, and everything said about it.
import { beforeEach, describe, expect, it } from 'vitest';
import { MASK } from '#lib/events/platforms/mask.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { connectPlatform } from '#lib/events/routes/platforms/platforms.ts';
import { loadPlatformModules } from '#test/conformance/platforms/platform-modules.ts';
import {
  type ApiHost,
  type ApiReply,
  bodyOf,
  codeOf,
  MINE,
  NOW,
  openApi,
  THEIRS,
} from '#test/contract/api-host.ts';
import { acceptedRow, deliveryIn, normalizedRow, sha256, store } from '#test/contract/stored-rows.ts';
import { testMerchant } from '#test/support/ingestion.ts';
import { sampleRule } from '#test/support/sample-rule.ts';
import { BROWSER_IDS, PERSON } from '../events/sample-person.ts';

const SECRET = 'EAAB-very-secret-token';
const META = { pixel_id: '1234567890', access_token: SECRET };
const NOW_SEC = Math.floor(NOW / 1_000);
const PURCHASE = {
  event_id: 'order-1',
  event_name: 'Purchase',
  event_time: NOW_SEC - 60,
  value: 59.98,
  currency: 'USD',
  order_id: '1001',
  items: [{ id: 'SKU-1', quantity: 2, price: 29.99 }],
  event_source_url: 'https://shop.example/thanks',
  user_data: { email: 'jane@example.com', client_ip: '203.0.113.9', user_agent: PERSON.user_agent },
};
const COMPLETE = { ...PURCHASE, user_data: { ...PERSON, browser_ids: BROWSER_IDS } };

const modules = await loadPlatformModules();
let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi(() => ({
    transport: async () => {
      throw new Error('a preview contacts nobody');
    },
  }));
  token = host.session('admin');
});

const post = (body: unknown): Promise<ApiReply> =>
  host.call('/v1/platforms/preview', { method: 'POST', token, body });
const preview = async (body: unknown) => bodyOf(previewPlatform, await post(body));
/** Of `PURCHASE` at Meta, with credentials of its own unless others are given. */
const previewMeta = (more: object = {}) =>
  preview({ platform: 'meta', event: PURCHASE, credentials: META, ...more });
const connect = async (given: object) => {
  const body = { ...given, confirm_experimental: true };
  return bodyOf(connectPlatform, await host.call('/v1/platforms', { method: 'POST', token, body })).platform;
};
const pathsOf = ({ body }: ApiReply) =>
  (body as { details: { path: string }[] }).details.map(({ path }) => path).sort();
const codes = (notices: readonly { code: string; field?: string | undefined }[]) =>
  notices.map(({ code, field }) => (field === undefined ? code : `${code} ${field}`));

describe.each(modules.map((module) => [module.slug, module] as const))('%s', (slug, module) => {
  const { platform, examples } = module;
  const credentials = examples[0].credentials as Readonly<Record<string, unknown>>;
  const secrets = credentialFields(platform)
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => (typeof credentials[name] === 'string' ? [credentials[name]] : []));

  it('shows the shape with samples before anything is connected, and says so', async () => {
    const reply = await post({ platform: slug, event: COMPLETE });
    const body = bodyOf(previewPlatform, reply);
    expect(body).toMatchObject({ credentials: 'sample', verdict: 'not_connected', errors: [] });
    expect(codes(body.warnings)).toEqual(
      expect.arrayContaining(['sample_credentials credentials', 'not_connected']),
    );
    expect(['POST', 'PUT']).toContain(body.request?.method);
    expect(body.request?.url).toMatch(/^https:\/\//);
    expect(JSON.parse(body.request?.body ?? '')).toEqual(body.request?.body_json);
    expect(reply.text).toContain(MASK);
    expect(host.reports).toEqual([]);
  });

  it('is the request the platform’s own code builds, but for its secrets', async () => {
    await connect({ platform: slug, credentials });
    const reply = await post({ platform: slug, event: COMPLETE });
    const body = bodyOf(previewPlatform, reply);
    expect(body).toMatchObject({ credentials: 'connection', verdict: 'pending', errors: [] });
    expect(body.warnings.map(({ code }) => code)).not.toContain('sample_credentials');
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      expect(reply.text).not.toContain(secret);
      expect(reply.text).not.toContain(encodeURIComponent(secret));
    }
    expect(body.request?.url.split('?')[0]).toContain(new URL(examples[0].request.url).host);
  });

  it('misses nothing of an event that has everything it takes', async () => {
    const { warnings } = await preview({ platform: slug, event: COMPLETE, credentials });
    expect(codes(warnings).filter((code) => code.startsWith('re'))).toEqual([]);
  });

  it('says what a nearly empty event lacks', async () => {
    const event = { event_id: 'pv-1', event_name: 'Purchase', event_time: NOW_SEC, user_data: {} };
    const { request, warnings, errors } = await preview({ platform: slug, event, credentials });
    const lacking = warnings.filter(({ code }) => code === 'required_field_missing');
    expect(lacking.length > 0).toBe(request === null && errors[0]?.code === 'invalid');
    expect(warnings.some(({ code }) => code.endsWith('_field_missing'))).toBe(true);
    expect(request === null).toBe(errors.length > 0);
  });

  it('warns of an old event, of denied consent and of a name it has no use for', async () => {
    const old = { ...COMPLETE, event_time: 1_000_000_000 };
    const { warnings: ofAge } = await preview({ platform: slug, event: old, credentials });
    expect(codes(ofAge).includes('too_old event_time')).toBe(platform.limits.ageMaxSec > 0);
    for (const signal of platform.consentSignals) {
      const denied = { ...COMPLETE, consent: { [signal]: 'denied' } };
      const { warnings } = await preview({ platform: slug, event: denied, credentials });
      expect(codes(warnings)).toContain(`consent_denied consent.${signal}`);
    }
    const unmapped = Object.entries(platform.eventNames).find(
      ([ours, name]) => name === null && ours !== 'Refund',
    )?.[0];
    if (unmapped === undefined) return;
    const event = { ...COMPLETE, event_name: unmapped };
    const { request, errors, warnings } = await preview({ platform: slug, event, credentials });
    expect([request, codes(errors)]).toEqual([null, ['unmapped event_name']]);
    expect(codes(warnings)).toContain('unmapped event_name');
  });
});

describe('a pasted event', () => {
  it('is shown as it would go out: without what is personal in its addresses, and with the reason', async () => {
    const event_source_url = 'https://shop.example/thanks?email=jane%40mail.example&order=1&token=8f3a9c21d0';
    const event = { ...PURCHASE, event_source_url, custom_data: { contact: 'jane@mail.example' } };
    const { request, warnings } = await previewMeta({ event });
    expect(request?.body_json).toMatchObject({
      data: [
        { event_source_url: 'https://shop.example/thanks?order=1', custom_data: { contact: '[removed]' } },
      ],
    });
    expect(codes(warnings)).toEqual(
      expect.arrayContaining([
        'email_removed event_source_url',
        'secret_removed event_source_url',
        'email_removed custom_data',
      ]),
    );
    await host.config.putMerchant({ ...testMerchant(), merchantId: MINE, allowedParameters: ['contact'] });
    const allowed = await previewMeta({ event });
    expect(allowed.request?.body).toContain('"contact":"jane@mail.example"');
    expect(codes(allowed.warnings)).toContain('personal_data_allowed contact');
  });

  it('with something personal in it would not be sent where the settings withhold such events', async () => {
    await host.config.putMerchant({ ...testMerchant(), merchantId: MINE, withholdPersonalFrom: ['meta'] });
    const event = { ...PURCHASE, event_source_url: 'https://shop.example/thanks?email=jane%40mail.example' };
    const held = await previewMeta({ event });
    expect([held.verdict, held.subject]).toEqual(['personal_found', 'event_source_url']);
    expect(held.explanation).toContain('the settings of the account keep such events from Meta');
    expect(codes(held.warnings)).toContain('personal_found event_source_url');
    expect((await previewMeta()).verdict).toBe('pending');
    expect((await preview({ platform: 'tiktok', event })).verdict).not.toBe('personal_found');
  });

  it('shows the exact body, every secret masked everywhere', async () => {
    const reply = await post({ platform: 'meta', credentials: META, event: PURCHASE });
    const { request } = bodyOf(previewPlatform, reply);
    expect(reply.text).not.toContain(SECRET);
    expect(request?.url).toBe(`https://graph.facebook.com/v26.0/1234567890/events?access_token=${MASK}`);
    expect(request?.body).toContain('"value":59.98');
    expect(request?.body_json).toMatchObject({ data: [{ event_id: 'order-1', event_name: 'Purchase' }] });
  });

  it('is refused with the details ingestion would give, under event', async () => {
    const event = { ...PURCHASE, event_id: '', items: [{ id: 'a', quantity: -1 }], value: 'ten' };
    const reply = await post({ platform: 'meta', event });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(pathsOf(reply)).toEqual(['event.event_id', 'event.items.0.quantity', 'event.value']);
    const late = { ...PURCHASE, event_time: NOW_SEC + 3_600 };
    const details = [{ path: 'event.event_time', message: 'must not be more than 10 minutes in the future' }];
    expect(await post({ platform: 'meta', event: late })).toMatchObject({ status: 400, body: { details } });
    const foreign = { ...PURCHASE, merchant_id: THEIRS };
    expect(codeOf(await post({ platform: 'meta', event: foreign }))).toBe('merchant_mismatch');
  });

  it.each([
    [{ email: 'jane@example.com', phone: '0301234567' }, 'phone_without_country_code user_data.phone'],
    [{ email: 'null' }, 'literal_null user_data.email'],
    [{ email: ' ' }, 'empty user_data.email'],
    [{ email: 'nobody' }, 'not_an_email user_data.email'],
    [{ country: 'US', state: 'Atlantis' }, 'unknown_state user_data.state'],
    [{ country: 'Middle Earth' }, 'unknown_country user_data.country'],
    [{ client_ip: '999.1.1.1' }, 'not_an_ip user_data.client_ip'],
    [{ email: sha256('') }, 'hash_of_empty user_data.email'],
    [{ nickname: 'jj' }, 'unknown_property user_data.nickname'],
    [{ 'jj@example.com': 1 }, 'unknown_property'],
  ])('%o is warned of as %s', async (user_data, code) => {
    const { warnings } = await previewMeta({ event: { ...PURCHASE, user_data } });
    expect(codes(warnings)).toContain(code);
  });

  it('says that a name of one’s own counts as Custom', async () => {
    const event = { ...COMPLETE, event_name: 'Spun Wheel' };
    const { event_name, warnings } = await previewMeta({ event });
    expect(event_name).toBe('Custom');
    expect(codes(warnings)).toContain('custom_event_name event_name');
  });

  it('names each field that would lift a refusal', async () => {
    const event = { event_id: 'a', event_name: 'PageView', event_time: NOW_SEC, user_data: {} };
    const { warnings } = await previewMeta({ event });
    const lacking = warnings.find(({ code }) => code === 'required_field_missing');
    expect(lacking?.field).toBe('user_data');
    expect(lacking?.message).toContain('user_data.email, user_data.phone');
    expect(lacking?.message).not.toContain('user_data.country');
  });

  it('says of a paused connection what explain would say', async () => {
    await connect({ platform: 'meta', credentials: META });
    const seen = await host.config.connection(MINE, 'meta');
    if (seen === null) throw new Error('not connected');
    await host.config.pauseConnection(seen, 'auth', NOW);
    const body = await preview({ platform: 'meta', event: PURCHASE });
    expect(body).toMatchObject({ verdict: 'connection_paused', subject: 'auth' });
    expect(codes(body.warnings)).toContain('connection_paused');
    expect(body.request).not.toBeNull();
  });

  it('is kept from a platform by a rule, which is named', async () => {
    await connect({ platform: 'meta', credentials: META });
    await host.config.changeRules(MINE, () => ({ rules: [sampleRule()], answer: null }));
    const body = await preview({ platform: 'meta', event: PURCHASE });
    expect(body).toMatchObject({ verdict: 'rule_excluded', subject: 'rul_1' });
    expect(codes(body.warnings)).toContain('rule_excluded');
  });

  it('is shown as rules change it for this platform, and they are named', async () => {
    await connect({ platform: 'meta', credentials: META });
    const action = { type: 'transform' as const, changes: [{ op: 'rename_event' as const, name: 'Lead' }] };
    const rules = [sampleRule({ action, platforms: ['meta'] })];
    await host.config.changeRules(MINE, () => ({ rules, answer: null }));
    const changed = await preview({ platform: 'meta', event: PURCHASE });
    expect(changed.request?.body).toContain('"event_name":"Lead"');
    expect(changed).toMatchObject({ verdict: 'pending', event_name: 'Purchase' });
    expect(changed.warnings.find(({ code }) => code === 'changed_by_rules')?.message).toContain('rul_1');
    const other = await preview({ platform: 'pinterest', event: PURCHASE });
    expect(other.request?.body).not.toMatch(/lead/i);
    expect(codes(other.warnings)).not.toContain('changed_by_rules');
  });

  it('leaves no trace', async () => {
    await previewMeta();
    expect(host.events.rows()).toEqual([]);
    expect(await host.config.listConnections(MINE)).toEqual([]);
    expect(await host.config.listAudit(MINE, 10)).toEqual([]);
  });
});

describe('a stored event', () => {
  it('is judged anew, whatever has become of it', async () => {
    await connect({ platform: 'meta', credentials: META });
    const delivered = deliveryIn('DELIVERED', { deliveredAtMs: NOW });
    const consent = { ad_user_data: 'denied' } as const;
    await store(
      host.events,
      acceptedRow({ eventId: 'fresh', body: { value: 10, currency: 'EUR' } }),
      normalizedRow({ eventId: 'waiting', connected: ['meta'] }),
      normalizedRow({ eventId: 'done', connected: ['meta'], deliveries: { meta: delivered } }),
      normalizedRow({ eventId: 'before' }),
      normalizedRow({ eventId: 'denied', connected: ['meta'], event: { consent } }),
      normalizedRow({ eventId: 'bot', connected: ['meta'], event: { bot: true } }),
    );
    // Whatever has become of them: a preview says what would.
    const sent = ['pending', 'It would be sent to Meta.'];
    const withheld = 'It would not be sent. ad_user_data was denied: the event is withheld from Meta.';
    const denied = ['consent_denied', withheld];
    const would = { fresh: sent, waiting: sent, done: sent, before: sent, denied };
    for (const own of [{}, { credentials: META }])
      for (const [id, said] of Object.entries(would)) {
        const body = await preview({ platform: 'meta', event_id: id, ...own });
        expect([body.verdict, body.explanation], id).toEqual(said);
        expect(body.request?.body_json, id).toMatchObject({ data: [{ event_id: id }] });
      }
    const bot = await preview({ platform: 'meta', event_id: 'bot' });
    expect([bot.verdict, bot.explanation.startsWith('It would not be sent.')]).toEqual(['bot', true]);
  });

  it('is normalized by the code that would have done it', async () => {
    const event = { ...PURCHASE, event_id: 'fresh' };
    await store(host.events, acceptedRow({ eventId: 'fresh', body: event }));
    const stored = await preview({ platform: 'meta', event_id: 'fresh', credentials: META });
    const pasted = await previewMeta({ event });
    const person = (body: typeof stored) =>
      (body.request?.body_json ?? {}) as { readonly data?: readonly { readonly user_data: unknown }[] };
    expect(person(stored).data?.[0]?.user_data).toBeDefined();
    expect(person(stored).data?.[0]?.user_data).toEqual(person(pasted).data?.[0]?.user_data);
  });
});

describe('credentials', () => {
  it('are checked against the platform’s own schema', async () => {
    const reply = await post({ platform: 'meta', event: PURCHASE, credentials: { pixel_id: 'x' } });
    expect(codeOf(reply)).toBe('invalid_request');
    expect(pathsOf(reply)).toEqual(['credentials.access_token', 'credentials.pixel_id']);
  });

  it('come from one place, and the event too', async () => {
    const { id } = await connect({ platform: 'meta', credentials: META });
    const bodies = [
      { platform: 'meta', event: PURCHASE, connection_id: id, credentials: META },
      { platform: 'meta', event: PURCHASE, event_id: 'order-1' },
      { platform: 'meta' },
      { platform: 'nothing', event: PURCHASE },
      { platform: PLATFORMS.find(({ slug }) => slug !== 'meta')?.slug, event: PURCHASE, connection_id: id },
      { platform: 'meta', event: 'text' },
    ];
    for (const body of bodies) expect(codeOf(await post(body))).toBe('invalid_request');
    const { credentials } = await preview({ platform: 'meta', event: PURCHASE, connection_id: id });
    expect(credentials).toBe('connection');
  });

  it('that cannot be opened for want of the vault are a 503, not a preview of something else', async () => {
    await connect({ platform: 'meta', credentials: META });
    const away = Object.assign(new Error('KMS is away'), { $fault: 'server' });
    const locked = await openApi(() => ({
      config: host.config,
      vault: { seal: async () => '', open: async () => Promise.reject(away) },
    }));
    const body = { platform: 'meta', event: PURCHASE };
    const reply = await locked.call('/v1/platforms/preview', { method: 'POST', token, body });
    expect([reply.status, codeOf(reply)]).toEqual([503, 'unavailable']);
  });
});
