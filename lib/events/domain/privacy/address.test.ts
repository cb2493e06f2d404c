// Addresses without what is personal in them.
import { describe, expect, it } from 'vitest';
import { withoutPersonalParts } from './address.ts';
import type { PersonalKind } from './kinds.ts';

function gate(address: string, allowed: readonly string[] = []) {
  const findings = { kinds: new Set<PersonalKind>(), allowed: new Set<string>() };
  const text = withoutPersonalParts(address, new Set(allowed), findings);
  return { text, kinds: [...findings.kinds], allowed: [...findings.allowed] };
}

const SHOP = 'https://shop.example';
const HEX = '4f9d2c71ab8e40d3a6b59c1e7f2d8a03';
const GONE: readonly (readonly [string, string, PersonalKind])[] = [
  ['/a?email=jane%40mail.example&x=1', '/a?x=1', 'email'],
  ['/a?x=1&email=jane%2540mail.example', '/a?x=1', 'email'],
  ['/a?jane@mail.example', '/a', 'email'],
  ['/a/jane@mail.example/b', '/a/%5Bremoved%5D/b', 'email'],
  ['/a#jane@mail.example', '/a#%5Bremoved%5D', 'email'],
  ['/a#/login?email=jane@mail.example&x=1', '/a#/login?x=1', 'email'],
  ['/a#access_token=8f3a9c21d0&state=1', '/a#state=1', 'secret'],
  ['/a?next=%2Flogin%3Femail%3Djane%2540mail.example', '/a', 'email'],
  ['/a?phone=030+1234567&q=1', '/a?q=1', 'phone'],
  ['/a?q=%2B49+30+12345678', '/a', 'phone'],
  ['/a?customer[first_name]=Jane', '/a', 'person'],
  ['/a?customer%5BlastName%5D=Doe&b=2', '/a?b=2', 'person'],
  ['/a?dob=1990-01-31', '/a', 'person'],
  ['/a?shipping_address=12+High+Street', '/a', 'person'],
  ['/a?cc=4111111111111111', '/a', 'card'],
  ['/a?x=4111%201111%201111%201111', '/a', 'card'],
  ['/a?x=DE89370400440532013000', '/a', 'iban'],
  ['/a?resetToken=abc123def', '/a', 'secret'],
  ['/a?sid=abc123def', '/a', 'secret'],
  ['/a;jsessionid=0A1B2C3D4E/b', '/%5Bremoved%5D/b', 'secret'],
  ['/checkout/order-received/12/?key=wc_order_x1Y2z3Ab4Cd5e', '/checkout/order-received/12/', 'secret'],
  [`/account/reset-password/${HEX}`, '/account/reset-password/%5Bremoved%5D', 'secret'],
  [`/?magic_link=1&t=${HEX}`, '/?magic_link=1', 'secret'],
  ['/a?ssn=078051120', '/a', 'national_id'],
  ['/a?password=hunter', '/a', 'secret'],
  ['/a?reset_token=48213&x=1', '/a?x=1', 'secret'],
  ['/a?token=12345', '/a', 'secret'],
  ['/a?csrfToken=abc', '/a', 'secret'],
  ['/a?reset_code=48213', '/a', 'secret'],
  ['/a?pin=4821', '/a', 'secret'],
  ['/a?userPin=482100', '/a', 'secret'],
  ['/login?code=4/0Ab&state=xyz123', '/login?state=xyz123', 'secret'],
  ['/a#state=af0ifjsldkj&code=Sp', '/a#state=af0ifjsldkj', 'secret'],
];

const CLEAN = [
  '',
  '/',
  '?',
  '#',
  '?&&=&',
  'not an address',
  `${SHOP}/products/blue-shirt?variant=40123456789012&utm_source=mail&utm_medium=email`,
  `${SHOP}/p/4006381333931?gclid=Cj0KCQiA7NKBhDBARIsAHbXCB6reset&_gl=1*1abc*_ga*MTEzNTY3ODkwLjE2MDAwMDAwMDA.`,
  `${SHOP}/search?q=phone+case&_pos=1&_sid=8f3a9c21d&_ss=r`,
  `${SHOP}/orders/4111111111111111?order_id=4111%201111%201111%201111`,
  `${SHOP}/collections/all?sort_by=price&filter.v.price.gte=10&key=color_12`,
  `${SHOP}/a?fbclid=IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk`,
  `${SHOP}/magic-the-gathering/booster-box?sku=MTG2024BOX99AB`,
  `${SHOP}/cart?code=SAVE10&state=California`,
  `${SHOP}/cart?code=SAVE10&state=CA&country=US`,
  `${SHOP}/a?token=1&pin=1&spinning=4821&token_type=bearer&pinned=2024`,
  `${SHOP}/stores/@52.520008,13.404954,15z`,
];

describe('an address', () => {
  it.each(GONE)('loses what is personal: %s', (path, left, kind) => {
    const { text, kinds } = gate(SHOP + path);
    expect([text, kinds]).toEqual([SHOP + left, [kind]]);
    expect(URL.canParse(text)).toBe(true);
    expect(gate(text)).toEqual({ text, kinds: [], allowed: [] });
  });

  it.each(CLEAN)('stays as it is where there is nothing: %s', (address) => {
    expect(gate(address)).toEqual({ text: address, kinds: [], allowed: [] });
  });

  it('loses user and password', () => {
    expect(gate('https://jane:pw@shop.example/a').text).toBe('https://shop.example/a');
    expect(gate('mailto:jane@mail.example').text).toBe('mailto:%5Bremoved%5D');
  });

  it('keeps a parameter that the merchant allows, and never a card, a secret or a national id in it', () => {
    const kept = `${SHOP}/a?Contact=jane@mail.example`;
    expect(gate(kept, ['contact'])).toEqual({ text: kept, kinds: [], allowed: ['contact'] });
    expect(gate(kept, ['other']).text).toBe(`${SHOP}/a`);
    for (const more of ['4111 1111 1111 1111', '078-05-1120', 'token=8f3a9c21d0', 'DE89370400440532013000'])
      expect(gate(`${kept} ${more}`, ['contact']).text).toBe(`${SHOP}/a`);
    expect(gate(`${SHOP}/a?token=8f3a9c21d0`, ['token']).text).toBe(`${SHOP}/a`);
  });
});
