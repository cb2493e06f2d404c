// Goal: who is on the list of suppressed people, says the API, is who the merchant put there; nothing of them is kept in the clear.
import { describe, expect, it } from 'vitest';
import { reportPerson } from '#lib/events/routes/orders/people.ts';
import { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import {
  countSuppressed,
  createErasure,
  importSuppressed,
  suppressPerson,
  unsuppressPerson,
} from '#lib/events/routes/privacy.ts';
import { bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { testMerchant } from '#test/support/ingestion.ts';

const URL = '/v1/privacy/suppressions';
const EMAIL = 'jane.q@shop.example';
const AT = new Date(NOW).toISOString();
type Words = Readonly<Record<string, string>>;

async function open(suppression: 'not_sent' | 'off' = 'not_sent') {
  const host = await openApi();
  const profile = { ...testMerchant(), ...(suppression === 'off' ? {} : { suppression }) };
  for (const merchantId of [MINE, THEIRS]) await host.config.putMerchant({ ...profile, merchantId });
  const token = host.session('admin');
  const asked = (words: Words) => `${URL}?${new URLSearchParams(words)}`;
  return {
    host,
    post: (body: unknown, as = token) => host.call(URL, { method: 'POST', token: as, body }),
    remove: async (words: Words, as = token) =>
      bodyOf(unsuppressPerson, await host.call(asked(words), { method: 'DELETE', token: as })),
    count: async (as = token) => bodyOf(countSuppressed, await host.call(URL, { token: as })),
    report: async (words: Words, as = token) =>
      bodyOf(
        reportPerson,
        await host.call(`/v1/people/report?${new URLSearchParams(words)}`, { token: as }),
      ).index.map(({ by, suppressed_since }) => [by, suppressed_since]),
  };
}

it('puts a person on the list by each identifier, once, and says since when', async () => {
  const { host, post, count, report } = await open();
  const reply = await post({ email: EMAIL, phone: '+44 7700 900123' });
  const suppressed = [
    { by: 'email', since: AT },
    { by: 'phone', since: AT },
  ];
  expect(bodyOf(suppressPerson, reply).suppressed).toEqual(suppressed);
  host.clock.advance(60_000);
  expect(bodyOf(suppressPerson, await post({ email: ` ${EMAIL.toUpperCase()}` })).suppressed).toEqual(
    suppressed.slice(0, 1),
  );
  expect(await count()).toMatchObject({ suppression: 'not_sent', count: 2, is_complete: true });
  expect(await report({ email: EMAIL, external_id: 'c-1' })).toEqual([
    ['email', AT],
    ['external_id', null],
  ]);
});

it('is a list of each merchant, of keyed digests', async () => {
  const { host, post, count, report } = await open();
  const theirs = host.session('owner', 'theirs');
  await post({ email: EMAIL });
  expect((await count(theirs)).count).toBe(0);
  expect(await report({ email: EMAIL }, theirs)).toEqual([['email', null]]);
  const [mine, other] = [await host.config.merchantNow(MINE), await host.config.merchantNow(THEIRS)];
  expect([mine?.suppressionKey?.length, other?.suppressionKey]).toEqual([43, undefined]);
  const account = await host.call('/v1/account', { token: host.session('admin') });
  expect(account.text).not.toContain(mine?.suppressionKey);
});

it('takes a person off by the words that put them there, in whichever spelling, and nobody else', async () => {
  const { host, post, remove, count } = await open();
  await post({ email: EMAIL });
  await post({ external_id: 'c-1' });
  expect((await remove({ email: 'joe@shop.example' })).removed).toEqual([]);
  expect((await remove({ email: EMAIL }, host.session('owner', 'theirs'))).removed).toEqual([]);
  expect((await remove({ email: EMAIL.toUpperCase(), phone: '+447700900123' })).removed).toEqual(['email']);
  expect((await count()).count).toBe(1);
  expect((await remove({ email: EMAIL })).removed).toEqual([]);
});

it('puts nobody on a list that is not looked into, but for an erasure that does not ask for it', async () => {
  const { host, post, count } = await open('off');
  expect(codeOf(await post({ email: EMAIL }))).toBe('suppression_off');
  const erase = (body: unknown) =>
    host.call('/v1/privacy/erasures', { method: 'POST', token: host.session('admin'), body });
  expect(codeOf(await erase({ email: EMAIL, suppress: true }))).toBe('suppression_off');
  const { erasure } = bodyOf(createErasure, await erase({ email: EMAIL }));
  expect(erasure.suppresses).toBe(false);
  expect(await count()).toMatchObject({ suppression: 'off', count: 0 });
  expect(await host.config.merchantNow(MINE)).not.toHaveProperty('suppressionKey');
});

it('looks for an erasure where events go that came before the list was known', async () => {
  const { host, count } = await open();
  const erase = () =>
    host.call('/v1/privacy/erasures', {
      method: 'POST',
      token: host.session('admin'),
      body: { email: EMAIL },
    });
  const { erasure } = bodyOf(createErasure, await erase());
  expect([erasure.suppresses, (await count()).count]).toEqual([true, 1]);
  expect(bodyOf(createErasure, await erase()).erasure.id).toBe(erasure.id);
  const [stored] = await host.ports.privacy.erasures.listErasures(MINE, 10);
  expect(stored?.notBeforeMs).toBeGreaterThan(NOW + 45_000);
});

it('keeps the key of its list when the profile is saved or changed', async () => {
  const { host, post } = await open();
  await post({ email: EMAIL });
  const before = await host.config.merchantNow(MINE);
  await host.config.putMerchant({ ...testMerchant(), merchantId: MINE, suppression: 'without_identity' });
  await host.config.updateMerchant(MINE, { name: 'Renamed', suppression: null });
  const after = await host.config.merchantNow(MINE);
  expect(after?.suppressionKey).toBe(before?.suppressionKey);
  expect(after).not.toHaveProperty('suppression');
});

it.each<readonly [unknown, number]>([
  [{}, 400],
  [{ email: 'jane' }, 400],
  [{ phone: '07700 900123' }, 400],
  [{ mail: EMAIL }, 400],
])('refuses %j', async (body, status) => {
  const { post, count } = await open();
  expect((await post(body)).status).toBe(status);
  expect((await count()).count).toBe(0);
});

it('is for who manages, and for keys of admins', async () => {
  const { host, post } = await open();
  expect((await post({ email: EMAIL }, host.session('member'))).status).toBe(403);
  const { key } = await host.keyFor(['events:write', 'events:read']);
  expect((await post({ email: EMAIL }, key)).status).toBe(403);
  expect((await post({ email: EMAIL }, (await host.keyFor(['admin'])).key)).status).toBe(200);
});

describe('an import', () => {
  const send = async (body: string | object) => {
    const opened = await open();
    const token = opened.host.session('admin');
    const headers = typeof body === 'string' ? { 'content-type': 'text/csv' } : {};
    const reply = await opened.host.call(`${URL}/import`, { method: 'POST', token, headers, body });
    return { ...opened, reply };
  };

  it.each<readonly [string, string | object, number, number]>([
    ['lines alone', `${EMAIL}\n+447700900123\r\n\nc-1\n`, 3, 3],
    ['columns', `phone, External_ID ,note,email\n+447700900123,c-1,"a, b",\n,,,${EMAIL}\n`, 2, 3],
    ['JSON', { people: [{ email: EMAIL, phone: '+447700900123' }, { external_id: 'c-1' }] }, 2, 3],
    ['the same twice', `${EMAIL}\n ${EMAIL.toUpperCase()}`, 2, 1],
  ])('takes %s, all of them, and may be repeated', async (_what, content, people, identifiers) => {
    const { reply, count, report } = await send(content);
    expect(bodyOf(importSuppressed, reply)).toEqual({ success: true, people, added: people });
    expect((await count()).count).toBe(identifiers);
    expect((await report({ email: EMAIL }))[0]).toEqual(['email', AT]);
  });

  it.each<readonly [string | object, string, string]>([
    [`${EMAIL}\njane@\n+447700900123`, 'lines.2.email', 'must be an e-mail address'],
    [`${EMAIL}\n+1`, 'lines.2.phone', 'must be a number'],
    [`email,phone\n${EMAIL},07700 900123`, 'lines.2.phone', 'must be a number'],
    [`email\n${EMAIL}\n\nundefined`, 'lines.4.email', 'must be an e-mail address'],
    [`email,email\n${EMAIL},`, 'lines.1', 'must name each column once'],
    [`${EMAIL},+447700900123`, 'lines.1', 'must name the columns first'],
    [`email\n"${EMAIL}`, 'lines.2', 'has a quote that is not closed'],
    [`email,phone\n,`, 'lines.2', 'must have an e-mail address'],
    ['', '', 'must hold at least one person'],
    ['email\n', '', 'must hold at least one person'],
    [`${EMAIL}\n`.repeat(501), 'lines.501', 'must hold at most 500 people'],
    [`${EMAIL}\nc-${'x'.repeat(512)}`, 'lines.2', 'at most 512 characters'],
    [{ people: [{ email: EMAIL }, {}] }, 'people.1', 'must have email, phone or external_id'],
    [{ people: [] }, 'people', ''],
  ])('is refused as a whole: %#', async (content, path, message) => {
    const { host, reply, count } = await send(content);
    expect(reply.status).toBe(400);
    const { details } = reply.body as { details: { path: string; message: string }[] };
    expect(details[0]?.path).toBe(path);
    expect(details[0]?.message).toContain(message);
    expect(reply.text).not.toContain('jane');
    expect((await count()).count).toBe(0);
    expect(await host.config.merchantNow(MINE)).not.toHaveProperty('suppressionKey');
  });
});

describe('a preview', () => {
  const event = {
    event_id: 'order-1',
    event_name: 'Purchase',
    event_time: Math.floor(NOW / 1_000) - 60,
    value: 5,
    currency: 'EUR',
    order_id: 'order-1',
    event_source_url: 'https://shop.example/thanks?x=1',
    custom_data: { note: 'gift' },
    user_data: { email: ` ${EMAIL.toUpperCase()}`, first_name: 'Jane' },
  };
  const WEBHOOK = { url: 'https://hooks.shop.example/in', secret: `whsec_${'A'.repeat(43)}=` };
  const previewed = async (
    how: 'not_sent' | 'without_identity' | 'off',
    platform: string,
    user = event.user_data,
  ) => {
    const { host, post } = await open('not_sent');
    await post({ email: EMAIL });
    await host.config.updateMerchant(MINE, { suppression: how === 'off' ? null : how });
    const credentials = platform === 'webhook' ? WEBHOOK : undefined;
    return bodyOf(
      previewPlatform,
      await host.call('/v1/platforms/preview', {
        method: 'POST',
        token: host.session('admin'),
        body: { platform, credentials, event: { ...event, user_data: user } },
      }),
    );
  };

  it('says that an event of a person on the list would not be sent', async () => {
    const { verdict, explanation, warnings, request } = await previewed('not_sent', 'webhook');
    expect(verdict).toBe('suppressed');
    expect(explanation).toContain('The person was erased or objected');
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['suppressed', 'person_suppressed']),
    );
    expect(JSON.stringify(request)).not.toMatch(/jane|gift|thanks/i);
  });

  it('says that it would be sent without its person, and shows how', async () => {
    const { verdict, explanation, request } = await previewed('without_identity', 'webhook');
    expect([verdict, explanation]).toEqual([
      'pending',
      expect.stringContaining('without its person, who was erased or objected'),
    ]);
    expect(JSON.stringify(request)).toContain('order-1');
    expect(JSON.stringify(request)).not.toMatch(/jane|gift|thanks/i);
  });

  it('says of a platform that takes no event without a person that it would not get it', async () => {
    expect((await previewed('without_identity', 'klaviyo')).verdict).toBe('suppressed');
  });

  it.each(['off', 'another'] as const)('says nothing of it otherwise: %s', async (what) => {
    const user = what === 'another' ? { ...event.user_data, email: 'joe@shop.example' } : undefined;
    const { verdict, warnings, request } = await previewed(
      what === 'off' ? 'off' : 'not_sent',
      'webhook',
      user,
    );
    expect(verdict).toBe('pending');
    expect(warnings.map(({ code }) => code)).not.toContain('person_suppressed');
    expect(JSON.stringify(request)).toContain('gift');
  });
});
