// A request through a connection that may need a short-lived access token. A kept token the platform refuses is renewed
// once before the refusal counts.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Platform, TokenResult } from '../../platforms/platform.ts';
import type { Tokens } from './access-tokens.ts';
import type { OpenConnection } from './open-connection.ts';

/** Why there is no token. */
export type TokenRefusal = Exclude<TokenResult, { readonly kind: 'token' }>;

/**
 * Runs `attempt`, with a token where the platform wants one, and gives its result, or why no token could be had.
 * `isRefused` says whether a result means that the platform refused the credentials.
 */
export async function callConnection<Result>(
  open: OpenConnection,
  platform: Platform,
  tokens: Tokens,
  attempt: (accessToken: string | undefined) => Promise<Result>,
  isRefused: (result: Result) => boolean,
  events?: readonly NormalizedEvent[],
): Promise<{ readonly result: Result } | { readonly noToken: TokenRefusal }> {
  for (;;) {
    const token = await tokens.get(open, platform, events);
    if (token === null) return { result: await attempt(undefined) };
    if (token.kind !== 'token') return { noToken: token };
    const result = await attempt(token.accessToken);
    if (!isRefused(result)) return { result };
    tokens.forget(open);
    if (token.fresh) return { result };
  }
}
