import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { NOT_PUBLIC, PUBLIC, REFUSED_URLS } from '#test/support/vectors/address-guard.ts';
import { BlockedAddressError, guardedLookup, isPublicAddress, refusedUrl } from './address-guard.ts';

describe('isPublicAddress', () => {
  it.each(PUBLIC)('takes %s', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(NOT_PUBLIC)('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('refusedUrl', () => {
  it.each(REFUSED_URLS)('refuses %s', (text) => {
    const url = URL.parse(text);
    if (url !== null) expect(refusedUrl(url)).not.toBeNull();
  });
  it('takes the vendors and public addresses', () => {
    const vendors = ['https://graph.facebook.com/v26.0/1/events', 'https://www.google-analytics.com:443/'];
    for (const text of [...vendors, 'https://8.8.8.8/', 'https://[2606:4700::1111]/'])
      expect(refusedUrl(new URL(text))).toBeNull();
  });
  it('takes for an address whatever the library takes for one', () => {
    const of = (hostname: string) =>
      refusedUrl({ protocol: 'https:', username: '', password: '', port: '', hostname } as URL);
    const near = fc.oneof(
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.ipV6().map((address) => `${address}%eth0`),
      fc.string({ unit: fc.constantFrom(...'0127xaefgz.:%-'), maxLength: 20 }),
      fc.constantFrom(...PUBLIC, ...NOT_PUBLIC),
      fc.domain(),
    );
    fc.assert(
      fc.property(near, (host) => {
        fc.pre(!host.startsWith('['));
        const asked = ipaddr.isValid(host);
        const refused = of(host);
        return asked
          ? refused === (isPublicAddress(host) ? null : 'the address is not public')
          : refused === null || refused === 'the host name is not public';
      }),
      { numRuns: 5_000, seed: 20_261_121 },
    );
  });
});

describe('guardedLookup', () => {
  const resolving = (...addresses: readonly string[]) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return guardedLookup((_host, _options, callback) => callback(null, found));
  };
  const look = (lookup: ReturnType<typeof guardedLookup>, all: boolean) =>
    new Promise((resolve, reject) => {
      lookup('vendor.example', { all }, (error, address, family) =>
        error ? reject(error) : resolve(all ? address : { address, family }),
      );
    });

  it('hands on what it has checked, in both forms a socket asks for', async () => {
    await expect(look(resolving('8.8.8.8'), false)).resolves.toEqual({ address: '8.8.8.8', family: 4 });
    await expect(look(resolving('8.8.8.8', '2606:4700::1111'), true)).resolves.toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it.each([['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1', '8.8.8.8'], ['64:ff9b::7f00:1'], []])(
    'fails when any address of the name is not public: %s %s',
    async (...addresses) => {
      const lookup = resolving(...addresses.filter((address) => address !== undefined));
      await expect(look(lookup, true)).rejects.toBeInstanceOf(BlockedAddressError);
      await expect(look(lookup, false)).rejects.toBeInstanceOf(BlockedAddressError);
    },
  );

  it('passes on that a name does not exist', async () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const unknown = guardedLookup((_h, _o, callback) => callback(error, []));
    await expect(look(unknown, true)).rejects.toBe(error);
  });
});
