import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#lib/core/audit-log/audit-entry.ts';
import { listAuditLog } from '#lib/events/routes/audit-log.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';

const at = (n: number): string => new Date(NOW + n).toISOString();
const entryOf = (n: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `a${String(n).padStart(5, '0')}`,
  merchantId: MINE,
  atMs: NOW + Math.floor(n / 3),
  actor: `user:${n % 2}`,
  action: n % 5 === 0 ? 'connection.delete' : 'connection.create',
  subject: `con_${n % 7}`,
  ...more,
});

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});
const ask = (query: Record<string, string> = {}, as = token) =>
  host.call(`/v1/audit-log?${new URLSearchParams(query)}`, { token: as });
const page = async (query: Record<string, string> = {}) => bodyOf(listAuditLog, await ask(query));

async function everyPage(query: Record<string, string> = {}) {
  const pages = [await page(query)];
  for (let next = pages[0]?.next_cursor ?? null; next !== null; ) {
    const following = await page({ ...query, cursor: next });
    pages.push(following);
    next = following.next_cursor;
  }
  return { ids: pages.flatMap(({ entries }) => entries.map(({ id }) => id)), pages: pages.length };
}

describe('the pages', () => {
  it('show every entry once, newest first, whatever comes meanwhile', async () => {
    for (let n = 0; n < 60; n++) await host.config.appendAudit(entryOf(n));
    const expected = Array.from({ length: 60 }, (_, n) => entryOf(59 - n).id);
    expect((await everyPage({ limit: '7' })).ids).toEqual(expected);
    const first = await page({ limit: '7' });
    await host.config.appendAudit(entryOf(400));
    const second = await page({ limit: '7', cursor: first.next_cursor ?? '' });
    expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(expected.slice(0, 14));
  });

  it.each([
    [{ actor: 'user:1' }, (e: AuditEntry) => e.actor === 'user:1'],
    [{ action: 'connection.delete' }, (e: AuditEntry) => e.action === 'connection.delete'],
    [{ subject: 'con_3', actor: 'user:0' }, (e: AuditEntry) => e.subject === 'con_3' && e.actor === 'user:0'],
    [{ start: at(5) }, (e: AuditEntry) => e.atMs >= NOW + 5],
    [{ end: at(5) }, (e: AuditEntry) => e.atMs < NOW + 5],
    [{ start: at(5), end: at(6) }, (e: AuditEntry) => e.atMs === NOW + 5],
    [{ actor: 'user:9' }, () => false],
  ])('with %j show what matches', async (query, matches) => {
    const all = Array.from({ length: 60 }, (_, n) => entryOf(59 - n));
    for (const entry of all) await host.config.appendAudit(entry);
    const { ids } = await everyPage({ ...query, limit: '4' });
    expect(ids).toEqual(all.filter(matches).map(({ id }) => id));
  });

  it('are bounded where nothing matches for long, and go on', async () => {
    for (let n = 0; n < 2_500; n++) await host.config.appendAudit(entryOf(n));
    await host.config.appendAudit(entryOf(0, { id: 'first', atMs: NOW - 1, actor: 'key:rare' }));
    const { ids, pages } = await everyPage({ actor: 'key:rare' });
    expect([ids, pages]).toEqual([['first'], 2]);
  });
});

describe('what was begun and not ended', () => {
  const intent = entryOf(1, { action: 'removeMember', subject: 'jane' });

  it('is an entry of unknown outcome once no request can be under way, and stays one', async () => {
    await host.config.beginAudit(intent);
    expect((await page()).entries).toEqual([]);
    host.clock.advance(300_001);
    const { entries } = await page();
    const { id, actor, action, subject } = intent;
    expect(entries).toEqual([{ id, at: at(0), actor, action, subject, outcome: 'unknown' }]);
    await host.config.endAudit(intent, [{ ...intent, action: 'member.remove' }]);
    expect((await page()).entries).toEqual(entries);
  });
});

describe('the log', () => {
  it('is the merchant’s own, and for admins', async () => {
    await host.config.appendAudit(entryOf(1));
    await host.config.appendAudit(entryOf(2, { merchantId: THEIRS }));
    const theirs = bodyOf(listAuditLog, await ask({}, host.session('owner', 'theirs')));
    expect(theirs.entries.map(({ id }) => id)).toEqual([entryOf(2).id]);
    expect((await ask({}, host.session('member'))).status).toBe(403);
  });

  it('takes Unix times, in seconds and milliseconds', async () => {
    const second = Math.floor(NOW / 1_000) * 1_000;
    for (const [id, atMs] of Object.entries({ before: second - 1, first: second, last: second + 999 }))
      await host.config.appendAudit(entryOf(0, { id, atMs }));
    const { entries } = await page({ start: String(second / 1_000), end: String(second + 1_000) });
    expect(entries.map(({ id }) => id).sort()).toEqual(['first', 'last']);
  });

  it('has no way to be changed', async () => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect((await host.call('/v1/audit-log', { method, token, body: {} })).status).toBe(405);
  });

  it.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ start: 'yesterday' }, 'start'],
    [{ start: at(1), end: at(1) }, 'end'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ who: 'me' }, 'who'],
  ])('refuses %j and names it', async (query, path) => {
    const reply = await ask(query as Record<string, string>);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(reply.body).toMatchObject({ details: [{ path }] });
  });

  it('takes a cursor with the query it came from only', async () => {
    for (let n = 0; n < 9; n++) await host.config.appendAudit(entryOf(n));
    const { next_cursor: cursor } = await page({ limit: '2' });
    expect((await ask({ cursor: cursor ?? '', actor: 'user:1' })).status).toBe(400);
  });
});
