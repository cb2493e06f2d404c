// Goal: the password page does not reveal which people exist, limits guessing, runs no script, and is valid only for
// the browser that began.
import { describe, expect, it } from 'vitest';
import { later, OWNER, PAGE, useLocalIssuer } from '#test/support/local-issuer.ts';
import {
  authorizeUrl,
  newVerifier,
  newVisitor,
  sendPassword,
  toPasswordPage,
} from '#test/support/oidc-client.ts';

const { at, running } = useLocalIssuer();

describe('the password page', () => {
  const openPage = async () => {
    const visitor = newVisitor();
    return { visitor, page: await toPasswordPage(visitor, authorizeUrl(at(), newVerifier())) };
  };

  it('is plain HTML under a strict policy', async () => {
    const { visitor, page } = await openPage();
    const answer = await visitor.ask(page);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const part of [
      `default-src 'none'`,
      `script-src 'none'`,
      `frame-ancestors 'none'`,
      `base-uri 'none'`,
    ])
      expect(policy).toContain(part);
    expect(policy).toContain(`form-action 'self' ${PAGE};`);
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    expect(html).not.toMatch(/<script|\son\w+=|https?:\/\//i);
    expect(html).toContain('autocomplete="current-password"');
  });

  it('says the same to a wrong name and a wrong password, and shows what was typed as text', async () => {
    const { visitor, page } = await openPage();
    const wrong = await sendPassword(visitor, page, OWNER.email, 'wrong');
    const stranger = await sendPassword(visitor, page, 'nobody@shop.example', '');
    const texts = [await wrong.text(), await stranger.text()];
    expect([wrong.status, stranger.status]).toEqual([401, 401]);
    expect(texts[0]?.replace(OWNER.email, '')).toBe(texts[1]?.replace('nobody@shop.example', ''));
    const typed = await sendPassword(visitor, page, '"><img src=x onerror=alert(1)>', 'x');
    expect(await typed.text()).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"');
  });

  it('lets ten wrong passwords a minute pass, whoever races, and then not even the right one', async () => {
    const { visitor, page } = await openPage();
    const tries = await Promise.all(
      Array.from({ length: 64 }, (_, i) => sendPassword(visitor, page, `a${i}@shop.example`, 'wrong')),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(54);
    const right = await sendPassword(visitor, page, OWNER.email, OWNER.password);
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, '60']);
    later(60);
    expect((await sendPassword(visitor, page, OWNER.email, OWNER.password)).status).toBe(303);
  });

  it('is for the browser that began, for ten minutes, and for forms of its own', async () => {
    const { visitor, page } = await openPage();
    const form = new URLSearchParams({ email: OWNER.email, password: OWNER.password });
    expect((await fetch(page, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(400);
    const other = await openPage();
    expect((await sendPassword(other.visitor, page, OWNER.email, OWNER.password)).status).toBe(400);
    const foreign = { method: 'POST', body: form, headers: { origin: 'http://evil.example' } };
    expect((await visitor.ask(page, foreign)).status).toBe(403);
    const large = { method: 'POST', body: 'x'.repeat(5_000) };
    expect((await visitor.ask(page, large)).status).toBe(413);
    expect((await visitor.ask(page, { method: 'DELETE' })).status).toBe(405);
    later(601);
    expect((await sendPassword(visitor, page, OWNER.email, OWNER.password)).status).toBe(400);
  });

  it('is not what the address alone shows: that says where to begin', async () => {
    const answer = await fetch(running().issuer);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('Begin at a page of the dashboard');
  });
});
