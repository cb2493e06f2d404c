// Goal: rows of the interface document that no other test holds: statuses of each operation, fields of each shape, and the
// bounds and defaults of each list.
import { beforeAll, describe, expect, it } from 'vitest';
import { helpdeskDocument } from '../../lib/helpdesk/routes/document.ts';
import { type Desk, errorOf, openHelpdesk } from './helpdesk-host.ts';

const STATUSES = `
GET    /api/contacts             200 401 403
POST   /api/contacts             200 400 401 403
GET    /api/knowledge/articles   200 401 403
POST   /api/knowledge/ingest     200 400 401 403
GET    /api/tickets/{id}         200 401 403 404
POST   /api/tickets/{id}/reply   200 400 401 403 404
POST   /api/tickets/{id}/close   200 401 403 404
POST   /api/tickets/{id}/snooze  200 400 401 403 404
DELETE /api/tickets/{id}/snooze  200 401 403 404
POST   /api/webhooks/{id}/test   200 401 403 404
GET    /api/v1/accounts          200 401 403
PUT    /api/v1/accounts          200 400 401 403
GET    /api/v1/contacts          200 401 403
POST   /api/v1/contacts          201 400 401 403 409
GET    /api/v1/conversations     200 401 403 429
POST   /api/v1/conversations     201 400 401 403 429
GET    /api/v1/messages          200 401 403
POST   /api/v1/messages          201 400 404
GET    /api/v1/runs              200 401 403
`;

const TICKET = [
  ...['id', 'ticket_code', 'subject', 'customer_email', 'customer_name'],
  ...['status', 'priority', 'created_at', 'updated_at'],
];
const CONTACT = ['id', 'email', 'firstname', 'lastname', 'company', 'phone'];
const ARTICLE = ['id', 'title', 'slug', 'content', 'status', 'published_at'];

const LISTS: readonly (readonly [path: string, plural: string, fallback: number])[] = [
  ['/api/contacts', 'contacts', 50],
  ['/api/knowledge/articles', 'articles', 50],
  ['/api/v1/contacts', 'contacts', 50],
  ['/api/v1/conversations', 'conversations', 20],
  ['/api/v1/messages', 'messages', 50],
  ['/api/v1/runs', 'runs', 20],
];

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
}
const document = helpdeskDocument() as {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

describe('the document', () => {
  it('gives every list of values its type, without which generators drop the operation', () => {
    const untyped: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('enum' in value && Array.isArray(value.enum) && !('type' in value)) untyped.push(path);
      for (const [name, member] of Object.entries(value)) look(member, `${path}/${name}`);
    };
    look(document, '');
    expect(untyped).toEqual([]);
  });

  it('is of version 1.0.0', () => expect(document.info.version).toBe('1.0.0'));

  it.each(
    STATUSES.trim()
      .split('\n')
      .map((row) => row.split(/\s+/)),
  )('%s %s has its statuses', (method = '', path = '', ...statuses) => {
    const { responses } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses));
    const successes = Object.keys(responses).filter((status) => /^2/.test(status));
    expect(successes).toEqual([statuses[0]]);
  });
});

let desk: Desk;
let ticketId = '';
beforeAll(async () => {
  desk = await openHelpdesk();
  ticketId = await desk.ticket({ customer_name: 'Customer 0' });
  for (let i = 1; i <= 101; i++) {
    await desk.ticket({ customer_email: `c${i}@b.co`, customer_name: `Customer ${i}` });
    await desk.ask('POST', '/api/v1/messages', { body: { ticket_id: ticketId, body: 'a' } });
    await desk.ask('POST', '/api/knowledge/ingest', { body: { title: `Title ${i}`, content: 'a' } });
  }
});

describe('a shape', () => {
  const read = async (path: string) =>
    (await desk.ask('GET', path)).body as Readonly<Record<string, unknown>>;
  const first = (value: unknown): object => (value as readonly object[])[0] ?? {};

  it('of a ticket has its fields', async () => {
    const one = await read(`/api/tickets/${ticketId}`);
    expect([one.success, Object.keys(one.ticket as object)]).toEqual([true, expect.arrayContaining(TICKET)]);
    const list = await read('/api/tickets?limit=2&page=2');
    expect(Object.keys(first(list.tickets))).toEqual(expect.arrayContaining(TICKET));
    expect(list.pagination).toEqual({ page: 2, limit: 2, total: 102, totalPages: 51 });
  });

  it.each(['/api/contacts', '/api/v1/contacts'])('of contacts has its fields at %s', async (path) => {
    const list = await read(path);
    expect([list.success, list.total]).toEqual([true, 102]);
    expect(Object.keys(first(list.contacts))).toEqual(expect.arrayContaining(CONTACT));
  });

  it('of articles has its fields', async () => {
    const list = await read('/api/knowledge/articles');
    expect(Object.keys(first(list.articles))).toEqual(expect.arrayContaining(ARTICLE));
    expect(first(list.articles)).toMatchObject({ status: 'draft', published_at: null });
  });
});

describe.each(LISTS)('the list %s', (path, plural, fallback) => {
  const shown = async (query: string): Promise<number> => {
    const more = path.endsWith('messages') ? `&ticket_id=${ticketId}` : '';
    const reply = await desk.ask('GET', `${path}?${query}${more}`);
    expect(reply.status, reply.text).toBe(200);
    return (reply.body as Readonly<Record<string, readonly unknown[]>>)[plural]?.length ?? -1;
  };

  it(`has ${fallback} where nothing is said, and from one to a hundred`, async () => {
    expect(await Promise.all(['', 'limit=1', 'limit=100'].map(shown))).toEqual([fallback, 1, 100]);
  });

  it.each(['0', '101', '-1', '1.5', '1e2', '0x10', '', 'all'])('refuses limit=%s', async (limit) => {
    const more = path.endsWith('messages') ? `&ticket_id=${ticketId}` : '';
    const reply = await desk.ask('GET', `${path}?limit=${limit}${more}`);
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(/^limit: /)]);
  });
});
