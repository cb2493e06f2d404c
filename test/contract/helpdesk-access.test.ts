// Goal: every route is opened by the scope of the contract and by nothing else, and no credential opens another workspace.
// Method: generated from the routes, so that a new one is tried as soon as it is there; the contract's own scopes and limits are
// written here once more.
import { beforeAll, describe, expect, it } from 'vitest';
import { isReading } from '../../lib/core/audit-log/audited.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { MEMBER_ROLES, type MemberRole } from '../../lib/core/tenancy/role.ts';
import { HELPDESK_SCOPES, type HelpdeskScope } from '../../lib/helpdesk/domain/account/scopes.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { createMemoryCallLimiter } from '../support/memory/call-limiter.ts';
import { type Desk, errorOf, fieldsOf, MINE, openHelpdesk, THEIRS, UNKNOWN_ID } from './helpdesk-host.ts';

// Method, path, scope, calls a minute: sections 4 and 8 of the interface document.
const CONTRACT = `
GET    /api/contacts              read:contacts       60
POST   /api/contacts              write:contacts      60
GET    /api/knowledge/articles    read:knowledge      60
POST   /api/knowledge/ingest      write:knowledge     60
GET    /api/tickets/:id           read:tickets        60
POST   /api/tickets/:id/reply     write:tickets       60
POST   /api/tickets/:id/close     write:tickets       60
POST   /api/tickets/:id/snooze    write:tickets       60
DELETE /api/tickets/:id/snooze    write:tickets       60
POST   /api/webhooks/:id/test     write:webhooks      60
GET    /api/audit-log             manage:workspace    60
POST   /api/audit-log             manage:workspace    60
GET    /api/v1/accounts           manage:workspace    60
PUT    /api/v1/accounts           manage:workspace    30
GET    /api/v1/contacts           read:contacts       60
POST   /api/v1/contacts           write:contacts      30
GET    /api/v1/conversations      read:conversations  100
POST   /api/v1/conversations      write:conversations 60
GET    /api/v1/messages           read:messages       120
POST   /api/v1/messages           write:messages      60
GET    /api/v1/runs               read:runs           100
`;

/** Older paths for which the contract shows no security rule: agents record what they changed as well. */
const OPEN_TO_SESSIONS: readonly string[] = ['POST /api/audit-log'];

/** For whoever has a credential at all. */
const OPEN_TO_ANY: readonly string[] = ['GET /api/v1/me'];
/** For whoever is signed in, a member or not. */
const JOINING = 'POST /api/v1/members/invitations/accept';
/** Open to every member, though a key needs the scope. */
const OPEN_TO_MEMBERS: readonly string[] = [...OPEN_TO_ANY, 'GET /api/v1/members'];

const READING: readonly HelpdeskScope[] = [
  'read:contacts',
  'read:knowledge',
  'read:tickets',
  'read:conversations',
  'read:messages',
  'read:runs',
];
const ANSWERING: readonly HelpdeskScope[] = [
  ...READING,
  'write:contacts',
  'write:tickets',
  'write:conversations',
  'write:messages',
];
/** What was decided for each role: a route of a new scope is open to no role but these. */
const OF_ROLE: Readonly<Record<MemberRole, readonly HelpdeskScope[]>> = {
  viewer: READING,
  agent: ANSWERING,
  member: ANSWERING,
  admin: [...ANSWERING, 'write:knowledge', 'write:webhooks', 'manage:workspace'],
  owner: [...ANSWERING, 'write:knowledge', 'write:webhooks', 'manage:workspace'],
};

const ROUTES: readonly Route[] = HELPDESK_ROUTES;
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const GUARDED = ROUTES.filter((route) => route.auth !== 'public' && nameOf(route) !== JOINING);
const scopeOf = ({ auth }: Route): HelpdeskScope =>
  (auth === 'public' ? '' : (auth.key ?? '')) as HelpdeskScope;
/** Its scope, or one that stands for those of any key. */
const opensOf = (route: Route): HelpdeskScope => (isForAny(route) ? 'read:runs' : scopeOf(route));
const isForAny = (route: Route): boolean => OPEN_TO_ANY.includes(nameOf(route));
const takesSessions = ({ auth }: Route): boolean => auth !== 'public' && auth.session !== undefined;
const isForSessions = (route: Route): boolean =>
  route.path.startsWith('/api/v1/') || OPEN_TO_SESSIONS.includes(nameOf(route));
const urlOf = ({ path }: Route, id = UNKNOWN_ID): string => path.replaceAll(/:\w+/g, id);
/** Refused by whoever looks at it; nobody may before the caller is known. */
const bodyOf = ({ method }: Route) => (method === 'GET' || method === 'DELETE' ? {} : { body: '{"broken' });

let desk: Desk;
const keys = new Map<HelpdeskScope, string>();
const others = new Map<HelpdeskScope, string>();
beforeAll(async () => {
  desk = await openHelpdesk();
  for (const scope of HELPDESK_SCOPES) {
    keys.set(scope, (await desk.keyFor([scope])).key);
    others.set(scope, (await desk.keyFor(HELPDESK_SCOPES.filter((other) => other !== scope))).key);
  }
});

describe('the contract', () => {
  it.each(
    CONTRACT.trim()
      .split('\n')
      .map((row) => row.split(/\s+/)),
  )('%s %s asks for %s and takes %s calls a minute', (method, path, scope, perMinute) => {
    const route = ROUTES.find((one) => one.method === method && one.path === path);
    expect([route?.auth, route?.rateLimit?.perMinute]).toEqual([
      expect.objectContaining({ key: scope, keyHeader: 'x-api-key' }),
      Number(perMinute),
    ]);
    expect(takesSessions(route as Route)).toBe(isForSessions(route as Route));
  });

  it('gives every other route a limit, and only older paths no session', () => {
    for (const route of GUARDED) {
      expect([nameOf(route), route.rateLimit?.perMinute]).toEqual([nameOf(route), expect.any(Number)]);
      expect([nameOf(route), takesSessions(route)]).toEqual([nameOf(route), isForSessions(route)]);
      expect([nameOf(route), scopeOf(route)]).toEqual([
        nameOf(route),
        isForAny(route) ? '*' : expect.toSatisfy((scope) => HELPDESK_SCOPES.includes(scope)),
      ]);
    }
  });

  it('has no two routes of one method and path, nor of one id', () => {
    expect(new Set(ROUTES.map(nameOf)).size).toBe(ROUTES.length);
    expect(new Set(ROUTES.map(({ id }) => id)).size).toBe(ROUTES.length);
  });
});

describe.each(GUARDED.map((route) => [nameOf(route), route] as const))('%s', (_name, route) => {
  const ask = (request: Parameters<Desk['call']>[1]) =>
    desk.call(urlOf(route), { ...bodyOf(route), method: route.method, ...request });

  it('refuses whoever proves nothing, before it looks at what they sent', async () => {
    const key = keys.get(opensOf(route)) ?? '';
    const wrong = [
      {},
      { key: '' },
      { key: 'hdk_live_x' },
      { key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` },
      { token: 'nobody' },
      // A key is no bearer credential, nor a session a key.
      { token: key },
      { key: desk.session() },
      // Where a key is sent, no session helps.
      { key: 'hdk_live_x', token: desk.session() },
      ...(takesSessions(route) ? [] : [{ token: desk.session() }]),
    ];
    const text = takesSessions(route) ? 'Missing or invalid credentials' : 'Missing or invalid API key';
    for (const credential of wrong) {
      const reply = await ask(credential);
      expect([credential, reply.status, errorOf(reply)]).toEqual([credential, 401, text]);
      expect(reply.headers['www-authenticate']).toEqual(expect.any(String));
    }
  });

  it.skipIf(isForAny(route))('refuses whoever has every scope but its own', async () => {
    const reply = await ask({ key: others.get(scopeOf(route)) ?? '' });
    expect([reply.status, errorOf(reply)]).toEqual([403, `Missing required scope: ${scopeOf(route)}`]);
  });

  it('lets its scope in, and the roles that have it', async () => {
    const granted = isForAny(route)
      ? [...keys.values()].map((key) => ({ key }))
      : [{ key: keys.get(scopeOf(route)) ?? '' }];
    for (const credential of granted) expect([401, 403]).not.toContain((await ask(credential)).status);
    if (!takesSessions(route)) return;
    for (const role of MEMBER_ROLES) {
      const { status } = await ask({ token: desk.session(role) });
      const isLetIn = OPEN_TO_MEMBERS.includes(nameOf(route)) || OF_ROLE[role].includes(scopeOf(route));
      expect([role, status === 403]).toEqual([role, !isLetIn]);
      if (role === 'viewer' && !isReading(route)) expect(status).toBe(403);
    }
    expect((await ask({ token: 'session-stranger' })).status).toBe(403);
  });

  it('answers no other method of its path', async () => {
    const taken = ROUTES.filter(({ path }) => path === route.path).map(({ method }) => method);
    for (const method of ['PUT', 'PATCH', 'TRACE', 'POST', 'DELETE', 'GET'] as const) {
      if ((taken as readonly string[]).includes(method) || method === 'TRACE') continue;
      const reply = await desk.call(urlOf(route), { method });
      expect([method, reply.status]).toEqual([method, 405]);
      for (const one of taken) expect(String(reply.headers.allow)).toContain(one);
    }
  });
});

describe(JOINING, () => {
  const join = (request: Parameters<Desk['call']>[1]) =>
    desk.call('/api/v1/members/invitations/accept', { method: 'POST', body: { token: 'a' }, ...request });

  it('is for whoever is signed in, and for no key', async () => {
    for (const request of [{}, { key: 'hdk_live_x', token: 'session-stranger' }, { token: 'nobody' }])
      expect((await join(request)).status).toBe(401);
    const refused = await join({ key: desk.key });
    expect([refused.status, errorOf(refused)]).toEqual([401, 'Missing or invalid credentials']);
    for (const token of ['session-stranger', desk.session('member')]) {
      const reply = await join({ token });
      expect([reply.status, errorOf(reply)]).toEqual([404, 'Invitation not found']);
    }
  });
});

describe('of another workspace', () => {
  it('every id is answered as one that nobody has, to the byte, and nothing changes', async () => {
    const mine = await openHelpdesk();
    const ticket = await mine.ticket();
    const contact = (await mine.ask('GET', '/api/contacts')).body as { contacts: { id: string }[] };
    const hook = await mine.ask('POST', '/api/webhooks', { body: { url: 'https://example.com/hook' } });
    const made = hook.body as { webhook: { id: string } };
    const theirs = (await mine.keyFor(HELPDESK_SCOPES, THEIRS)).key;
    const article = await mine.ask('POST', '/api/knowledge/ingest', { body: { title: 'a', content: 'b' } });
    const { id: articleId } = (article.body as { article: { id: string } }).article;
    const ids = [ticket, contact.contacts[0]?.id ?? '', made.webhook.id, articleId, 'key_1'];
    const before = JSON.stringify(await mine.stores.tickets.read(MINE, ticket));
    const audited = mine.stores.audit.all().filter(({ workspaceId }) => workspaceId === MINE).length;
    const routes = GUARDED.filter(({ path }) => path.includes(':'));
    expect(routes.length).toBeGreaterThan(20);
    for (const route of routes)
      for (const id of ids) {
        const body =
          route.method === 'GET' || route.method === 'DELETE' ? {} : { body: validBody(route, ticket) };
        const request = { method: route.method, key: theirs, ...body };
        const foreign = await mine.call(urlOf(route, id), request);
        const unknown = await mine.call(urlOf(route, UNKNOWN_ID), request);
        const seen = [foreign.status, foreign.text];
        // What lists by an id that nobody has may be empty, and is so for both.
        expect([nameOf(route), id, ...seen]).toEqual([nameOf(route), id, unknown.status, unknown.text]);
        expect([nameOf(route), foreign.status]).toEqual([nameOf(route), 404]);
      }
    const messages = await mine.call(`/api/v1/messages?ticket_id=${ticket}`, { key: theirs });
    expect(messages.body).toMatchObject({ messages: [], total: 0 });
    const written = await mine.call('/api/v1/messages', {
      method: 'POST',
      key: theirs,
      body: { ticket_id: ticket, body: 'a' },
    });
    expect([written.status, written.text]).toEqual([404, '{"error":"Conversation not found"}']);
    for (const path of [
      '/api/tickets',
      '/api/contacts',
      '/api/v1/conversations',
      '/api/tickets?search=order',
      '/api/v1/articles?search=a',
      '/api/v1/webhooks',
    ]) {
      const listed = await mine.call(path, { key: theirs });
      expect([path, listed.status, ids.filter((id) => listed.text.includes(id))]).toEqual([path, 200, []]);
    }
    expect(JSON.stringify(await mine.stores.tickets.read(MINE, ticket))).toBe(before);
    expect(mine.stores.audit.all().filter(({ workspaceId }) => workspaceId === MINE)).toHaveLength(audited);
  });

  /** What the route takes, of one or the other's fields. */
  const validBody = (route: Route, ticketId: string) => {
    const all = {
      body: 'a',
      role: 'member',
      ticket_id: ticketId,
      snoozed_until: '2026-12-01T00:00:00Z',
      status: route.path.includes('articles') ? 'archived' : 'resolved',
      url: 'https://example.com/',
    };
    const taken = fieldsOf(route.body);
    return Object.fromEntries(Object.entries(all).filter(([name]) => taken.includes(name)));
  };
});

describe('limits', () => {
  it('refuse the call after the last one within a minute of the first, by route and by credential', async () => {
    const limited = await openHelpdesk({ limiter: createMemoryCallLimiter() });
    const other = (await limited.keyFor()).key;
    // Across the edge of a minute of the clock.
    limited.clock.advance(3_000);
    const calls = async (count: number, request: Parameters<Desk['ask']>[2] = {}) => {
      const replies = [];
      for (let i = 0; i < count; i++) replies.push(limited.ask('GET', '/api/contacts', request));
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    expect(await calls(30)).toEqual(Array.from({ length: 30 }, () => 200));
    limited.clock.advance(30_000);
    const rest = await calls(31);
    expect(rest.filter((status) => status === 200)).toHaveLength(30);
    const refused = await limited.ask('GET', '/api/contacts');
    expect([refused.status, errorOf(refused)]).toEqual([429, 'Rate limit exceeded. Retry after 30 seconds.']);
    expect(refused.headers).toMatchObject({
      'retry-after': '30',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '30',
    });
    expect((await limited.ask('GET', '/api/v1/contacts')).status).toBe(200);
    expect(await calls(1, { key: other })).toEqual([200]);
    limited.clock.advance(30_000);
    const again = await limited.ask('GET', '/api/contacts');
    expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([200, '59']);
  });

  it.each(GUARDED.map((route) => [nameOf(route), route] as const))(
    'of %s count what is refused for what it says, and stop at the number',
    async (_name, route) => {
      const limited = await openHelpdesk({ limiter: createMemoryCallLimiter() });
      const perMinute = route.rateLimit?.perMinute ?? 0;
      const request = { method: route.method, key: limited.key, ...bodyOf(route) };
      for (let i = 0; i < perMinute; i++) {
        const reply = await limited.app.inject({
          method: route.method,
          url: urlOf(route),
          headers: { 'x-api-key': limited.key },
        });
        if (reply.statusCode === 429) expect([i, reply.statusCode]).toEqual([i, 0]);
      }
      const last = await limited.call(urlOf(route), request);
      expect([last.status, last.headers['retry-after']]).toEqual([429, '60']);
    },
  );
});
