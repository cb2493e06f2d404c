// Which addresses a request may connect to. Guarantees: only public unicast ones, judged on every address a name
// resolves to and on the very answer the socket then uses, so a second lookup cannot swap it (DNS rebinding).
// Refuses: loopback, private, link-local, shared, reserved, multicast, every IPv6 form that wraps an IPv4 address, and names
// that only mean something inside. A rule may except networks, for development.
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export class BlockedAddressError extends Error {
  readonly code = 'ERR_BLOCKED_ADDRESS';
}

/** What may be called. */
export interface AddressRule {
  /** Why this URL may not be called at all; null when the name has still to be resolved or the address may be called. */
  readonly refused: (url: URL) => string | null;
  /** A `lookup` for sockets that fails unless every address of the name may be called. */
  readonly lookup: LookupFunction;
}

export interface AddressRuleOptions {
  /** Ports from 1024 on are taken beside 443. */
  readonly highPorts?: boolean;
  /**
   * Networks that may be called although they are not public, such as `127.0.0.0/8, ::1/128`. A URL that spells out an
   * address of theirs may be http and name any port. For development only.
   */
  readonly allowedCidrs?: string | undefined;
  /** How names are resolved; the system's way where absent. */
  readonly resolve?: Resolve;
}

/** Throws a TypeError where `allowedCidrs` is no list of networks. */
export function createAddressRule(options: AddressRuleOptions = {}): AddressRule {
  const limits = { highPorts: options.highPorts === true, allowed: parseCidrs(options.allowedCidrs ?? '') };
  return {
    refused: (url) => refusedUrl(url, limits),
    lookup: guardedLookup(options.resolve, limits.allowed),
  };
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

function parseCidrs(text: string): readonly Network[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      // The library takes `10/8` for 0.0.0.10/8.
      if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(part) && !ipaddr.IPv6.isValidCIDR(part))
        throw new TypeError(`not a network: ${part}`);
      return ipaddr.parseCIDR(part);
    });
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

/** True for an address of one of the networks, in their own family: an IPv4 address inside an IPv6 one is not of them. */
function isIn(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0 || address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/**
 * The library says no by throwing and catching errors, which takes longer than the request. No address has one of these
 * characters, except in a zone id, which begins with a percent sign.
 */
const NOT_IN_AN_ADDRESS = /[g-wyz-]/;

function isAddress(host: string): boolean {
  return (host.includes('%') || !NOT_IN_AN_ADDRESS.test(host)) && ipaddr.isValid(host);
}

/** Names that mean something in a network only (RFC 6761, 6762, 8375, and what clouds and routers use). */
const INSIDE = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|home\.arpa)$/;

const HIGH_PORT_MIN = 1_024;

interface Limits {
  readonly highPorts: boolean;
  readonly allowed: readonly Network[];
}

const STRICT: Limits = { highPorts: false, allowed: [] };

/** Why this URL may not be called at all; null when the name has still to be resolved or the address is public. */
export function refusedUrl(url: URL, { highPorts, allowed }: Limits = STRICT): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const isExcepted = isIn(host, allowed);
  if (url.protocol !== 'https:' && !(isExcepted && url.protocol === 'http:')) return 'only https is allowed';
  if (url.username !== '' || url.password !== '') return 'credentials in the address are not allowed';
  if (isExcepted) return null;
  if (url.port !== '' && url.port !== '443' && !(highPorts && Number(url.port) >= HIGH_PORT_MIN))
    return highPorts ? 'only port 443 and ports from 1024 on are allowed' : 'only port 443 is allowed';
  if (isAddress(host)) return isPublicAddress(host) ? null : 'the address is not public';
  // The URL parser has turned 0x7f.1 and 2130706433 into dotted form; a name of one label is never a vendor.
  if (!host.includes('.') || host.endsWith('.') || INSIDE.test(host)) return 'the host name is not public';
  return null;
}

type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** A `lookup` for sockets that fails unless every address of the name is public, or of a network that is allowed. */
export function guardedLookup(
  resolve: Resolve = dnsLookup as unknown as Resolve,
  allowed: readonly Network[] = [],
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      const refused = addresses.find(({ address }) => !isPublicAddress(address) && !isIn(address, allowed));
      if (first === undefined || refused !== undefined)
        return callback(new BlockedAddressError(`${hostname} resolves to an address that is not public`), []);
      if (options.all === true) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
}
