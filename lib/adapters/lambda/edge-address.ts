// The caller's address behind a CDN or a firewall, where the connection's own address is the edge's. The address header
// counts only if the same request carries a secret that only the edge knows; any other request counts as its
// connection's address, with any headers.
import { hash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { HttpApp, IncomingRequest } from '../../core/http/http-message.ts';

const EDGE_SECRET_HEADER = 'x-millrace-edge-secret';

export interface Edge {
  /** Any of them is accepted: two during a rotation. */
  readonly secrets: readonly string[];
  /** Lowercase. Its value is an address, alone or with a port, as in CloudFront-Viewer-Address. */
  readonly addressHeader: string;
}

/** The application with `clientIp` from the edge's header, if valid. The secret is removed. */
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
  // All are compared, each in constant time, so that timing reveals nothing about them.
  const isEdge = known.map((one) => timingSafeEqual(one, given)).includes(true);
  return (isEdge ? viewerAddress(request.headers[addressHeader]) : null) ?? request.clientIp;
}

const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/**
 * `198.51.100.7:443` and `2001:db8::1:443` as CloudFront writes them, `[2001:db8::1]:443` as others do, or an address
 * alone; null for anything else, including a list of addresses: callers can write its entries and proxies append to it.
 */
function viewerAddress(value: string | undefined): string | null {
  const text = (value ?? '').trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : null;
  const withoutPort = /^(.+):\d{1,5}$/.exec(text)?.[1];
  // Eight groups and a port are nine: only in a shortened IPv6 address can the last group be taken for a port.
  if (withoutPort !== undefined && isIP(withoutPort) !== 0) return withoutPort;
  return isIP(text) === 0 ? null : text;
}
