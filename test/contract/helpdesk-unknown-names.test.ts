// Goal: what the helpdesk does not know it does not pass over: a filter that is ignored lists everything, and a field that is
// ignored changes nothing and says 200. Method: generated from the routes, each with a name that it does not have.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { type Desk, errorOf, fieldsOf, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

const ROUTES: readonly Route[] = HELPDESK_ROUTES;
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const urlOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, UNKNOWN_ID);
const isGuarded = ({ auth }: Route): boolean => auth !== 'public';
const LISTS = ROUTES.filter((route) => isGuarded(route) && route.query !== undefined);
/** Settings that say who changed them and when are taken, and that is not believed. */
const LOOSE = ['POST /api/audit-log', 'POST /api/v1/audit-log'];
const CHANGES = ROUTES.filter(
  (route) => isGuarded(route) && route.body !== undefined && !LOOSE.includes(nameOf(route)),
);

let desk: Desk;
beforeAll(async () => {
  desk = await openHelpdesk();
});

describe('a name that is not known', () => {
  it.each(LISTS.map((route) => [nameOf(route), route] as const))(
    'is refused as a filter: %s',
    async (_, route) => {
      const own = fieldsOf(route.query).includes('ticket_id') ? `ticket_id=${UNKNOWN_ID}&` : '';
      const reply = await desk.ask(route.method, `${urlOf(route)}?${own}assigned_to=me`);
      expect([reply.status, errorOf(reply)]).toEqual([400, 'assigned_to: is not a known property']);
    },
  );

  it.each(CHANGES.map((route) => [nameOf(route), route] as const))(
    'is refused as a field: %s',
    async (_, route) => {
      const { session } = route.auth as { readonly session?: string };
      const credential = session === 'anyone' ? { token: 'session-stranger' } : {};
      const body = { assigned_to: 'me' };
      const reply = await desk.ask(route.method, urlOf(route), { ...credential, body });
      expect(reply.status).toBe(400);
      const ofAll = await desk.ask(route.method, urlOf(route), {
        ...credential,
        body: { ...VALID, ...body },
      });
      expect([ofAll.status, errorOf(ofAll)]).toEqual([
        400,
        expect.stringMatching(/is not a known property$/),
      ]);
    },
  );

  it.each(['priority=high', 'customer_email=a%40b.co', 'contact_id=7', 'created_after=2026-01-01'])(
    'lists no conversations: %s',
    async (query) => {
      for (const path of ['/api/v1/conversations', '/api/tickets']) {
        const reply = await desk.ask('GET', `${path}?${query}`);
        expect([reply.status, errorOf(reply)]).toEqual([
          400,
          `${query.split('=')[0]}: is not a known property`,
        ]);
      }
    },
  );

  it('changes no record, and a message with attachments is not taken without them', async () => {
    const id = await desk.ticket();
    const before = await desk.shown(id);
    const patched = await desk.ask('PATCH', `/api/v1/conversations/${id}`, {
      body: { priority: 'high', tags: ['x'] },
    });
    expect([patched.status, errorOf(patched)]).toEqual([400, 'tags: is not a known property']);
    const body = { ticket_id: id, body: 'Here it is', attachments: [{ name: 'a.pdf' }] };
    const written = await desk.ask('POST', '/api/v1/messages', { body });
    expect([written.status, errorOf(written)]).toEqual([
      400,
      expect.stringMatching(/^attachments: is not supported/),
    ]);
    expect(await desk.shown(id)).toEqual(before);
  });

  it('is left aside in what a caller records of its settings, which cannot say who it was', async () => {
    const body = { action: 'settings.theme', source: 'server', actor: { id: 'root' }, created_at: 1 };
    expect((await desk.ask('POST', '/api/audit-log', { body })).status).toBe(201);
    expect(desk.stores.audit.all().at(-1)).toMatchObject({ source: 'client', actor: { type: 'api_key' } });
  });
});

/** Something of every field's type. */
const VALID = {
  token: 'a',
  email: 'a@b.co',
  subject: 'a',
  body: 'a',
  message: 'a',
  customer_email: 'a@b.co',
  ticket_id: UNKNOWN_ID,
  title: 'a',
  content: 'a',
  name: 'a',
  scopes: ['read:tickets'],
  role: 'member',
  url: 'https://example.com/',
  snoozed_until: '2026-12-01T00:00:00Z',
};

describe('a list', () => {
  it.each(
    LISTS.filter(({ query }) => fieldsOf(query).includes('offset')).map(
      (route) => [nameOf(route), route] as const,
    ),
  )('is read up to 10,000 entries down, whatever the size of its pages: %s', async (_, route) => {
    const own = fieldsOf(route.query).includes('ticket_id') ? `ticket_id=${UNKNOWN_ID}&` : '';
    const hook = await desk.ask('POST', '/api/webhooks', { body: { url: 'https://example.com/hook' } });
    const { webhook } = hook.body as { webhook: { id: string } };
    const url = route.path.replaceAll(/:\w+/g, webhook.id);
    for (const limit of ['', '&limit=100'])
      expect((await desk.ask('GET', `${url}?${own}offset=10000${limit}`)).status).toBe(200);
    expect((await desk.ask('GET', `${url}?${own}offset=10001`)).status).toBe(400);
  });
});

describe('an operation that nothing is sent to', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json'])(
    'looks at no type: %s',
    async (type) => {
      const id = await desk.ticket();
      const headers = { 'content-type': type, 'content-length': '0' };
      for (const [method, path] of [
        ['POST', `/api/tickets/${id}/close`],
        ['DELETE', `/api/tickets/${id}/snooze`],
        ['POST', `/api/v1/conversations/${id}/reject`],
      ] as const)
        expect([path, (await desk.ask(method, path, { headers })).status]).toEqual([path, 200]);
    },
  );

  it('refuses another type as soon as something is sent', async () => {
    const id = await desk.ticket();
    const headers = { 'content-type': 'text/plain' };
    const reply = await desk.ask('POST', `/api/tickets/${id}/close`, { headers, body: 'x' });
    expect(reply.status).toBe(415);
  });
});
