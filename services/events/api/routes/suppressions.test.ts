// Goal: who is on the list of suppressed people, says the API, is who the merchant put there; nothing of them is kept in the clear.
import { expect, it } from 'vitest';
import { reportPerson } from '#lib/events/routes/orders/people.ts';
import {
  countSuppressed,
  createErasure,
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
