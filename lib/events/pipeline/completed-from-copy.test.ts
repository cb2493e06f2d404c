// A server's event gains what only the page knew, and nothing else: the table is what may be taken, what may not, and when.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_LOOKUPS } from '#test/support/no-lookups.ts';
import { CONSENT_SIGNALS } from '../domain/event/consent.ts';
import type { EventBody } from '../domain/event/event.ts';
import type { UnopenedEvent } from '../domain/event/normalized-event.ts';
import { BROWSER_ID_KEYS } from '../domain/identity/identity.ts';
import { completedFromCopy } from './completed-from-copy.ts';
import { unopenedEvent } from './normalize-event.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const FBP = `fb.1.${NOW - 60_000}.1098115397`;
const FBC = `fb.1.${NOW - 60_000}.IwAR2F4`;
const PERSON = { client_ip: '203.0.113.7', user_agent: 'Mozilla/5.0' };
const ORDER = { value: 10, currency: 'EUR', order_id: '1001' };

function eventOf(channel: 'server' | 'browser', more: Partial<EventBody>): UnopenedEvent {
  const key = { merchantId: 'm', channel, eventId: 'e' };
  const body: EventBody = {
    event_id: 'e',
    event_name: 'Purchase',
    event_time: NOW / 1_000,
    user_data: {},
    ...ORDER,
    ...more,
  };
  return unopenedEvent({ key, body, receivedAtMs: NOW }, NO_LOOKUPS);
}
const server = (more: Partial<EventBody> = {}) =>
  eventOf('server', { user_data: { email: 'a@example.com' }, ...more });
const page = (more: Partial<EventBody> = {}) =>
  eventOf('browser', { user_data: { ...PERSON, browser_ids: { fbp: FBP } }, ...more });
const ids = (browser_ids: Record<string, string>): Partial<EventBody> => ({ user_data: { browser_ids } });

describe('an order gains from the page', () => {
  it('what only a browser knows, and says which fields', () => {
    const said = page({
      event_source_url: 'https://shop.example/thanks?fbclid=IwAR2F4',
      referrer_url: 'https://pay.example/',
      user_data: { ...PERSON, anon_id: 'anon', browser_ids: { fbp: FBP, ga_client_id: '1.2' } },
    });
    const own = server();
    const { raw, fromPage, eventSourceUrl, referrerUrl, ...rest } = completedFromCopy(own, said);
    const { raw: _raw, ...before } = own;
    expect(rest).toEqual(before);
    expect(raw).toEqual({
      clientIp: PERSON.client_ip,
      userAgent: PERSON.user_agent,
      anonId: 'anon',
      browserIds: { fbp: FBP, fbc: `fb.1.${NOW}.IwAR2F4`, ga_client_id: '1.2' },
    });
    expect([eventSourceUrl, referrerUrl]).toEqual([said.eventSourceUrl, 'https://pay.example/']);
    expect(fromPage).toEqual([
      'fbp',
      'fbc',
      'ga_client_id',
      'client_ip',
      'user_agent',
      'anon_id',
      'event_source_url',
      'referrer_url',
    ]);
  });

  it('no person, address of a house, item or number of an order', () => {
    const said = page({
      user_data: {
        email: 'b@example.com',
        phone: '+4930123456',
        city: 'Berlin',
        customer_id: 'c',
        madid: 'm',
      },
      order_id: 'other',
      items: [{ id: 'sku', quantity: 1 }],
      custom_data: { a: 1 },
    });
    const own = server();
    expect(completedFromCopy(own, said)).toBe(own);
  });

  it.each([
    ['a click id', ids({ fbc: FBC }), ids({ fbc: `${FBC}x` })],
    [
      'a click id in its own address',
      { event_source_url: 'https://a.example/?ttclid=1' },
      ids({ ttclid: '2' }),
    ],
    [
      'an address',
      { event_source_url: 'https://a.example/' },
      { event_source_url: 'https://b.example/', ...ids({}) },
    ],
    [
      'an IP address',
      { user_data: { client_ip: '198.51.100.1' } },
      { user_data: { client_ip: '203.0.113.9' } },
    ],
  ])('nothing that it carries: %s', (_, own, said) => {
    const event = server(own);
    expect(completedFromCopy(event, page(said))).toBe(event);
  });

  it.each([
    ['gclid', 'gbraid'],
    ['gbraid', 'wbraid'],
    ['wbraid', 'gclid'],
  ])('no second click of Google: %s keeps %s out', (own, other) => {
    const { raw, fromPage } = completedFromCopy(
      server(ids({ [own]: '1' })),
      page(ids({ [other]: '2', ttclid: '3' })),
    );
    expect(raw.browserIds).toEqual({ [own]: '1', ttclid: '3' });
    expect(fromPage).toEqual(['ttclid']);
  });

  it.each([
    ['of the same visit', 0, {}, '1795176000'],
    ['half an hour away', 1_800, {}, '1795176000'],
    ['longer away', 1_801, {}, undefined],
    ['of another client', 0, { ga_client_id: '3.4' }, undefined],
  ])('the session of Google Analytics %s', (_, laterSec, own, expected) => {
    const said = ids({ ga_client_id: '1.2', ga_session_id: '1795176000' });
    const event = page({ event_time: NOW / 1_000 - laterSec, ...said });
    expect(completedFromCopy(server(ids(own)), event).raw.browserIds?.ga_session_id).toBe(expected);
  });

  it('an id in place of one that was refused', () => {
    const { raw, issues } = completedFromCopy(server(ids({ fbp: 'undefined' })), page());
    expect(raw.browserIds?.fbp).toBe(FBP);
    expect(issues).toEqual([{ field: 'browser_ids.fbp', code: 'literal_null' }]);
  });
});

describe('an order gains nothing from a page event that', () => {
  const crawler = { internal: { bot: true as const } };
  it.each([
    ['has another name', {}, { event_name: 'Lead' }],
    ['has another name of its own', { event_name: 'mine' }, { event_name: 'other' }],
    ['says another amount', {}, { value: 0.01 }],
    ['says another currency', {}, { currency: 'USD' }],
    ['names an amount where the server names none', { value: undefined }, {}],
    ['is of a crawler', {}, crawler],
    ['is of another browser', ids({ fbp: `${FBP}1` }), {}],
  ])('%s', (_, own, said) => {
    const event = server(own as Partial<EventBody>);
    expect(completedFromCopy(event, page(said))).toBe(event);
  });

  it.each([
    ['no amount', { value: undefined, currency: undefined }],
    ['another order number', { order_id: 'x' }],
  ])('but from one that says %s', (_, said) => {
    expect(completedFromCopy(server(), page(said as Partial<EventBody>)).fromPage).toContain('fbp');
  });
});

describe('consent', () => {
  const [denied, granted] = ['denied', 'granted'] as const;
  it.each([
    [{}, {}, true],
    [{ ad_storage: granted }, { ad_storage: granted }, true],
    [{ ad_storage: denied }, {}, false],
    [{}, { ad_storage: denied }, false],
    [{ ad_user_data: denied }, {}, false],
    [{}, { ad_user_data: denied }, false],
    // What the page denied would have to hold for the whole event, and a page must not withhold a server's event.
    [{}, { ad_personalization: denied }, false],
    [{ analytics: granted }, { analytics: denied }, false],
    [{ ad_personalization: denied }, { ad_personalization: denied }, true],
    [{ analytics: denied }, { analytics: granted }, true],
  ])('of the server %j and of the page %j lets ids be joined: %s', (own, said, joined) => {
    const event = server({ consent: own });
    const completed = completedFromCopy(event, page({ consent: said }));
    expect(completed.fromPage !== undefined).toBe(joined);
    expect(completed.consent).toEqual(own);
  });
});

const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const record = <T>(keys: readonly string[], values: fc.Arbitrary<T>) =>
  fc
    .record(Object.fromEntries(keys.map((key) => [key, some(values)])))
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
          string,
          T
        >,
    );
const sides = fc.record({
  browser_ids: record(
    BROWSER_ID_KEYS.filter((key) => key !== 'fbp' && key !== 'fbc'),
    fc.constantFrom('1', '22'),
  ),
  consent: record(CONSENT_SIGNALS, fc.constantFrom('granted' as const, 'denied' as const)),
  url: some(fc.constantFrom('https://a.example/', 'https://b.example/?gclid=7&ttclid=8')),
});

it('never changes what a server said, names exactly what it took, and takes nothing twice', () => {
  const build = ({ browser_ids, consent, url }: typeof sides extends fc.Arbitrary<infer T> ? T : never) => ({
    user_data: { browser_ids },
    consent,
    ...(url === undefined ? {} : { event_source_url: url }),
  });
  fc.assert(
    fc.property(sides, sides, (own, said) => {
      const [event, other] = [server(build(own)), page(build(said))];
      const { fromPage = [], ...completed } = completedFromCopy(event, other);
      const before = flat(event);
      const after = flat(completed);
      for (const [name, value] of Object.entries(before)) expect(after[name]).toBe(value);
      const gained = Object.keys(after).filter((name) => !(name in before));
      expect([...fromPage].sort()).toEqual(gained.sort());
      for (const name of gained) expect(after[name]).toBe(flat(other)[name]);
      expect(completedFromCopy(completed, other)).toBe(completed);
    }),
    { numRuns: 1_000 },
  );
});

function flat({
  raw,
  eventSourceUrl,
}: Pick<UnopenedEvent, 'raw' | 'eventSourceUrl'>): Record<string, string> {
  const all = { ...raw.browserIds, client_ip: raw.clientIp, event_source_url: eventSourceUrl };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
