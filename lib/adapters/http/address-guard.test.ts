import { describe, expect, it } from 'vitest';
import { BlockedAddressError, guardedLookup, isPublicAddress, refusedUrl } from './address-guard.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '157.240.1.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a03:2880:f003:c07:face:b00c::2',
];

const NOT_PUBLIC = [
  // IPv4: this network, private, shared, loopback, link-local, metadata, protocol, documentation, benchmark, multicast, reserved
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.254',
  '255.255.255.255',
  // IPv6: unspecified, loopback, unique local, link-local, site-local, multicast, documentation, discard, special
  '::',
  '::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  '2001:10::1',
  '2001:20::1',
  '2001::1',
  '4000::1',
  'e000::1',
  // IPv4 inside IPv6: mapped, compatible, translated, 6to4, NAT64 (well-known and local)
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:a00:1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:1::',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  // not addresses, or not plainly written ones
  '',
  'localhost',
  '0x7f000001',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '8.8',
  '8.8.8.8 ',
  '1.1.1.1/32',
  '[::1]',
];

const REFUSED_URLS = [
  'http://graph.facebook.com/',
  'ftp://graph.facebook.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'gopher://8.8.8.8/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254./',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[2002:7f00:1::]/',
  'https://localhost/',
  'https://metadata/',
  'https://internal./',
  'https://graph.facebook.com./',
  'https://user@graph.facebook.com/',
  'https://graph.facebook.com@127.0.0.1/',
  'https://:secret@graph.facebook.com/',
  'https://graph.facebook.com:22/',
  'https://graph.facebook.com:8443/',
  'https://8.8.8.8:80/',
];

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
    for (const text of [
      'https://graph.facebook.com/v26.0/1/events',
      'https://www.google-analytics.com:443/',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
    ])
      expect(refusedUrl(new URL(text))).toBeNull();
  });
});

describe('guardedLookup', () => {
  const resolving = (...addresses: readonly string[]) =>
    guardedLookup((_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
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
    await expect(
      look(
        guardedLookup((_h, _o, callback) => callback(error, [])),
        true,
      ),
    ).rejects.toBe(error);
  });
});
