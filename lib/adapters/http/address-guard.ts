// Which addresses a request may connect to. Guarantees: only public unicast ones, judged on every address a name
// resolves to and on the very answer the socket then uses, so a second lookup cannot swap it (DNS rebinding).
// Refuses: loopback, private, link-local, shared, reserved, multicast, and every IPv6 form that wraps an IPv4 address.
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export class BlockedAddressError extends Error {
  readonly code = 'ERR_BLOCKED_ADDRESS';
}

/** True for an IPv4 or IPv6 address anyone on the internet may own. Text that is no address is not public. */
export function isPublicAddress(address: string): boolean {
  // A zone id (`fe80::1%eth0`) marks a link-local address; ipaddr.js would take it.
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return ipaddr.IPv4.isValidFourPartDecimal(address);
  // All of the global unicast space handed out so far; what lies outside is special or not assigned.
  return parsed.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * The library says no by throwing and catching errors, which takes longer than the request. No address has one of these
 * characters, except in a zone id, which begins with a percent sign.
 */
const NOT_IN_AN_ADDRESS = /[g-wyz-]/;

function isAddress(host: string): boolean {
  return (host.includes('%') || !NOT_IN_AN_ADDRESS.test(host)) && ipaddr.isValid(host);
}

/** Why this URL may not be called at all; null when the name has still to be resolved or the address is public. */
export function refusedUrl(url: URL): string | null {
  if (url.protocol !== 'https:') return 'only https is allowed';
  if (url.username !== '' || url.password !== '') return 'credentials in the address are not allowed';
  if (url.port !== '' && url.port !== '443') return 'only port 443 is allowed';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  if (isAddress(host)) return isPublicAddress(host) ? null : 'the address is not public';
  // The URL parser has turned 0x7f.1 and 2130706433 into dotted form; a name of one label is never a vendor.
  if (!host.includes('.') || host.endsWith('.')) return 'the host name is not public';
  return null;
}

type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** A `lookup` for sockets that fails unless every address of the name is public. */
export function guardedLookup(resolve: Resolve = dnsLookup as unknown as Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      const refused = addresses.find(({ address }) => !isPublicAddress(address));
      if (first === undefined || refused !== undefined)
        return callback(new BlockedAddressError(`${hostname} resolves to an address that is not public`), []);
      if (options.all === true) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
}
