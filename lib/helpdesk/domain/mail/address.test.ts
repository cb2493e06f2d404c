import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMac, isOurDomain, parseMailAddress, replyAddress, supportAddress } from './address.ts';

const DOMAIN = 'mail.example.com';
const WORKSPACE = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const TICKET = '0192f3a4-5b6c-7d8e-9f01-fedcba987654';
const MAC = Uint8Array.from([255, 254, 253, 252, 251, 250, 249, 248, 1]);

describe('addresses of mails', () => {
  it('carry any workspace and ticket there and back, in any letter case, in 64 characters', async () => {
    await fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.uint8Array({ minLength: 8, maxLength: 32 }), (ws, ticket, mac) => {
        const key = { workspaceId: ws, ticketId: ticket };
        const address = replyAddress(key, mac, DOMAIN) ?? '';
        expect(address.indexOf('@')).toBe(64);
        const parsed = parseMailAddress(address.toUpperCase(), DOMAIN);
        expect(parsed).toMatchObject({ kind: 'reply', ...key });
        expect(isMac(parsed?.kind === 'reply' ? parsed.mac : '', mac)).toBe(true);
        const support = supportAddress(ws, DOMAIN) ?? '';
        expect(parseMailAddress(support, DOMAIN)).toEqual({ kind: 'support', workspaceId: ws });
      }),
    );
  });

  it('tell a MAC from every other one by any of its characters', () => {
    const address = replyAddress({ workspaceId: WORKSPACE, ticketId: TICKET }, MAC, DOMAIN) ?? '';
    const mac = address.slice(52, 64);
    expect(isMac(mac, MAC)).toBe(true);
    for (let at = 0; at < mac.length; at++) {
      const other = mac[at] === '0' ? '1' : '0';
      expect(isMac(mac.slice(0, at) + other + mac.slice(at + 1), MAC)).toBe(false);
    }
    expect(isMac('', MAC)).toBe(false);
    expect(isMac(`${mac}0`, MAC)).toBe(false);
  });

  it.each([
    ['', 'nothing'],
    ['support+@mail.example.com', 'no workspace'],
    [`support+${'z'.repeat(25)}@mail.example.com`, 'more than a UUID holds'],
    [`support+${'0'.repeat(24)}é@mail.example.com`, 'a letter of no code'],
    [`r+${'0'.repeat(61)}@mail.example.com`, 'too short'],
    [`r+${'0'.repeat(63)}@mail.example.com`, 'too long'],
    [`r+${'0'.repeat(62)}@example.com`, 'another domain'],
    [`r+${'0'.repeat(62)}@mail.example.com.evil.example`, 'a domain that begins like ours'],
    ['support@mail.example.com', 'no code'],
  ])('%j is none of ours: %s', (address) => {
    expect(parseMailAddress(address, DOMAIN)).toBeNull();
  });

  it('are refused to a workspace whose id is no UUID', () => {
    expect(supportAddress('shop', DOMAIN)).toBeNull();
    expect(replyAddress({ workspaceId: 'shop', ticketId: TICKET }, MAC, DOMAIN)).toBeNull();
  });

  it('know their own domain', () => {
    const known = ['a@mail.example.com', 'a@MAIL.example.com', 'a@x.mail.example.com'];
    expect(known.map((address) => isOurDomain(address, DOMAIN))).toEqual([true, true, true]);
    const other = ['a@example.com', 'a@xmail.example.com', 'mail.example.com', ''];
    expect(other.map((address) => isOurDomain(address, DOMAIN))).toEqual([false, false, false, false]);
  });
});
