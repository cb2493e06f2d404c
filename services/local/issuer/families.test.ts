// Goal: a code and a refresh token are good once; what is used twice is refused and ends the family, also after a restart.
import { describe, expect, it } from 'vitest';
import { later, PAGE, useLocalIssuer } from '#test/support/local-issuer.ts';
import { exchange, newVerifier, refresh } from '#test/support/oidc-client.ts';

const { at, codeFor, signIn, apiTakes, restart } = useLocalIssuer();

describe('a code', () => {
  it('is refused with another verifier, another redirect, another client, and after 60 s', async () => {
    const first = await codeFor();
    expect((await exchange(at(), first.code, newVerifier())).body.error).toBe('invalid_grant');
    const moved = { ...at(), redirectUri: `${PAGE}/` };
    expect((await exchange(moved, first.code, first.verifier)).body.error).toBe('invalid_grant');
    const stranger = { ...at(), clientId: 'other' };
    expect((await exchange(stranger, first.code, first.verifier)).body.error).toBe('invalid_client');
    later(59);
    expect((await exchange(at(), first.code, first.verifier)).status).toBe(200);
    const second = await codeFor();
    later(60);
    expect((await exchange(at(), second.code, second.verifier)).body.error).toBe('invalid_grant');
  });

  it.each([
    ['at once', 0],
    ['after its 60 s', 120],
  ])('that is used again %s is refused and ends the family', async (_name, afterSec) => {
    const tokens = await signIn();
    later(afterSec);
    expect((await exchange(at(), tokens.code, tokens.verifier)).body.error).toBe('invalid_grant');
    expect((await refresh(at(), tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends the family even where whoever found it has no verifier', async () => {
    const tokens = await signIn();
    expect((await exchange(at(), tokens.code, newVerifier())).status).toBe(400);
    expect((await refresh(at(), tokens.refresh_token)).status).toBe(400);
  });

  it('is taken once by 32 that race, and nobody goes on with what the winner got', async () => {
    const { code, verifier } = await codeFor();
    const replies = await Promise.all(Array.from({ length: 32 }, () => exchange(at(), code, verifier)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(new Set(replies.map(({ body }) => body.error ?? 'won'))).toContain('invalid_grant');
    for (const { body } of won) expect((await refresh(at(), body.refresh_token)).status).toBe(400);
  });
});

describe('a refresh token', () => {
  it('gives new tokens, each time another one', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    const third = (await refresh(at(), second.refresh_token)).body;
    expect(new Set([first.refresh_token, second.refresh_token, third.refresh_token]).size).toBe(3);
    expect(await apiTakes(third.access_token)).toEqual({ sub: 'sub-1' });
  });

  it('that is used again is refused and ends the family', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    later(3_600);
    expect((await refresh(at(), first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(at(), second.refresh_token)).body.error).toBe('invalid_grant');
    // Another browser of the same person is another family.
    expect((await refresh(at(), (await signIn()).refresh_token)).status).toBe(200);
  });

  it('is taken once by 32 that race, and the family ends', async () => {
    const { refresh_token } = await signIn();
    const replies = await Promise.all(Array.from({ length: 32 }, () => refresh(at(), refresh_token)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) expect((await refresh(at(), body.refresh_token)).status).toBe(400);
    expect((await refresh(at(), refresh_token)).status).toBe(400);
  });

  it('ends after 14 days without use, and with its family after 30', async () => {
    const idle = await signIn();
    later(14 * 86_400 + 1);
    expect((await refresh(at(), idle.refresh_token)).status).toBe(400);
    let { refresh_token } = await signIn();
    for (let day = 10; day < 30; day += 10) {
      later(10 * 86_400);
      refresh_token = (await refresh(at(), refresh_token)).body.refresh_token;
      expect(refresh_token).toBeDefined();
    }
    later(10 * 86_400 + 1);
    expect((await refresh(at(), refresh_token)).status).toBe(400);
  });

  it('survives a restart, and so does what was taken', async () => {
    const first = await signIn();
    const second = (await refresh(at(), first.refresh_token)).body;
    await restart();
    const third = (await refresh(at(), second.refresh_token)).body;
    expect(await apiTakes(third.access_token)).toEqual({ sub: 'sub-1' });
    expect((await refresh(at(), first.refresh_token)).status).toBe(400);
    await restart();
    expect((await refresh(at(), third.refresh_token)).status).toBe(400);
  });
});
