// Requests of every shape to every route of the helpdesk, random inside it, one after the other on the same records: nothing a
// caller sends may end in a 5xx, leave the contract or wedge what it touched. `Desk.call` holds each answer against the contract.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import { EVENT_KINDS } from '../../lib/helpdesk/domain/webhooks/event-kind.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { runSweep } from '../../services/helpdesk/sweep/stage.ts';
import { type Desk, fieldsOf, NOW, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'];
const ROUNDS_PER_SWEEP = 200;
const IDS_MAX = 15;
/** Of `Desk.key`. */
const OWN_KEY = 'key_1';

const long = (unit: string, length: number) => unit.repeat(length);
const oddText = fc.oneof(
  { arbitrary: fc.constantFrom('Where is my parcel?', 'ok', 'Order 7'), weight: 12 },
  {
    arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 30 }).map((text) => text.toWellFormed()),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom(
      ...[
        '',
        ' ',
        '\n',
        '\u0000',
        '\u202e',
        '\u{1f600}',
        '__proto__',
        '../..',
        '%00',
        "' OR 1=1 --",
        '{{x}}',
      ],
      ...[long('a', 256), long('\u{1f600}', 500), long('a ', 25_000), long('ß', 50_001), long('𝔘 ', 2_000)],
    ),
    weight: 2,
  },
);
const email = fc.oneof(
  fc.constantFrom('a@b.co', 'ADA@example.com', 'jörg@exämple.de', 'a@b', 'a@b.co\n', `${long('a', 64)}@b.co`),
  fc.nat(30).map((n) => `c${n}@example.com`),
);
const time = fc.constantFrom(
  ...[90_000_000, 1e9, 1e10, 60_000, 1, 0, -1, 86_400_000, 1e12, 1.6e12].map((ms) =>
    new Date(NOW + ms).toISOString(),
  ),
  ...[
    '2026-13-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '1e9',
  ],
  ...['2026-12-01T00:00:00+23:59', '2026-12-01', '2030-02-30T00:00:00Z', ''],
);
const url = fc.constantFrom(
  ...['https://example.com/hook', 'https://example.com:8443/', 'http://example.com/', 'https://127.0.0.1/'],
  ...[
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://a:b@example.com',
  ],
  ...[
    'https://example.com/#x',
    'javascript:1',
    'https://',
    'https://例え.jp/',
    `https://example.com/${long('é', 2_000)}`,
  ],
);
const free = fc.oneof(
  fc.object({ maxDepth: 3 }),
  fc.constantFrom({}, { lists: ['vip'], list: 'vip' }, { retention_days: 29 }, { retention_days: 30 }),
  fc.constantFrom<object>(
    { ai: { auto_draft: false } },
    { snooze_on_customer_reply: 'keep' },
    { ticket_prefix: '' },
    { ticket_prefix: '\u0000' },
    { x: long('x', 40_000) },
    { a: null },
  ),
);
const choice = <T>(...values: readonly T[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...values), weight: 5 },
    { arbitrary: fc.constantFrom('nothing of the kind', '', null), weight: 1 },
  );
/** What each field of a body may be, by its name; others may be anything. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email,
  customer_email: email,
  snoozed_until: time,
  expires_at: time,
  url,
  config: free,
  metadata: free,
  custom_fields: free,
  changes: free,
  payload: free,
  status: choice('draft', 'published', 'archived', 'open', 'pending', 'resolved', 'escalated'),
  priority: choice('low', 'normal', 'high', 'urgent'),
  channel: choice('email', 'chat', 'voice', 'api'),
  author: choice('agent', 'customer'),
  events: fc.array(choice('*', ...EVENT_KINDS), { maxLength: 5 }),
  scopes: fc.array(choice(...HELPDESK_SCOPES), { maxLength: 4 }),
  environment: choice('live', 'test'),
  tags: fc.array(oddText, { maxLength: 4 }),
  public: fc.boolean(),
  internal_note: fc.boolean(),
  active: fc.boolean(),
  action: choice('settings.x', 'settings.', 'ticket.closed', 'settings.\u0000'),
  default_language: choice('en', 'pt-BR', 'x-klingon', 'en-u-ca-buddhist', long('a', 300)),
  default_timezone: choice('Europe/Berlin', 'UTC', '+02:00', 'europe/berlin', 'Etc/Unknown'),
};
const TEXTS = [
  'subject',
  'body',
  'message',
  'customer_name',
  'reason',
  'name',
  'phone',
  'company',
  'firstname',
];
const OTHER_TEXTS = [
  'lastname',
  'title',
  'content',
  'excerpt',
  'description',
  'event',
  'resource_type',
  'resource_id',
];
const NAMES = [...Object.keys(FIELDS), ...TEXTS, ...OTHER_TEXTS, 'ticket_id', '__proto__', 'x'];

/** Resolved where it is used: which ids there are is known only then. */
type Id = number | string;
const id: fc.Arbitrary<Id> = fc.oneof(
  { arbitrary: fc.nat(10_000), weight: 8 },
  {
    arbitrary: fc.constantFrom(UNKNOWN_ID, '%00', '%ff', '..', '%2e', '*', ':id', '1', long('a', 3_000)),
    weight: 1,
  },
);
const fieldOf = (name: string): fc.Arbitrary<unknown> =>
  (Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined) ?? oddText;
const anyField = fc
  .constantFrom(...NAMES)
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fc.jsonValue({ maxDepth: 3 }), fieldOf(name))));

type Target = {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly queries: readonly string[];
  readonly isForSessions: boolean;
};
const KNOWN = HELPDESK_ROUTES.filter(({ part, auth }) => part === 'helpdesk' && auth !== 'public').map(
  (route): Target => ({
    method: route.method,
    path: route.path,
    fields: fieldsOf((route as Route).body),
    queries: fieldsOf((route as Route).query),
    isForSessions: Object.hasOwn(route.auth as object, 'session'),
  }),
);
const target = fc.oneof(
  { arbitrary: fc.constantFrom(...KNOWN), weight: 8 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...KNOWN), fc.constantFrom(...METHODS))
      .map(([known, method]) => ({ ...known, method })),
    weight: 1,
  },
);
const valuesOf = (fields: readonly string[]) =>
  Object.fromEntries(fields.map((name) => [name, fieldOf(name)]));
/** What a route asks for, mostly; then something of it is changed. */
const bodyFor = (fields: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      arbitrary: fc
        .tuple(
          fc.boolean().chain((isWhole) => fc.record(valuesOf(fields), isWhole ? {} : { requiredKeys: [] })),
          fc.array(anyField, { maxLength: 1 }),
          fc.nat(5),
        )
        .map(([given, more, odd]) => ({ ...given, ...(odd === 0 ? Object.fromEntries(more) : {}) })),
      weight: 8,
    },
    {
      arbitrary: fc.constantFrom(undefined, '', '{}', '[]', 'null', '{"body":"\\ud800"}', '['.repeat(5_000)),
      weight: 1,
    },
    { arbitrary: fc.uint8Array({ maxLength: 100 }), weight: 1 },
    { arbitrary: fc.json({ maxDepth: 4 }), weight: 1 },
  );
const QUERY_NAMES = [
  ...[
    'limit',
    'offset',
    'page',
    'cursor',
    'status',
    'ticket_status',
    'search',
    'list',
    'email',
    'orderBy',
    'counts',
  ],
  ...[
    'ticket_id',
    'action',
    'actor_id',
    'resource_type',
    'resource_id',
    'source',
    'from',
    'to',
    'facets',
    'x',
  ],
];
const queryValue = fc.oneof(
  fc.constantFrom(
    '1',
    '100',
    '101',
    '0',
    '9999',
    '10000',
    '1e3',
    '-1',
    '',
    'true',
    'new',
    'pending',
    'snoozed',
    'vip',
  ),
  fc.constantFrom(
    'action,actor',
    'server',
    '2026-11-20T00:00:00Z',
    'a%40b.co',
    '%00',
    '%ff',
    '%zz',
    '%F0%9F%98%80',
  ),
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
/** What a route reads, mostly: of the rest it says only that it does not know it. */
const queryFor = (names: readonly string[]) => {
  const any = fc.constantFrom(...QUERY_NAMES);
  const known = names.length === 0 ? any : fc.constantFrom(...names);
  const name = fc.oneof({ arbitrary: known, weight: 9 }, { arbitrary: any, weight: 1 });
  return fc.array(fc.tuple(name, queryValue), { maxLength: 3 });
};
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      '',
      'application/json; charset=utf-16',
      '\u00ff',
    ),
    'idempotency-key': fc.constantFrom('one', 'two', '', long('k', 300), 'a b', '\u00ff'),
    'if-match': fc.constantFrom('*', '"1"', 'W/"1"', '"', ',,,', long('"a",', 500)),
    'if-none-match': fc.constantFrom('*', '"1"', 'x'),
    'x-request-id': fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'x'),
    'x-forwarded-for': fc.constantFrom('127.0.0.1', 'x'),
    origin: fc.constantFrom('null', 'https://desk.example', 'https://evil.example'),
    'x-http-method-override': fc.constantFrom('DELETE'),
    'x-api-key': fc.constantFrom('', 'hdk_live_x', '\u00ff', long('k', 5_000)),
    authorization: fc.constantFrom(
      'Bearer ',
      'Bearer session-mine-owner',
      'Basic x',
      'Bearer a.b.c',
      long('x', 5_000),
    ),
  },
  { requiredKeys: [] },
);
const conditions = fc.record({
  'if-match': fc.constantFrom('*', '"1"', '"2"', 'W/"1"'),
  'idempotency-key': fc.nat(200).map((n) => `key-${n}`),
});
const request = target.chain((at) =>
  fc.record({
    at: fc.constant(at),
    ids: fc.tuple(id, id),
    body: bodyFor(at.fields),
    query: queryFor(at.queries),
    // Most requests must get past the door.
    headers: fc.oneof(
      { arbitrary: fc.constant({}), weight: 5 },
      { arbitrary: conditions, weight: 2 },
      { arbitrary: headers, weight: 1 },
    ),
    role: at.isForSessions
      ? fc.constantFrom('owner', 'admin', 'member', 'key', 'key', 'key')
      : fc.constant('key'),
  }),
);

const EVERYTHING_SAID = [200, 201, 202, 400, 401, 403, 404, 405, 409, 412];

export function helpdeskFuzz(runs: number): void {
  describe('fuzz of the helpdesk', () => {
    it(`0 x 5xx, and the contract kept, on ${runs} requests`, async () => {
      const desk = await openHelpdesk();
      const ids = new Ids();
      const statuses = new Map<number, number>();
      let sent = 0;
      const requests = fc.asyncProperty(
        request,
        async ({ at, ids: [first, second], body, query: params, headers: given, role }) => {
          sent += 1;
          if (sent % ROUNDS_PER_SWEEP === 0) await sweep(desk);
          const search = params.map(([name, value]) => `${name}=${value}`).join('&');
          const path = at.path
            .replace(':id', ids.of(at.path.split('/deliveries')[0] ?? '', first))
            .replace(':delivery_id', ids.of('/deliveries', second));
          const reply = await desk.ask(
            at.method,
            search === '' || at.method !== 'GET' ? path : `${path}?${search}`,
            {
              ...(['GET', 'HEAD'].includes(at.method)
                ? {}
                : { body: withId(body, ids.of('/tickets', second)) }),
              headers: given as Record<string, string>,
              ...(role === 'key' ? {} : { token: desk.session(role as 'owner') }),
            },
          );
          expect([reply.status, reply.text]).toEqual([
            expect.toSatisfy((s: number) => s < 500),
            expect.any(String),
          ]);
          if (reply.status < 300) ids.harvest(at.path, reply.text);
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        },
      );
      // Some answers are rare: where one was not drawn, it goes on for a while.
      const isSaid = () => EVERYTHING_SAID.every((status) => statuses.has(status));
      for (let round = 0; round < 5 && !isSaid(); round++) await fc.assert(requests, { numRuns: runs });
      await sweep(desk);
      await stillWorks(desk);
      // It reached past the door: everything the API can say was said.
      expect([...statuses.keys()]).toEqual(expect.arrayContaining(EVERYTHING_SAID));
      expect(desk.reports).toEqual([]);
      console.log(JSON.stringify({ fuzzed: sent, statuses: Object.fromEntries(statuses) }));
    });
  });
}

/** Time passes, and nothing that was left is stuck. */
async function sweep(desk: Desk): Promise<void> {
  desk.clock.advance(120_000);
  const report = await runSweep({
    ...desk.ports,
    quarantine: (found) => desk.reports.push({ problem: 'quarantine', error: found }),
  });
  expect(report.failed).toBe(0);
}

async function stillWorks(desk: Desk): Promise<void> {
  const id = await desk.ticket({ subject: 'Afterwards' });
  expect((await desk.ask('POST', `/api/tickets/${id}/reply`, { body: { body: 'Yes?' } })).status).toBe(200);
  const found = await desk.ask('GET', '/api/tickets?search=afterwards');
  expect((found.body as { tickets: { id: string }[] }).tickets.map((ticket) => ticket.id)).toContain(id);
  for (const path of [
    'contacts',
    'conversations',
    'articles',
    'runs',
    'webhooks',
    'audit-log',
    'accounts',
    'api-keys',
  ])
    expect([path, (await desk.ask('GET', `/api/v1/${path}`)).status]).toEqual([path, 200]);
}

/** Whatever was answered may be asked for, at the paths of its kind; of many the newest. */
class Ids {
  #known: Readonly<Record<string, readonly string[]>> = {};

  harvest(path: string, text: string): void {
    const kind = kindOf(path);
    // Whoever revokes the key that asks learns no more.
    for (const [, name, found = ''] of text.matchAll(/"(id|ticket_id)":"([^"]{1,80})"/g))
      if (found !== OWN_KEY) this.#take(name === 'ticket_id' ? 'tickets' : kind, found);
  }

  /** Now and then of another kind. */
  of(path: string, id: Id): string {
    if (typeof id === 'string') return id;
    const kinds = Object.keys(this.#known);
    const kind = id % 13 === 0 ? (kinds[id % kinds.length] ?? '') : kindOf(path);
    const known = this.#known[kind] ?? [];
    return encodeURIComponent(known[id % known.length] ?? UNKNOWN_ID);
  }

  #take(kind: string, id: string): void {
    const known = [...new Set([id, ...(this.#known[kind] ?? [])])].slice(0, IDS_MAX);
    this.#known = { ...this.#known, [kind]: known };
  }
}

const SAME: Readonly<Record<string, string>> = {
  conversations: 'tickets',
  ingest: 'articles',
  messages: 'other',
};

function kindOf(path: string): string {
  const [found = 'other'] =
    /deliveries|contacts|tickets|conversations|articles|ingest|webhooks|runs|keys/.exec(path) ?? [];
  return SAME[found] ?? found;
}

function withId(body: unknown, ticketId: string): unknown {
  const isObject = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
  return isObject && 'ticket_id' in body && body.ticket_id !== null ? { ...body, ticket_id: ticketId } : body;
}
