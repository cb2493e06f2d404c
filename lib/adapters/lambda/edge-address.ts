// The caller's address where a CDN or a firewall stands in front: the connection's own address is the edge's then.
// A header says an address only where the same request carries a secret that the edge adds and nobody else knows; any other
// request counts as the address it comes from, whatever its headers say.
import { hash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { HttpApp, IncomingRequest } from '../../core/http/http-message.ts';

const EDGE_SECRET_HEADER = 'x-millrace-edge-secret';

export interface Edge {
  /** Any of them will do: two while one takes the other's place. */
  readonly secrets: readonly string[];
  /** Lowercase. Its value is an address, alone or with a port, as CloudFront-Viewer-Address has it. */
  readonly addressHeader: string;
}

/** The application with `clientIp` as the edge says it, where the edge says it. The secret goes no further. */
export function behindEdge(app: HttpApp, edge: Edge): HttpApp {
  const known = edge.secrets.map(digest);
  return (request) => {
    const { [EDGE_SECRET_HEADER]: secret, ...headers } = request.headers;
    return app({ ...request, headers, clientIp: addressOf(request, secret, known, edge.addressHeader) });
  };
}

function addressOf(
  request: IncomingRequest,
  secret: string | undefined,
  known: readonly Buffer[],
  addressHeader: string,
): string {
  if (secret === undefined) return request.clientIp;
  const given = digest(secret);
  // All are compared, in constant time each: how long it takes tells nothing about any of them.
  const isEdge = known.map((one) => timingSafeEqual(one, given)).includes(true);
  return (isEdge ? viewerAddress(request.headers[addressHeader]) : null) ?? request.clientIp;
}

const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/**
 * `198.51.100.7:443` and `2001:db8::1:443` as CloudFront writes them, `[2001:db8::1]:443` as others do, or an address
 * alone; null for anything else, a list of addresses too: a list is what callers wrote and proxies added to.
 */
function viewerAddress(value: string | undefined): string | null {
  const text = (value ?? '').trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : null;
  const withoutPort = /^(.+):\d{1,5}$/.exec(text)?.[1];
  // Eight groups and a port are nine: only a shortened IPv6 address can be read with its last group as a port.
  if (withoutPort !== undefined && isIP(withoutPort) !== 0) return withoutPort;
  return isIP(text) === 0 ? null : text;
}
