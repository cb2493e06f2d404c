// Promise: a request goes out with a token where the platform wants one; a kept token that is refused is renewed once, a
// fresh one is not, and without a token nothing is sent.
import { describe, expect, it } from 'vitest';
import type { Platform, TokenResult } from '../../platforms/platform.ts';
import type { Tokens } from './access-tokens.ts';
import { callConnection } from './call-connection.ts';
import type { OpenConnection } from './open-connection.ts';

type Given = (TokenResult & { readonly fresh: boolean }) | null;

/** Gives these one after another, the last one for ever. */
function tokensOf(...given: readonly Given[]): Tokens & { readonly forgotten: () => number } {
  let asked = 0;
  let forgotten = 0;
  return {
    get: async () => given[Math.min(asked++, given.length - 1)] ?? null,
    forget: () => {
      forgotten += 1;
    },
    forgotten: () => forgotten,
  };
}

const token = (accessToken: string, fresh: boolean): Given => ({
  kind: 'token',
  accessToken,
  expiresInSec: 3_600,
  fresh,
});
const OPEN = {} as OpenConnection;
const PLATFORM = {} as Platform;

async function call(tokens: Tokens, accepts: (accessToken: string | undefined) => boolean) {
  const sent: (string | undefined)[] = [];
  const attempt = async (accessToken: string | undefined): Promise<boolean> => {
    sent.push(accessToken);
    return accepts(accessToken);
  };
  const called = await callConnection(OPEN, PLATFORM, tokens, attempt, (accepted) => !accepted);
  return { called, sent };
}

describe('callConnection', () => {
  it('sends without a token where the platform wants none, and takes its refusal as it is', async () => {
    const { called, sent } = await call(tokensOf(null), () => false);
    expect(sent).toEqual([undefined]);
    expect(called).toEqual({ result: false });
  });

  it('renews a kept token that is refused, once', async () => {
    const tokens = tokensOf(token('old', false), token('new', true));
    const { called, sent } = await call(tokens, (accessToken) => accessToken === 'new');
    expect(sent).toEqual(['old', 'new']);
    expect(called).toEqual({ result: true });
    expect(tokens.forgotten()).toBe(1);
  });

  it('takes the refusal of a fresh token as final, and does not keep the token', async () => {
    const tokens = tokensOf(token('new', true));
    const { called, sent } = await call(tokens, () => false);
    expect(sent).toEqual(['new']);
    expect(called).toEqual({ result: false });
    expect(tokens.forgotten()).toBe(1);
  });

  it('sends nothing where there is no token, and says why', async () => {
    const { called, sent } = await call(
      tokensOf({ kind: 'auth', code: 'google.invalid_grant', fresh: true }),
      () => true,
    );
    expect(sent).toEqual([]);
    expect(called).toMatchObject({ noToken: { kind: 'auth', code: 'google.invalid_grant' } });
  });
});
