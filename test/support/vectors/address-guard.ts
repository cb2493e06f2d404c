// Addresses and URLs a request may and may not go to: test data, with every trick known to get past such a guard.

/** What is written by kind, in one list. */
export const listed = (kinds: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(kinds).flatMap((text) => text.split(' '));

export const PUBLIC = listed({
  'of everybody': '1.1.1.1 8.8.8.8 157.240.1.1 2606:4700::1111 2a03:2880:f003:c07:face:b00c::2',
  'beside what is private':
    '172.15.255.255 172.32.0.0 192.167.255.255 100.63.255.255 100.128.0.0 223.255.255.255',
});

export const NOT_PUBLIC_V4 = listed({
  'this network': '0.0.0.0 0.255.255.255',
  private: '10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.0.1 192.168.255.255',
  shared: '100.64.0.0 100.127.255.255',
  loopback: '127.0.0.1 127.255.255.254',
  'link-local, metadata': '169.254.0.1 169.254.169.254 169.254.170.2',
  protocol: '192.0.0.1 192.0.0.170 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1',
  documentation: '192.0.2.1 198.51.100.1 203.0.113.1',
  benchmark: '198.18.0.1 198.19.255.255',
  multicast: '224.0.0.1 239.255.255.255',
  reserved: '240.0.0.1 255.255.255.254 255.255.255.255',
});

export const NOT_PUBLIC_V6 = listed({
  'unspecified, loopback': ':: ::1',
  'unique local': 'fc00::1 fd00:ec2::254 fdff:ffff::1',
  'link-local, site-local': 'fe80::1 febf::1 fec0::1',
  multicast: 'ff02::1 ff0e::1',
  documentation: '2001:db8::1 3fff::1',
  'discard, special': '100::1 5f00::1 2001:10::1 2001:20::1 2001::1 4000::1 e000::1',
  'IPv4, mapped': '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:10.0.0.1 ::ffff:a00:2',
  'IPv4, compatible or translated': '::127.0.0.1 ::7f00:2 ::ffff:0:127.0.0.1',
  'IPv4, 6to4': '2002:7f00:1:: 2002:a00:1::1 2002:c0a8:1::',
  'IPv4, NAT64': '64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::808:808 64:ff9b:1::1',
});

export const NOT_PUBLIC = [
  ...NOT_PUBLIC_V4,
  ...NOT_PUBLIC_V6,
  'fe80::1%eth0',
  // Not addresses, or not plainly written ones.
  '',
  '8.8.8.8 ',
  ...listed({
    names: 'localhost [::1] 1.1.1.1/32',
    numbers: '0x7f000001 0x7f.1 2130706433 017700000001 0177.0.0.1 127.1 8.8',
  }),
];

export const REFUSED_URLS = [
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
