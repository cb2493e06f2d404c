// The caller's address behind a CDN or a firewall, where the connection's own address is the edge's. The address header
// counts only if the same request carries a secret that only the edge knows; any other request counts as its
// connection's address, with any headers.
import { hash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { ERRORS } from '../../core/http/errors.ts';
import type { HttpApp, Reply } from '../../core/http/http-message.ts';
import { REPLY_HEADERS, RETRY_AFTER_SEC } from '../../core/http/request-rules.ts';

const EDGE_SECRET_HEADER = 'x-millrace-edge-secret';

export interface Edge {
  /** Any of them is accepted: two during a rotation. */
  readonly secrets: readonly string[];
  /** Lowercase. Its value is an address, alone or with a port, as in CloudFront-Viewer-Address. */
  readonly addressHeader: string;
  /**
   * Where the secrets are kept elsewhere. Asked where a request has another than those known, once a minute at most: so a process
   * follows a rotation, and a stranger's guesses cost nothing.
   */
  readonly read?: {
    readonly secrets: () => Promise<readonly string[]>;
    readonly now: () => number;
    readonly report: (problem: string, error: unknown) => void;
  };
}

const READ_AGAIN_MS = 60_000;
/** As long as no secret was ever read, all visitors would count as one address: nothing is taken then. */
const UNREADABLE: Reply = {
  status: 503,
  headers: { ...REPLY_HEADERS, 'retry-after': String(RETRY_AFTER_SEC) },
  body: JSON.stringify({ success: false, code: 'unavailable', error: ERRORS.unavailable.text }),
};

/** The application with `clientIp` from the edge's header, if valid. The secret is removed. */
export function behindEdge(app: HttpApp, { secrets, addressHeader, read }: Edge): HttpApp {
  let known = secrets.map(digest);
  let readAtMs = Number.NEGATIVE_INFINITY;
  const refresh = async ({ secrets: found, now, report }: NonNullable<Edge['read']>): Promise<void> => {
    if (now() - readAtMs < READ_AGAIN_MS) return;
    readAtMs = now();
    try {
      known = (await found()).map(digest);
    } catch (error) {
      // At once again, where there is nothing to go on with.
      if (known.length === 0) readAtMs = Number.NEGATIVE_INFINITY;
      report('the secret of the distribution could not be read', error);
    }
  };
  return async (request) => {
    const { [EDGE_SECRET_HEADER]: secret, ...headers } = request.headers;
    if (secret === undefined) return await app({ ...request, headers });
    const given = digest(secret);
    if (read !== undefined && !isOneOf(known, given)) await refresh(read);
    if (known.length === 0) return UNREADABLE;
    const address = isOneOf(known, given) ? viewerAddress(request.headers[addressHeader]) : null;
    return await app({ ...request, headers, clientIp: address ?? request.clientIp });
  };
}

/** All are compared, each in constant time, so that timing reveals nothing about them. */
const isOneOf = (known: readonly Buffer[], given: Buffer): boolean =>
  known.map((one) => timingSafeEqual(one, given)).includes(true);

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
