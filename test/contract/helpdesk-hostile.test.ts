// Goal: whatever is sent, the answer is a 4xx that names the field, in the one shape of failures; nothing of it is left behind,
// and nothing is wedged by it.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { type Desk, errorOf, MINE, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

let desk: Desk;
let ticket: string;
beforeAll(async () => {
  desk = await openHelpdesk();
  ticket = await desk.ticket();
});

const EMOJI = '\u{1f600}';
const escaped = (text: string): string =>
  [...text]
    .flatMap((c) => c.split('').map((u) => `\\u${u.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('');
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a text', () => {
  const FIELDS: readonly (readonly [string, string, string, number, Readonly<Record<string, unknown>>])[] = [
    ['POST', '/api/tickets', 'body', 50_000, { customer_email: 'a@b.co', subject: 'a' }],
    ['POST', '/api/tickets', 'subject', 500, { customer_email: 'a@b.co', body: 'a' }],
    ['POST', '/api/v1/conversations', 'message', 50_000, { subject: 'a' }],
    ['POST', '/api/v1/conversations', 'subject', 500, { message: 'a' }],
    ['POST', '/api/tickets/:id/reply', 'body', 50_000, {}],
    ['POST', '/api/tickets/:id/close', 'reason', 1_000, {}],
    ['POST', '/api/v1/messages', 'body', 50_000, { ticket_id: ':id' }],
    ['POST', '/api/v1/contacts', 'name', 255, { email: 'n@b.co' }],
    ['PUT', '/api/v1/accounts', 'name', 255, {}],
  ];

  it.each(FIELDS)(
    '%s %s %s has %i characters at most, however many bytes',
    async (method, path, field, max, rest) => {
      const url = path.replace(':id', ticket);
      const send = (text: string, spell: (text: string) => string = (t) => t) => {
        const others = JSON.stringify(rest).replace(':id', ticket);
        const body = `${others.slice(0, -1)}${others === '{}' ? '' : ','}"${field}":"${spell(text)}"}`;
        return desk.ask(method, url, { body });
      };
      for (const [text, spell] of [
        ['x'.repeat(max)],
        [EMOJI.repeat(max)],
        [EMOJI.repeat(max), escaped],
      ] as const) {
        const reply = await send(text, spell);
        expect([reply.status === 409 ? 201 : reply.status, reply.text.slice(0, 100)]).toEqual([
          expect.toSatisfy((status: number) => status === 200 || status === 201),
          expect.any(String),
        ]);
        const over = await send(`${text}${text.slice(0, text.length / max)}`, spell);
        expect([over.status, errorOf(over)]).toEqual([
          400,
          `${field}: must be at most ${max} characters long`,
        ]);
      }
    },
  );

  it.each([
    ['a lone surrogate', '"\\ud800"', 'Request body must not contain lone surrogates'],
    ['half an emoji', '"a\\ude00"', 'Request body must not contain lone surrogates'],
    ['NUL', '"a\\u0000"', 'Request body must not contain NUL characters'],
    ['a number', '7', 'body: must be text'],
    ['null', 'null', 'body: must be text'],
    ['a list', '["a"]', 'body: must be text'],
    ['nothing', '""', 'body: must not be empty'],
    ['white space', '" \\n\\u3000"', 'body: must not be empty'],
  ])('of %s is refused', async (_name, text, error) => {
    const before = await desk.stores.tickets.read(MINE, ticket);
    const reply = await desk.ask('POST', `/api/tickets/${ticket}/reply`, { body: `{"body":${text}}` });
    expect([reply.status, errorOf(reply)]).toEqual([400, error]);
    expect(await desk.stores.tickets.read(MINE, ticket)).toEqual(before);
  });

  it.each([
    'quotes " and \\',
    '\u202eright to left\u202c',
    '\ufeffmark\u200b',
    'line\nbreak\ttab\u0085\u2028',
    '\u{10ffff}\uffff\ufdd0',
    '<script>alert(1)</script>{{7*7}}%{x}',
    '\u0001\u001f\u007f',
    '__proto__',
  ])('as odd as %j comes back as it was sent', async (text) => {
    const sent = await desk.ask('POST', `/api/tickets/${ticket}/reply`, { body: { body: `a${text}z` } });
    expect(sent.status, sent.text).toBe(200);
    const { messages } = (await desk.ask('GET', `/api/v1/messages?ticket_id=${ticket}&limit=100`)).body as {
      messages: { body: string }[];
    };
    expect(messages.map(({ body }) => body)).toContain(`a${text}z`);
  });

  it('of one line holds no line break, so that no mail gets a header of it', async () => {
    for (const subject of ['a\r\nBcc: all@example.com', 'a\u0085b', 'a\u0000b']) {
      const reply = await desk.ask('POST', '/api/v1/conversations', { body: { subject, message: 'a' } });
      expect(reply.status).toBe(400);
    }
  });
});

describe('a body', () => {
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}, path = '/api/contacts') =>
    desk.ask('POST', path, { body, headers });

  it.each([
    ['', 400, /is required/],
    ['null', 400, /^Request body must be a JSON object$/],
    ['[]', 400, /^Request body must be a JSON object$/],
    ['"a"', 400, /^Request body must be a JSON object$/],
    ['{', 400, /^Malformed JSON$/],
    ['{"email":"a@b.co"} x', 400, /^Malformed JSON$/],
    ["{'email':'a@b.co'}", 400, /^Malformed JSON$/],
    ['{"email":"a@b.co","metadata":{"n":1e400}}', 400, /numbers beyond/],
    ['{"email":"a@b.co","email":"c@d.co"}', 400, /twice/],
    ['{"email":"a@b.co","__proto__":{"a":1}}', 400, /__proto__/],
    [`{"email":"a@b.co","metadata":{"d":${deep(10_000)}}}`, 400, /nest deeper/],
    [`{"email":"a@b.co","metadata":{"d":${deep(18)}}}`, 200, /^/],
    [`{"email":"a@b.co","metadata":{"d":${deep(19)}}}`, 400, /nest deeper/],
    [`{"email":"a@b.co","metadata":{"d":"${'x'.repeat(16_384)}"}}`, 400, /^metadata: /],
    ['{"email":"a@b.co","metadata":[]}', 400, /^metadata: /],
    ['{"email":"a@b.co","unknown":1}', 400, /^unknown: is not a known property$/],
    ['\ufeff{"email":"a@b.co"}', 200, /^/],
    ['\ufeff\ufeff{"email":"a@b.co"}', 400, /^Malformed JSON$/],
    ['\ufeff', 400, /^Malformed JSON$/],
  ])('%.60s is answered %i', async (body, status, words) => {
    const reply = await post(body);
    expect([reply.status, reply.status === 200 ? '' : errorOf(reply)]).toEqual([
      status,
      expect.stringMatching(words),
    ]);
  });

  it('of more than a mebibyte is refused, and one of just as much is read', async () => {
    const of = (bytes: number): string => {
      const rest = '{"email":"a@b.co"}';
      return `${rest}${' '.repeat(bytes - rest.length)}`;
    };
    expect((await post(of(1_048_576))).status).toBe(200);
    const reply = await post(of(1_048_577));
    expect([reply.status, errorOf(reply)]).toEqual([413, 'Request body too large']);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'json',
  ])('of type %s is refused', async (type) => {
    const reply = await post('{"email":"a@b.co"}', { 'content-type': type });
    expect([reply.status, errorOf(reply)]).toEqual([415, 'Content-Type must be application/json']);
  });

  it('of no type is refused, and one of a type with parameters is read', async () => {
    const payload = '{"email":"a@b.co"}';
    const headers = { 'x-api-key': desk.key };
    const none = await desk.app.inject({
      method: 'POST',
      url: '/api/contacts',
      headers,
      payload: Buffer.from(payload),
    });
    expect([none.statusCode, none.payload]).toEqual([
      415,
      '{"error":"Content-Type must be application/json"}',
    ]);
    expect((await post(payload, { 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(200);
  });
});

describe('an address', () => {
  it.each(["a!b'c@b.co", 'a@localhost', 'A.B+c@EXAMPLE.com', `${'a'.repeat(64)}@b.co`])(
    '%s is taken',
    async (email) => {
      const reply = await desk.ask('POST', '/api/contacts', { body: { email } });
      expect([reply.status, (reply.body as { contact: { email: string } }).contact.email]).toEqual([
        200,
        email.toLowerCase(),
      ]);
    },
  );

  it.each([
    '',
    'a',
    'a@',
    '@b',
    'a b@c.co',
    '"q"@b.co',
    'jörg@exämple.de',
    '.a@b.co',
    'a.@b.co',
    'a..b@b.co',
    `${'a'.repeat(65)}@b.co`,
    'a@b.co\n',
    `${'a'.repeat(250)}@b.co`,
    7,
    null,
  ])('%j is refused', async (email) => {
    const reply = await desk.ask('POST', '/api/contacts', { body: { email } });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(/^email: must be/)]);
  });
});

describe('a path', () => {
  it.each(['/api', '/api/', '/api/tickets/x/y/z', '/API/tickets', '/api/v2/contacts', '//api/tickets'])(
    '%s is nowhere',
    async (path) => {
      const reply = await desk.call(path);
      expect([reply.status, reply.text]).toEqual([404, expect.stringMatching(/not found/i)]);
    },
  );

  it('whose id is empty leads to nobody', async () => {
    expect((await desk.ask('GET', '/api/tickets/')).status).toBe(404);
  });

  it('that no percent sign can be read of is refused', async () => {
    const reply = await desk.ask('GET', '/api/tickets/%zz');
    expect(reply.status).toBe(400);
  });
});

/** Bodies of no route, for every route: each answer is below 500, and in the one shape. */
const NONSENSE = [
  '{}',
  '{"body":{},"email":[],"ticket_id":{},"snoozed_until":1e308,"name":false,"config":7,"url":{},"title":[]}',
  `{"a":${deep(10_000)}}`,
  '{"body":"\\ud800"}',
  '[]',
  'x',
];

it.each(
  (HELPDESK_ROUTES as readonly Route[]).map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s survives nonsense', async (_name, route) => {
  const url = route.path.replaceAll(/:\w+/g, UNKNOWN_ID);
  if (route.method === 'GET')
    for (const query of [
      '?limit=%00',
      '?search=%00%ff',
      '?cursor=%zz',
      '?a[]=1&__proto__=2',
      `?search=${EMOJI}`,
    ]) {
      const { status, text } = await desk.ask('GET', `${url}${encodeURI(query).replaceAll('%25', '%')}`);
      expect([query, status, text.slice(0, 200)]).toEqual([
        query,
        expect.toSatisfy((s: number) => s < 500),
        expect.any(String),
      ]);
    }
  else
    for (const body of NONSENSE) {
      const { status, text } = await desk.ask(route.method, url, { body });
      expect([body.slice(0, 40), status, text.slice(0, 200)]).toEqual([
        body.slice(0, 40),
        expect.toSatisfy((s: number) => s < 500),
        expect.any(String),
      ]);
    }
  expect(desk.reports).toEqual([]);
});
