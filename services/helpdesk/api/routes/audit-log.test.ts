// Goal: every entry is read once by page and by cursor, totals and facets are right, and a cursor is valid only for the
// caller it was made for.
import { describe, expect, it } from 'vitest';
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import { type Desk, errorOf, MINE, NOW, openHelpdesk, THEIRS } from '#test/contract/helpdesk-host.ts';

interface Page {
  readonly entries: readonly { readonly id: string; readonly action: string; readonly source: string }[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
  readonly next_cursor: string | null;
  readonly facets?: Readonly<Record<string, readonly { readonly value: string; readonly count: number }[]>>;
  readonly facets_truncated?: boolean;
}

const entryAt = (i: number, changes: Partial<HelpdeskAuditEntry> = {}): HelpdeskAuditEntry => ({
  id: `0199aaaa-0000-7000-8000-${String(i).padStart(12, '0')}`,
  workspaceId: MINE,
  atMs: NOW + Math.floor(i / 3),
  action: ['ticket.closed', 'contact.updated', 'article.ingested'][i % 3] ?? '',
  actor: { type: 'user', id: `u${i % 2}`, label: `user:u${i % 2}` },
  source: 'server',
  resourceType: i % 5 === 0 ? null : 'ticket',
  resourceId: `r${i % 7}`,
  changes: '{"status":{"from":"OPEN","to":"DONE"}}',
  metadata: null,
  ip: null,
  userAgent: null,
  requestId: 'req',
  ...changes,
});

async function withEntries(count: number): Promise<Desk> {
  const desk = await openHelpdesk();
  for (let i = 0; i < count; i++) await desk.stores.audit.append(entryAt(i));
  await desk.stores.audit.append(entryAt(1, { workspaceId: THEIRS, action: 'theirs.only' }));
  return desk;
}
async function read(desk: Desk, query = '', path = '/api/audit-log'): Promise<Page> {
  const reply = await desk.ask('GET', `${path}${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body as Page;
}
const newest = (count: number) => Array.from({ length: count }, (_, i) => entryAt(count - 1 - i).id);

describe('the audit log', () => {
  it('shows every entry once by page, and by offset', async () => {
    const desk = await withEntries(107);
    const pages = [1, 2, 3].map((page) => read(desk, `?limit=50&page=${page}`));
    const found = await Promise.all(pages);
    expect(found.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(newest(107));
    expect(
      found.map(({ total, page, totalPages, next_cursor: next }) => [total, page, totalPages, next !== null]),
    ).toEqual([
      [107, 1, 3, true],
      [107, 2, 3, true],
      [107, 3, 3, false],
    ]);
    const byOffset = await read(desk, '?limit=10&offset=97', '/api/v1/audit-log');
    expect(byOffset.entries.map(({ id }) => id)).toEqual(newest(107).slice(97));
    expect((await read(desk, '?page=9')).entries).toEqual([]);
  });

  it.each([1, 7, 50, 100])(
    'shows every entry once by cursor, %i at a time, whatever is appended meanwhile',
    async (limit) => {
      const desk = await withEntries(107);
      const seen: string[] = [];
      let page = await read(desk, `?limit=${limit}`);
      for (let number = 1; ; number++) {
        seen.push(...page.entries.map(({ id }) => id));
        expect([page.page, page.total]).toEqual([number, 107]);
        if (page.next_cursor === null) break;
        await desk.stores.audit.append(entryAt(1_000 + number));
        page = await read(desk, `?limit=${limit}&cursor=${page.next_cursor}`);
      }
      expect(seen).toEqual(newest(107));
    },
  );

  it('filters, with totals and cursors of what matches', async () => {
    const desk = await withEntries(107);
    const closed = newest(107).filter((_, i) => (106 - i) % 3 === 0);
    const first = await read(desk, '?action=ticket.closed&limit=20');
    const second = await read(desk, `?action=ticket.closed&limit=20&cursor=${first.next_cursor}`);
    expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(closed);
    expect([first.total, second.total, second.next_cursor]).toEqual([36, 36, null]);
    const counts = await Promise.all(
      ['actor_id=u1', 'resource_type=ticket', 'resource_id=r3', 'source=client', 'action=nothing'].map(
        async (filter) => (await read(desk, `?${filter}`)).total,
      ),
    );
    expect(counts).toEqual([53, 85, 15, 0, 0]);
    const from = encodeURIComponent(new Date(NOW + 10).toISOString());
    const to = encodeURIComponent(new Date(NOW + 12).toISOString());
    expect((await read(desk, `?from=${from}&to=${to}`)).total).toBe(6);
  });

  it('counts facets over what matches, whichever page is shown', async () => {
    const desk = await withEntries(107);
    const first = await read(desk, '?limit=5&facets=true&action=ticket.closed');
    expect(first.facets?.action).toEqual([{ value: 'ticket.closed', count: 36 }]);
    expect(first.facets?.actor).toEqual([
      { value: 'u0', count: 18 },
      { value: 'u1', count: 18 },
    ]);
    expect([first.facets?.resource_type, first.facets_truncated]).toEqual([
      [{ value: 'ticket', count: 28 }],
      false,
    ]);
    const second = await read(desk, `?limit=5&facets=actor&action=ticket.closed&cursor=${first.next_cursor}`);
    expect(second.facets).toEqual({ actor: first.facets?.actor });
    expect((await read(desk, '?limit=5')).facets).toBeUndefined();
  });

  it('counts up to 10,000, and says so', async () => {
    const desk = await openHelpdesk();
    for (let i = 0; i < 10_050; i++) await desk.stores.audit.append(entryAt(i));
    const reply = await desk.ask('GET', '/api/audit-log?limit=1&facets=action');
    const page = reply.body as Page;
    expect([page.total, reply.headers['x-total-capped'], page.facets_truncated]).toEqual([
      10_000,
      'true',
      true,
    ]);
    expect(page.facets?.action?.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(page.next_cursor).not.toBeNull();
    const rare = await desk.ask('GET', '/api/audit-log?resource_id=r6&limit=100&offset=1400');
    expect((rare.body as Page).total).toBe(1_435);
    expect((rare.body as Page).entries.length).toBe(35);
  });

  it.each([
    ['page=1&cursor=abc', 'cursor'],
    ['offset=0&cursor=abc', 'cursor'],
    ['offset=0&page=1', 'offset'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e2', 'limit'],
    ['page=0', 'page'],
    ['page=201&limit=50', 'page'],
    ['offset=10001', 'offset'],
    ['source=nobody', 'source'],
    ['facets=everything', 'facets'],
    ['facets=', 'facets'],
    ['from=yesterday', 'from'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'to'],
    ['cursor=', 'cursor'],
    ['cursor=%00', 'cursor'],
  ])('refuses %s', async (query, field) => {
    const desk = await openHelpdesk();
    const reply = await desk.ask('GET', `/api/audit-log?${query}`);
    expect([reply.status, errorOf(reply).split(':')[0]]).toEqual([400, field]);
  });
});

describe('a cursor', () => {
  it('opens for no other workspace, filter or list, and cannot be made or changed', async () => {
    const desk = await withEntries(20);
    const { next_cursor: cursor } = await read(desk, '?limit=5&action=ticket.closed');
    if (cursor === null) throw new Error('no cursor');
    const { key: theirs } = await desk.keyFor(undefined, THEIRS);
    // They have a key of their own for cursors.
    await desk.stores.audit.append(entryAt(2, { workspaceId: THEIRS }));
    await desk.call('/api/audit-log?limit=1', { key: theirs });
    const query = `limit=5&action=ticket.closed&cursor=`;
    const turned = Buffer.from(cursor, 'base64url');
    turned[20] = (turned[20] ?? 0) ^ 1;
    const forged = Buffer.from(JSON.stringify({ t: NOW, i: 'x', p: 1, n: 1, c: false })).toString(
      'base64url',
    );
    const refused = [
      await desk.call(`/api/audit-log?${query}${cursor}`, { key: theirs }),
      await desk.ask('GET', `/api/audit-log?limit=5&action=contact.updated&cursor=${cursor}`),
      await desk.ask('GET', `/api/audit-log?limit=5&cursor=${cursor}`),
      await desk.ask('GET', `/api/audit-log?${query}${turned.toString('base64url')}`),
      await desk.ask('GET', `/api/audit-log?${query}${forged}`),
      await desk.ask('GET', `/api/audit-log?${query}${cursor.slice(0, -2)}`),
      await desk.ask('GET', `/api/audit-log?${query}x`),
      await desk.ask('GET', `/api/audit-log?${query}${'A'.repeat(600)}`),
    ];
    for (const reply of refused)
      expect([reply.status, errorOf(reply)]).toEqual([
        400,
        'cursor: must come from a page of this very query',
      ]);
    expect((await desk.ask('GET', `/api/v1/audit-log?${query}${cursor}`)).status).toBe(200);
    expect(
      (await desk.ask('GET', `/api/audit-log?limit=9&facets=true&action=ticket.closed&cursor=${cursor}`))
        .status,
    ).toBe(200);
    expect(cursor).not.toContain(Buffer.from('"t"').toString('base64url').slice(0, 3));
  });

  it('is an outage, and not refused, where its key cannot be had', async () => {
    const desk = await withEntries(20);
    const { next_cursor: cursor } = await read(desk, '?limit=5');
    const away = new Error('away');
    const broken = await openHelpdesk({
      vault: { seal: () => Promise.reject(away), open: () => Promise.reject(away) },
    });
    expect((await broken.ask('GET', `/api/audit-log?limit=5&cursor=${cursor}`)).status).toBe(500);
  });
});

describe('recording a change of settings', () => {
  it('is marked as the caller’s own, whatever it says', async () => {
    const desk = await openHelpdesk();
    const body = {
      action: 'settings.branding.logo',
      resource_type: 'branding',
      changes: { logo: { from: 'a', to: 'b' } },
      metadata: { deep: { er: [1] } },
      actor: { type: 'system', id: 'root' },
      source: 'server',
      workspaceId: THEIRS,
    };
    const reply = await desk.ask('POST', '/api/audit-log', { body });
    expect(reply.status, reply.text).toBe(201);
    const { id } = reply.body as { id: string };
    const page = await desk.ask('GET', '/api/audit-log');
    expect((page.body as Page).entries).toMatchObject([
      {
        id,
        action: 'settings.branding.logo',
        source: 'client',
        changes: body.changes,
        metadata: body.metadata,
      },
    ]);
    expect(desk.stores.audit.all().map(({ workspaceId, actor }) => [workspaceId, actor.type])).toEqual([
      [MINE, 'api_key'],
    ]);
    const bySession = await desk.call('/api/audit-log', {
      method: 'POST',
      token: desk.session('owner'),
      body,
    });
    expect(bySession.status).toBe(201);
    const member = await desk.call('/api/audit-log', { method: 'POST', token: desk.session('member'), body });
    expect(member.status).toBe(403);
  });

  it.each([
    ['an action of the service', { action: 'ticket.closed' }],
    ['no action', {}],
    ['capitals', { action: 'settings.Logo' }],
    ['a long action', { action: `settings.${'x'.repeat(91)}` }],
    ['large metadata', { action: 'settings.x', metadata: { a: 'x'.repeat(17_000) } }],
    ['changes that are a list', { action: 'settings.x', changes: [1] }],
  ])('refuses %s', async (_name, body) => {
    const desk = await openHelpdesk();
    expect((await desk.ask('POST', '/api/audit-log', { body })).status).toBe(400);
    expect(desk.stores.audit.all()).toEqual([]);
  });
});
