// Short-lived OAuth access tokens of platforms: requested when needed, kept in this process until shortly before they
// expire. Concurrent callers share one request. A failure is not kept.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { needsToken, type Platform, type TokenResult } from '../../platforms/platform.ts';
import type { OpenConnection } from './open-connection.ts';

const RENEW_BEFORE_MS = 60_000;
const KEPT_MAX = 1_000;

export interface Tokens {
  /** Null if the platform needs none for these events. `fresh`: just obtained, not kept from before. */
  get(
    open: OpenConnection,
    platform: Platform,
    events?: readonly NormalizedEvent[],
  ): Promise<(TokenResult & { readonly fresh: boolean }) | null>;
  /** The platform refused the token: the next caller gets another one. */
  forget(open: OpenConnection): void;
}

export function createTokens(ports: { readonly transport: Transport; readonly clock: Clock }): Tokens {
  const kept = new Map<string, { readonly token: Promise<TokenResult>; untilMs: number }>();
  const idOf = ({ connection }: OpenConnection): string => `${connection.id}/${connection.sealedCredentials}`;

  return {
    async get(open, platform, events = []) {
      const { oauth } = platform;
      if (oauth === undefined || !needsToken(platform, open.credentials, events)) return null;
      const id = idOf(open);
      const known = kept.get(id);
      if (known !== undefined && ports.clock.now() < known.untilMs)
        return { ...(await known.token), fresh: false };
      const token = ports.transport
        .send(oauth.buildTokenRequest(open.credentials), { timeoutMs: platform.limits.timeoutMs })
        .then((result) => oauth.readTokenResponse(result));
      if (kept.size >= KEPT_MAX) kept.clear();
      const entry = { token, untilMs: Number.POSITIVE_INFINITY };
      kept.set(id, entry);
      // If a platform's code threw, the rejected promise must not stay cached.
      token.catch(() => kept.get(id) === entry && kept.delete(id));
      const result = await token;
      if (result.kind === 'token')
        entry.untilMs = ports.clock.now() + result.expiresInSec * 1000 - RENEW_BEFORE_MS;
      else kept.delete(id);
      return { ...result, fresh: true };
    },
    forget(open) {
      kept.delete(idOf(open));
    },
  };
}
